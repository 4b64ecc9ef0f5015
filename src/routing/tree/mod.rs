//! A whole tree of up to three tiers as a router sees it: which leaf a NIC is on, which spines join
//! two leafs, which cores join two pods. Alike links are counted together, so that large trees are
//! routed fast; any other graph is a `web`. Carries no bytes.

mod all_pairs;
mod single_path;
mod spray;

pub(super) use all_pairs::UniformMembers;
pub(super) use single_path::{Numbered, TreeSinglePath};
pub(super) use spray::TreeSpray;

use std::collections::BTreeMap;

use super::links::{NicPorts, nic_classes, nic_order_of_nodes};
use crate::fabric::{FabricGraph, FabricNode, TierName};
use crate::units::Bandwidth;

/// The ways through a tree of up to three tiers.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// A number for NICs on the same leafs, in the order of the graph's endpoints.
    class_of: Vec<u32>,
    /// Leafs of each class of NICs, one for each plane.
    leafs_of: Vec<Vec<u32>>,
    pub(super) leafs: Vec<Leaf>,
    /// Spines that serve the same leafs.
    pods: Vec<Pod>,
    /// Links between spines and cores.
    cores: CoreLinks,
    /// Graph nodes of the cores.
    core_nodes: Vec<usize>,
    /// Rate of a link between a NIC and a leaf.
    pub(super) host: Bandwidth,
    /// Rate of a link between switches.
    uplink: Bandwidth,
}

/// A leaf and the pods above it: one, or two where a spine across rails stands beside that of
/// the rail.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) node: usize,
    /// Pods with the links to each spine of theirs, the pod of fewest leafs first.
    pub(super) up: Vec<(u32, u32)>,
}

/// Spines that serve the same leafs, each leaf with as many links to each of them.
#[derive(Clone, Debug)]
pub(super) struct Pod {
    /// Graph nodes of the spines.
    spines: Vec<usize>,
    pub(super) leafs: usize,
    /// Cores that the pod reaches, ascending.
    cores: Vec<u32>,
    /// A number for pods with as many links from each spine to the same cores.
    wired: u32,
}

/// How two leafs are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafPaths {
    /// They are one.
    Leaf,
    /// By the spines of a pod.
    Pod(u32),
    /// By cores above the two pods.
    Cores(u32, u32),
    /// Not at all.
    None,
}

impl Tree {
    /// The ways through a graph; `None` where it is no tree of up to three tiers.
    pub(super) fn new(graph: &FabricGraph) -> Option<Self> {
        let tier = |number: usize| match graph.node(number) {
            Some(FabricNode::Switch { tier, .. }) => Some(tier),
            _ => None,
        };
        let mut leafs: Vec<Leaf> = Vec::new();
        let mut place = vec![u32::MAX; graph.nodes().count()];
        let mut core_nodes = Vec::new();
        for (number, place) in place.iter_mut().enumerate() {
            match tier(number) {
                Some(TierName::Leaf) => {
                    *place = leafs.len() as u32;
                    leafs.push(Leaf { node: number, up: Vec::new() });
                }
                Some(TierName::Core) => {
                    *place = core_nodes.len() as u32;
                    core_nodes.push(number);
                }
                Some(TierName::SuperCore) => return None,
                Some(TierName::Spine) | None => {}
            }
        }
        let mut below: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new(); // spine: leafs, links
        let mut above: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new(); // spine: cores, links
        let mut ports = 1;
        for (low, high, cable) in graph.cables() {
            match (tier(low), tier(high)) {
                (None, Some(TierName::Leaf)) => {}
                (Some(TierName::Leaf), Some(TierName::Spine)) => {
                    below.entry(high).or_default().push((place[low], cable.links));
                    ports = cable.ports;
                }
                (Some(TierName::Spine), Some(TierName::Core)) => {
                    above.entry(low).or_default().push((place[high], cable.links));
                }
                _ => return None,
            }
        }
        let (pods, cores) = group_spines_into_pods(below, &above, &mut leafs);
        let (class_of, leafs_of) = nic_leaf_classes(graph, &place);
        Some(Self {
            class_of,
            leafs_of,
            leafs,
            pods,
            cores,
            core_nodes,
            host: graph.port_rate(),
            uplink: graph.port_rate() * f64::from(ports),
        })
    }

