//! Bytes on their shortest ways to where a walk began: every node spreads what it has evenly over its links
//! that lead nearer. Where ways begin, and what is made of the links, it does not decide.

use super::reach::Distances;
use super::{GeneralGraph, GraphHop};

/// Bytes on their way, of N kinds that go alike.
pub(super) struct ShortestPathLoads<const N: usize> {
    /// By node.
    at: Vec<[f64; N]>,
    /// Nodes with bytes, by distance.
    waiting: Vec<Vec<u32>>,
}

impl<const N: usize> ShortestPathLoads<N> {
    /// None yet.
    pub(super) fn new(web: &GeneralGraph) -> Self {
        Self { at: vec![[0.0; N]; web.node_count()], waiting: Vec::new() }
    }

    /// Bytes arrive at a node.
    pub(super) fn add_arriving_bytes(&mut self, reach: &Distances, node: u32, bytes: [f64; N]) {
        let distance = reach.hop_distance(node).unwrap_or(0) as usize;
        if self.waiting.len() <= distance {
            self.waiting.resize(distance + 1, Vec::new());
        }
        let here = &mut self.at[node as usize];
        if *here == [0.0; N] {
            self.waiting[distance].push(node);
        }
        for (sum, bytes) in here.iter_mut().zip(bytes) {
            *sum += bytes;
        }
    }

    /// Moves all of them to where the walk began; `carry` is told what takes each hop.
    pub(super) fn carry_to_start(
        &mut self,
        web: &GeneralGraph,
        reach: &Distances,
        mut carry: impl FnMut(&GraphHop, [f64; N]),
    ) {
        while let Some(nodes) = self.waiting.pop() {
            let distance = self.waiting.len();
            for node in nodes {
                let bytes = std::mem::replace(&mut self.at[node as usize], [0.0; N]);
                if distance == 0 {
                    continue;
                }
                let width: f64 =
                    reach.nearer_neighbours(web, node).map(|hop| f64::from(hop.links)).sum();
                for hop in reach.nearer_neighbours(web, node) {
                    let share = bytes.map(|value| value * f64::from(hop.links) / width);
                    carry(hop, share);
                    self.add_arriving_bytes(reach, hop.to, share);
                }
            }
        }
    }
}
