//! Link loads where every flow is spread evenly over all of its shortest ways: the best that
//! routing can do in a tree, and what packet spraying comes near to.

use std::collections::BTreeMap;

use super::{LeafPaths, Tree};
use crate::fabric::LinkClass;
use crate::routing::links::{Link, Load};

/// Bytes that were put on a fabric so far.
#[derive(Clone, Debug)]
pub(in crate::routing) struct TreeSpray<'a> {
    paths: &'a Tree,
    /// Bytes that NICs send and receive, over all planes.
    sent: Vec<f64>,
    received: Vec<f64>,
    /// Bytes between leafs and the pods above them, by leaf and place among its pods: up, and
    /// down within the pod.
    borders: Vec<Vec<[f64; 2]>>,
    /// Bytes from one pod by way of cores to another: by leaf, out of the one and into the other.
    by_cores: BTreeMap<(u32, u32), PodPairBytes>,
}

/// Bytes between two pods.
#[derive(Clone, Debug, Default)]
pub(super) struct PodPairBytes {
    out: BTreeMap<u32, f64>,
    into: BTreeMap<u32, f64>,
}

impl PodPairBytes {
    /// Bytes out of the one pod from a leaf.
    pub(super) fn add_bytes_leaving_pod(&mut self, leaf: u32, bytes: f64) {
        *self.out.entry(leaf).or_default() += bytes;
    }

    /// Bytes into the other pod to a leaf.
    pub(super) fn add_bytes_entering_pod(&mut self, leaf: u32, bytes: f64) {
        *self.into.entry(leaf).or_default() += bytes;
    }
}

/// Bytes by leaf and pod.
type ByLeaf = BTreeMap<(u32, u32), f64>;

/// How the bytes between two pods divide.
struct Shares {
    /// Over the spines of the source pod.
    out: Vec<f64>,
    /// Links of each spine of the source pod to cores that reach the other.
    widths: Vec<f64>,
    /// Over the spines of the target pod.
    into: Vec<f64>,
    /// Over cores.
    cores: Vec<(u32, f64)>,
}

/// Bytes between pairs of pods that are wired alike, one of which stands for all.
struct Divided {
    like: [u32; 2],
    /// By the pod that they leave.
    out: BTreeMap<u32, f64>,
    /// By the pod that they reach.
    into: BTreeMap<u32, f64>,
}

impl Divided {
    const fn for_pods(like: [u32; 2]) -> Self {
        Self { like, out: BTreeMap::new(), into: BTreeMap::new() }
    }
}

impl<'a> TreeSpray<'a> {
    pub(in crate::routing) fn new(paths: &'a Tree) -> Self {
        let nics = vec![0.0; paths.nic_count()];
        let borders = paths.leafs.iter().map(|leaf| vec![[0.0; 2]; leaf.up.len()]).collect();
        Self { paths, sent: nics.clone(), received: nics, borders, by_cores: BTreeMap::new() }
    }

    /// Bytes that a NIC sends.
    pub(in crate::routing) fn add_sent_bytes(&mut self, nic: usize, bytes: f64) {
        self.sent[nic] += bytes;
    }

    /// Bytes that a NIC receives.
    pub(in crate::routing) fn add_received_bytes(&mut self, nic: usize, bytes: f64) {
        self.received[nic] += bytes;
    }

    /// Bytes on all links but those of the NICs, which stand for any on the same leafs; false where
    /// no way joins the two.
    pub(in crate::routing) fn has_spread_between(
        &mut self,
        from: usize,
        to: usize,
        bytes: f64,
    ) -> bool {
        let paths = self.paths;
        let planes = paths.leafs_of(from).len() as f64;
        let mut joined = true;
        for (low, high) in paths.leafs_of(from).iter().zip(paths.leafs_of(to)) {
            let bytes = bytes / planes;
            match paths.paths_between_leafs(*low, *high) {
                LeafPaths::Leaf => {}
                LeafPaths::Pod(pod) => {
                    self.add_border_bytes(*low, pod, 0, bytes);
                    self.add_border_bytes(*high, pod, 1, bytes);
                }
                LeafPaths::Cores(pod, other) => {
                    let between = self.between_pods(pod, other);
                    between.add_bytes_leaving_pod(*low, bytes);
                    between.add_bytes_entering_pod(*high, bytes);
                }
                LeafPaths::None => joined = false,
            }
        }
        joined
    }

