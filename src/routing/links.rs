//! `Link`, `Load`, `SlowestLink`; how one of several links is picked; how NICs are plugged in.

use std::collections::BTreeMap;

use crate::fabric::{FabricGraph, LinkClass};
use crate::units::{Bandwidth, Bytes, Seconds};

/// One link, by the numbers of the graph's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// A NIC, by its order among the endpoints, and its leaf.
    Nic { nic: usize, leaf: usize },
    /// Two switches, or two NICs that are joined without any.
    Switches {
        /// Node of the lower one.
        low: usize,
        /// Node of the upper one.
        high: usize,
    },
}

/// What the links of one class carry, in the fuller direction of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    pub class: LinkClass,
    pub links: u64,
    /// Rate of each.
    pub rate: Bandwidth,
    /// Bytes on all of them.
    pub total: Bytes,
    /// Bytes on the fullest.
    pub most: Bytes,
    /// That link; `None` where there are no links.
    pub fullest: Option<Link>,
}

impl Load {
    pub(super) const fn new(class: LinkClass, rate: Bandwidth) -> Self {
        let (total, most) = (Bytes::ZERO, Bytes::ZERO);
        Self { class, links: 0, rate, total, most, fullest: None }
    }

    /// Adds alike links with so many bytes on each.
    pub(super) fn add_links(&mut self, links: u64, bytes: f64, link: Link) {
        let bytes = Bytes::from_elements(1, bytes);
        self.links += links;
        self.total += bytes * u128::from(links);
        if self.fullest.is_none() || bytes > self.most {
            self.most = bytes;
            self.fullest = Some(link);
        }
    }

    /// Bytes on a link on average.
    #[must_use]
    pub fn mean_bytes(&self) -> Bytes {
        self.total.equal_share(u128::from(self.links.max(1)))
    }
}

/// The link that takes longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowestLink {
    /// How long, at the link's full rate.
    pub time: Seconds,
    /// Which; `None` where nothing is sent.
    pub link: Option<Link>,
}

impl SlowestLink {
    /// Nothing is sent.
    pub(super) const NONE: Self = Self { time: Seconds::ZERO, link: None };

    /// Bytes on a link of that rate.
    pub(super) fn from_bytes(bytes: f64, rate: Bandwidth, link: Option<Link>) -> Self {
        Self { time: Bytes::from_elements(1, bytes) / rate, link }
    }

    /// The longer of the two; of equals this one.
    pub(super) fn slower_of(self, other: Self) -> Self {
        if other.time > self.time { other } else { self }
    }

    /// The slowest of all classes; of equals the one nearest to the NICs.
    pub(super) fn slowest_of<'a>(loads: impl IntoIterator<Item = &'a Load>) -> Self {
        let mut peak = Self::NONE;
        for load in loads.into_iter().filter(|load| !load.most.is_zero()) {
            let time = load.most / load.rate;
            if peak.link.is_none() || time > peak.time {
                peak = Self { time, link: load.fullest };
            }
        }
        peak
    }
}

/// How a switch picks one of several links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkPick {
    /// By a hash of the two NICs.
    Hashed,
    /// The one with the fewest bytes so far; of equals the first.
    Emptiest,
}

impl LinkPick {
    /// Adaptive routing, then equal-cost routing.
    pub(super) const BOTH: [Self; 2] = [Self::Emptiest, Self::Hashed];

    /// One of some links, each with a load; `None` where there are none.
    pub(super) fn pick_link<T>(
        self,
        mut links: impl Iterator<Item = T> + Clone,
        load: impl Fn(&T) -> f64,
        hash: u64,
    ) -> Option<T> {
        match self {
            Self::Hashed => {
                let count = links.clone().count().max(1) as u64;
                links.nth((hash % count) as usize)
            }
            Self::Emptiest => {
                links.reduce(|best, link| if load(&link) < load(&best) { link } else { best })
            }
        }
    }
}

/// A hash of two numbers: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub(super) const fn mix_hash(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Order of each node among the NICs; `None` for all other nodes.
pub(super) fn nic_order_of_nodes(graph: &FabricGraph) -> Vec<Option<u32>> {
    let mut orders = vec![None; graph.nodes().count()];
    for (order, node) in (0..).zip(graph.endpoint_nodes()) {
        orders[node.index()] = Some(order);
    }
    orders
}

/// What each NIC is plugged into, in the order of the cables: one list for all of them, as there
/// may be millions.
#[derive(Clone, Debug)]
pub(super) struct NicPorts {
    /// Where the entries of each NIC begin, and the end of the last one's.
    starts: Vec<u32>,
    ports: Vec<u32>,
}

impl NicPorts {
    /// From (order of a NIC, what it is plugged into), gone through twice.
    pub(super) fn new(nics: usize, plugs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; nics + 1];
        for (nic, _) in plugs.clone() {
            starts[nic as usize + 1] += 1;
        }
        for nic in 1..starts.len() {
            starts[nic] += starts[nic - 1];
        }
        let mut all = vec![0; starts[nics] as usize];
        for (nic, into) in plugs {
            let next = &mut starts[nic as usize];
            all[*next as usize] = into;
            *next += 1;
        }
        // Each start has moved to the end of its own entries: to the start of the next.
        starts.pop();
        starts.insert(0, 0);
        Self { starts, ports: all }
    }

    /// Of one NIC.
    fn ports_of_nic(&self, nic: usize) -> &[u32] {
        &self.ports[self.starts[nic] as usize..self.starts[nic + 1] as usize]
    }

    /// Of all NICs in order.
    pub(super) fn all_nics(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.starts.len() - 1).map(|nic| self.ports_of_nic(nic))
    }
}

/// The class of each NIC by what it is plugged into, and what each class is plugged into. Classes
/// are numbered in the order in which they first occur.
pub(super) fn nic_classes<K: Ord + Clone>(
    seats: impl IntoIterator<Item = K>,
) -> (Vec<u32>, Vec<K>) {
    let mut known: BTreeMap<K, u32> = BTreeMap::new();
    let mut of_class = Vec::new();
    let class = |seats: K| {
        *known.entry(seats).or_insert_with_key(|seats| {
            of_class.push(seats.clone());
            of_class.len() as u32 - 1
        })
    };
    let class_of = seats.into_iter().map(class).collect();
    (class_of, of_class)
}

#[cfg(test)]
mod tests {
    use super::NicPorts;

    #[test]
    fn every_nic_keeps_its_plugs_in_the_order_of_the_cables() {
        let pairs = [(2, 7), (0, 5), (2, 6), (0, 4), (3, 1)];
        let plugs = NicPorts::new(4, pairs.into_iter());
        let each: Vec<&[u32]> = plugs.all_nics().collect();
        assert_eq!(each, [&[5, 4][..], &[], &[7, 6], &[1]]);
        assert_eq!(NicPorts::new(0, [].into_iter()).all_nics().count(), 0);
    }
}
