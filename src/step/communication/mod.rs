//! The communication of a step: which collective, among which ranks, how many bytes, how often.
//! One file for each dimension of parallelism; which algorithm carries it is not decided here.

mod context;
mod data;
mod expert;
mod nouns;
mod pipeline;
mod tensor;

pub use nouns::{Cadence, Collective, Hiding, TrafficKind};

use super::{BlockKind, Pass, Stage};
use crate::parallel::{Group, Layout};
use crate::units::Bytes;
use crate::workload::{Framework, Model, Recompute, Training};

/// One communication of a step, the same on all groups of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Communication {
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// What it carries, for `explain`.
    pub label: &'static str,
    /// Who takes part.
    pub group: Group,
    /// What they do.
    pub collective: Collective,
    /// Bytes D of one call, by pipeline stage of the rank (one entry: the same on all).
    /// Padded so that the group splits it evenly.
    pub(super) payload: Vec<Bytes>,
    /// When.
    pub cadence: Cadence,
    /// Beside what.
    pub hiding: Hiding,
    /// Messages of one call, by pipeline stage of the rank: the payload goes in so many, one
    /// after the other. Empty: in one on every stage.
    pub(super) messages: Vec<u64>,
}

impl Communication {
    /// Bytes D of one call on a rank of `stage`; nothing on stages that do not exist.
    #[must_use]
    pub fn payload(&self, stage: usize) -> Bytes {
        match self.payload.as_slice() {
            [same] => *same,
            by_stage => by_stage.get(stage).copied().unwrap_or_default(),
        }
    }

    /// This communication with other payloads: one for all stages, or one for each.
    #[must_use]
    pub fn with_payload(self, payload: Vec<Bytes>) -> Self {
        Self { payload, ..self }
    }

    /// Messages in which one call's payload goes on a rank of `stage`, at least one.
    #[must_use]
    pub fn messages(&self, stage: usize) -> u64 {
        self.messages.get(stage).copied().unwrap_or(1).max(1)
    }

    /// This communication with its payload in so many messages, one count for each stage.
    #[must_use]
    pub fn in_messages(self, messages: Vec<u64>) -> Self {
        Self { messages, ..self }
    }

    /// Calls of one step on a rank of `stage`.
    pub(super) fn calls(&self, stage: &Stage, micro_batches: u64, stages: usize) -> u64 {
        let chunks = u64::from(stage.chunks);
        // The first stage's first chunk has nothing before it, the last stage's last nothing after.
        let before = micro_batches * (chunks - u64::from(stage.index == 0));
        let after = micro_batches * (chunks - u64::from(stage.index as usize + 1 == stages));
        match self.cadence {
            Cadence::PerBlock { block, times, .. } => {
                micro_batches * u64::from(stage.count(block)) * u64::from(times)
            }
            Cadence::PerBoundary { pass: Pass::Forward } => after,
            Cadence::PerBoundary { .. } => before,
            Cadence::PerArrival { pass: Pass::Forward } => before,
            Cadence::PerArrival { .. } => after,
            Cadence::PerStep => 1,
            Cadence::PerMicroBatch { .. } => micro_batches,
        }
    }
}

/// What the communications follow from.
pub(super) struct Source<'a> {
    pub(super) model: &'a Model,
    pub(super) training: &'a Training,
    pub(super) framework: &'a Framework,
    pub(super) layout: &'a Layout,
    pub(super) stages: &'a [Stage],
}

/// Every communication of the step, in the order of the contract's kinds. Left out as below a
/// thousandth of a step's bytes: gradients of norms and router weights within a tensor group,
/// scalars of the gradient norm, barriers.
pub(super) fn communications(source: &Source<'_>) -> Vec<Communication> {
    let mut all = tensor::communications(source);
    all.extend(pipeline::communications(source));
    all.extend(data::communications(source));
    all.extend(context::communications(source));
    all.extend(expert::communications(source));
    all
}

impl Source<'_> {
    /// Activations between layers of one micro-batch on one tensor-parallel group, N·h elements.
    fn activations(&self) -> Bytes {
        self.residual(self.training.precision.activation_bytes() as f64)
    }

    /// The residual stream in a format of `width` bytes.
    fn residual(&self, width: f64) -> Bytes {
        Bytes::of_elements(self.tokens() * u128::from(self.model.hidden), width)
    }

    /// Tokens of a micro-batch on one tensor-parallel group: N = b·s/c.
    fn tokens(&self) -> u128 {
        u128::from(self.layout.micro_batch) * u128::from(self.model.sequence)
            / u128::from(self.layout.context)
    }

    /// Kinds of layer that some stage holds.
    fn layers(&self) -> impl Iterator<Item = BlockKind> {
        [BlockKind::Dense, BlockKind::Moe].into_iter().filter(|block| self.holds(*block))
    }

    /// True where some stage holds a block of that kind.
    fn holds(&self, block: BlockKind) -> bool {
        self.stages.iter().any(|stage| stage.count(block) > 0)
    }

    /// Forward, what is recomputed, backward.
    fn passes(&self) -> Vec<Pass> {
        if self.layout.recompute == Recompute::Full {
            vec![Pass::Forward, Pass::Recompute, Pass::Backward]
        } else {
            vec![Pass::Forward, Pass::Backward]
        }
    }
}
