//! One communication on its way: its messages become flows between NICs, straight or forwarded
//! inside the sender's domain to the receiver's rail. Groups in which all send alike are counted,
//! as flows between NICs that are plugged in alike are one flow to the fabric.

use std::collections::BTreeMap;

use super::paths::Paths;
use super::routing_trial::{RoutingTrial, SpreadFlows};
use super::rules::{NotRouted, RoutingManner};
use super::tree::UniformMembers;
use crate::parallel::{Placed, Rank};
use crate::traffic::{GroupedCall, Message};

/// Sender, receiver and bytes of a flow between NICs.
type Flow = (usize, usize, f64);

/// One communication on its way.
pub(super) struct Router<'a> {
    pub(super) placed: &'a Placed,
    pub(super) paths: &'a Paths,
    pub(super) manner: RoutingManner<'a>,
    /// Share of the bytes between rails that take a spine (docs/equations.md §8.6).
    pub(super) straight: f64,
    pub(super) label: &'static str,
    /// How often a step calls it, by stage.
    pub(super) times: Vec<f64>,
    /// Messages between domains so far.
    pub(super) messages: u64,
    /// Bytes forwarded inside domains so far.
    pub(super) forwarded: f64,
}

/// Members of a group on one rail of one domain.
#[derive(Clone, Copy)]
struct RailMembers {
    nic: usize,
    class: u32,
    domain: u32,
    rail: u32,
    count: f64,
    /// Messages that leave here for a member of this rail elsewhere, for each such: those of the
    /// members there, and what is forwarded for others of the domain.
    weight: f64,
}

