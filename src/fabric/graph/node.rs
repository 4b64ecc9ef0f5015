//! Nodes and cables of a fabric, each with what it is.

use crate::fabric::{LinkClass, Medium, TierName};

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
        /// Layer.
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
    /// Links.
    pub links: u32,
    /// Ports that each of them takes at either end; small, as a cable of a million is held often.
    pub ports: u16,
    /// What they join.
    pub class: LinkClass,
    /// What they are made of.
    pub medium: Medium,
}
