//! Loss of one piece, and pieces by kind.

use std::collections::{BTreeMap, VecDeque};

use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{Aftermath, FabricCable, FabricGraph, FabricNode, OutOfService};
use crate::fabric::{LinkClass, TierName};

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

    /// What is left when one piece is out of service: as [`remove_broken`](Self::remove_broken)
    /// says, and without a walk over the whole fabric where what was beside the piece is still
    /// joined.
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

    /// True where some nodes still reach each other without a piece, but for those that have no
    /// cable left.
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

/// What a piece of a fabric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// A NIC with all its ports.
    Nic,
    /// A link: one cable with both ends.
    Link(LinkClass),
    /// A switch of a layer.
    Switch(TierName),
}

/// Alike pieces: of one kind, between neighbours of as many links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceGroup {
    pub piece: Piece,
    pub count: u64,
    /// The first of them.
    pub first: SingleLoss,
}

/// What a node looks like from beside it: its layer and model; links and neighbours towards
/// endpoints and away from them, and HB domains whose NICs are beside it.
type Look = (Option<(TierName, u32)>, [u64; 5]);

/// The first and the number of what is alike by a key: millions of pieces are of a handful of
/// kinds, most often of that of the one before.
struct PieceKinds<K, F> {
    found: Vec<(K, F, u64)>,
    places: BTreeMap<K, usize>,
    last: usize,
}

impl<K, F> Default for PieceKinds<K, F> {
    fn default() -> Self {
        Self { found: Vec::new(), places: BTreeMap::new(), last: 0 }
    }
}

impl<K: Ord + Copy, F> PieceKinds<K, F> {
    /// Counts what has a key; its place among the kinds in the order in which they were found.
    fn add(&mut self, key: K, one: F, count: u64) -> usize {
        if self.found.get(self.last).is_none_or(|(item, ..)| *item != key) {
            self.last = *self.places.entry(key).or_insert(self.found.len());
        }
        match self.found.get_mut(self.last) {
            Some((.., known)) => *known += count,
            None => self.found.push((key, one, count)),
        }
        self.last
    }

    /// Each kind with its first and how many there are, in the order of the keys.
    fn kinds_with_counts(mut self) -> impl Iterator<Item = (K, F, u64)> {
        self.found.sort_by_key(|(key, ..)| *key);
        self.found.into_iter()
    }
}

/// Of each of some values its place among the different ones of them, ascending.
fn places_among_values<T: Ord + Copy>(all: &[T]) -> Vec<u32> {
    let mut kinds = PieceKinds::default();
    let found: Vec<u32> = all.iter().map(|item| kinds.add(*item, (), 1) as u32).collect();
    let mut order: Vec<usize> = (0..kinds.found.len()).collect();
    order.sort_by_key(|place| kinds.found[*place].0);
    let mut ranks = vec![0; order.len()];
    for (rank, place) in (0..).zip(order) {
        ranks[place] = rank;
    }
    found.into_iter().map(|place| ranks[place as usize]).collect()
}

/// What a node is where it may fail; a host that is no endpoint is none of the fabric's.
const fn piece_of(node: FabricNode) -> Option<Piece> {
    match node {
        FabricNode::Endpoint { .. } => Some(Piece::Nic),
        FabricNode::Switch { tier, .. } => Some(Piece::Switch(tier)),
        FabricNode::Host { .. } => None,
    }
}

impl FabricGraph {
    /// All pieces that may fail, kind by kind.
    #[must_use]
    pub fn failable_pieces(&self) -> Vec<PieceGroup> {
        let looks = self.node_looks();
        let mut nodes = PieceKinds::default();
        for (number, (node, look)) in self.nodes().zip(&looks).enumerate() {
            if let Some(piece) = piece_of(node) {
                nodes.add((piece, *look), number, 1);
            }
        }
        // Millions of cables join nodes of few looks: by number those are compared at once.
        let ranks = places_among_values(&looks);
        let mut links = PieceKinds::default();
        for (number, (low, high, cable)) in self.cables().enumerate() {
            let key = (cable.class, cable.links, ranks[low], ranks[high]);
            links.add(key, number, cable.links.into());
        }
        let nodes = nodes.kinds_with_counts().map(|((piece, _), first, count)| PieceGroup {
            piece,
            count,
            first: SingleLoss::Node(first),
        });
        let links = links.kinds_with_counts().map(|((class, ..), first, count)| PieceGroup {
            piece: Piece::Link(class),
            count,
            first: SingleLoss::Link(first),
        });
        nodes.chain(links).collect()
    }

    /// All pieces that may fail, one example of each kind whatever its neighbours: where switches
    /// that are cabled alike have names that look unlike.
    #[must_use]
    pub fn example_pieces(&self) -> Vec<PieceGroup> {
        let mut found = PieceKinds::default();
        for (number, node) in self.nodes().enumerate() {
            if let Some(piece) = piece_of(node) {
                found.add(piece, SingleLoss::Node(number), 1);
            }
        }
        for (number, (.., cable)) in self.cables().enumerate() {
            found.add(Piece::Link(cable.class), SingleLoss::Link(number), cable.links.into());
        }
        found
            .kinds_with_counts()
            .map(|(piece, first, count)| PieceGroup { piece, count, first })
            .collect()
    }

    /// What every node looks like, in the order of the nodes.
    fn node_looks(&self) -> Vec<Look> {
        let mut looks: Vec<Look> = self
            .nodes()
            .map(|node| match node {
                FabricNode::Switch { tier, model, .. } => (Some((tier, model)), [0; 5]),
                FabricNode::Endpoint { .. } | FabricNode::Host { .. } => (None, [0; 5]),
            })
            .collect();
        let mut attached: Vec<(usize, u32)> = Vec::new();
        for (low, high, FabricCable { links, .. }) in self.cables() {
            if let Some(FabricNode::Endpoint { domain, .. }) = self.node(low) {
                attached.push((high, domain));
            }
            let [_, _, up, above, _] = &mut looks[low].1;
            (*up, *above) = (*up + u64::from(links), *above + 1);
            let [down, below, ..] = &mut looks[high].1;
            (*down, *below) = (*down + u64::from(links), *below + 1);
        }
        attached.sort_unstable();
        attached.dedup();
        for (node, _) in attached {
            looks[node].1[4] += 1;
        }
        looks
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, SingleLoss};
    use crate::fabric::graph::fabric_graph::FabricGraph;
    use crate::fabric::{FabricKind, LinkClass, Request, SwitchChoice, TierName};
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

    /// 96 NICs on switches of 16 ports, full bisection: 12 leaf switches of 8 down and 8 up, an
    /// uplink to each of 8 spines, 96 links on either side.
    #[test]
    fn a_small_clos_has_four_kinds_of_pieces_beside_its_nics() {
        let link = Bandwidth::from_gigabits(400.0);
        let request = Request::new(FabricKind::Clos, 96, 8, SwitchChoice::Radix(16), link);
        let graph = FabricGraph::new(&request).expect("a two-tier Clos");
        let mut counts = std::collections::BTreeMap::new();
        for pieces in graph.failable_pieces() {
            *counts.entry(pieces.piece).or_insert(0) += pieces.count;
        }
        let expected = [
            (Piece::Nic, 96),
            (Piece::Link(LinkClass::Host), 96),
            (Piece::Link(LinkClass::LeafSpine), 96),
            (Piece::Switch(TierName::Leaf), 12),
            (Piece::Switch(TierName::Spine), 8),
        ];
        assert_eq!(counts, expected.into_iter().collect());
    }
}
