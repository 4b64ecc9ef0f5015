//! Even spread, or one way per flow, on any graph.

use std::collections::BTreeMap;

use super::GeneralGraph;
use super::detours::{DetourLoads, NicTotals, loads_with_detours};
use super::distances::{Distances, ShortestPathLoads, seat_places};
use crate::fabric::LinkClass;
use crate::routing::links::{Link, LinkPick, Load, SlowestLink, mix_hash};

/// Bytes that were put on a fabric so far.
#[derive(Clone, Debug)]
pub(in crate::routing) struct WebSpray<'a> {
    web: &'a GeneralGraph,
    /// Bytes that NICs send and receive, by NIC and by the class at the other end.
    sent: BTreeMap<(u32, u32), f64>,
    received: BTreeMap<(u32, u32), f64>,
    /// Bytes between classes, by receiver and sender.
    between: BTreeMap<(u32, u32), f64>,
}

impl<'a> WebSpray<'a> {
    pub(in crate::routing) fn new(web: &'a GeneralGraph) -> Self {
        let [sent, received, between] = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
        Self { web, sent, received, between }
    }

    /// Bytes that a NIC sends to those of a class.
    pub(in crate::routing) fn add_sent_bytes(&mut self, nic: usize, class: u32, bytes: f64) {
        *self.sent.entry((nic as u32, class)).or_default() += bytes;
    }

    /// Bytes that a NIC receives from those of a class.
    pub(in crate::routing) fn add_received_bytes(&mut self, nic: usize, class: u32, bytes: f64) {
        *self.received.entry((nic as u32, class)).or_default() += bytes;
    }

    /// Bytes on all links but those of the NICs, which stand for any of their class.
    pub(in crate::routing) fn add_bytes_between(&mut self, from: usize, to: usize, bytes: f64) {
        let [count, other] = [from, to].map(|nic| self.web.nic_class(nic));
        *self.between.entry((other, count)).or_default() += bytes;
    }

    /// Bytes of the busiest NIC in either direction, over all its ports.
    pub(in crate::routing) fn busiest_nic(&self) -> f64 {
        let busiest = |sums: &BTreeMap<(u32, u32), f64>| {
            let mut all: BTreeMap<u32, f64> = BTreeMap::new();
            for ((nic, _), bytes) in sums {
                *all.entry(*nic).or_default() += bytes;
            }
            all.into_values().fold(0.0, f64::max)
        };
        busiest(&self.sent).max(busiest(&self.received))
    }

    /// Every link class's load, and its fullest link, those of NICs first, and the share of every
    /// message that takes a detour; a sender and a receiver that no way joins where there are such.
    pub(in crate::routing) fn link_class_loads(&self) -> Result<(Vec<Load>, f64), (usize, usize)> {
        let carried = self.shortest_path_loads()?;
        if !self.web.detours {
            return Ok((self.sum_by_link_class(&carried), 0.0));
        }
        let (carried, share) =
            carried.best_detour_mix(self.web, &loads_with_detours(self.web, &self.nic_totals()));
        Ok((self.sum_by_link_class(&carried), share))
    }

    /// What NICs and their classes send to other classes and receive from them.
    fn nic_totals(&self) -> NicTotals {
        let mut totals = NicTotals { classes: BTreeMap::new(), nics: BTreeMap::new() };
        for ((to, from), bytes) in self.between.iter().filter(|((to, from), _)| to != from) {
            totals.classes.entry(*from).or_default()[0] += bytes;
            totals.classes.entry(*to).or_default()[1] += bytes;
        }
        for (way, sums) in [&self.sent, &self.received].into_iter().enumerate() {
            for ((nic, other), bytes) in sums {
                if self.web.nic_class(*nic as usize) != *other {
                    totals.nics.entry(*nic).or_default()[way] += bytes;
                }
            }
        }
        totals
    }

