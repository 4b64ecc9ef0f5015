//! What the interval of a predicted step depends on: its model, GPU, number format, stack and extent.
//! Knows no measured step.

use crate::workload::Precision;

/// What a step may have more of than any that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtrapolationAxis {
    /// Tokens of a sequence.
    Context,
    /// GPUs.
    Gpus,
    /// Virtual stages of a GPU.
    VirtualStages,
    /// Ranks that share a sequence.
    ContextRanks,
    /// Ranks that share the experts of a layer.
    ExpertRanks,
}

impl ExtrapolationAxis {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Context, Self::Gpus, Self::VirtualStages, Self::ContextRanks, Self::ExpertRanks];

    /// Its name in tables that programs read.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Gpus => "gpus",
            Self::VirtualStages => "virtual_stages",
            Self::ContextRanks => "context_ranks",
            Self::ExpertRanks => "expert_ranks",
        }
    }

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Gpus => "GPUs",
            Self::VirtualStages => "virtual stages",
            Self::ContextRanks => "context-parallel ranks",
            Self::ExpertRanks => "expert-parallel ranks",
        }
    }
}

/// A step as far as its interval depends on it.
#[derive(Clone, Debug, PartialEq)]
pub struct StepKind<'a> {
    /// A mixture of experts.
    pub experts: bool,
    /// Calibration of its GPU.
    pub gpu: &'a str,
    /// Number format.
    pub precision: Precision,
    /// Training stack.
    pub stack: &'a str,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
}
