//! What the links of a fabric are bought as: the cheapest kind that reaches, and the parts that so many
//! links of it take. Chooses no fabric.

use std::collections::BTreeMap;

use super::bill::{Bought, Role};
use super::lookup::part_price;
use crate::fabric::{Counts, Tier};
use crate::hardware::{Cable, Cage, Catalogue, LinkKind, PriceBook};
use crate::units::{Bandwidth, Usd, Watts};

/// A kind of link with the cable of the length that it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<'a> {
    /// The kind.
    pub kind: &'a LinkKind,
    /// Its cable.
    pub cable: &'a Cable,
}

/// What a fabric's links are bought as: those of interfaces, and those between switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkParts<'a> {
    /// From an interface to its leaf switch.
    pub host: Joint<'a>,
    /// Between switches.
    pub uplink: Joint<'a>,
}

/// Cages and lengths that links join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// Rate of a link.
    pub rate: Bandwidth,
    /// Cage of the interfaces.
    pub nic: Cage,
    /// Cage of the switches.
    pub switch: Cage,
    /// Metres between an interface and its leaf switch.
    pub host_m: u32,
    /// Metres between switches.
    pub uplink_m: u32,
}

/// A part that links take: as many of it as `host` for a host link and `uplink` for one between
/// switches, `share` of these being one piece.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPart<'a> {
    /// Part by its name in the catalogue.
    pub name: &'a str,
    /// Module or cable.
    pub role: Role,
    /// Shares of a host link.
    pub host: u64,
    /// Shares of a link between switches.
    pub uplink: u64,
    /// Shares of one piece.
    pub share: u64,
    /// Power of one piece.
    pub power: Watts,
}

impl<'a> LinkParts<'a> {
    /// The cheapest kinds that join these ends; kinds without a price only where none has one. `None`
    /// where nothing joins them.
    #[must_use]
    pub fn of(catalogue: &'a Catalogue, prices: &PriceBook, ends: &Between) -> Option<Self> {
        let host = joint(catalogue, prices, ends.rate, (ends.switch, ends.nic), ends.host_m)?;
        let pair = (ends.switch, ends.switch);
        let uplink = joint(catalogue, prices, ends.rate, pair, ends.uplink_m)?;
        Some(Self { host, uplink })
    }

    /// True where a book prices every part.
    #[must_use]
    pub fn is_priced(&self, catalogue: &Catalogue, prices: &PriceBook) -> bool {
        [self.host, self.uplink].iter().all(|of| price_of(catalogue, prices, of).is_some())
    }

