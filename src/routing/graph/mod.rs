//! Any wired fabric as a router sees it: nodes and cables, whatever their layers. Flows to NICs on
//! the same switches are routed together. Carries no bytes.

mod detours;
mod distances;
mod spray;

pub(super) use spray::{GraphSinglePath, WebSpray};

use super::links::{NicPorts, nic_classes, nic_order_of_nodes};
use crate::fabric::{FabricCable, FabricGraph, FabricNode, LinkClass, TierName};
use crate::units::Bandwidth;

/// A graph to be walked.
#[derive(Clone, Debug)]
pub(super) struct GeneralGraph {
    /// Cables, with the nodes at both ends, in the graph's order.
    cables: Vec<(u32, u32, FabricCable)>,
    /// Where the hops of each node start in `hops`, and behind the last one.
    starts: Vec<usize>,
    hops: Vec<GraphHop>,
    /// Leafs below a spine before anything failed: of two ways that are as short, the one by the
    /// spine of fewer leafs is taken, a rail's own before one across rails.
    leafs_below: Vec<u32>,
    /// Where NICs are plugged in: the cables of a NIC, in order; alike NICs are one class.
    ports: NicPorts,
    /// Nodes at which the ways of a class start and end; more than one where its NICs have several
    /// ports.
    seats: Vec<Vec<u32>>,
    class_of: Vec<u32>,
    /// NICs pass on what is for others: fabrics in which NICs are joined without switches.
    forwarding: bool,
    link: Bandwidth,
    switches: Vec<u32>,
    /// Messages take detours too, where that makes the slowest link faster.
    detours: bool,
}

/// A cable as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct GraphHop {
    to: u32,
    cable: u32,
    links: u32,
    /// From the cable's first end to its second.
    forth: bool,
}

impl GeneralGraph {
    /// The web of a graph; `whole` is what it was before anything failed.
    pub(super) fn new(graph: &FabricGraph, whole: &FabricGraph) -> Self {
        let nodes: Vec<FabricNode> = graph.nodes().collect();
        let cables: Vec<(u32, u32, FabricCable)> =
            graph.cables().map(|(low, high, cable)| (low as u32, high as u32, cable)).collect();
        let forwarding = cables.iter().any(|(.., cable)| cable.class == LinkClass::Direct);
        let is_switch = |node: u32| matches!(nodes[node as usize], FabricNode::Switch { .. });
        // A NIC is a hop only where NICs forward.
        let is_hop = |cable: &(u32, u32, FabricCable)| forwarding || is_switch(cable.0);
        let mut degree = vec![0_usize; nodes.len() + 1];
        for (low, high, _) in cables.iter().filter(|cable| is_hop(cable)) {
            degree[*low as usize + 1] += 1;
            degree[*high as usize + 1] += 1;
        }
        let mut starts = degree;
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let unset = GraphHop { to: 0, cable: 0, links: 0, forth: true };
        let mut hops = vec![unset; starts.last().copied().unwrap_or(0)];
        for (number, (low, high, cable)) in (0_u32..).zip(&cables) {
            if is_hop(&(*low, *high, *cable)) {
                for (from, to, forth) in [(*low, *high, true), (*high, *low, false)] {
                    let links = cable.links;
                    hops[next[from as usize]] = GraphHop { to, cable: number, links, forth };
                    next[from as usize] += 1;
                }
            }
        }
        let mut web = Self {
            cables,
            starts,
            hops,
            leafs_below: leafs_below(whole),
            ports: NicPorts::new(0, std::iter::empty()),
            seats: Vec::new(),
            class_of: Vec::new(),
            forwarding,
            link: graph.port_rate(),
            switches: (0..nodes.len() as u32).filter(|node| is_switch(*node)).collect(),
            detours: false,
        };
        web.find_nic_ports(graph);
        web
    }

    /// Finds the ports of NICs, and puts alike ones together.
    fn find_nic_ports(&mut self, graph: &FabricGraph) {
        let orders = nic_order_of_nodes(graph);
        let plugs = (0_u32..).zip(&self.cables).filter_map(|(number, (low, _, cable))| {
            let nic = orders[*low as usize].filter(|_| cable.class == LinkClass::Host)?;
            Some((nic, number))
        });
        self.ports = NicPorts::new(graph.endpoint_nodes().len(), plugs);
        let seats =
            graph.endpoint_nodes().iter().zip(self.ports.all_nics()).map(|(node, ports)| {
                if self.forwarding {
                    vec![node.index() as u32]
                } else {
                    ports.iter().map(|cable| self.cables[*cable as usize].1).collect::<Vec<u32>>()
                }
            });
        (self.class_of, self.seats) = nic_classes(seats);
    }

    fn node_hops(&self, node: u32) -> &[GraphHop] {
        &self.hops[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// A number for NICs that are plugged in alike.
    pub(super) fn nic_class(&self, nic: usize) -> u32 {
        self.class_of[nic]
    }

    /// This web with detours by a switch drawn at random; those whose NICs forward have none.
    pub(super) fn allow_detours(self) -> Self {
        Self { detours: !self.forwarding, ..self }
    }

    fn switch_nodes(&self) -> &[u32] {
        &self.switches
    }

    fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rate of one link of a cable.
    fn link_rate(&self, cable: &FabricCable) -> Bandwidth {
        self.link * f64::from(cable.ports)
    }
}

/// Leafs that each node is joined to, where it is a spine; 0 for all others.
fn leafs_below(graph: &FabricGraph) -> Vec<u32> {
    let tier = |node: usize| match graph.node(node) {
        Some(FabricNode::Switch { tier, .. }) => Some(tier),
        _ => None,
    };
    let mut below = vec![0; graph.nodes().count()];
    for (low, high, cable) in graph.cables() {
        let up = tier(low) == Some(TierName::Leaf) && cable.class == LinkClass::LeafSpine;
        below[high] += u32::from(up);
    }
    below
}
