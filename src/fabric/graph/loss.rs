//! The loss of one piece of a fabric: what is left then, found beside the piece. What several failures leave
//! at once is `aftermath`'s business.

use std::collections::VecDeque;

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{Aftermath, FabricGraph, FabricNode, OutOfService};

/// One piece of a fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SingleLoss {
    /// The node of that number.
    Node(usize),
    /// A link of the cable of that number.
    Link(usize),
}

impl FabricGraph {
    /// What is out of service where one piece is.
    #[must_use]
    pub fn parts_lost_with(&self, one: SingleLoss) -> OutOfService {
        let mut broken = self.nothing_broken();
        match one {
            SingleLoss::Node(number) => broken.dead[number] = true,
            SingleLoss::Link(number) => broken.torn[number] = 1,
        }
        broken
    }

    /// What is left when one piece is out of service: as [`remove_broken`](Self::remove_broken) says, and without a walk
    /// over the whole fabric where what was beside the piece is still joined.
    #[must_use]
    pub fn aftermath_of_loss(&self, one: SingleLoss) -> Aftermath {
        let hit = self.affected_nodes(one);
        if !self.are_joined(&hit, one) {
            return self.aftermath_of_broken(&self.parts_lost_with(one));
        }
        let read = |node: &NodeIndex| (self.graph[*node], self.links_up(*node, one));
        let is_nic = |node: FabricNode| matches!(node, FabricNode::Endpoint { .. });
        let is_dead = |node: NodeIndex| one == SingleLoss::Node(node.index());
        let nics = hit.iter().map(read).filter(|(node, _)| is_nic(*node));
        let switches = hit.iter().filter(|node| !is_dead(**node)).map(read);
        Aftermath::from_reachable(nics.map(|(node, ports)| (node, ports, false)), switches)
    }

    /// The nodes that may lose links when a piece is lost, ascending.
    fn affected_nodes(&self, one: SingleLoss) -> Vec<NodeIndex> {
        let mut hit = match one {
            SingleLoss::Node(number) => {
                let node = NodeIndex::new(number);
                self.graph.neighbors(node).chain([node]).collect()
            }
            SingleLoss::Link(number) => {
                let ends = self.graph.edge_endpoints(EdgeIndex::new(number));
                ends.map_or_else(Vec::new, |(low, high)| vec![low, high])
            }
        };
        hit.sort_unstable();
        hit.dedup();
        hit
    }

    /// Links that a node has towards the layer above without a piece, as (left, of).
    fn links_up(&self, node: NodeIndex, without: SingleLoss) -> (u64, u64) {
        let mut ports = (0, 0);
        for edge in self.graph.edges(node) {
            let low = self.graph.edge_endpoints(edge.id()).map(|(low, _)| low);
            if low == Some(node) {
                let links = edge.weight().links;
                ports.0 += u64::from(self.surviving_links(edge.id(), links, without));
                ports.1 += u64::from(links);
            }
        }
        ports
    }

    /// Links of a cable of so many that are left without a piece.
    fn surviving_links(&self, cable: EdgeIndex, links: u32, without: SingleLoss) -> u32 {
        match without {
            SingleLoss::Link(number) => links - u32::from(cable.index() == number),
            SingleLoss::Node(number) => {
                let ends = self.graph.edge_endpoints(cable);
                let dead = |(low, high): (NodeIndex, NodeIndex)| {
                    low.index() == number || high.index() == number
                };
                if ends.is_some_and(dead) { 0 } else { links }
            }
        }
    }

    /// True where some nodes still reach each other without a piece, but for those that have no cable left.
    fn are_joined(&self, nodes: &[NodeIndex], without: SingleLoss) -> bool {
        let alive = |node: NodeIndex| {
            let edges = self.graph.edges(node);
            let alive = move |edge: &petgraph::graph::EdgeReference<'_, super::FabricCable>| {
                self.surviving_links(edge.id(), edge.weight().links, without) > 0
            };
            edges.filter(alive).map(|edge| edge.target())
        };
        let wanted: Vec<NodeIndex> =
            nodes.iter().copied().filter(|node| alive(*node).next().is_some()).collect();
        let Some(first) = wanted.first() else { return true };
        let mut missing = wanted.len() - 1;
        let mut seen = vec![false; self.graph.node_count()];
        seen[first.index()] = true;
        // Most NICs are a dead end, and there are many: switches lead on first.
        let (mut switches, mut others) = (VecDeque::from([*first]), VecDeque::new());
        while missing > 0
            && let Some(node) = switches.pop_front().or_else(|| others.pop_front())
        {
            for near in alive(node) {
                if std::mem::replace(&mut seen[near.index()], true) {
                    continue;
                }
                missing -= usize::from(wanted.binary_search(&near).is_ok());
                let is_switch = matches!(self.graph[near], FabricNode::Switch { .. });
                if is_switch { &mut switches } else { &mut others }.push_back(near);
            }
        }
        missing == 0
    }
}

#[cfg(test)]
mod tests {
    use super::SingleLoss;
    use crate::fabric::graph::wired::FabricGraph;
    use crate::fabric::{FabricKind, Request, SwitchChoice};
    use crate::units::Bandwidth;

    /// The walk over the whole fabric, of every single node and cable.
    #[test]
    fn beside_the_piece_is_seen_what_a_walk_over_the_whole_fabric_sees() {
        for kind in FabricKind::ALL {
            for (endpoints, rails, radix, planes) in
                [(32, 2, 8, 1), (30, 2, 8, 2), (9, 1, 4, 1), (64, 8, 16, 3), (70, 1, 8, 1)]
            {
                let link = Bandwidth::from_gigabits(400.0);
                let switch = SwitchChoice::Radix(radix);
                let request =
                    Request { planes, ..Request::new(kind, endpoints, rails, switch, link) };
                let Ok(graph) = FabricGraph::new(&request) else { continue };
                let nodes = (0..graph.nodes().count()).map(SingleLoss::Node);
                for one in nodes.chain((0..graph.cables().count()).map(SingleLoss::Link)) {
                    let whole = graph.aftermath_of_broken(&graph.parts_lost_with(one));
                    assert_eq!(graph.aftermath_of_loss(one), whole, "{kind:?} {endpoints} {one:?}");
                }
            }
        }
    }
}
