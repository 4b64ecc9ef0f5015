//! The bisection of a wired fabric: the minimum cut between halves of its endpoints, by maximum
//! flow.
//!
//! Which of all halves has the least cut is hard to find (the problem is NP-hard), so the halves
//! tried are stated: docs/equations.md §7.15. The closed form is a lower bound over all halves, and
//! the least cut found here an upper bound; where they are equal, both are exact.

use std::collections::BTreeMap;

use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::{FabricGraph, FabricNode};
use crate::fabric::non_tree::family_for_request;
use crate::fabric::{Counts, FabricProblem, LinkClass, Request};
use crate::units::ROUNDING;

/// Most groups of parallel links of a fabric whose cuts are looked for: a second or so.
const MOST_CABLES: usize = 40_000;

/// The least of some cuts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimumCut {
    /// Bandwidth of the cut over that of the NICs of one half; at most 1, as NICs send no more.
    pub share: f64,
    pub tried: usize,
}

/// What is known of the bisection of a fabric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bisection {
    /// The closed form: no division into halves has less.
    pub at_least: f64,
    /// The least cut found; `None` where none was looked for.
    pub found: Option<MinimumCut>,
}

impl Bisection {
    /// That of a counted fabric, with the least cut found on it.
    #[must_use]
    pub fn from_counts(counts: &Counts, found: Option<MinimumCut>) -> Self {
        let joined = counts.kind.joins_rails();
        let at_least = if joined { counts.across_rails } else { counts.within_rail };
        Self { at_least, found }
    }

    /// True where the closed form is the bisection itself: NICs send no more, or a division has as
    /// little.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let met = |found: MinimumCut| found.share <= self.at_least + ROUNDING;
        self.at_least >= 1.0 - ROUNDING || self.found.is_some_and(met)
    }
}

impl FabricGraph {
    /// The least cut between two halves of the endpoints, of those divisions that
    /// docs/equations.md §7.15 states; of the endpoints of the first rail where nothing joins the
    /// rails. `None` where the fabric is too large to look, or has a single endpoint.
    ///
    /// # Errors
    /// As [`crate::fabric::counts`], for a request that this graph was not wired from.
    pub fn minimum_bisection(
        &self,
        request: &Request<'_>,
    ) -> Result<Option<MinimumCut>, FabricProblem> {
        if self.graph.edge_count() > MOST_CABLES {
            return Ok(None);
        }
        let (ports, more) = if request.kind.is_tree() {
            (1, Vec::new())
        } else {
            let member = family_for_request(request)?;
            (member.ports_per_endpoint(), member.narrow_cut_orders())
        };
        let mut orders = self.cut_orders();
        orders.extend(more);
        let first_rail = |order: &usize| match self.graph[self.endpoints[*order]] {
            FabricNode::Endpoint { rail, .. } => rail == 0,
            _ => false,
        };
        if !request.kind.joins_rails() {
            orders.iter_mut().for_each(|order| order.retain(first_rail));
        }
        let ports = ports * u64::from(request.planes);
        let tried = orders.len();
        let shares = orders.iter().filter(|order| order.len() > 1).map(|order| {
            let half = order.len() / 2;
            let flow = self.max_flow(&order[..half], &order[half..2 * half], ports);
            flow as f64 / (half as u64 * ports) as f64
        });
        let least = shares.fold(f64::INFINITY, f64::min);
        Ok(least.is_finite().then_some(MinimumCut { share: least, tried }))
    }

    /// Endpoints in the orders that are cut in the middle, whatever the family: as they are
    /// numbered; leaf switch by leaf switch; every second and every third leaf switch first; every
    /// second pod first.
    fn cut_orders(&self) -> Vec<Vec<usize>> {
        let leafs = self.endpoint_leaf_switches();
        let place = places_by_value(&leafs);
        let pods = self.endpoint_pods(&leafs);
        let pod = places_by_value(&pods);
        let sorted = |key: &dyn Fn(usize) -> (usize, usize)| {
            let mut order: Vec<usize> = (0..leafs.len()).collect();
            order.sort_by_key(|end| key(*end)); // stable: ties stay as they are numbered
            order
        };
        vec![
            sorted(&|_| (0, 0)),
            sorted(&|end| (place[end], 0)),
            sorted(&|end| (place[end] % 2, place[end])),
            sorted(&|end| (place[end] % 3, place[end])),
            sorted(&|end| (pod[end] % 2, place[end])),
        ]
    }

