//! Pieces of a wired fabric by kind: those whose loss means the same, counted, with one of them as the
//! example. What the loss means is `aftermath`'s business.

use std::collections::BTreeMap;

use super::loss::SingleLoss;
use super::{FabricCable, FabricGraph, FabricNode};
use crate::fabric::{LinkClass, TierName};

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
    /// What they are.
    pub piece: Piece,
    /// How many there are.
    pub count: u64,
    /// The first of them.
    pub first: SingleLoss,
}

/// What a node looks like from beside it: its layer and model; links and neighbours towards endpoints
/// and away from them, and HB domains whose NICs are beside it.
type Look = (Option<(TierName, u32)>, [u64; 5]);

/// The first and the number of what is alike by a key: millions of pieces are of a handful of kinds, most
/// often of that of the one before.
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

    /// All pieces that may fail, one example of each kind whatever its neighbours: where switches that are cabled
    /// alike have names that look unlike.
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
    use super::Piece;
    use crate::fabric::graph::wired::FabricGraph;
    use crate::fabric::{FabricKind, LinkClass, Request, SwitchChoice, TierName};
    use crate::units::Bandwidth;

    /// 96 NICs on switches of 16 ports, full bisection: 12 leaf switches of 8 down and 8 up, an uplink to
    /// each of 8 spines, 96 links on either side.
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