    /// What links carry where every message goes by the shortest ways.
    fn shortest_path_loads(&self) -> Result<DetourLoads, (usize, usize)> {
        let web = self.web;
        let mut carried = DetourLoads::new_without_bytes(web);
        let mut doors: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
        let mut reach = Distances::new(web);
        let mut descent = ShortestPathLoads::new(web);
        let pairs: Vec<(&(u32, u32), &f64)> = self.between.iter().collect();
        for group in pairs.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
            let to = group[0].0.0;
            reach.walk_until_reached(web, to, group.iter().map(|((_, from), _)| *from));
            for ((_, from), bytes) in group {
                let (out, into) = reach
                    .nearest_seats(web, *from)
                    .ok_or_else(|| self.sender_and_receiver(*from, to))?;
                doors.insert((*from, to), (out, into));
                for place in seat_places(out) {
                    let seat = web.seats[*from as usize][place];
                    descent.add_arriving_bytes(
                        &reach,
                        seat,
                        [*bytes / f64::from(out.count_ones())],
                    );
                }
            }
            descent.carry_to_start(web, &reach, |hop, [bytes]| {
                carried.cables[hop.cable as usize][usize::from(!hop.forth)] += bytes;
            });
        }
        self.add_nic_port_bytes(&mut carried, &doors);
        Ok(carried)
    }

    /// A sender and a receiver of two classes between which there are flows.
    fn sender_and_receiver(&self, from: u32, to: u32) -> (usize, usize) {
        let first = |sums: &BTreeMap<(u32, u32), f64>, class: u32, other: u32| {
            let mut nics = sums
                .keys()
                .filter(|(nic, with)| *with == other && self.web.nic_class(*nic as usize) == class);
            nics.next().map_or(0, |(nic, _)| *nic as usize)
        };
        (first(&self.sent, from, to), first(&self.received, to, from))
    }

    /// What NICs send and receive, on the ports that the shortest ways take.
    fn add_nic_port_bytes(
        &self,
        carried: &mut DetourLoads,
        doors: &BTreeMap<(u32, u32), (u64, u64)>,
    ) {
        for (direction, sums) in [&self.sent, &self.received].into_iter().enumerate() {
            for ((nic, other), bytes) in sums {
                let own = self.web.nic_class(*nic as usize);
                let pair = if direction == 0 { (own, *other) } else { (*other, own) };
                let Some((out, into)) = doors.get(&pair) else { continue };
                let mask = if direction == 0 { *out } else { *into };
                for place in seat_places(mask) {
                    let port = carried.ports.entry((*nic, place)).or_default();
                    port[direction] += bytes / f64::from(mask.count_ones());
                }
            }
        }
    }

    fn sum_by_link_class(&self, carried: &DetourLoads) -> Vec<Load> {
        let web = self.web;
        let mut loads: BTreeMap<LinkClass, Load> = BTreeMap::new();
        loads.insert(LinkClass::Host, Load::new(LinkClass::Host, web.link));
        for (number, (low, high, cable)) in web.cables.iter().enumerate() {
            let empty = Load::new(cable.class, web.link_rate(cable));
            let load = loads.entry(cable.class).or_insert(empty);
            let [forth, back] = carried.cables[number];
            let bytes = forth.max(back) / f64::from(cable.links);
            let (low, high) = (*low as usize, *high as usize);
            // Ports of NICs have their own sums, but where NICs pass on what is for others.
            if cable.class != LinkClass::Host || web.forwarding {
                load.add_links(u64::from(cable.links), bytes, Link::Switches { low, high });
            }
        }
        if !web.forwarding {
            let host = loads.entry(LinkClass::Host).or_insert(Load::new(LinkClass::Host, web.link));
            for (nic, ports) in web.ports.all_nics().enumerate() {
                for (place, cable) in ports.iter().enumerate() {
                    let [out, into] =
                        carried.ports.get(&(nic as u32, place)).copied().unwrap_or_default();
                    let leaf = web.cables[*cable as usize].1 as usize;
                    host.add_links(1, out.max(into), Link::Nic { nic, leaf });
                }
            }
        }
        loads.into_values().collect()
    }
}

/// Flows to be put on single ways by both rules.
#[derive(Clone, Debug)]
pub(in crate::routing) struct GraphSinglePath<'a> {
    web: &'a GeneralGraph,
    /// Receiver's class, sender, receiver, bytes.
    flows: Vec<(u32, u32, u32, f64)>,
}