    /// Number of the node that each endpoint hangs on first: its switch, or itself.
    fn endpoint_leaf_switches(&self) -> Vec<usize> {
        let read = |end: &NodeIndex| {
            let hosts =
                self.graph.edges(*end).filter(|edge| edge.weight().class == LinkClass::Host);
            let first = hosts.map(|edge| edge.target().index().max(edge.source().index())).min();
            first.unwrap_or(end.index())
        };
        self.endpoints.iter().map(read).collect()
    }

    /// The first switch above the leaf switch of each endpoint, or that one itself.
    fn endpoint_pods(&self, leafs: &[usize]) -> Vec<usize> {
        let above = |leaf: &usize| {
            let ups = self.graph.edges(NodeIndex::new(*leaf));
            let ups = ups.filter(|edge| edge.weight().class == LinkClass::LeafSpine);
            let other = ups.map(|edge| edge.source().index().max(edge.target().index()));
            other.min().unwrap_or(*leaf)
        };
        leafs.iter().map(above).collect()
    }

    /// The most that flows from some endpoints to others, each of which sends or takes as much as
    /// `ports` links carry. Endpoints of a side that are plugged in alike count as one.
    fn max_flow(&self, from: &[usize], to: &[usize], ports: u64) -> u64 {
        let mut network = DiGraph::<(), u64>::new();
        let mut place: Vec<Option<NodeIndex>> = vec![None; self.graph.node_count()];
        let [source, sink] = [network.add_node(()), network.add_node(())];
        let apart = self
            .endpoints
            .iter()
            .any(|end| self.graph.edges(*end).any(|edge| edge.weight().class == LinkClass::Direct));
        let mut alike: BTreeMap<(bool, Vec<usize>), u64> = BTreeMap::new();
        for (side, ends) in [(false, from), (true, to)] {
            for end in ends {
                let node = self.endpoints[*end];
                if apart {
                    // It forwards for others, so it is a node of its own.
                    let made = network.add_node(());
                    place[node.index()] = Some(made);
                    let (low, high) = if side { (made, sink) } else { (source, made) };
                    network.add_edge(low, high, ports);
                } else {
                    let mut near: Vec<usize> =
                        self.graph.neighbors(node).map(NodeIndex::index).collect();
                    near.sort_unstable();
                    *alike.entry((side, near)).or_insert(0) += 1;
                }
            }
        }
        let mut at = |network: &mut DiGraph<(), u64>, node: usize| match place[node] {
            Some(known) => known,
            None => *place[node].insert(network.add_node(())),
        };
        for ((side, near), count) in &alike {
            let made = network.add_node(());
            let (low, high) = if *side { (made, sink) } else { (source, made) };
            network.add_edge(low, high, count * ports);
            for node in near {
                let node = at(&mut network, *node);
                // One link of each endpoint to each of its neighbours.
                let (low, high) = if *side { (node, made) } else { (made, node) };
                network.add_edge(low, high, *count);
            }
        }
        for edge in self.graph.edge_references() {
            let ends = [edge.source(), edge.target()];
            let plugged =
                ends.iter().any(|end| !matches!(self.graph[*end], FabricNode::Switch { .. }));
            if plugged && !apart {
                continue;
            }
            let cable = edge.weight();
            let room = u64::from(cable.links) * u64::from(cable.ports);
            let [low, high] = ends.map(|end| at(&mut network, end.index()));
            network.add_edge(low, high, room);
            network.add_edge(high, low, room);
        }
        dinics(&network, source, sink).0
    }
}

/// The place of each value among all different values, from 0.
fn places_by_value(values: &[usize]) -> Vec<usize> {
    let mut all = values.to_vec();
    all.sort_unstable();
    all.dedup();
    values.iter().map(|value| all.binary_search(value).unwrap_or(0)).collect()
}
