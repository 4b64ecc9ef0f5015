//! What a wired fabric keeps and breaks, found by walking it.

use petgraph::algo::connected_components;
use petgraph::visit::EdgeRef;

use super::{FabricGraph, FabricNode};
use crate::fabric::{LinkClass, Medium, TierName};

/// Switches and links of a graph, counted one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCensus {
    /// Switches by layer, lowest first.
    pub switches: [u64; TierName::ALL.len()],
    /// Ports in use by layer, lowest first.
    pub ports_used: [u64; TierName::ALL.len()],
    /// Links by class, in the order of [`LinkClass::ALL`].
    pub links: [u64; LinkClass::ALL.len()],
    /// Links of copper.
    pub copper: u64,
}

impl FabricGraph {
    /// Counts switches, ports and links by walking the graph.
    #[must_use]
    pub fn take_census(&self) -> GraphCensus {
        let mut census = GraphCensus::default();
        for node in self.graph.node_weights() {
            if let FabricNode::Switch { tier, .. } = node {
                census.switches[*tier as usize] += 1;
            }
        }
        for edge in self.graph.edge_references() {
            let ends = [self.graph[edge.source()], self.graph[edge.target()]];
            let cable = edge.weight();
            let tiers = ends.iter().filter_map(|end| match end {
                FabricNode::Switch { tier, .. } => Some(*tier),
                _ => None,
            });
            for tier in tiers {
                census.ports_used[tier as usize] += u64::from(cable.links) * u64::from(cable.ports);
            }
            census.links[cable.class as usize] += u64::from(cable.links);
            census.copper += u64::from(cable.links) * u64::from(cable.medium == Medium::Copper);
        }
        census
    }

    /// Names of switches that use more ports than they have.
    #[must_use]
    pub fn overfull_switches(&self) -> Vec<String> {
        self.graph
            .node_indices()
            .filter(|node| {
                let FabricNode::Switch { model, .. } = self.graph[*node] else { return false };
                let radix = self.models[model as usize].radix;
                let cables = self.graph.edges(*node).map(|edge| edge.weight());
                let ports: u64 = cables.map(|c| u64::from(c.links) * u64::from(c.ports)).sum();
                ports > u64::from(radix)
            })
            .map(|node| self.graph[node].name())
            .collect()
    }

    /// Parts of the fabric that no path joins: 1 for a Clos of one plane, as many as rails or as
    /// shared switches for rail-only. HB domains do not count as paths.
    #[must_use]
    pub fn connected_part_count(&self) -> usize {
        connected_components(&self.graph)
    }
}
