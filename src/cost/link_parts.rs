//! What the links of a fabric are bought as, and the parts that so many links of it take. Chooses
//! no fabric.

use std::collections::BTreeMap;

use super::bill::{PurchasedPart, Role};
use super::link_cable::{LinkDemand, LinkWithCable, Place, cheapest_link_with_cable, price_of};
use crate::fabric::{Counts, IdleLanes, Lanes};
use crate::hardware::{Cage, Catalogue, LinkKind, PriceBook};
use crate::scenario::{Lengths, Stretch};
use crate::units::{Bandwidth, Watts};

/// What a fabric's links are bought as: those of interfaces, and those between switches, each with
/// how many links of a class it is out of all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkParts<'a> {
    /// From an interface to its leaf switch; at least one.
    pub host: Vec<(LinkWithCable<'a>, u64)>,
    /// Between switches; at least one.
    pub uplink: Vec<(LinkWithCable<'a>, u64)>,
    /// Ports that a link between switches takes at either end.
    pub width: u32,
    pub of_machine: u32,
}

/// Cages and lengths that links join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEndParts<'l> {
    /// Rate of a link to an interface.
    pub rate: Bandwidth,
    /// How many times that a link between switches carries.
    pub width: u32,
    pub nic: Cage,
    pub switch: Cage,
    /// Links of a machine: interfaces of one machine may share a cage.
    pub of_machine: u32,
    pub lengths: &'l Lengths,
}

/// A part that links take: as many of it as `host` for a host link and `uplink` for one between
/// switches, and for lanes that stay idle beside them, `share` of these being one piece.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPart<'a> {
    /// Part by its name in the catalogue.
    pub name: &'a str,
    pub role: Role,
    /// Shares of a host link.
    pub host: u64,
    /// Shares of a link between switches.
    pub uplink: u64,
    /// Shares of an idle lane.
    pub idle: IdleLanes<u64>,
    pub share: u64,
    pub power: Watts,
}

impl LinkPart<'_> {
    /// Shares that so many links to interfaces and between switches take, which leave so many lanes
    /// idle.
    #[must_use]
    pub fn shares_taken_by_links(&self, hosts: u64, uplinks: u64, idle: &IdleLanes<u64>) -> u64 {
        let lanes = self.idle.lane_kinds().into_iter().zip(idle.lane_kinds());
        self.host * hosts
            + self.uplink * uplinks
            + lanes.map(|(share, count)| share * count).sum::<u64>()
    }
}

impl<'a> LinkParts<'a> {
    /// The cheapest kinds that join these ends; kinds without a price only where none has one.
    /// `None` where nothing joins them.
    #[must_use]
    pub fn cheapest_link_parts(
        catalogue: &'a Catalogue,
        prices: &PriceBook,
        ends: &LinkEndParts<'_>,
    ) -> Option<Self> {
        let all = |rate, far, stretches: &[Stretch]| -> Option<Vec<_>> {
            let each = |stretch: &Stretch| {
                let Stretch { reach_m, cable_m, links, .. } = *stretch;
                let demand = LinkDemand { rate, near: ends.switch, far, reach_m, cable_m };
                Some((cheapest_link_with_cable(catalogue, prices, demand)?, links))
            };
            let all: Option<Vec<_>> = stretches.iter().map(each).collect();
            all.filter(|pairs| !pairs.is_empty())
        };
        let Lengths { host, uplink } = ends.lengths;
        let width = ends.width.max(1);
        let host = all(ends.rate, ends.nic, host)?;
        let uplink = all(ends.rate * f64::from(width), ends.switch, uplink)?;
        Some(Self { host, uplink, width, of_machine: ends.of_machine.max(1) })
    }

