//! What blocks and parameters of a layout keep: all that the ledger of a stage follows from, but
//! for what the stage holds.

use crate::step::{Activations, ParameterUpkeep, Step};
use crate::workload::Framework;

/// What is kept for one micro-batch and for one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// What blocks keep of a micro-batch.
    pub(super) activations: Activations,
    /// What is kept of a parameter.
    pub(super) upkeep: ParameterUpkeep,
    /// Share of what is allocated that the allocator reserves besides.
    pub(super) fragmentation: f64,
}

impl Footprint {
    /// What blocks keep and what a parameter keeps, on a framework's allocator.
    #[must_use]
    pub const fn new(
        activations: Activations,
        upkeep: ParameterUpkeep,
        framework: &Framework,
    ) -> Self {
        Self { activations, upkeep, fragmentation: framework.fragmentation }
    }

    /// The footprint of a step: what the step says, techniques included.
    #[must_use]
    pub fn from_step(step: &Step, framework: &Framework) -> Self {
        Self::new(step.activations.clone(), step.upkeep.clone(), framework)
    }
}