impl Router<'_> {
    /// Every message for itself, also added to the whole step as often as it is sent.
    pub(super) fn route_messages(
        &mut self,
        each: impl FnOnce(&mut dyn FnMut(Message)),
        trial: &mut RoutingTrial<'_>,
        whole: &mut SpreadFlows<'_>,
    ) -> Result<(), NotRouted> {
        let mut failed = None;
        each(&mut |message| match self.message_routes(message) {
            Ok(None) => {}
            Ok(Some(ways)) => {
                self.messages += 1;
                for (from, to, bytes) in ways.into_iter().flatten() {
                    whole.add(self.paths, from, to, bytes * self.times[message.stage]);
                    if !trial.add(from, to, bytes) {
                        failed = Some(NotRouted::NoWay { label: self.label });
                    }
                }
                self.forwarded += ways[1].map_or(0.0, |(.., bytes)| bytes);
            }
            Err(reason) => failed = Some(reason),
        });
        failed.map_or(Ok(()), Err)
    }

    /// The groups of a call in which every member sends alike to every other one.
    pub(super) fn route_uniform_groups<'b>(
        &mut self,
        call: &GroupedCall<'_>,
        trial: &mut RoutingTrial<'b>,
        whole: &mut SpreadFlows<'b>,
    ) -> Result<(), NotRouted> {
        let mut failed = None;
        call.for_each_group(|members, stage, bytes| {
            let seats = match self.seat_members(members) {
                Ok(seats) => seats,
                Err(reason) => {
                    failed = Some(reason);
                    return;
                }
            };
            let bytes = bytes.as_f64();
            let mut of_domain: BTreeMap<u32, f64> = BTreeMap::new();
            for seat in &seats {
                *of_domain.entry(seat.domain).or_default() += seat.count;
            }
            let all: f64 = of_domain.values().sum();
            let leaving = of_domain.values().map(|there| there * (all - there)).sum::<f64>();
            self.messages += leaving as u64;
            let straight = self.straight;
            let times = self.times[stage];
            let mut joined = true;
            for (spread, bytes) in [(trial.spread_flows(), bytes), (whole, bytes * times)] {
                joined &= along_rails(self.paths, spread, &seats, bytes);
                if straight > 0.0 {
                    joined &= across_rails(self.paths, spread, &seats, bytes * straight);
                }
            }
            self.forwarded += forwarded_messages(&seats) * bytes;
            if !joined {
                failed = Some(NotRouted::NoWay { label: self.label });
            }
        });
        failed.map_or(Ok(()), Err)
    }

    /// Where the members of a group sit, and those of the NICs of their domains that forward.
    fn seat_members(&self, members: &[Rank]) -> Result<Vec<RailMembers>, NotRouted> {
        let placement = self.placed.placement();
        let mut count: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let mut of_domain: BTreeMap<u32, f64> = BTreeMap::new();
        for member in members {
            let domain = placement.domain_of(*member);
            if self.is_absent(domain) {
                continue;
            }
            *count.entry((placement.rail_of(*member), domain)).or_default() += 1.0;
            *of_domain.entry(domain).or_default() += 1.0;
        }
        let mut rails: Vec<u32> = count.keys().map(|(rail, _)| *rail).collect();
        rails.dedup();
        let forwards = 1.0 - self.straight;
        let mut seats = Vec::new();
        for rail in rails {
            for (domain, there) in &of_domain {
                let count = count.get(&(rail, *domain)).copied().unwrap_or(0.0);
                let weight = count + forwards * (there - count);
                let nic = self.nic_index(*domain, rail)?;
                let class = self.paths.nic_class(nic);
                seats.push(RailMembers { nic, class, domain: *domain, rail, count, weight });
            }
        }
        Ok(seats)
    }

    fn nic_index(&self, domain: u32, rail: u32) -> Result<usize, NotRouted> {
        let seats = self.manner.seats;
        let domain = seats.map_or(Some(&domain), |counts| counts.get(domain as usize));
        let domain = *domain.ok_or(NotRouted::NoNic)?;
        let nic = domain as usize * self.paths.rails as usize + rail as usize;
        if nic < self.paths.nic_count() { Ok(nic) } else { Err(NotRouted::NoNic) }
    }

    fn is_absent(&self, domain: u32) -> bool {
        self.manner.absent.binary_search(&domain).is_ok()
    }

    /// The one or two ways of a message: straight, and forwarded inside the sender's domain;
    /// `None` where an end of it is out of service.
    fn message_routes(&self, message: Message) -> Result<Option<[Option<Flow>; 2]>, NotRouted> {
        let placement = self.placed.placement();
        let (domain, rail) = (placement.domain_of(message.from), placement.rail_of(message.from));
        let (target, other) = (placement.domain_of(message.to), placement.rail_of(message.to));
        if self.is_absent(domain) || self.is_absent(target) {
            return Ok(None);
        }
        let to = self.nic_index(target, other)?;
        let (straight, forwarded) = (self.nic_index(domain, rail)?, self.nic_index(domain, other)?);
        let bytes = message.bytes.as_f64();
        if rail == other {
            return Ok(Some([Some((straight, to, bytes)), None]));
        }
        let share = self.straight;
        let part = |from: usize, share: f64| (share > 0.0).then_some((from, to, bytes * share));
        Ok(Some([part(straight, share), part(forwarded, 1.0 - share)]))
    }
}

/// Seats of a class on a rail: any of them, and sums over them.
#[derive(Clone, Copy, Default)]
struct RailSum {
    nic: usize,
    count: f64,
    weight: f64,
    /// What their own domains would get of it.
    own: f64,
}

fn sum_by_class<'a>(seats: impl IntoIterator<Item = &'a RailMembers>) -> BTreeMap<u32, RailSum> {
    let mut sums: BTreeMap<u32, RailSum> = BTreeMap::new();
    for seat in seats {
        let sum = sums.entry(seat.class).or_default();
        sum.nic = seat.nic;
        sum.count += seat.count;
        sum.weight += seat.weight;
        sum.own += seat.weight * seat.count;
    }
    sums
}

