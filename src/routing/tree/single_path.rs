//! Link loads where every flow takes one way only: hashed onto it as equal-cost routing does, or
//! put on the link that looks emptiest to each switch on the way, as adaptive routing does.
//!
//! A flow is all that one NIC sends to another in one plane. Switches know their own links alone.

use std::collections::BTreeMap;

use super::{LeafPaths, Tree};
use crate::routing::links::{Link, LinkPick, SlowestLink, mix_hash};

/// Bytes on each single link so far.
#[derive(Clone, Debug)]
pub(in crate::routing) struct TreeSinglePath<'a> {
    paths: &'a Tree,
    links: &'a Numbered,
    pick: LinkPick,
    up: Vec<f64>,
    down: Vec<f64>,
    core_up: Vec<f64>,
    core_down: Vec<f64>,
}

/// A link between a spine of a pod and a core.
#[derive(Clone, Copy, Debug)]
struct CoreLink {
    pod: u32,
    spine: u32,
    core: u32,
}

/// The single links of a tree by number, those between leafs and spines and those between spines
/// and cores for themselves.
#[derive(Clone, Debug)]
pub(in crate::routing) struct Numbered {
    /// First link of each (leaf, place of the pod among its pods).
    first: Vec<Vec<usize>>,
    /// Links between leafs and spines.
    count: usize,
    /// Each link to a core.
    ends: Vec<CoreLink>,
    /// Links of a spine, by (pod, spine), and of a core towards a pod, by (pod, core).
    of_spine: BTreeMap<(u32, u32), Vec<usize>>,
    of_core: BTreeMap<(u32, u32), Vec<usize>>,
    /// Which cores reach which pods, core by core.
    reached: Vec<bool>,
    pods: usize,
}

impl Numbered {
    pub(in crate::routing) fn new(paths: &Tree) -> Self {
        let mut count = 0;
        let first = paths
            .leafs
            .iter()
            .map(|leaf| {
                let starts = leaf.up.iter().map(|(pod, each)| {
                    let start = count;
                    count += paths.pods[*pod as usize].spines.len() * *each as usize;
                    start
                });
                starts.collect()
            })
            .collect();
        let mut ends = Vec::new();
        let mut of_spine: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut of_core: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for ((pod, core), links) in &paths.cores {
            for (spine, count) in (0_u32..).zip(links) {
                for _ in 0..*count {
                    let number = ends.len();
                    ends.push(CoreLink { pod: *pod, spine, core: *core });
                    of_spine.entry((*pod, spine)).or_default().push(number);
                    of_core.entry((*pod, *core)).or_default().push(number);
                }
            }
        }
        let pods = paths.pods.len();
        let mut reached = vec![false; paths.core_nodes.len() * pods];
        for (pod, core) in of_core.keys() {
            reached[*core as usize * pods + *pod as usize] = true;
        }
        Self { first, count, ends, of_spine, of_core, reached, pods }
    }

    /// Links of a spine to cores that reach the other pod.
    fn core_links_to_pod(
        &self,
        from: (u32, u32),
        other: u32,
    ) -> impl Iterator<Item = usize> + Clone {
        let links = self.of_spine.get(&from).into_iter().flatten().copied();
        links.filter(move |link| {
            let core = self.ends[*link].core as usize;
            self.reached[core * self.pods + other as usize]
        })
    }
}

impl<'a> TreeSinglePath<'a> {
    pub(in crate::routing) fn new(paths: &'a Tree, links: &'a Numbered, pick: LinkPick) -> Self {
        let none = |count: usize| vec![0.0; count];
        Self {
            paths,
            links,
            pick,
            up: none(links.count),
            down: none(links.count),
            core_up: none(links.ends.len()),
            core_down: none(links.ends.len()),
        }
    }