    /// A number for NICs on the same leafs.
    pub(super) fn nic_class(&self, nic: usize) -> u32 {
        self.class_of[nic]
    }

    /// NICs.
    pub(super) const fn nic_count(&self) -> usize {
        self.class_of.len()
    }

    /// Leafs of a NIC, one for each plane.
    fn leafs_of(&self, nic: usize) -> &[u32] {
        &self.leafs_of[self.class_of[nic] as usize]
    }

    /// A key for pairs of pods whose links to cores are the same.
    fn pod_wiring_key(&self, pod: u32, other: u32) -> (u32, u32) {
        (self.pods[pod as usize].wired, self.pods[other as usize].wired)
    }

    /// How two leafs are joined: by the spines that serve the fewest leafs, a rail's own before
    /// those across rails.
    fn paths_between_leafs(&self, from: u32, to: u32) -> LeafPaths {
        if from == to {
            return LeafPaths::Leaf;
        }
        let (a, b) = (&self.leafs[from as usize].up, &self.leafs[to as usize].up);
        for (pod, _) in a {
            if b.iter().any(|(other, _)| other == pod) {
                return LeafPaths::Pod(*pod);
            }
        }
        for (pod, _) in a {
            for (other, _) in b {
                let (mine, theirs) = (&self.pods[*pod as usize], &self.pods[*other as usize]);
                if mine.cores.iter().any(|core| theirs.cores.binary_search(core).is_ok()) {
                    return LeafPaths::Cores(*pod, *other);
                }
            }
        }
        LeafPaths::None
    }
}

/// The class of each NIC by the leafs that it is plugged into, by their place, and those of each
/// class.
fn nic_leaf_classes(graph: &FabricGraph, place: &[u32]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let orders = nic_order_of_nodes(graph);
    let plugs = graph.cables().filter_map(|(low, high, _)| Some((orders[low]?, place[high])));
    let plugs = NicPorts::new(graph.endpoint_nodes().len(), plugs);
    let (class_of, leafs_of) = nic_classes(plugs.all_nics());
    (class_of, leafs_of.into_iter().map(<[u32]>::to_vec).collect())
}

/// Spines by spine, with what each is joined to below or above.
type Joined = BTreeMap<usize, Vec<(u32, u32)>>;

/// Links from each spine of a pod to a core, by pod and core.
pub(super) type CoreLinks = BTreeMap<(u32, u32), Vec<u32>>;

/// A pod's spines, and the links of each to every core that the pod reaches.
type Wiring = (usize, Vec<(u32, Vec<u32>)>);

/// Puts spines of the same leafs together and tells the leafs about them.
fn group_spines_into_pods(
    below: Joined,
    above: &Joined,
    leafs: &mut [Leaf],
) -> (Vec<Pod>, CoreLinks) {
    let mut groups: BTreeMap<Vec<(u32, u32)>, Vec<usize>> = BTreeMap::new();
    for (spine, leafs) in below {
        groups.entry(leafs).or_default().push(spine);
    }
    let mut pods = Vec::new();
    let mut links = CoreLinks::new();
    let mut wirings: BTreeMap<Wiring, u32> = BTreeMap::new();
    for (served, spines) in groups {
        let number = pods.len() as u32;
        for (leaf, each) in &served {
            leafs[*leaf as usize].up.push((number, *each));
        }
        let mut cores = Vec::new();
        for (k, spine) in spines.iter().enumerate() {
            for (core, count) in above.get(spine).into_iter().flatten() {
                let counts = links.entry((number, *core)).or_insert_with(|| vec![0; spines.len()]);
                counts[k] += count;
                cores.push(*core);
            }
        }
        cores.sort_unstable();
        cores.dedup();
        let rows: Vec<(u32, Vec<u32>)> =
            cores.iter().map(|core| (*core, links[&(number, *core)].clone())).collect();
        let next = wirings.len() as u32;
        let wired = *wirings.entry((spines.len(), rows)).or_insert(next);
        pods.push(Pod { spines, leafs: served.len(), cores, wired });
    }
    for leaf in leafs {
        leaf.up.sort_by_key(|(pod, _)| (pods[*pod as usize].leafs, *pod));
    }
    (pods, links)
}