    /// Both classes, each with whether it is that of interfaces.
    fn link_classes(&self) -> [(&[(LinkWithCable<'a>, u64)], bool); 2] {
        [(&self.host, true), (&self.uplink, false)]
    }

    /// All kinds with their cables.
    fn kinds_with_cables(&self) -> impl Iterator<Item = &LinkWithCable<'a>> {
        self.host.iter().chain(&self.uplink).map(|(joint, _)| joint)
    }

    /// True where a book prices every part.
    #[must_use]
    pub fn is_priced(&self, catalogue: &Catalogue, prices: &PriceBook) -> bool {
        self.kinds_with_cables().all(|cable| price_of(catalogue, prices, cable).is_some())
    }

    /// Every part once, modules first. Where links of a class are of several lengths, each is
    /// counted by its part of them to a 4,096th.
    #[must_use]
    pub fn all_link_parts(&self, catalogue: &'a Catalogue) -> Vec<LinkPart<'a>> {
        let scale = if self.kinds_with_cables().count() > 2 { SCALE } else { 1 };
        let each =
            self.shares_by_part(catalogue).into_iter().map(|((role, name), (shares, power))| {
                let share = smallest_whole_share(&shares) * scale;
                let sum = |taker: Taker| {
                    let each = shares.iter().filter(|one| one.taker == taker);
                    let weigh = |one: &LinkShare| {
                        let all = u128::from(one.pieces * share) * u128::from(one.links);
                        let total = u128::from(one.whole) * u128::from(one.all);
                        u64::try_from((all + total / 2) / total).unwrap_or(u64::MAX)
                    };
                    each.map(weigh).sum()
                };
                let idle = IDLE.map_lanes(|lane| sum(Taker::Idle(lane)));
                LinkPart {
                    name,
                    role,
                    host: sum(Taker::Host),
                    uplink: sum(Taker::Uplink),
                    idle,
                    share,
                    power,
                }
            });
        each.collect()
    }

    /// Shares of each part by what takes them.
    fn shares_by_part(
        &self,
        catalogue: &'a Catalogue,
    ) -> BTreeMap<(Role, &'a str), (Vec<LinkShare>, Watts)> {
        let mut shares: BTreeMap<(Role, &str), (Vec<LinkShare>, Watts)> = BTreeMap::new();
        let lanes = self.lanes_per_cage();
        for (joints, is_host) in self.link_classes() {
            let all = joints.iter().map(|(_, links)| *links).sum::<u64>().max(1);
            for (joint, links) in joints {
                for (role, name, share, power) in
                    self.part_shares_of_link(joint, &lanes, is_host, catalogue)
                {
                    let share = LinkShare { links: *links, all, ..share };
                    let known = &mut shares.entry((role, name)).or_insert((Vec::new(), power)).0;
                    let alike = |link_share: &&mut LinkShare| {
                        LinkShare { links: link_share.links, ..share } == **link_share
                    };
                    match known.iter_mut().find(alike) {
                        Some(known) => known.links += links,
                        None => known.push(share),
                    }
                }
            }
        }
        shares
    }

    /// Parts of a link of a class, with the shares of it and of every lane that stays idle beside
    /// it.
    fn part_shares_of_link(
        &self,
        joint: &LinkWithCable<'a>,
        lanes: &Lanes,
        is_host: bool,
        catalogue: &'a Catalogue,
    ) -> Vec<(Role, &'a str, LinkShare, Watts)> {
        let class = if is_host { Taker::Host } else { Taker::Uplink };
        let idle =
            |cage: u32, count: u32, lane| (cage > 1 && cage == count).then_some(Taker::Idle(lane));
        let mut all = Vec::new();
        for (place, role, name, (pieces, count), power) in joint.parts_of_link(catalogue) {
            let mut add = |taker, (pieces, count)| {
                all.push((
                    role,
                    name,
                    LinkShare { pieces, whole: count, taker, links: 1, all: 1 },
                    power,
                ));
            };
            match place {
                Place::Far if is_host => {
                    // Cages of a machine, each whole.
                    let links = u64::from(self.of_machine);
                    add(class, (pieces * links.div_ceil(count), links));
                }
                Place::Near | Place::Far => {
                    add(class, (pieces, count));
                    let (cage, lane) = if is_host {
                        (lanes.host, Lane::Host)
                    } else {
                        (lanes.uplink, Lane::Uplink)
                    };
                    // At both ends of a link between switches are cages of one kind.
                    let counts = is_host || (place == Place::Near && !lanes.mixed);
                    let taker = idle(cage, count as u32, lane).filter(|_| counts);
                    taker.into_iter().for_each(|taker| add(taker, (pieces, count)));
                }
                Place::Between => {
                    add(class, (pieces, count));
                    let (cable, lane) = if is_host {
                        (lanes.host_cable, Lane::HostCable)
                    } else {
                        (lanes.uplink_cable, Lane::UplinkCable)
                    };
                    let taker = idle(cable, count as u32, lane);
                    taker.into_iter().for_each(|taker| add(taker, (pieces, count)));
                }
            }
        }
        all
    }

    /// Links that share cages and cables: those of a class of which all kinds are alike in that.
    #[must_use]
    pub fn lanes_per_cage(&self) -> Lanes {
        let cage = |pairs: &[(LinkWithCable<'a>, u64)], links: &dyn Fn(&LinkKind) -> u32| {
            let mut all =
                pairs.iter().map(|(joint, _)| (&joint.kind.near_module, links(joint.kind)));
            let first = all.next();
            first.filter(|first| all.all(|pair| pair == *first)).map_or(1, |(_, links)| links)
        };
        let (host, uplink) = (&self.host[..], &self.uplink[..]);
        let both = |kind: &LinkKind| match kind.far_module == kind.near_module {
            true if kind.far_links == kind.near_links => kind.near_links,
            _ => 1,
        };
        let mut all = host.iter().chain(uplink).map(|(joint, _)| joint.kind);
        let first = all.next();
        // A cage takes links of both where one module serves them, and each has a cable of its own.
        let mixed = self.width == 1
            && first.is_some_and(|first| {
                let alike = |link_kind: &LinkKind| {
                    (&link_kind.near_module, link_kind.near_links)
                        == (&first.near_module, first.near_links)
                        && link_kind.cable_links == 1
                };
                first.near_module.is_some() && alike(first) && all.all(alike)
            });
        Lanes {
            host: cage(host, &|kind| kind.near_links),
            uplink: cage(uplink, &both),
            mixed,
            host_cable: cage(host, &|kind| kind.cable_links),
            uplink_cable: cage(uplink, &|kind| kind.cable_links),
        }
    }

    /// Pieces of every part that a fabric takes, each cage and each cable in use with whole ones.
    #[must_use]
    pub fn parts_to_buy(
        &self,
        catalogue: &'a Catalogue,
        counts: &Counts,
    ) -> Vec<PurchasedPart<'a>> {
        let (hosts, uplinks) = (counts.host_links, counts.link_count() - counts.host_links);
        let idle = counts
            .occupancy
            .as_ref()
            .map(|occupancy| occupancy.idle_lanes(&self.lanes_per_cage()))
            .unwrap_or_default();
        let each = self.all_link_parts(catalogue).into_iter().map(|part| {
            let count = part.shares_taken_by_links(hosts, uplinks, &idle).div_ceil(part.share);
            PurchasedPart { name: part.name, role: part.role, count, power: part.power }
        });
        each.collect()
    }

    /// Power of what is plugged into a switch, for a port: the hungriest of all kinds.
    #[must_use]
    pub fn port_power(&self, catalogue: &Catalogue) -> Watts {
        let read = |(joint, ports): (&LinkWithCable<'_>, u32)| {
            let module = joint.kind.near_module.as_deref();
            let optic = module.and_then(|name| catalogue.optic_named(name));
            optic.map_or(Watts::ZERO, |this_optic| this_optic.power / f64::from(ports))
        };
        self.near_ports().map(read).fold(Watts::ZERO, Watts::max)
    }

    /// All kinds, each with the ports of a switch that share a cage of it.
    fn near_ports(&self) -> impl Iterator<Item = (&LinkWithCable<'a>, u32)> {
        let hosts = self.host.iter().map(|(joint, _)| (joint, joint.kind.near_links));
        let width = self.width;
        let wide = move |joint: &LinkWithCable<'_>| joint.kind.near_links * width;
        hosts.chain(self.uplink.iter().map(move |(joint, _)| (joint, wide(joint))))
    }
}

/// Parts of a share in which a class of several lengths is counted.
const SCALE: u64 = 4096;

/// Shares that a piece is counted in at least: those of a cage in any mode, so that a part has as
/// many in every cluster that it is bought for.
const SHARES: u64 = 8;

/// What takes a share of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taker {
    Host,
    Uplink,
    Idle(Lane),
}

/// A lane that may stay idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Host,
    Uplink,
    HostCable,
    UplinkCable,
}

const IDLE: IdleLanes<Lane> = IdleLanes {
    host: Lane::Host,
    uplink: Lane::Uplink,
    host_cable: Lane::HostCable,
    uplink_cable: Lane::UplinkCable,
};

/// So many pieces for `whole` of what takes them, of which there are `links` out of `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LinkShare {
    pieces: u64,
    whole: u64,
    taker: Taker,
    links: u64,
    all: u64,
}

/// Shares of one piece, of which each link takes whole ones.
fn smallest_whole_share(shares: &[LinkShare]) -> u64 {
    shares.iter().fold(SHARES, |all, share| least_common_multiple(all, share.whole))
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
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
