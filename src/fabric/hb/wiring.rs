//! A domain wired link by link: the check on what is counted. Counts nothing itself.

use petgraph::graph::{NodeIndex, UnGraph};

use super::direct::torus_sides;
use super::nouns::HbCounts;
use super::problem::HbProblem;
use crate::hardware::HbKind;

/// What a domain is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HbNode {
    /// A GPU, from 0.
    Gpu(u32),
    /// A chip that GPUs have links to, from 0.
    Leaf(u64),
    /// A chip of the second level, from 0.
    Spine(u64),
}

/// A domain, link by link: an edge is one link.
#[derive(Clone, Debug)]
pub struct HbGraph {
    graph: UnGraph<HbNode, ()>,
}

impl HbGraph {
    /// Most links that are worth holding in memory.
    pub const MOST_LINKS: u64 = 1 << 22;

    /// Wires what was counted; chips that packaging adds stay unwired and are left out.
    ///
    /// # Errors
    /// Where there are more than [`Self::MOST_LINKS`] links.
    pub fn new(counts: &HbCounts) -> Result<Self, HbProblem> {
        let (links, most) = (counts.link_count(), Self::MOST_LINKS);
        if links > most || counts.chips_needed() > most {
            return Err(HbProblem::TooManyLinks { links, most });
        }
        let mut graph = UnGraph::new_undirected();
        let gpus: Vec<NodeIndex> =
            (0..counts.request.gpus).map(|gpu| graph.add_node(HbNode::Gpu(gpu))).collect();
        if counts.levels == 0 {
            wire_direct_links(counts, &gpus, &mut graph);
            return Ok(Self { graph });
        }
        let leafs: Vec<NodeIndex> =
            (0..counts.leaf_chips).map(|chip| graph.add_node(HbNode::Leaf(chip))).collect();
        let spines: Vec<NodeIndex> =
            (0..counts.spine_chips).map(|chip| graph.add_node(HbNode::Spine(chip))).collect();
        wire_gpus_to_chips(counts, &gpus, &leafs, &mut graph);
        if counts.request.twin {
            wire_twin_chips(counts, &leafs, &mut graph);
        } else if counts.levels == 2 {
            wire_chip_levels(counts, &leafs, &spines, &mut graph);
        }
        Ok(Self { graph })
    }

    /// The graph: an edge is one link.
    #[must_use]
    pub const fn graph(&self) -> &UnGraph<HbNode, ()> {
        &self.graph
    }
}

type Wires = UnGraph<HbNode, ()>;

/// The links of GPUs, in turn over the chips of their pod: chip c of pod P is P·chips + c.
fn wire_gpus_to_chips(
    counts: &HbCounts,
    gpus: &[NodeIndex],
    leafs: &[NodeIndex],
    graph: &mut Wires,
) {
    let pods = (gpus.len() / counts.pod.max(1) as usize).max(1);
    let chips = leafs.len() / pods;
    let even = counts.request.striping != crate::hardware::Striping::Ports;
    for (number, gpu) in gpus.iter().enumerate() {
        let pod = number / counts.pod.max(1) as usize;
        for link in 0..counts.request.links as usize {
            // Evenly: lanes in a row to one chip. By ports: in turn, so that no chip overflows.
            let chip = if even {
                link / counts.lanes.max(1) as usize
            } else {
                (number * counts.request.links as usize + link) % chips
            };
            graph.add_edge(*gpu, leafs[pod * chips + chip.min(chips - 1)], ());
        }
    }
}

/// Two halves: a chip has as many links to its twin as to its GPUs.
fn wire_twin_chips(counts: &HbCounts, leafs: &[NodeIndex], graph: &mut Wires) {
    let half = leafs.len() / 2;
    for chip in 0..half {
        for _ in 0..graph.edges(leafs[chip]).count().min(counts.request.ports as usize) {
            graph.add_edge(leafs[chip], leafs[half + chip], ());
        }
    }
}

/// Links between the levels, those of a plane in turn over its spines: chip c of every pod is of
/// plane c.
fn wire_chip_levels(
    counts: &HbCounts,
    leafs: &[NodeIndex],
    spines: &[NodeIndex],
    graph: &mut Wires,
) {
    let planes = counts.planes.max(1) as usize;
    let pods = (counts.request.gpus / counts.pod.max(1)).max(1) as usize;
    let (chips, up) = (leafs.len() / pods, spines.len() / planes);
    let links = counts.long_links as usize / pods;
    for pod in 0..pods {
        for link in 0..links {
            let chip = link % chips;
            let (plane, turn) = if planes == 1 {
                (0, pod * links + link)
            } else {
                (chip, pod * (links / chips) + link / chips)
            };
            graph.add_edge(leafs[pod * chips + chip], spines[plane * up + turn % up], ());
        }
    }
}

/// The links of domains without chips.
fn wire_direct_links(counts: &HbCounts, gpus: &[NodeIndex], graph: &mut Wires) {
    let count = gpus.len();
    let mut join = |a: usize, b: usize| {
        for _ in 0..counts.lanes {
            graph.add_edge(gpus[a], gpus[b], ());
        }
    };
    match counts.request.kind {
        HbKind::Switched => {}
        HbKind::FullMesh => {
            for a in 0..count {
                (a + 1..count).for_each(|b| join(a, b));
            }
        }
        HbKind::Mesh2d => {
            let side = count.isqrt();
            for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
                if a / side == b / side || a % side == b % side {
                    join(a, b);
                }
            }
        }
        HbKind::Torus => {
            let Some([x, y, z]) = torus_sides(counts.request.gpus) else { return };
            let [x, y, z] = [x, y, z].map(|side| side as usize);
            for gpu in 0..count {
                let at = [gpu % x, gpu / x % y, gpu / (x * y)];
                let place = |[a, b, c]: [usize; 3]| a % x + b % y * x + c % z * x * y;
                join(gpu, place([at[0] + 1, at[1], at[2]]));
                join(gpu, place([at[0], at[1] + 1, at[2]]));
                join(gpu, place([at[0], at[1], at[2] + 1]));
            }
        }
        HbKind::Ring => {
            for gpu in 0..count {
                (1..=counts.request.hops as usize).for_each(|hop| join(gpu, (gpu + hop) % count));
            }
        }
    }
}
