//! One training step as data. The traffic matrix, the clock and the memory check all read it,
//! so they can't disagree about a byte. It knows no hardware: no seconds, no links.

mod activations;
mod block;
mod communication;
mod shape;
mod stage;
mod weight_shapes;

pub use activations::Activations;
pub use block::{Block, BlockKind, BlockPart, FusedAttention, Gemm, Kernel, PartKind, Pass};
pub use communication::{
    Cadence, Collective, Communication, Element, Hiding, Moment, Operation, TrafficKind,
};
pub use shape::{ParameterUpkeep, RankShape, UpdatePieces};
pub use stage::PipelineStage;
pub(crate) use weight_shapes::matrix_shapes;
pub use weight_shapes::{Tensor, rank_matrices};

use super::parallel::{Layout, LayoutProblem, RankGrid};
use super::workload::{Framework, Model, Training};

/// One training step of one layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The layout that it runs on.
    pub layout: Layout,
    pub grid: RankGrid,
    /// Micro-batches m of one pipeline.
    pub micro_batches: u64,
    /// Tokens of the global batch.
    pub tokens: u64,
    /// The kinds of block that stages are made of.
    pub blocks: Vec<Block>,
    /// What each pipeline stage holds, first stage first.
    pub stages: Vec<PipelineStage>,
    /// What blocks keep of a micro-batch.
    pub activations: Activations,
    /// What is kept of a parameter, and what its update takes.
    pub upkeep: ParameterUpkeep,
    /// Who says how much to whom.
    pub communications: Vec<Communication>,
}

impl Step {
    /// The step of `model` under `training` in `layout`, as `framework` runs it.
    ///
    /// # Errors
    /// Every rule of the layout that the model or the batch breaks.
    pub fn new(
        model: &Model,
        training: &Training,
        framework: &Framework,
        layout: &Layout,
    ) -> Result<Self, Vec<LayoutProblem>> {
        Self::with_calls(&TrafficKind::ALL, model, training, framework, layout)
    }

    /// [`Step::new`] with the communications of these kinds alone: half of the work is to list them,
    /// and who asks for the kernels needs none.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn with_calls(
        kinds: &[TrafficKind],
        model: &Model,
        training: &Training,
        framework: &Framework,
        layout: &Layout,
    ) -> Result<Self, Vec<LayoutProblem>> {
        let problems = layout.broken_rules(model, training);
        let grid = match RankGrid::new(layout) {
            Some(grid) if problems.is_empty() => grid,
            _ => return Err(problems),
        };
        let stages = stage::split_into_stages(model, framework, layout);
        let blocks = block::layout_blocks(model, training, framework, layout);
        let source = communication::CommunicationInputs {
            model,
            training,
            framework,
            layout,
            stages: &stages,
        };
        let communications = communication::list_communications(&source, kinds);
        Ok(Self {
            layout: layout.clone(),
            grid,
            micro_batches: layout.micro_batches(training),
            tokens: training.global_batch * model.sequence,
            blocks,
            stages,
            activations: Activations::new(model, training, framework, layout),
            upkeep: ParameterUpkeep::new(training, framework),
            communications,
        })
    }

    /// How often a rank of `stage` takes part in `communication` in one step.
    #[must_use]
    pub fn calls_per_step(&self, communication: &Communication, stage: usize) -> u64 {
        communication.calls_per_step(&self.stages[stage], self.micro_batches, self.stages.len())
    }
}
