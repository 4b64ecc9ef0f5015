//! What can be bought for a candidate: the switch models and transceivers of its link rate, as
//! the integer program wants them.

use super::terms::Terms;
use crate::cost::{LinkPart, optic_price, part_price, switch_price};
use crate::design::candidate::priced_links::{LinkPurchase, allowed_switches, switches_on_offer};
use crate::design::job::machine::Machine;
use crate::fabric::{IdleLanes, Lanes, Occupancy};
use crate::hardware::{Optic, Switch};
use crate::scenario::{Limits, Scenario};
use crate::sizing::{LinkEndOffer, Offer, SizingProblem};
use crate::units::{Bandwidth, Usd, Watts};

/// Parts of one link rate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartsOnOffer<'a> {
    pub(crate) link: Bandwidth,
    /// Ports that a link between switches takes at either end.
    pub(crate) width: u32,
    /// Links that share cages and cables.
    pub(in crate::design) lanes: Lanes,
    /// Switch models in the order of the catalogue; the program counts them in this order.
    pub(in crate::design) switches: Vec<&'a Switch>,
    pub(crate) offers: Vec<Offer>,
    /// Transceiver; `None` where the catalogue has none of that rate.
    pub(crate) optic: Option<&'a Optic>,
    pub(crate) ends: LinkEndOffer,
    /// Modules and cables that links take; none where each end is a transceiver. They are offers
    /// too, behind the switches and in this order, counted in shares of a piece.
    pub(crate) links: Vec<LinkPart<'a>>,
    /// Parts are kept for other stages, so that none is ruled out by its price.
    pub(in crate::design) keeps: bool,
    /// Switches of each model that one rack holds, every port lit; empty where racks are not
    /// limited.
    pub(crate) per_rack: Vec<u64>,
}

impl PartsOnOffer<'_> {
    /// Uplinks that a switch of so many ports has room for beside so many links down. A cage is of
    /// one mode as a whole: of host links, or of others between switches (docs/equations.md §7.14).
    pub(super) fn uplinks_beside(&self, radix: u32, down: u32) -> u32 {
        if self.lanes.mixed {
            return radix.saturating_sub(down);
        }
        let taken = down.next_multiple_of(self.lanes.host);
        let left = radix.saturating_sub(taken) / self.width;
        left - left % self.lanes.uplink
    }

    /// What columns take of all offers: so many switches of each model, and the parts of all links,
    /// whole in every switch.
    pub(super) fn parts_used(
        &self,
        mut switches: Vec<u64>,
        hosts: u64,
        links: u64,
        occupancy: &Occupancy,
    ) -> Vec<u64> {
        let idle = occupancy.idle_lanes(&self.lanes);
        let uplinks = links.saturating_sub(hosts);
        switches.extend(
            self.links.iter().map(|part| part.shares_taken_by_links(hosts, uplinks, &idle)),
        );
        switches
    }

    /// What an idle lane of every kind weighs, where each offer weighs what `weigh` says.
    pub(in crate::design) fn idle_weights(
        &self,
        weigh: impl Fn(&Offer, usize) -> f64,
    ) -> IdleLanes<f64> {
        let first = self.offers.len() - self.links.len();
        let offers = self.offers.iter().enumerate().skip(first);
        offers.zip(&self.links).fold(IdleLanes::default(), |all, ((place, offer), part)| {
            let weight = weigh(offer, place);
            all.add_lanes(part.idle.map_lanes(|shares| shares as f64 * weight))
        })
    }

    /// What a link of an interface and a link between switches weigh, where each offer weighs what
    /// `weigh` says and an end of a link by itself `end`.
    pub(in crate::design) fn link_weights(
        &self,
        weigh: impl Fn(&Offer, usize) -> f64,
        end: f64,
    ) -> (f64, f64) {
        let both = SizingProblem::ENDS_PER_LINK as f64 * end;
        let first = self.offers.len() - self.links.len();
        let offers = self.offers.iter().enumerate().skip(first);
        offers.zip(&self.links).fold((both, both), |(host, uplink), ((place, offer), part)| {
            let weight = weigh(offer, place);
            (host + part.host as f64 * weight, uplink + part.uplink as f64 * weight)
        })
    }

    /// True where nothing is owned or kept and everything can be had in any number: then the price
    /// of a build is all that speaks for or against it.
    pub(in crate::design) fn all_bought(&self) -> bool {
        !self.keeps
            && self.ends.stock == 0
            && self.offers.iter().all(|offer| offer.stock == 0 && offer.supply.is_none())
    }
}

