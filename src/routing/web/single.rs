//! Link loads where every flow takes one way only, on any graph: hashed, or by the link that looks
//! emptiest to each node on the way. Flows are taken by where they go to.

use super::GeneralGraph;
use super::reach::{Distances, seat_places};
use crate::routing::link::{Link, SlowestLink};
use crate::routing::pick::{LinkPick, mix_hash};

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

    /// The links between nodes that take longest, by [`LinkPick::BOTH`]. Flows without a way are left
    /// out.
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
                        links.follow_flow(web, &reach, seat, bytes, (pick, seed));
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
        (pick, seed): (LinkPick, u64),
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
