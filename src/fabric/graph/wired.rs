//! A fabric, node by node. Wires none.

use std::collections::BTreeMap;

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::node::{FabricCable, FabricNode};
use crate::fabric::{LinkClass, Occupancy, SwitchModel};
use crate::units::Bandwidth;

/// A fabric, node by node.
#[derive(Clone, Debug)]
pub struct FabricGraph {
    pub(super) graph: UnGraph<FabricNode, FabricCable>,
    /// Endpoints in order: domain by domain, rail by rail.
    pub(super) endpoints: Vec<NodeIndex>,
    /// Models of the switches.
    pub(super) models: Vec<SwitchModel>,
    /// Rate of a port.
    pub(super) link: Bandwidth,
}

impl FabricGraph {
    /// Most nodes and most groups of parallel links that are worth holding in memory.
    pub const MOST_NODES: u64 = 1 << 24;

    /// This graph with other names of its switches' models.
    pub(in crate::fabric) fn rename_models(mut self, names: &[String]) -> Self {
        for (model, name) in self.models.iter_mut().zip(names) {
            model.name.clone_from(name);
        }
        self
    }

    /// The graph: nodes, and groups of parallel links as edges.
    #[must_use]
    pub const fn graph(&self) -> &UnGraph<FabricNode, FabricCable> {
        &self.graph
    }

    /// Nodes of the endpoints, in order: domain by domain, rail by rail.
    #[must_use]
    pub fn endpoint_nodes(&self) -> &[NodeIndex] {
        &self.endpoints
    }

    /// Rate of one port; a link of several ports has as many times that.
    #[must_use]
    pub const fn port_rate(&self) -> Bandwidth {
        self.link
    }

    /// All nodes, numbered from 0 in this order.
    pub fn nodes(&self) -> impl Iterator<Item = FabricNode> + '_ {
        self.graph.node_weights().copied()
    }

    /// The node of a number.
    #[must_use]
    pub fn node(&self, number: usize) -> Option<FabricNode> {
        self.graph.node_weight(NodeIndex::new(number)).copied()
    }

    /// All cables in the order in which they were laid, each with the numbers of the nodes that
    /// it joins; the one nearer to endpoints comes first.
    pub fn cables(&self) -> impl Iterator<Item = (usize, usize, FabricCable)> + Clone + '_ {
        let ends = |edge: petgraph::graph::EdgeReference<'_, FabricCable>| {
            (edge.source().index(), edge.target().index(), *edge.weight())
        };
        self.graph.edge_references().map(ends)
    }

    /// The links of each switch.
    #[must_use]
    pub fn occupancy(&self) -> Occupancy {
        let mut each = vec![(0_u64, 0_u64); self.graph.node_count()];
        let mut pairs: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (low, high, cable) in self.cables() {
            let links = u64::from(cable.links);
            match cable.class {
                LinkClass::Host => each[high].0 += links,
                LinkClass::Direct => {}
                _ => {
                    each[low].1 += links;
                    each[high].1 += links;
                    *pairs.entry((low, high)).or_default() += links;
                }
            }
        }
        let mut all = Occupancy::default();
        each.into_iter().for_each(|(hosts, uplinks)| all.add_switches(1, hosts, uplinks));
        pairs.into_values().for_each(|links| all.add_trunks(1, links));
        all
    }

    /// Models that switches point to, with their ports.
    #[must_use]
    pub fn switch_models(&self) -> &[SwitchModel] {
        &self.models
    }
}
