//! A kind of link with its cable: the cheapest that reaches, and the parts that one link of it
//! takes. Counts no network.

use super::bill::Role;
use super::price_lookup::part_price;
use crate::hardware::{Cable, Cage, Catalogue, LinkKind, PriceBook};
use crate::units::{Bandwidth, Usd, Watts};

/// A kind of link with the cable of the length that it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkWithCable<'a> {
    pub kind: &'a LinkKind,
    pub cable: &'a Cable,
}

/// Where a part of a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Cage of the switch nearer to interfaces.
    Near,
    /// Cage of the other end.
    Far,
    /// Between both.
    Between,
}

impl<'a> LinkWithCable<'a> {
    /// Place, part, pieces and links of these, and power of each part of a link.
    pub(super) fn parts_of_link(
        &self,
        catalogue: &'a Catalogue,
    ) -> impl Iterator<Item = (Place, Role, &'a str, (u64, u64), Watts)> + use<'a> {
        let kind = self.kind;
        let share = |pieces: u32, count: u32| (u64::from(pieces), u64::from(count));
        let modules = [
            (Place::Near, &kind.near_module, kind.near_links),
            (Place::Far, &kind.far_module, kind.far_links),
        ];
        let modules = modules.into_iter().filter_map(move |(place, module, links)| {
            let module = module.as_deref()?;
            let power = catalogue.optic_named(module).map_or(Watts::ZERO, |optic| optic.power);
            Some((place, Role::Optic, module, share(1, links), power))
        });
        let cable = self.cable;
        let cables = share(kind.cables, kind.cable_links);
        let cables = (Place::Between, Role::Cable, cable.name.as_str(), cables, cable.power);
        modules.chain([cables])
    }
}

/// What a link has to join.
#[derive(Clone, Copy, Debug)]
pub struct LinkDemand {
    pub rate: Bandwidth,
    pub near: Cage,
    pub far: Cage,
    /// Metres that its kind has to reach.
    pub reach_m: u32,
    /// Least metres of its cable.
    pub cable_m: u32,
}

/// The cheapest kind that meets a demand, with its shortest cable that does; kinds without a price
/// only where none has one. `None` where nothing joins the cages.
#[must_use]
pub fn cheapest_link_with_cable<'a>(
    catalogue: &'a Catalogue,
    prices: &PriceBook,
    demand: LinkDemand,
) -> Option<LinkWithCable<'a>> {
    let LinkDemand { rate, near, far, reach_m, cable_m } = demand;
    let joins = |kind: &&LinkKind| {
        (kind.rate, kind.near, kind.far) == (rate, near, far)
            && kind.reach_m.is_none_or(|reach| reach_m <= reach)
    };
    let cabled = |kind: &'a LinkKind, metres: u32| {
        let long = catalogue.cables.iter().filter(|known_cable| known_cable.kind == kind.cable);
        let cable = long
            .filter(|known_cable| known_cable.length_m >= metres)
            .min_by_key(|known_cable| known_cable.length_m)?;
        Some(LinkWithCable { kind, cable })
    };
    let reaching = catalogue.links.iter().filter(joins);
    let all: Vec<LinkWithCable<'a>> = reaching.filter_map(|kind| cabled(kind, reach_m)).collect();
    let priced = all
        .iter()
        .filter_map(|with_cable| Some((price_of(catalogue, prices, with_cable)?, with_cable)));
    let cheapest = priced.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, with_cable)| *with_cable);
    let chosen = cheapest.or_else(|| all.first().copied())?;
    cabled(chosen.kind, cable_m.min(reach_m))
}

/// What a link of that kind costs; `None` where a part has no price.
pub(super) fn price_of(
    catalogue: &Catalogue,
    prices: &PriceBook,
    cable: &LinkWithCable<'_>,
) -> Option<Usd> {
    let each = cable.parts_of_link(catalogue).map(|(_, _, name, (pieces, count), _)| {
        let price = part_price(prices, name)?.amount;
        Some(price * (pieces as f64 / count as f64))
    });
    each.sum()
}
