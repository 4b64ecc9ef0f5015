//! Link loads where every flow takes one way only: hashed onto it as equal-cost routing does, or
//! put on the link that looks emptiest to each switch on the way, as adaptive routing does.
//!
//! A flow is all that one NIC sends to another in one plane. Switches know their own links alone.

use std::collections::BTreeMap;

use super::{Tree, Way};
use crate::routing::link::{Link, Peak};
use crate::routing::pick::{Pick, mixed};

/// Bytes on each single link so far.
#[derive(Clone, Debug)]
pub(in crate::routing) struct Single<'a> {
    paths: &'a Tree,
    pick: Pick,
    /// First link of each (leaf, place of the pod among its pods).
    first: Vec<Vec<usize>>,
    up: Vec<f64>,
    down: Vec<f64>,
    cores: Cores,
}

/// Links between spines and cores.
#[derive(Clone, Debug, Default)]
struct Cores {
    /// Pod, spine and core of each.
    ends: Vec<(u32, u32, u32)>,
    /// Links of a spine, by (pod, spine), and of a core towards a pod, by (pod, core).
    of_spine: BTreeMap<(u32, u32), Vec<usize>>,
    of_core: BTreeMap<(u32, u32), Vec<usize>>,
    /// Which cores reach which pods, core by core.
    reached: Vec<bool>,
    pods: usize,
    up: Vec<f64>,
    down: Vec<f64>,
}

impl Cores {
    fn new(paths: &Tree) -> Self {
        let mut cores = Self::default();
        for ((pod, core), links) in &paths.cores {
            for (spine, count) in (0_u32..).zip(links) {
                for _ in 0..*count {
                    let number = cores.ends.len();
                    cores.ends.push((*pod, spine, *core));
                    cores.of_spine.entry((*pod, spine)).or_default().push(number);
                    cores.of_core.entry((*pod, *core)).or_default().push(number);
                }
            }
        }
        cores.pods = paths.pods.len();
        cores.reached = vec![false; paths.core_nodes.len() * cores.pods];
        for (pod, core) in cores.of_core.keys() {
            cores.reached[*core as usize * cores.pods + *pod as usize] = true;
        }
        cores.up = vec![0.0; cores.ends.len()];
        cores.down = cores.up.clone();
        cores
    }

    /// A link of the spine to a core that reaches the other pod; `None` where there is none.
    fn towards(&self, from: (u32, u32), other: u32, pick: Pick, hash: u64) -> Option<usize> {
        let links = self.of_spine.get(&from)?.iter().copied().filter(|link| {
            let core = self.ends[*link].2 as usize;
            self.reached[core * self.pods + other as usize]
        });
        pick.among(links, |link| self.up[*link], hash)
    }
}

impl<'a> Single<'a> {
    pub(in crate::routing) fn new(paths: &'a Tree, pick: Pick) -> Self {
        let mut links = 0;
        let first = paths
            .leafs
            .iter()
            .map(|leaf| {
                let starts = leaf.up.iter().map(|(pod, each)| {
                    let start = links;
                    links += paths.pods[*pod as usize].spines.len() * *each as usize;
                    start
                });
                starts.collect()
            })
            .collect();
        let (up, down) = (vec![0.0; links], vec![0.0; links]);
        Self { paths, pick, first, up, down, cores: Cores::new(paths) }
    }

    /// Puts a flow on the links of its way.
    pub(in crate::routing) fn add(&mut self, from: usize, to: usize, bytes: f64) {
        let paths = self.paths;
        let planes = paths.leafs_of(from).len() as f64;
        let both = paths.leafs_of(from).iter().zip(paths.leafs_of(to));
        for (plane, (low, high)) in (0_u64..).zip(both) {
            let bytes = bytes / planes;
            let seed = mixed(mixed(from as u64, to as u64), plane);
            match paths.way(*low, *high) {
                Way::Pod(pod) => {
                    let spine = self.climb((*low, pod), seed, bytes);
                    self.descend((*high, pod), spine, seed, bytes);
                }
                Way::Cores(pod, other) => {
                    let spine = self.climb((*low, pod), seed, bytes);
                    if let Some(spine) = self.cross((pod, spine), other, seed, bytes) {
                        self.descend((*high, other), spine, seed, bytes);
                    }
                }
                Way::Leaf | Way::None => {}
            }
        }
    }

    /// First link and links to each spine of a leaf and a pod.
    fn links(&self, (leaf, pod): (u32, u32)) -> (usize, usize) {
        let up = &self.paths.leafs[leaf as usize].up;
        let place = up.iter().position(|(of, _)| *of == pod).unwrap_or(0);
        (self.first[leaf as usize][place], up[place].1 as usize)
    }

    /// From a leaf to a spine of the pod, which is returned.
    fn climb(&mut self, border: (u32, u32), seed: u64, bytes: f64) -> u32 {
        let (first, each) = self.links(border);
        let count = self.paths.pods[border.1 as usize].spines.len() * each;
        let picked = self.pick.among(first..first + count, |k| self.up[*k], mixed(seed, 1));
        let picked = picked.unwrap_or(first);
        self.up[picked] += bytes;
        ((picked - first) / each) as u32
    }

    /// From a spine of the pod to a leaf.
    fn descend(&mut self, border: (u32, u32), spine: u32, seed: u64, bytes: f64) {
        let (first, each) = self.links(border);
        let start = first + spine as usize * each;
        let picked = self.pick.among(start..start + each, |k| self.down[*k], mixed(seed, 4));
        self.down[picked.unwrap_or(start)] += bytes;
    }

    /// From a spine by a core to a spine of another pod; `None` where no core of the spine
    /// reaches it.
    fn cross(&mut self, from: (u32, u32), other: u32, seed: u64, bytes: f64) -> Option<u32> {
        let cores = &mut self.cores;
        let up = cores.towards(from, other, self.pick, mixed(seed, 2))?;
        cores.up[up] += bytes;
        let links = &cores.of_core[&(other, cores.ends[up].2)];
        let links = links.iter().copied();
        let down = self.pick.among(links, |link| cores.down[*link], mixed(seed, 3))?;
        cores.down[down] += bytes;
        Some(cores.ends[down].1)
    }

    /// The link between switches that takes longest.
    pub(in crate::routing) fn peak(&self) -> Peak {
        let paths = self.paths;
        let mut most = (0.0, None);
        for (leaf, starts) in paths.leafs.iter().zip(&self.first) {
            for ((pod, each), start) in leaf.up.iter().zip(starts) {
                let spines = &paths.pods[*pod as usize].spines;
                for k in 0..spines.len() * *each as usize {
                    let bytes = self.up[start + k].max(self.down[start + k]);
                    if bytes > most.0 {
                        let high = spines[k / *each as usize];
                        most = (bytes, Some(Link::Switches { low: leaf.node, high }));
                    }
                }
            }
        }
        for (k, (pod, spine, core)) in self.cores.ends.iter().enumerate() {
            let bytes = self.cores.up[k].max(self.cores.down[k]);
            if bytes > most.0 {
                let low = paths.pods[*pod as usize].spines[*spine as usize];
                let high = paths.core_nodes[*core as usize];
                most = (bytes, Some(Link::Switches { low, high }));
            }
        }
        Peak::at(most.0, paths.uplink, most.1)
    }
}
