//! A wired fabric as a router sees it. A whole tree is routed by its layers, anything else by
//! walking: four tiers, families that are no trees, what failures leave. Carries no bytes.

use std::collections::BTreeMap;

use super::graph::GeneralGraph;
use super::tree::Tree;
use crate::fabric::{FabricGraph, FabricNode, OutOfService};
use crate::units::Bandwidth;

/// The ways through a fabric.
#[derive(Clone, Debug)]
pub struct Paths {
    pub(super) ways: RouterGraph,
    /// Rails: NICs of a domain.
    pub(super) rails: u32,
    endpoints: usize,
    /// No switch hands anything from one rail to another.
    rails_apart: bool,
    /// Rate of a NIC over all its ports.
    nic: Bandwidth,
}

/// By what means flows are routed.
#[derive(Clone, Debug)]
pub(super) enum RouterGraph {
    /// By layers.
    Tree(Tree),
    /// By walking.
    Web(GeneralGraph),
}

impl Paths {
    /// The ways through a graph.
    #[must_use]
    pub fn new(graph: &FabricGraph) -> Self {
        match Tree::new(graph) {
            Some(tree) => Self::from_router_graph(RouterGraph::Tree(tree), graph),
            None => Self::new_by_walking(graph),
        }
    }

    /// The ways through a graph, found by walking even where it is a tree: slower, and the check on
    /// [`Self::new`].
    #[must_use]
    pub fn new_by_walking(graph: &FabricGraph) -> Self {
        Self::from_router_graph(RouterGraph::Web(GeneralGraph::new(graph, graph)), graph)
    }

    /// The ways that are left when something is out of service.
    #[must_use]
    pub fn with_failures(graph: &FabricGraph, broken: &OutOfService) -> Self {
        Self::from_router_graph(
            RouterGraph::Web(GeneralGraph::new(&graph.remove_broken(broken), graph)),
            graph,
        )
    }

    fn from_router_graph(ways: RouterGraph, graph: &FabricGraph) -> Self {
        let rails = graph.nodes().filter_map(|node| match node {
            FabricNode::Endpoint { rail, .. } => Some(rail + 1),
            _ => None,
        });
        let rails = rails.max().unwrap_or(1);
        let mut ports = vec![0_u32; graph.nodes().count()];
        for (low, high, cable) in graph.cables() {
            ports[low] += cable.links;
            ports[high] += cable.links;
        }
        let most = graph.endpoint_nodes().iter().map(|nic| ports[nic.index()]).max();
        let nic = graph.port_rate() * f64::from(most.unwrap_or(1));
        Self { ways, rails, endpoints: graph.endpoint_nodes().len(), rails_apart: false, nic }
    }

    /// These ways with rails kept apart even on a switch that they share: rail-only.
    #[must_use]
    pub fn with_rails_apart(self) -> Self {
        Self { rails_apart: true, ..self }
    }

    /// These ways where every switch may also send messages by another one drawn at random, as much
    /// of each as makes the slowest link fastest; none where a tree is routed by its layers.
    #[must_use]
    pub fn with_detours(self) -> Self {
        let ways = match self.ways {
            RouterGraph::Web(web) => RouterGraph::Web(web.allow_detours()),
            tree @ RouterGraph::Tree(_) => tree,
        };
        Self { ways, ..self }
    }

    /// Whether the fabric would carry anything from one NIC to the other.
    pub(super) const fn can_route(&self, from: usize, to: usize) -> bool {
        let rails = self.rails as usize;
        !self.rails_apart || from % rails == to % rails
    }

    /// Whether nothing but walking finds a way.
    pub(super) const fn is_general_graph(&self) -> bool {
        matches!(self.ways, RouterGraph::Web(_))
    }

    /// A number for all NICs that are plugged in alike.
    pub(super) fn nic_class(&self, nic: usize) -> u32 {
        match &self.ways {
            RouterGraph::Tree(tree) => tree.nic_class(nic),
            RouterGraph::Web(web) => web.nic_class(nic),
        }
    }

    /// The HB domains of the fabric by the leaf switches that they are plugged into, in ascending
    /// order.
    #[must_use]
    pub fn domains_by_leaf(&self) -> Vec<Vec<u32>> {
        let rails = self.rails.max(1) as usize;
        let mut all: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for domain in 0..self.endpoints / rails {
            all.entry(self.nic_class(domain * rails)).or_default().push(domain as u32);
        }
        all.into_values().collect()
    }

    /// Rate of a NIC over all its ports.
    pub(super) const fn nic_rate(&self) -> Bandwidth {
        self.nic
    }

    /// NICs.
    #[must_use]
    pub const fn nic_count(&self) -> usize {
        self.endpoints
    }
}
