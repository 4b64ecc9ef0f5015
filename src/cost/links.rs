//! What the links of a fabric are bought as: the cheapest kind that reaches, and the parts that so many
//! links of it take. Chooses no fabric.

use std::collections::BTreeMap;

use super::bill::{Bought, Role};
use super::lookup::part_price;
use crate::fabric::{Counts, Tier, TierName};
use crate::hardware::{Cable, Cage, Catalogue, LinkKind, PriceBook};
use crate::scenario::{Lengths, Stretch};
use crate::units::{Bandwidth, Usd, Watts};

/// A kind of link with the cable of the length that it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<'a> {
    /// The kind.
    pub kind: &'a LinkKind,
    /// Its cable.
    pub cable: &'a Cable,
}

/// What a fabric's links are bought as: those of interfaces, and those between switches, each with how many
/// links of a class it is out of all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkParts<'a> {
    /// From an interface to its leaf switch; at least one.
    pub host: Vec<(Joint<'a>, u64)>,
    /// Between switches; at least one.
    pub uplink: Vec<(Joint<'a>, u64)>,
    /// Ports that a link between switches takes at either end.
    pub width: u32,
}

/// Cages and lengths that links join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between<'l> {
    /// Rate of a link to an interface.
    pub rate: Bandwidth,
    /// How many times that a link between switches carries.
    pub width: u32,
    /// Cage of the interfaces.
    pub nic: Cage,
    /// Cage of the switches.
    pub switch: Cage,
    /// Lengths of all links.
    pub lengths: &'l Lengths,
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
    pub fn of(catalogue: &'a Catalogue, prices: &PriceBook, ends: &Between<'_>) -> Option<Self> {
        let pair = (ends.switch, ends.switch);
        let each = |rate, cages, of: &Stretch| {
            let joint = joint(catalogue, prices, rate, cages, (of.reach_m, of.cable_m))?;
            Some((joint, of.links))
        };
        let all = |rate, cages, of: &[Stretch]| -> Option<Vec<_>> {
            let all: Option<Vec<_>> = of.iter().map(|of| each(rate, cages, of)).collect();
            all.filter(|of| !of.is_empty())
        };
        let Lengths { host, uplink } = ends.lengths;
        let width = ends.width.max(1);
        let host = all(ends.rate, (ends.switch, ends.nic), host)?;
        let uplink = all(ends.rate * f64::from(width), pair, uplink)?;
        Some(Self { host, uplink, width })
    }

    /// Both classes, each with whether it is that of interfaces.
    fn classes(&self) -> [(&[(Joint<'a>, u64)], bool); 2] {
        [(&self.host, true), (&self.uplink, false)]
    }

    /// All kinds with their cables.
    fn joints(&self) -> impl Iterator<Item = &Joint<'a>> {
        self.host.iter().chain(&self.uplink).map(|(joint, _)| joint)
    }

    /// True where a book prices every part.
    #[must_use]
    pub fn is_priced(&self, catalogue: &Catalogue, prices: &PriceBook) -> bool {
        self.joints().all(|of| price_of(catalogue, prices, of).is_some())
    }

    /// Every part once, modules first. Where links of a class are of several lengths, each is counted by its
    /// part of them to a 4,096th.
    #[must_use]
    pub fn parts(&self, catalogue: &'a Catalogue) -> Vec<LinkPart<'a>> {
        let scale = if self.joints().count() > 2 { SCALE } else { 1 };
        let each = self.shares(catalogue).into_iter().map(|((role, name), (of, power))| {
            let share = whole(&of) * scale;
            let sum = |hosts: bool| {
                let each = of.iter().filter(|one| one.is_host == hosts);
                let weigh = |one: &Share| {
                    let all = u128::from(one.pieces * share) * u128::from(one.links);
                    let of = u128::from(one.of) * u128::from(one.all);
                    u64::try_from((all + of / 2) / of).unwrap_or(u64::MAX)
                };
                each.map(weigh).sum()
            };
            LinkPart { name, role, host: sum(true), uplink: sum(false), share, power }
        });
        each.collect()
    }

    /// Shares of each part by links.
    fn shares(&self, catalogue: &'a Catalogue) -> BTreeMap<(Role, &'a str), (Vec<Share>, Watts)> {
        let mut shares: BTreeMap<(Role, &str), (Vec<Share>, Watts)> = BTreeMap::new();
        for (joints, is_host) in self.classes() {
            let all = joints.iter().map(|(_, links)| *links).sum::<u64>().max(1);
            for (joint, links) in joints {
                for (role, name, share, power) in joint.taken(catalogue) {
                    let share = Share { is_host, links: *links, all, ..share };
                    let known = &mut shares.entry((role, name)).or_insert((Vec::new(), power)).0;
                    let alike = |of: &&mut Share| Share { links: of.links, ..share } == **of;
                    match known.iter_mut().find(alike) {
                        Some(known) => known.links += links,
                        None => known.push(share),
                    }
                }
            }
        }
        shares
    }

    /// Pieces of every part that a fabric takes: each cage in use has a whole module, ports of a switch
    /// filling its cages one after another, and alike switches as evenly as they can.
    #[must_use]
    pub fn bought(&self, catalogue: &'a Catalogue, counts: &Counts) -> Vec<Bought<'a>> {
        let (hosts, uplinks) = (counts.host_links, counts.links() - counts.host_links);
        let ports = self.ports_of_a_cage();
        let cages: u64 = counts.tiers.iter().map(|tier| self.cages(tier, ports)).sum();
        let near = self.host.first().and_then(|(of, _)| of.kind.near_module.as_deref());
        let each = self.shares(catalogue).into_iter().map(|((role, name), (of, power))| {
            // Pieces are summed over a common denominator, so that they are rounded up once.
            let share = whole(&of);
            let links = |of: &Share| u128::from(if of.is_host { hosts } else { uplinks });
            let all = of.iter().map(|of| u128::from(of.all)).fold(1, lcm_wide);
            let pieces: u128 = of
                .iter()
                .map(|of| {
                    let each = u128::from(of.pieces * (share / of.of)) * u128::from(of.links);
                    each * links(of) * (all / u128::from(of.all))
                })
                .sum();
            // A port of a switch is a share of its module, and idle ones of a lit cage are too.
            let idle = match role == Role::Optic && near == Some(name) && ports > 1 {
                true => {
                    let used: u64 = counts.tiers.iter().map(|tier| tier.ports_used).sum();
                    u128::from((cages * ports).saturating_sub(used) * (share / ports)) * all
                }
                false => 0,
            };
            let count = (pieces + idle).div_ceil(u128::from(share) * all);
            Bought { name, role, count: u64::try_from(count).unwrap_or(u64::MAX), power }
        });
        each.collect()
    }

    /// Power of what is plugged into a switch, for a port: the hungriest of all kinds.
    #[must_use]
    pub fn port_power(&self, catalogue: &Catalogue) -> Watts {
        let of = |(joint, ports): (&Joint<'_>, u32)| {
            let module = joint.kind.near_module.as_deref();
            let optic = module.and_then(|name| catalogue.optic_named(name));
            optic.map_or(Watts::ZERO, |of| of.power / f64::from(ports))
        };
        self.near_ports().map(of).fold(Watts::ZERO, Watts::max)
    }

    /// All kinds, each with the ports of a switch that share a cage of it.
    fn near_ports(&self) -> impl Iterator<Item = (&Joint<'a>, u32)> {
        let hosts = self.host.iter().map(|(joint, _)| (joint, joint.kind.near_links));
        let width = self.width;
        let wide = move |joint: &Joint<'_>| joint.kind.near_links * width;
        hosts.chain(self.uplink.iter().map(move |(joint, _)| (joint, wide(joint))))
    }

    /// Cages in use over all switches of a tier. Links of hosts and wider ones between switches are not in
    /// one cage.
    fn cages(&self, tier: &Tier, ports: u64) -> u64 {
        if self.width == 1 || tier.name != TierName::Leaf || tier.up == 0 {
            return cages(tier, ports);
        }
        let up = tier.count * u64::from(tier.up);
        let part = |ports_used| Tier { ports_used, ..tier.clone() };
        cages(&part(up), ports) + cages(&part(tier.ports_used.saturating_sub(up)), ports)
    }

    /// Ports of a switch's cage, where all of its links are alike in it; else one.
    #[must_use]
    pub fn ports_of_a_cage(&self) -> u64 {
        let mut all = self.near_ports().map(|(of, ports)| (&of.kind.near_module, ports));
        let first = all.next();
        let alike = all.all(|of| Some(of) == first);
        first.filter(|_| alike).map_or(1, |(_, links)| u64::from(links))
    }
}

/// Parts of a share in which a class of several lengths is counted.
const SCALE: u64 = 4096;

/// Shares that a piece is counted in at least: those of a cage in any mode, so that a part has as many
/// in every cluster that it is bought for.
const SHARES: u64 = 8;

/// So many pieces for `of` links, of which there are `links` out of `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    pieces: u64,
    of: u64,
    is_host: bool,
    links: u64,
    all: u64,
}

/// Shares of one piece, of which each link takes whole ones.
fn whole(of: &[Share]) -> u64 {
    of.iter().fold(SHARES, |all, share| lcm(all, share.of))
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
            links: 1,
            all: 1,
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

/// The cheapest kind between two cages that reaches so many metres, with its shortest cable of so many at
/// least; kinds without a price only where none has one. `None` where nothing joins them.
#[must_use]
pub fn joint<'a>(
    catalogue: &'a Catalogue,
    prices: &PriceBook,
    rate: Bandwidth,
    (near, far): (Cage, Cage),
    (reach_m, cable_m): (u32, u32),
) -> Option<Joint<'a>> {
    let joins = |kind: &&LinkKind| {
        kind.rate == rate
            && (kind.near, kind.far) == (near, far)
            && kind.reach_m.is_none_or(|reach| reach_m <= reach)
    };
    let cabled = |kind: &'a LinkKind, metres: u32| {
        let long = catalogue.cables.iter().filter(|of| of.kind == kind.cable);
        let cable = long.filter(|of| of.length_m >= metres).min_by_key(|of| of.length_m)?;
        Some(Joint { kind, cable })
    };
    let reaching = catalogue.links.iter().filter(joins);
    let all: Vec<Joint<'a>> = reaching.filter_map(|kind| cabled(kind, reach_m)).collect();
    let priced = all.iter().filter_map(|of| Some((price_of(catalogue, prices, of)?, of)));
    let cheapest = priced.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, of)| *of);
    let chosen = cheapest.or_else(|| all.first().copied())?;
    cabled(chosen.kind, cable_m.min(reach_m))
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

fn lcm(a: u64, b: u64) -> u64 {
    u64::try_from(lcm_wide(a.into(), b.into())).unwrap_or(u64::MAX)
}

const fn lcm_wide(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    // Both are 0 where x is.
    match a.checked_div(x) {
        Some(part) => part * b,
        None => a,
    }
}