/// The parts that a link of that rate may use. A model that no book prices is left out where
/// another has a price: it would look free. Models in stock stay, as they cost nothing.
pub(in crate::design) fn parts_on_offer<'a>(
    scenario: &'a Scenario,
    machine: Machine<'_>,
    planes: u32,
    terms: &Terms<'_>,
) -> PartsOnOffer<'a> {
    let Terms { protocol, limits, keeps, .. } = *terms;
    let link = machine.link_rate(planes);
    let linking = LinkPurchase::for_machine(scenario, machine, planes, protocol);
    let allowed: Vec<&Switch> = allowed_switches(scenario).collect();
    let priced = |switch: &Switch| switch_price(&scenario.prices, switch).is_some();
    let any_priced = allowed.iter().any(|switch| priced(switch));
    let owned = |name: &str| scenario.inventory.get(name).copied().unwrap_or(0);
    let switches: Vec<&Switch> = switches_on_offer(scenario, protocol, link)
        .filter(|switch| linking.accepts_switch(switch))
        .filter(|switch| !any_priced || priced(switch) || owned(&switch.name) > 0)
        .collect();
    let offers: Vec<Offer> = switches
        .iter()
        .map(|switch| {
            let price = switch_price(&scenario.prices, switch);
            let supply = limits.supply.get(&switch.name).copied();
            Offer {
                name: switch.name.clone(),
                power: switch.power,
                stock: owned(&switch.name),
                // What is only in stock can't be bought where nobody says at what price.
                supply: if any_priced && price.is_none() { Some(0) } else { supply },
                price: price.map_or(Usd::ZERO, |price| price.amount),
            }
        })
        .collect();
    let (optic, ends, links) = match linking {
        LinkPurchase::Parts(ref parts, _) => {
            (None, LinkEndOffer::NONE, parts.all_link_parts(&scenario.catalogue))
        }
        LinkPurchase::ByEnd | LinkPurchase::Apart => {
            let optic = scenario.catalogue.find_optic(link);
            let price = optic_price(&scenario.prices, optic, link);
            let ends = LinkEndOffer {
                price: price.map_or(Usd::ZERO, |price| price.amount),
                power: optic.map_or(Watts::ZERO, |optic| optic.power),
                stock: optic.map_or(0, |optic| owned(&optic.name)),
            };
            (optic, ends, Vec::new())
        }
    };
    let (width, lanes) = match &linking {
        LinkPurchase::Parts(parts, _) => (parts.width, parts.lanes_per_cage()),
        LinkPurchase::ByEnd | LinkPurchase::Apart => (1, Lanes::OWN),
    };
    let port = match linking {
        LinkPurchase::Parts(parts, _) => parts.port_power(&scenario.catalogue),
        LinkPurchase::ByEnd | LinkPurchase::Apart => ends.power,
    };
    let fit = |switch: &Switch| switches_per_rack(switch, link, port, limits);
    let (switches, offers): (Vec<&Switch>, Vec<Offer>) = switches
        .into_iter()
        .zip(offers)
        .filter(|(switch, _)| !limits.bound_racks() || fit(switch) > 0)
        .unzip();
    let (switches, mut offers) = if keeps {
        (switches, offers)
    } else {
        drop_dominated_models(switches, offers, link, &fit)
    };
    let all = switches.iter().map(|switch| fit(switch));
    // Modules and cables take no room of their own.
    let none = links.iter().map(|_| 0);
    let per_rack = if limits.bound_racks() { all.chain(none).collect() } else { Vec::new() };
    offers.extend(links.iter().map(|part| {
        Offer {
            name: part.name.to_owned(),
            price: part_price(&scenario.prices, part.name)
                .map_or(Usd::ZERO, |price| price.amount / part.share as f64),
            power: part.power / part.share as f64,
            stock: owned(part.name) * part.share,
            supply: None,
        }
    }));
    PartsOnOffer { link, width, lanes, switches, offers, optic, ends, links, keeps, per_rack }
}

/// Switches of a model that one rack holds with every port lit; 0 where nobody says how high it is.
pub(super) fn switches_per_rack(
    switch: &Switch,
    link: Bandwidth,
    end: Watts,
    limits: &Limits,
) -> u64 {
    let lit = switch.power + end * f64::from(switch.radix(link));
    switch.rack_units.map_or(0, |units| limits.rack.holds_switches(units, lit))
}

/// Leaves out every model that another one replaces in any build: no fewer ports, no dearer, no
/// thirstier, to be had in any number, while none of the first is owned. Of equal models the
/// first stays.
fn drop_dominated_models<'a>(
    switches: Vec<&'a Switch>,
    offers: Vec<Offer>,
    link: Bandwidth,
    fit: &impl Fn(&Switch) -> u64,
) -> (Vec<&'a Switch>, Vec<Offer>) {
    let replaces = |b: usize, a: usize| {
        let (one, other) = (&offers[b], &offers[a]);
        let ports = switches[b].radix(link).cmp(&switches[a].radix(link));
        let price = other.price.total_cmp(&one.price);
        let power = other.power.total_cmp(&one.power);
        let fits = fit(switches[b]) >= fit(switches[a]);
        let no_worse = ports.is_ge() && price.is_ge() && power.is_ge() && fits;
        let better = ports.is_gt() || price.is_gt() || power.is_gt() || b < a;
        one.supply.is_none() && other.stock == 0 && no_worse && better
    };
    let count = offers.len();
    let kept: Vec<bool> =
        (0..count).map(|a| !(0..count).any(|b| b != a && replaces(b, a))).collect();
    let pairs = switches.iter().zip(&offers).zip(&kept).filter(|(_, kept)| **kept);
    pairs.map(|((switch, offer), _)| (*switch, offer.clone())).unzip()
}
