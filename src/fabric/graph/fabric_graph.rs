//! `FabricGraph`, `FabricNode`, `FabricCable`, census of ports.

use std::collections::BTreeMap;

use petgraph::algo::connected_components;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use crate::fabric::{LinkClass, Medium, Occupancy, SwitchModel, TierName};
use crate::units::Bandwidth;

/// A fabric, node by node.
#[derive(Clone, Debug)]
pub struct FabricGraph {
    pub(super) graph: UnGraph<FabricNode, FabricCable>,
    /// Endpoints in order: domain by domain, rail by rail.
    pub(super) endpoints: Vec<NodeIndex>,
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

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FabricNode {
    /// A NIC.
    Endpoint {
        /// HB domain, from 0.
        domain: u32,
        /// Rail, from 0.
        rail: u32,
    },
    /// A host that is no endpoint: a fabric manager or storage.
    Host {
        /// Number, from 0.
        index: u32,
    },
    /// A switch.
    Switch {
        tier: TierName,
        /// Number within its layer over all planes, from 0.
        index: u32,
        /// Plane, from 0.
        plane: u32,
        /// Index into [`switch_models`](super::FabricGraph::switch_models).
        model: u32,
    },
}

impl FabricNode {
    /// Name in exports and on the command line, such as `gpu-3.1` (domain, rail) or `leaf-12`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Endpoint { domain, rail } => format!("gpu-{domain}.{rail}"),
            Self::Host { index } => format!("host-{index}"),
            Self::Switch { tier, index, .. } => format!("{}-{index}", tier.name()),
        }
    }
}

/// Parallel links between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FabricCable {
    pub links: u32,
    /// Ports that each of them takes at either end; small, as a cable of a million is held often.
    pub ports: u16,
    pub class: LinkClass,
    /// What they are made of.
    pub medium: Medium,
}

/// Switches and links of a graph, counted one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCensus {
    /// Switches by layer, lowest first.
    pub switches: [u64; TierName::ALL.len()],
    /// Ports in use by layer, lowest first.
    pub ports_used: [u64; TierName::ALL.len()],
    /// Links by class, in the order of [`LinkClass::ALL`].
    pub links: [u64; LinkClass::ALL.len()],
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