/// Flows that stay on their rail, from the first NIC on: all of them where domains forward.
fn along_rails(
    paths: &Paths,
    spread: &mut SpreadFlows<'_>,
    seats: &[RailMembers],
    bytes: f64,
) -> bool {
    let mut joined = true;
    for rail in seats.chunk_by(|a, b| a.rail == b.rail) {
        let sums = sum_by_class(rail);
        if let SpreadFlows::Tree(spray) = spread {
            let [count, weight] = [
                rail.iter().map(|seat| seat.count).sum::<f64>(),
                rail.iter().map(|seat| seat.weight).sum::<f64>(),
            ];
            for seat in rail {
                spray.add_sent_bytes(seat.nic, seat.weight * (count - seat.count) * bytes);
                spray.add_received_bytes(seat.nic, seat.count * (weight - seat.weight) * bytes);
            }
            let alike = |rail_sum: &RailSum| UniformMembers {
                nic: rail_sum.nic,
                count: rail_sum.count,
                weight: rail_sum.weight,
            };
            joined &= spray.spray_all_pairs(&sums.values().map(alike).collect::<Vec<_>>(), bytes);
            // One rail's NICs are admitted to each other by any fabric.
            continue;
        }
        for seat in rail {
            for (class, sum) in &sums {
                let own = f64::from(u8::from(*class == seat.class));
                let (out, into) = (sum.count - own * seat.count, sum.weight - own * seat.weight);
                spread.add_sent_bytes(seat.nic, *class, seat.weight * out * bytes);
                spread.add_received_bytes(seat.nic, *class, seat.count * into * bytes);
            }
        }
        for (number, from) in &sums {
            for (other, to) in &sums {
                let own = if number == other { from.own } else { 0.0 };
                let flow = (from.weight * to.count - own) * bytes;
                if flow > 0.0 {
                    joined &= spread.has_spread_between(from.nic, to.nic, flow);
                    joined &= paths.can_route(from.nic, to.nic);
                }
            }
        }
    }
    joined
}

/// Flows that leave their rail by a spine.
fn across_rails(
    paths: &Paths,
    spread: &mut SpreadFlows<'_>,
    seats: &[RailMembers],
    bytes: f64,
) -> bool {
    let rails: Vec<&[RailMembers]> = seats.chunk_by(|a, b| a.rail == b.rail).collect();
    let mut joined = true;
    for (one, from) in rails.iter().enumerate() {
        for (_, to) in rails.iter().enumerate().filter(|(other, _)| *other != one) {
            let (out, into) = (sum_by_class(*from), sum_by_class(*to));
            // Both lists have the same domains in the same order.
            let mut own: BTreeMap<(u32, u32), f64> = BTreeMap::new();
            for (a, b) in from.iter().zip(*to) {
                *own.entry((a.class, b.class)).or_default() += a.count * b.count;
                for (class, sum) in &into {
                    let here = if *class == b.class { b.count } else { 0.0 };
                    spread.add_sent_bytes(a.nic, *class, a.count * (sum.count - here) * bytes);
                }
                for (class, sum) in &out {
                    let here = if *class == a.class { a.count } else { 0.0 };
                    spread.add_received_bytes(b.nic, *class, b.count * (sum.count - here) * bytes);
                }
            }
            for (count, from) in &out {
                for (other, to) in &into {
                    let own = own.get(&(*count, *other)).copied().unwrap_or(0.0);
                    let flow = (from.count * to.count - own) * bytes;
                    if flow > 0.0 {
                        joined &= spread.has_spread_between(from.nic, to.nic, flow);
                        joined &= paths.can_route(from.nic, to.nic);
                    }
                }
            }
        }
    }
    joined
}

/// Messages that domains forward, in parts of one.
fn forwarded_messages(seats: &[RailMembers]) -> f64 {
    let mut all = 0.0;
    for rail in seats.chunk_by(|a, b| a.rail == b.rail) {
        let count: f64 = rail.iter().map(|seat| seat.count).sum();
        let parts = rail.iter().map(|seat| (seat.weight - seat.count) * (count - seat.count));
        all += parts.sum::<f64>();
    }
    all
}
