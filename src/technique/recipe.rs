//! What a step is made of.

use crate::scenario::Workload;
use crate::workload::{Framework, Model, Techniques, Training};

/// All that the step of a layout follows from.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    /// What is trained.
    pub model: &'a Model,
    /// In which batches.
    pub training: &'a Training,
    /// On which stack.
    pub framework: &'a Framework,
    /// With which techniques.
    pub techniques: &'a Techniques,
}

impl<'a> Recipe<'a> {
    /// The recipe of a workload.
    #[must_use]
    pub const fn from_workload(workload: &'a Workload) -> Self {
        Self {
            model: &workload.model,
            training: &workload.training,
            framework: &workload.framework,
            techniques: &workload.techniques,
        }
    }
}