    /// Puts a flow on the links of its way.
    pub(in crate::routing) fn add(&mut self, from: usize, to: usize, bytes: f64) {
        let paths = self.paths;
        let planes = paths.leafs_of(from).len() as f64;
        let both = paths.leafs_of(from).iter().zip(paths.leafs_of(to));
        for (plane, (low, high)) in (0_u64..).zip(both) {
            let bytes = bytes / planes;
            let seed = mix_hash(mix_hash(from as u64, to as u64), plane);
            match paths.paths_between_leafs(*low, *high) {
                LeafPaths::Pod(pod) => {
                    let spine = self.climb_to_spine(*low, pod, seed, bytes);
                    self.descend_to_leaf(*high, pod, spine, seed, bytes);
                }
                LeafPaths::Cores(pod, other) => {
                    let spine = self.climb_to_spine(*low, pod, seed, bytes);
                    if let Some(spine) = self.cross_to_pod((pod, spine), other, seed, bytes) {
                        self.descend_to_leaf(*high, other, spine, seed, bytes);
                    }
                }
                LeafPaths::Leaf | LeafPaths::None => {}
            }
        }
    }

    /// First link and links to each spine of a leaf and a pod.
    fn links_to(&self, leaf: u32, pod: u32) -> (usize, usize) {
        let up = &self.paths.leafs[leaf as usize].up;
        let place = up.iter().position(|(count, _)| *count == pod).unwrap_or(0);
        (self.links.first[leaf as usize][place], up[place].1 as usize)
    }

    /// From a leaf to a spine of the pod, which is returned.
    fn climb_to_spine(&mut self, leaf: u32, pod: u32, seed: u64, bytes: f64) -> u32 {
        let (first, each) = self.links_to(leaf, pod);
        let count = self.paths.pods[pod as usize].spines.len() * each;
        let picked = self.pick.pick_link(first..first + count, |k| self.up[*k], mix_hash(seed, 1));
        let picked = picked.unwrap_or(first);
        self.up[picked] += bytes;
        ((picked - first) / each) as u32
    }

    /// From a spine of the pod to a leaf.
    fn descend_to_leaf(&mut self, leaf: u32, pod: u32, spine: u32, seed: u64, bytes: f64) {
        let (first, each) = self.links_to(leaf, pod);
        let start = first + spine as usize * each;
        let picked = self.pick.pick_link(start..start + each, |k| self.down[*k], mix_hash(seed, 4));
        self.down[picked.unwrap_or(start)] += bytes;
    }

    /// From a spine by a core to a spine of another pod; `None` where no core of the spine
    /// reaches it.
    fn cross_to_pod(&mut self, from: (u32, u32), other: u32, seed: u64, bytes: f64) -> Option<u32> {
        let links = self.links;
        let ways = links.core_links_to_pod(from, other);
        let up = self.pick.pick_link(ways, |link| self.core_up[*link], mix_hash(seed, 2))?;
        self.core_up[up] += bytes;
        let ways = links.of_core[&(other, links.ends[up].core)].iter().copied();
        let down = self.pick.pick_link(ways, |link| self.core_down[*link], mix_hash(seed, 3))?;
        self.core_down[down] += bytes;
        Some(links.ends[down].spine)
    }

    /// The link between switches that takes longest.
    pub(in crate::routing) fn slowest_switch_link(&self) -> SlowestLink {
        let paths = self.paths;
        let (mut most, mut slowest) = (0.0, None);
        for (leaf, starts) in paths.leafs.iter().zip(&self.links.first) {
            for ((pod, each), start) in leaf.up.iter().zip(starts) {
                let spines = &paths.pods[*pod as usize].spines;
                for k in 0..spines.len() * *each as usize {
                    let bytes = self.up[start + k].max(self.down[start + k]);
                    if bytes > most {
                        let high = spines[k / *each as usize];
                        (most, slowest) = (bytes, Some(Link::Switches { low: leaf.node, high }));
                    }
                }
            }
        }
        for (k, CoreLink { pod, spine, core }) in self.links.ends.iter().enumerate() {
            let bytes = self.core_up[k].max(self.core_down[k]);
            if bytes > most {
                let low = paths.pods[*pod as usize].spines[*spine as usize];
                let high = paths.core_nodes[*core as usize];
                (most, slowest) = (bytes, Some(Link::Switches { low, high }));
            }
        }
        SlowestLink::from_bytes(most, paths.uplink, slowest)
    }
}
