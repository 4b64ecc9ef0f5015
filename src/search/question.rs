//! What a layout is sought for.

use crate::hardware::Gpu;
use crate::technique::Recipe;
use crate::timing::NetworkModel;
use crate::units::Seconds;
use crate::workload::{Framework, Model, Techniques, Training};

/// The job and the machines that a layout is sought for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What is trained.
    pub model: &'a Model,
    /// In which batches; micro-batch and recomputation are the space's.
    pub training: &'a Training,
    /// On which stack.
    pub framework: &'a Framework,
    /// With which techniques.
    pub techniques: &'a Techniques,
    /// On which GPU.
    pub gpu: &'a Gpu,
    /// Over which network.
    pub network: &'a NetworkModel,
    /// On how many GPUs; layouts use them all.
    pub gpus: u32,
    /// With which step at most. Of a run with phases, whose pace is another, that of the whole run.
    pub longest_step: Seconds,
}

impl<'a> Question<'a> {
    /// What a step follows from.
    pub(super) const fn recipe(&self) -> Recipe<'a> {
        let Self { model, training, framework, techniques, .. } = *self;
        Recipe { model, training, framework, techniques }
    }
}