    /// What goes by cores from a pod to another.
    pub(super) fn between_pods(&mut self, pod: u32, other: u32) -> &mut PodPairBytes {
        self.by_cores.entry((pod, other)).or_default()
    }

    /// The ways that all of it takes.
    pub(super) const fn spray_paths(&self) -> &'a Tree {
        self.paths
    }

    pub(super) fn add_border_bytes(&mut self, leaf: u32, pod: u32, direction: usize, bytes: f64) {
        let up = &self.paths.leafs[leaf as usize].up;
        if let Some(place) = up.iter().position(|(count, _)| *count == pod) {
            self.borders[leaf as usize][place][direction] += bytes;
        }
    }

    /// Bytes of the busiest NIC in either direction, over all its planes.
    pub(in crate::routing) fn busiest_nic(&self) -> f64 {
        self.sent.iter().chain(&self.received).copied().fold(0.0, f64::max)
    }

    /// Every link class's load, and its fullest link; those of NICs first.
    pub(in crate::routing) fn link_class_loads(&self) -> Vec<Load> {
        vec![self.host_link_load(), self.leaf_spine(), self.spine_core()]
    }

    fn host_link_load(&self) -> Load {
        let mut load = Load::new(LinkClass::Host, self.paths.host);
        for nic in 0..self.paths.nic_count() {
            let leafs = self.paths.leafs_of(nic);
            let planes = leafs.len().max(1) as f64;
            for leaf in leafs {
                let bytes = self.sent[nic].max(self.received[nic]) / planes;
                let node = self.paths.leafs[*leaf as usize].node;
                load.add_links(1, bytes, Link::Nic { nic, leaf: node });
            }
        }
        load
    }

    fn leaf_spine(&self) -> Load {
        let paths = self.paths;
        let mut load = Load::new(LinkClass::LeafSpine, paths.uplink);
        let [out, into] = self.core_bytes_by_leaf();
        for (place, leaf) in paths.leafs.iter().enumerate() {
            for ((pod, each), border) in leaf.up.iter().zip(&self.borders[place]) {
                let spines = &paths.pods[*pod as usize].spines;
                let key = (place as u32, *pod);
                let further = |sums: &BTreeMap<(u32, u32), Vec<f64>>, k: usize| {
                    sums.get(&key).map_or(0.0, |bytes| bytes[k])
                };
                for (k, spine) in spines.iter().enumerate() {
                    let [up, down] = border.map(|bytes| bytes / spines.len() as f64);
                    let bytes = (up + further(&out, k)).max(down + further(&into, k));
                    let link = Link::Switches { low: leaf.node, high: *spine };
                    load.add_links(u64::from(*each), bytes / f64::from(*each), link);
                }
            }
        }
        load
    }

    /// Bytes to and from cores between a leaf and each spine of a pod, by leaf and pod.
    fn core_bytes_by_leaf(&self) -> [BTreeMap<(u32, u32), Vec<f64>>; 2] {
        // Pairs of pods that are wired alike divide alike: their bytes are summed before.
        let mut alike: BTreeMap<(u32, u32), ([u32; 2], [ByLeaf; 2])> = BTreeMap::new();
        for ((pod, other), between) in &self.by_cores {
            let entry = alike.entry(self.paths.pod_wiring_key(*pod, *other));
            let (_, sums) = entry.or_insert_with(|| ([*pod, *other], Default::default()));
            let sides = [(*pod, &between.out), (*other, &between.into)];
            for ((pod, leafs), sums) in sides.into_iter().zip(sums) {
                for (leaf, bytes) in leafs {
                    *sums.entry((*leaf, pod)).or_default() += bytes;
                }
            }
        }
        let mut sums: [BTreeMap<(u32, u32), Vec<f64>>; 2] = Default::default();
        for ([pod, other], by_leaf) in alike.into_values() {
            let shares = self.core_spread_shares(pod, other);
            for ((by_leaf, shares), sums) in
                by_leaf.into_iter().zip([&shares.out, &shares.into]).zip(&mut sums)
            {
                for (key, bytes) in by_leaf {
                    let values = sums.entry(key).or_insert_with(|| vec![0.0; shares.len()]);
                    values.iter_mut().zip(shares).for_each(|(sum, share)| *sum += bytes * share);
                }
            }
        }
        sums
    }

    /// A leaf sends evenly over the spines that reach the other pod, a spine evenly over its
    /// links to cores that do, a core evenly over its links to that pod.
    fn core_spread_shares(&self, pod: u32, other: u32) -> Shares {
        let paths = self.paths;
        let (from, to) = (&paths.pods[pod as usize], &paths.pods[other as usize]);
        let common: Vec<u32> = from
            .cores
            .iter()
            .copied()
            .filter(|core| to.cores.binary_search(core).is_ok())
            .collect();
        let up = |spine: usize| -> f64 {
            common.iter().map(|core| f64::from(paths.cores[&(pod, *core)][spine])).sum()
        };
        let widths: Vec<f64> = (0..from.spines.len()).map(up).collect();
        let usable = widths.iter().filter(|width| **width > 0.0).count().max(1) as f64;
        let mut shares = Shares {
            out: widths.iter().map(|w| if *w > 0.0 { 1.0 / usable } else { 0.0 }).collect(),
            into: vec![0.0; to.spines.len()],
            cores: Vec::new(),
            widths,
        };
        for core in common {
            let links = &paths.cores[&(pod, core)];
            let parts = links.iter().zip(&shares.widths).zip(&shares.out);
            let share: f64 = parts
                .filter(|((links, _), _)| **links > 0)
                .map(|((links, width), out)| out * f64::from(*links) / width)
                .sum();
            let down = &paths.cores[&(other, core)];
            let width = f64::from(down.iter().sum::<u32>());
            for (into, links) in shares.into.iter_mut().zip(down) {
                *into += share * f64::from(*links) / width;
            }
            shares.cores.push((core, share));
        }
        shares
    }

    fn spine_core(&self) -> Load {
        let paths = self.paths;
        let mut load = Load::new(LinkClass::SpineCore, paths.uplink);
        // By spine upwards, as a spine's links may lead to fewer cores than its pod's; and by
        // pod downwards.
        let mut up: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
        let mut down: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        // Pairs of pods that are wired alike divide alike: their bytes are summed before.
        let mut alike: BTreeMap<(u32, u32), Divided> = BTreeMap::new();
        for ((pod, other), between) in &self.by_cores {
            let bytes: f64 = between.out.values().sum();
            let entry = alike.entry(paths.pod_wiring_key(*pod, *other));
            let divided = entry.or_insert_with(|| Divided::for_pods([*pod, *other]));
            *divided.out.entry(*pod).or_default() += bytes;
            *divided.into.entry(*other).or_default() += bytes;
        }
        for Divided { like: [pod, other], out, into } in alike.into_values() {
            let shares = self.core_spread_shares(pod, other);
            for (core, share) in &shares.cores {
                for (other, bytes) in &into {
                    *down.entry((*other, *core)).or_default() += bytes * share;
                }
                for (pod, bytes) in &out {
                    let sums =
                        up.entry((*pod, *core)).or_insert_with(|| vec![0.0; shares.out.len()]);
                    for (sum, (part, width)) in
                        sums.iter_mut().zip(shares.out.iter().zip(&shares.widths))
                    {
                        // On one link of this spine to this core.
                        *sum += bytes * part / width.max(1.0);
                    }
                }
            }
        }
        for ((pod, core), links) in &paths.cores {
            let width = f64::from(links.iter().sum::<u32>());
            let down = down.get(&(*pod, *core)).copied().unwrap_or(0.0) / width;
            for (k, count) in links.iter().enumerate().filter(|(_, count)| **count > 0) {
                let up = up.get(&(*pod, *core)).map_or(0.0, |sums| sums[k]);
                let low = paths.pods[*pod as usize].spines[k];
                let high = paths.core_nodes[*core as usize];
                load.add_links(u64::from(*count), up.max(down), Link::Switches { low, high });
            }
        }
        load
    }
}