    /// Every part once, modules first.
    #[must_use]
    pub fn parts(&self, catalogue: &'a Catalogue) -> Vec<LinkPart<'a>> {
        let mut shares: BTreeMap<(Role, &str), (Vec<Share>, Watts)> = BTreeMap::new();
        for (joint, is_host) in [(self.host, true), (self.uplink, false)] {
            for (role, name, share, power) in joint.taken(catalogue) {
                let known = shares.entry((role, name)).or_insert((Vec::new(), power));
                known.0.push(Share { is_host, ..share });
            }
        }
        let whole = |of: &[Share]| of.iter().fold(SHARES, |all, share| lcm(all, share.of));
        let each = shares.into_iter().map(|((role, name), (of, power))| {
            let share = whole(&of);
            let sum = |hosts: bool| {
                let each = of.iter().filter(|one| one.is_host == hosts);
                each.map(|one| one.pieces * (share / one.of)).sum()
            };
            LinkPart { name, role, host: sum(true), uplink: sum(false), share, power }
        });
        each.collect()
    }

    /// Pieces of every part that a fabric takes: each cage in use has a whole module, ports of a switch
    /// filling its cages one after another, and alike switches as evenly as they can.
    #[must_use]
    pub fn bought(&self, catalogue: &'a Catalogue, counts: &Counts) -> Vec<Bought<'a>> {
        let (hosts, uplinks) = (counts.host_links, counts.links() - counts.host_links);
        let ports = self.ports_of_a_cage();
        let cages: u64 = counts.tiers.iter().map(|tier| cages(tier, ports)).sum();
        let near = self.host.kind.near_module.as_deref();
        let each = self.parts(catalogue).into_iter().map(|part| {
            let LinkPart { name, role, share, power, .. } = part;
            let all = part.host * hosts + part.uplink * uplinks;
            // A port of a switch is a share of its module, and idle ones of a lit cage are too.
            let idle = match role == Role::Optic && near == Some(name) && ports > 1 {
                true => {
                    let used: u64 = counts.tiers.iter().map(|tier| tier.ports_used).sum();
                    (cages * ports).saturating_sub(used) * (share / ports)
                }
                false => 0,
            };
            Bought { name, role, count: (all + idle).div_ceil(share), power }
        });
        each.collect()
    }

    /// Power of what is plugged into a switch, for a port: the hungrier of both kinds.
    #[must_use]
    pub fn port_power(&self, catalogue: &Catalogue) -> Watts {
        let of = |joint: &Joint<'_>| {
            let module = joint.kind.near_module.as_deref();
            let optic = module.and_then(|name| catalogue.optic_named(name));
            optic.map_or(Watts::ZERO, |of| of.power / f64::from(joint.kind.near_links))
        };
        of(&self.host).max(of(&self.uplink))
    }

    /// Ports of a switch's cage, where all of its links are alike in it; else one.
    #[must_use]
    pub fn ports_of_a_cage(&self) -> u64 {
        let (host, uplink) = (self.host.kind, self.uplink.kind);
        let alike = host.near_module == uplink.near_module && host.near_links == uplink.near_links;
        if alike { u64::from(host.near_links) } else { 1 }
    }
}

/// Shares that a piece is counted in at least: those of a cage in any mode, so that a part has as many
/// in every cluster that it is bought for.
const SHARES: u64 = 8;

/// So many pieces for `of` links.
#[derive(Clone, Copy, Debug)]
struct Share {
    pieces: u64,
    of: u64,
    is_host: bool,
}

impl<'a> Joint<'a> {
    /// Part, pieces and links of these, and power of each part of a link.
    fn taken(
        &self,
        catalogue: &'a Catalogue,
    ) -> impl Iterator<Item = (Role, &'a str, Share, Watts)> + use<'a> {
        let kind = self.kind;
        let share = |pieces: u32, of: u32| Share {
            pieces: u64::from(pieces),
            of: u64::from(of),
            is_host: false,
        };
        let modules = [(&kind.near_module, kind.near_links), (&kind.far_module, kind.far_links)];
        let modules = modules.into_iter().filter_map(move |(module, links)| {
            let module = module.as_deref()?;
            let power = catalogue.optic_named(module).map_or(Watts::ZERO, |optic| optic.power);
            Some((Role::Optic, module, share(1, links), power))
        });
        let cable = self.cable;
        let cables = share(kind.cables, kind.cable_links);
        modules.chain([(Role::Cable, cable.name.as_str(), cables, cable.power)])
    }
}

/// The cheapest kind between two cages that reaches so far, with its shortest cable.
fn joint<'a>(
    catalogue: &'a Catalogue,
    prices: &PriceBook,
    rate: Bandwidth,
    (near, far): (Cage, Cage),
    metres: u32,
) -> Option<Joint<'a>> {
    let joins = |kind: &&LinkKind| {
        kind.rate == rate
            && (kind.near, kind.far) == (near, far)
            && kind.reach_m.is_none_or(|reach| metres <= reach)
    };
    let cabled = |kind: &'a LinkKind| {
        let long = catalogue.cables.iter().filter(|of| of.kind == kind.cable);
        let cable = long.filter(|of| of.length_m >= metres).min_by_key(|of| of.length_m)?;
        Some(Joint { kind, cable })
    };
    let all: Vec<Joint<'a>> = catalogue.links.iter().filter(joins).filter_map(cabled).collect();
    let priced = all.iter().filter_map(|of| Some((price_of(catalogue, prices, of)?, of)));
    let cheapest = priced.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, of)| *of);
    cheapest.or_else(|| all.first().copied())
}

/// What a link of that kind costs; `None` where a part has no price.
fn price_of(catalogue: &Catalogue, prices: &PriceBook, of: &Joint<'_>) -> Option<Usd> {
    let each = of.taken(catalogue).map(|(_, name, share, _)| {
        let price = part_price(prices, name)?.amount;
        Some(price * (share.pieces as f64 / share.of as f64))
    });
    each.sum()
}

/// Cages in use over all switches of a tier, so many ports each.
fn cages(tier: &Tier, ports: u64) -> u64 {
    let Some(each) = tier.ports_used.checked_div(tier.count) else { return 0 };
    let more = tier.ports_used % tier.count;
    more * (each + 1).div_ceil(ports) + (tier.count - more) * each.div_ceil(ports)
}

const fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
