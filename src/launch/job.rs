//! The job that is to be started.

use crate::parallel::Layout;
use crate::workload::{Framework, Model, Technique, Training};

/// A model in a layout on machines.
#[derive(Clone, Copy, Debug)]
pub struct LaunchJob<'a> {
    /// Name of the spec.
    pub name: &'a str,
    /// What is trained.
    pub model: &'a Model,
    /// In which batches.
    pub training: &'a Training,
    /// On which ranks.
    pub layout: &'a Layout,
    /// What the step assumes of the stack.
    pub framework: &'a Framework,
    /// Techniques that are on.
    pub techniques: &'a [Technique],
    /// Layers of each pipeline stage.
    pub stages: &'a [u32],
    /// Ranks of a machine.
    pub per_node: u32,
}

impl LaunchJob<'_> {
    /// Ranks of the job.
    pub(super) fn gpus(&self) -> u64 {
        self.layout.gpus()
    }

    /// Steps of the run, rounded up; `None` where the spec does not say how long it is.
    pub(super) fn run_steps(&self) -> Option<u64> {
        let step = self.training.global_batch as f64 * self.model.sequence as f64;
        self.training.tokens.map(|tokens| (tokens / step).ceil() as u64)
    }

    /// Whether every stage, and every virtual stage of it, has as many layers.
    pub(super) fn is_even(&self) -> bool {
        let chunks = u64::from(self.layout.pipeline) * u64::from(self.layout.interleave);
        u64::from(self.model.layers).is_multiple_of(chunks)
    }
}