/// Bytes on each single link, forth and back, and where the links of a cable start.
struct Links {
    first: Vec<usize>,
    bytes: Vec<[f64; 2]>,
}

impl<'a> GraphSinglePath<'a> {
    pub(in crate::routing) const fn new(web: &'a GeneralGraph) -> Self {
        Self { web, flows: Vec::new() }
    }

    pub(in crate::routing) fn add(&mut self, from: usize, to: usize, bytes: f64) {
        self.flows.push((self.web.nic_class(to), from as u32, to as u32, bytes));
    }

    /// The links between nodes that take longest, by [`LinkPick::BOTH`]. Flows without a way are
    /// left out.
    pub(in crate::routing) fn slowest_links(&self) -> [SlowestLink; 2] {
        let web = self.web;
        let mut flows: Vec<&(u32, u32, u32, f64)> = self.flows.iter().collect();
        flows.sort_by_key(|(class, ..)| *class);
        let mut links = LinkPick::BOTH.map(|_| Links::new(web));
        let mut reach = Distances::new(web);
        for group in flows.chunk_by(|a, b| a.0 == b.0) {
            let senders = group.iter().map(|(_, from, ..)| web.nic_class(*from as usize));
            reach.walk_until_reached(web, group[0].0, senders);
            for (_, from, to, bytes) in group {
                let class = web.nic_class(*from as usize);
                let Some((out, _)) = reach.nearest_seats(web, class) else { continue };
                for place in seat_places(out) {
                    let seat = web.seats[class as usize][place];
                    let seed = mix_hash(mix_hash((*from).into(), (*to).into()), place as u64);
                    let bytes = bytes / f64::from(out.count_ones());
                    for (pick, links) in LinkPick::BOTH.into_iter().zip(&mut links) {
                        links.follow_flow(web, &reach, seat, bytes, pick, seed);
                    }
                }
            }
        }
        links.map(|links| links.slowest_link(web))
    }
}

impl Links {
    fn new(web: &GeneralGraph) -> Self {
        let mut first = Vec::with_capacity(web.cables.len());
        let mut links = 0;
        for (.., cable) in &web.cables {
            first.push(links);
            links += cable.links as usize;
        }
        Self { first, bytes: vec![[0.0; 2]; links] }
    }

    /// Follows a flow to its end by a rule, with a seed for its hashes.
    fn follow_flow(
        &mut self,
        web: &GeneralGraph,
        reach: &Distances,
        seat: u32,
        bytes: f64,
        pick: LinkPick,
        seed: u64,
    ) {
        let mut node = seat;
        let mut hop_number = 1;
        while reach.hop_distance(node).is_some_and(|distance| distance > 0) {
            let first = &self.first;
            let all = reach.nearer_neighbours(web, node).flat_map(|hop| {
                let first = first[hop.cable as usize];
                let direction = usize::from(!hop.forth);
                (first..first + hop.links as usize).map(move |link| (link, direction, hop.to))
            });
            let load = |(link, direction, _): &(usize, usize, u32)| self.bytes[*link][*direction];
            let picked = pick.pick_link(all, load, mix_hash(seed, hop_number));
            let Some((link, direction, to)) = picked else { return };
            self.bytes[link][direction] += bytes;
            node = to;
            hop_number += 1;
        }
    }

    fn slowest_link(&self, web: &GeneralGraph) -> SlowestLink {
        let mut peak = SlowestLink::NONE;
        for ((low, high, cable), first) in web.cables.iter().zip(&self.first) {
            let links = &self.bytes[*first..*first + cable.links as usize];
            let most = links.iter().map(|[forth, back]| forth.max(*back)).fold(0.0, f64::max);
            if most > 0.0 {
                let (low, high) = (*low as usize, *high as usize);
                let link = Some(Link::Switches { low, high });
                peak = peak.slower_of(SlowestLink::from_bytes(most, web.link_rate(cable), link));
            }
        }
        peak
    }
}
