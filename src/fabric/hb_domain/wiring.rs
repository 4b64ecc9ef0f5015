//! The graph of an HB domain, and a domain as a product.

use petgraph::graph::{NodeIndex, UnGraph};

use super::counts::torus_sides;
use super::request::{HbCounts, HbProblem, HbRequest};
use crate::hardware::{Family, HbKind, Node, Rack, RackSpace};
use crate::units::{Bytes, Watts};

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

/// The domain of so many GPUs as a product, with what it is made of.
///
/// # Errors
/// Where so many GPUs can't be joined so.
pub fn product(family: &Family, gpus: u32) -> Result<(Node, HbCounts), HbProblem> {
    let counts = super::count_hb_domain(&HbRequest::from_family(family, gpus))?;
    let rate = family.link_bandwidth * f64::from(family.links) * counts.rate_share(family.rate);
    let power = domain_power(family, &counts);
    let memory = Bytes::new(family.host_memory.count().saturating_mul(u128::from(gpus)));
    let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let node = Node {
        name: Family::domain_name(&family.name, gpus),
        gpu: family.gpu.clone(),
        gpus,
        hb_bandwidth: rate,
        hb_switches: Some(small(counts.chip_count())),
        hb_links: Some(small(counts.link_count())),
        hb_reduces: family.hb_reduces && counts.levels > 0,
        nics: gpus,
        nic: family.nic.clone(),
        nic_cage: None,
        host_memory: memory,
        host_memory_max: memory,
        power,
        space: domain_rack_space(family, gpus, power),
        tray: gpus.is_multiple_of(family.tray).then_some(family.tray),
        forwards: family.forwards,
    };
    Ok((node, counts))
}

/// Power of a domain: GPUs with their hosts, chips, and what ends links between chips.
fn domain_power(family: &Family, counts: &HbCounts) -> Watts {
    family.gpu_power * f64::from(counts.request.gpus)
        + family.chip_power * counts.chip_count() as f64
        + family.long_link_power * counts.long_links as f64
}

/// Whole racks where a domain fills one, or what it draws asks for more; else its share of one.
fn domain_rack_space(family: &Family, gpus: u32, power: Watts) -> Option<RackSpace> {
    let room = family.rack_gpus?;
    let by_power = family.rack_watts.filter(|most| *most > Watts::ZERO);
    let by_power = by_power.map_or(0, |most| (power / most).ceil() as u32);
    let racks = gpus.div_ceil(room).max(by_power);
    let shared = u64::from(Rack::UNITS) * u64::from(gpus);
    let units = u32::try_from(shared.div_ceil(u64::from(room))).unwrap_or(Rack::UNITS);
    Some(if gpus < room && racks == 1 { RackSpace::Units(units) } else { RackSpace::Racks(racks) })
}
