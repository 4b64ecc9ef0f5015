//! Pieces of a wired fabric by kind: those whose loss means the same, counted, with one of them as the
//! example. What the loss means is `aftermath`'s business.

use std::collections::BTreeMap;

use super::{Broken, Cable, FabricGraph, Node};
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
pub struct Pieces {
    /// What they are.
    pub piece: Piece,
    /// How many there are.
    pub count: u64,
    /// The fabric without the first of them.
    pub without_one: Broken,
}

/// What a node looks like from beside it: its layer and model; links and neighbours towards endpoints
/// and away from them, and HB domains whose NICs are beside it.
type Look = (Option<(TierName, u32)>, [u64; 5]);

impl FabricGraph {
    /// All pieces that may fail, kind by kind.
    #[must_use]
    pub fn pieces(&self) -> Vec<Pieces> {
        let looks = self.looks();
        // The first of each kind and how many there are.
        let mut switches: BTreeMap<(Piece, Look), (usize, u64)> = BTreeMap::new();
        for (number, (node, look)) in self.nodes().zip(&looks).enumerate() {
            let piece = match node {
                Node::Endpoint { .. } => Piece::Nic,
                Node::Switch { tier, .. } => Piece::Switch(tier),
                Node::Host { .. } => continue,
            };
            switches.entry((piece, *look)).or_insert((number, 0)).1 += 1;
        }
        let mut links: BTreeMap<(LinkClass, u32, Look, Look), (usize, u64)> = BTreeMap::new();
        for (number, (low, high, cable)) in self.cables().enumerate() {
            let key = (cable.class, cable.links, looks[low], looks[high]);
            links.entry(key).or_insert((number, 0)).1 += u64::from(cable.links);
        }
        let of_nodes = switches.into_iter().map(|((piece, _), found)| self.kind(piece, found));
        let of_links =
            links.into_iter().map(|((class, ..), found)| self.kind(Piece::Link(class), found));
        of_nodes.chain(of_links).collect()
    }

    /// All pieces that may fail, one example of each kind whatever its neighbours: where switches that are cabled
    /// alike have names that look unlike.
    #[must_use]
    pub fn first_pieces(&self) -> Vec<Pieces> {
        let mut found: BTreeMap<Piece, (usize, u64)> = BTreeMap::new();
        for (number, node) in self.nodes().enumerate() {
            let piece = match node {
                Node::Endpoint { .. } => Piece::Nic,
                Node::Switch { tier, .. } => Piece::Switch(tier),
                Node::Host { .. } => continue,
            };
            found.entry(piece).or_insert((number, 0)).1 += 1;
        }
        for (number, (.., cable)) in self.cables().enumerate() {
            let entry = found.entry(Piece::Link(cable.class)).or_insert((number, 0));
            entry.1 += u64::from(cable.links);
        }
        found.into_iter().map(|(piece, found)| self.kind(piece, found)).collect()
    }

    /// So many alike pieces, of which the first is the node or the cable of that number.
    fn kind(&self, piece: Piece, (first, count): (usize, u64)) -> Pieces {
        let mut without_one = Broken {
            dead: vec![false; self.graph.node_count()],
            torn: vec![0; self.graph.edge_count()],
        };
        match piece {
            Piece::Link(_) => without_one.torn[first] = 1,
            Piece::Nic | Piece::Switch(_) => without_one.dead[first] = true,
        }
        Pieces { piece, count, without_one }
    }

    /// What every node looks like, in the order of the nodes.
    fn looks(&self) -> Vec<Look> {
        let mut looks: Vec<Look> = self
            .nodes()
            .map(|node| match node {
                Node::Switch { tier, model, .. } => (Some((tier, model)), [0; 5]),
                Node::Endpoint { .. } | Node::Host { .. } => (None, [0; 5]),
            })
            .collect();
        let mut attached: Vec<(usize, u32)> = Vec::new();
        for (low, high, Cable { links, .. }) in self.cables() {
            if let Some(Node::Endpoint { domain, .. }) = self.node(low) {
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
    use super::{FabricGraph, Piece};
    use crate::fabric::{FabricKind, LinkClass, Request, SwitchChoice, TierName};
    use crate::units::Bandwidth;

    /// 96 NICs on switches of 16 ports, full bisection: 12 leaf switches of 8 down and 8 up, an uplink to
    /// each of 8 spines, 96 links on either side.
    #[test]
    fn a_small_clos_has_four_kinds_of_pieces_beside_its_nics() {
        let link = Bandwidth::gigabits(400.0);
        let request = Request::new(FabricKind::Clos, 96, 8, SwitchChoice::Radix(16), link);
        let graph = FabricGraph::new(&request).expect("a two-tier Clos");
        let mut counts = std::collections::BTreeMap::new();
        for pieces in graph.pieces() {
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
