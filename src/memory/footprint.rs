//! What blocks and parameters of a layout keep: all that the ledger of a stage follows from, but
//! for what the stage holds.

use crate::parallel::Layout;
use crate::step::{Activations, Upkeep};
use crate::workload::{Framework, Model, Training};

/// What is kept for one micro-batch and for one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// What blocks keep of a micro-batch.
    pub(super) activations: Activations,
    /// What is kept of a parameter.
    pub(super) upkeep: Upkeep,
    /// Share of what is allocated that the allocator reserves besides.
    pub(super) fragmentation: f64,
}

impl Footprint {
    /// The footprint of a layout.
    #[must_use]
    pub fn new(model: &Model, training: &Training, framework: &Framework, layout: &Layout) -> Self {
        Self {
            activations: Activations::new(model, training, framework, layout),
            upkeep: Upkeep::new(training, framework),
            fragmentation: framework.fragmentation,
        }
    }

    /// The same with a share of what layers keep in host memory.
    #[must_use]
    pub fn swapping(mut self, share: f64) -> Self {
        self.activations.swapped = share;
        self
    }

    /// The same with another upkeep of parameters.
    #[must_use]
    pub fn keeping(self, upkeep: Upkeep) -> Self {
        Self { upkeep, ..self }
    }
}
