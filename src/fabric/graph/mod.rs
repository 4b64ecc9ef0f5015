//! The explicit graph of a fabric: every endpoint, switch and link.
//!
//! It is wired by rules of its own from the plan that the closed form counts, and is the check
//! on it: port budgets, striping, connectivity, bisection. It routes nothing.

mod aftermath;
mod assembled;
mod broken;
mod check;
mod failure;
mod flat;
mod sample;
mod wiring;

pub use aftermath::Aftermath;
pub use broken::Broken;
pub use check::Census;
pub use failure::{Failure, FailureProblem};
pub use sample::Chances;

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;

use super::{Assembly, FabricProblem, LinkClass, Medium, Request, Sku, TierName};
use crate::units::Bandwidth;
use wiring::Wiring;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
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
        /// Layer.
        tier: TierName,
        /// Number within its layer over all planes, from 0.
        index: u32,
        /// Plane, from 0.
        plane: u32,
        /// Index into [`FabricGraph::models`].
        model: u32,
    },
}

impl Node {
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
pub struct Cable {
    /// Links.
    pub links: u32,
    /// Ports that each of them takes at either end; small, as a cable of a million is held often.
    pub ports: u16,
    /// What they join.
    pub class: LinkClass,
    /// What they are made of.
    pub medium: Medium,
}

/// A fabric, node by node.
#[derive(Clone, Debug)]
pub struct FabricGraph {
    graph: UnGraph<Node, Cable>,
    /// Endpoints in order: domain by domain, rail by rail.
    endpoints: Vec<NodeIndex>,
    /// Models of the switches.
    models: Vec<Sku>,
    /// Rate of a port.
    link: Bandwidth,
}

impl FabricGraph {
    /// Most nodes and most groups of parallel links that are worth holding in memory.
    pub const MOST_NODES: u64 = 1 << 24;

    /// Wires a requested fabric of any family.
    ///
    /// # Errors
    /// As [`super::counts`]; and where the fabric has more than [`Self::MOST_NODES`] nodes.
    pub fn new(request: &Request<'_>) -> Result<Self, FabricProblem> {
        if request.kind.is_tree() { Wiring::of(request) } else { flat::wire(request) }
    }

    /// Wires a fabric that was put together from builds: a design.
    ///
    /// # Errors
    /// Where the builds serve fewer rails than there are, or the fabric has more than
    /// [`Self::MOST_NODES`] nodes or links.
    pub fn assembled(assembly: &Assembly<'_>) -> Result<Self, FabricProblem> {
        assembled::wire(assembly)
    }

    /// This graph with other names of its switches' models.
    pub(super) fn with_models(mut self, names: &[String]) -> Self {
        for (model, name) in self.models.iter_mut().zip(names) {
            model.name.clone_from(name);
        }
        self
    }

    /// The graph: nodes, and groups of parallel links as edges.
    #[must_use]
    pub const fn graph(&self) -> &UnGraph<Node, Cable> {
        &self.graph
    }

    /// Nodes of the endpoints, in order: domain by domain, rail by rail.
    #[must_use]
    pub fn endpoints(&self) -> &[NodeIndex] {
        &self.endpoints
    }

    /// Rate of one port; a link of several ports has as many times that.
    #[must_use]
    pub const fn link(&self) -> Bandwidth {
        self.link
    }

    /// All nodes, numbered from 0 in this order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.graph.node_weights().copied()
    }

    /// The node of a number.
    #[must_use]
    pub fn node(&self, number: usize) -> Option<Node> {
        self.graph.node_weight(NodeIndex::new(number)).copied()
    }

    /// All cables in the order in which they were laid, each with the numbers of the nodes that
    /// it joins; the one nearer to endpoints comes first.
    pub fn cables(&self) -> impl Iterator<Item = (usize, usize, Cable)> + Clone + '_ {
        let ends = |edge: petgraph::graph::EdgeReference<'_, Cable>| {
            (edge.source().index(), edge.target().index(), *edge.weight())
        };
        self.graph.edge_references().map(ends)
    }

    /// Models that switches point to, with their ports.
    #[must_use]
    pub fn models(&self) -> &[Sku] {
        &self.models
    }
}
