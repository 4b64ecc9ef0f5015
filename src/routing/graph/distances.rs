//! Distances to a NIC class, bytes on shortest ways.

use super::{GeneralGraph, GraphHop};

/// Distances to one class of NICs.
#[derive(Clone, Debug)]
pub(super) struct Distances {
    /// Hops to the nearest seat of the class, by node.
    distance: Vec<u32>,
    /// The class's seats, by place, that shortest ways from a node end at.
    ends: Vec<u64>,
    /// Nodes that were reached, nearest first.
    reached: Vec<u32>,
}

/// Not reached.
const FAR: u32 = u32::MAX;

/// Seats that ways start or end at, of a class with several: the places of their bits.
pub(super) fn seat_places(mask: u64) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let place = left.trailing_zeros();
        (left != 0).then(|| {
            left &= left - 1;
            place as usize
        })
    })
}

impl Distances {
    pub(super) fn new(web: &GeneralGraph) -> Self {
        let (distance, ends) = (vec![FAR; web.node_count()], vec![0; web.node_count()]);
        Self { distance, ends, reached: Vec::new() }
    }

    /// Walks outwards from a node to all that it reaches.
    pub(super) fn walk_all(&mut self, web: &GeneralGraph, node: u32) {
        self.start_walk(&[node]);
        self.continue_walk(web, Vec::new(), false);
    }

    /// Forgets the last walk and begins another at seats.
    fn start_walk(&mut self, seats: &[u32]) {
        for node in self.reached.drain(..) {
            self.distance[node as usize] = FAR;
            self.ends[node as usize] = 0;
        }
        for (place, seat) in seats.iter().enumerate() {
            if self.distance[*seat as usize] == FAR {
                self.reached.push(*seat);
            }
            self.distance[*seat as usize] = 0;
            self.ends[*seat as usize] |= 1 << (place as u32 % u64::BITS);
        }
    }

    /// Walks outwards from a class until all of `wanted` are reached.
    pub(super) fn walk_until_reached(
        &mut self,
        web: &GeneralGraph,
        class: u32,
        wanted: impl Iterator<Item = u32>,
    ) {
        self.start_walk(&web.seats[class as usize]);
        let missing: Vec<u32> =
            wanted.flat_map(|class| web.seats[class as usize].iter().copied()).collect();
        self.continue_walk(web, missing, true);
    }

    /// Goes on from where a walk began: until all that is missing is reached, where it `ends` then.
    fn continue_walk(&mut self, web: &GeneralGraph, mut missing: Vec<u32>, ends: bool) {
        let mut next = 0;
        let mut depth = 0;
        while next < self.reached.len() {
            let node = self.reached[next];
            let distance = self.distance[node as usize];
            if distance > depth {
                // All nodes of a depth are known before the next one is looked at.
                depth = distance;
                missing.retain(|seat| self.distance[*seat as usize] == FAR);
                if ends && missing.is_empty() {
                    break;
                }
            }
            for hop in web.node_hops(node) {
                let to = hop.to as usize;
                if self.distance[to] == FAR {
                    self.distance[to] = distance + 1;
                    self.reached.push(hop.to);
                }
                if self.distance[to] == distance + 1 {
                    self.ends[to] |= self.ends[node as usize];
                }
            }
            next += 1;
        }
    }

    /// Hops from a node; `None` where it was not reached.
    pub(super) fn hop_distance(&self, node: u32) -> Option<u32> {
        let distance = self.distance[node as usize];
        (distance != FAR).then_some(distance)
    }

    /// The seats of a class from which ways are shortest, and those that they end at; `None` where
    /// there is no way.
    pub(super) fn nearest_seats(&self, web: &GeneralGraph, class: u32) -> Option<(u64, u64)> {
        let seats = &web.seats[class as usize];
        let nearest = seats.iter().map(|seat| self.distance[*seat as usize]).min()?;
        if nearest == FAR {
            return None;
        }
        let near = |(_, seat): &(usize, &u32)| self.distance[**seat as usize] == nearest;
        let (mut from, mut to) = (0, 0);
        for (place, seat) in seats.iter().enumerate().filter(near) {
            from |= 1 << (place as u32 % u64::BITS);
            to |= self.ends[*seat as usize];
        }
        Some((from, to))
    }

    /// The hops of a node that lead nearer, by the spines of fewest leafs where there is a choice.
    pub(super) fn nearer_neighbours<'a>(
        &'a self,
        web: &'a GeneralGraph,
        node: u32,
    ) -> impl Iterator<Item = &'a GraphHop> + Clone + 'a {
        let here = self.distance[node as usize];
        let nearer = move |hop: &&GraphHop| self.distance[hop.to as usize].wrapping_add(1) == here;
        let below = |hop: &GraphHop| web.leafs_below[hop.to as usize];
        let fewest = web.node_hops(node).iter().filter(nearer).map(below).min().unwrap_or(0);
        web.node_hops(node).iter().filter(nearer).filter(move |hop| below(hop) == fewest)
    }
}

/// Bytes on their way, of N kinds that go alike.
pub(super) struct ShortestPathLoads<const N: usize> {
    at: Vec<[f64; N]>,
    /// Nodes with bytes, by distance.
    waiting: Vec<Vec<u32>>,
}

impl<const N: usize> ShortestPathLoads<N> {
    /// None yet.
    pub(super) fn new(web: &GeneralGraph) -> Self {
        Self { at: vec![[0.0; N]; web.node_count()], waiting: Vec::new() }
    }

    /// Bytes arrive at a node.
    pub(super) fn add_arriving_bytes(&mut self, reach: &Distances, node: u32, bytes: [f64; N]) {
        let distance = reach.hop_distance(node).unwrap_or(0) as usize;
        if self.waiting.len() <= distance {
            self.waiting.resize(distance + 1, Vec::new());
        }
        let here = &mut self.at[node as usize];
        if *here == [0.0; N] {
            self.waiting[distance].push(node);
        }
        for (sum, bytes) in here.iter_mut().zip(bytes) {
            *sum += bytes;
        }
    }

    /// Moves all of them to where the walk began; `carry` is told what takes each hop.
    pub(super) fn carry_to_start(
        &mut self,
        web: &GeneralGraph,
        reach: &Distances,
        mut carry: impl FnMut(&GraphHop, [f64; N]),
    ) {
        while let Some(nodes) = self.waiting.pop() {
            let distance = self.waiting.len();
            for node in nodes {
                let bytes = std::mem::replace(&mut self.at[node as usize], [0.0; N]);
                if distance == 0 {
                    continue;
                }
                let width: f64 =
                    reach.nearer_neighbours(web, node).map(|hop| f64::from(hop.links)).sum();
                for hop in reach.nearer_neighbours(web, node) {
                    let share = bytes.map(|value| value * f64::from(hop.links) / width);
                    carry(hop, share);
                    self.add_arriving_bytes(reach, hop.to, share);
                }
            }
        }
    }
}
