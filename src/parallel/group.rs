//! Ranks that communicate, as sets of digits. Who is in which group of a layout the grid says.

use super::{Axis, Digit, ExpertRole};

/// The ranks that take part in one communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Shards of the same dense matrix.
    Tensor,
    /// Shards of the same sequences.
    Context,
    /// All ranks that hold the same dense parameters: data times context.
    Data,
    /// The stages of one pipeline.
    Pipeline,
    /// Ranks that share one set of experts.
    Expert,
    /// Shards of the same expert.
    ExpertTensor,
    /// Replicas of the same experts.
    ExpertData,
    /// Of the replicas of the same dense parameters those that share one copy of what is sharded.
    Shard,
    /// Ranks that hold the same share of it.
    Copies,
    /// Of the replicas of the same experts those that share one copy of what is sharded.
    ExpertShard,
    /// Ranks that hold the same share of that.
    ExpertCopies,
}

impl Group {
    /// All kinds, those of the dense part first, then those of replicas that hold several copies.
    pub const ALL: [Self; 11] = [
        Self::Tensor,
        Self::Context,
        Self::Data,
        Self::Pipeline,
        Self::Expert,
        Self::ExpertTensor,
        Self::ExpertData,
        Self::Shard,
        Self::Copies,
        Self::ExpertShard,
        Self::ExpertCopies,
    ];

    /// Its name in a ledger.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::Context => "context",
            Self::Data => "data",
            Self::Pipeline => "pipeline",
            Self::Expert => "expert",
            Self::ExpertTensor => "expert_tensor",
            Self::ExpertData => "expert_data",
            Self::Shard => "shard",
            Self::Copies => "copies",
            Self::ExpertShard => "expert_shard",
            Self::ExpertCopies => "expert_copies",
        }
    }

    /// True where the digit tells members of such a group apart.
    #[must_use]
    pub fn has_digit(self, digit: &Digit) -> bool {
        match self {
            Self::Tensor => digit.axis == Axis::Tensor,
            Self::Context => digit.axis == Axis::Context,
            Self::Data => matches!(digit.axis, Axis::Context | Axis::Data),
            Self::Pipeline => digit.axis == Axis::Pipeline,
            Self::Expert => digit.expert_role == ExpertRole::Expert,
            Self::ExpertTensor => digit.expert_role == ExpertRole::Tensor,
            Self::ExpertData => digit.expert_role == ExpertRole::Data,
            Self::Shard => Self::Data.has_digit(digit) && !digit.copies,
            Self::Copies => Self::Data.has_digit(digit) && digit.copies,
            Self::ExpertShard => Self::ExpertData.has_digit(digit) && !digit.copies,
            Self::ExpertCopies => Self::ExpertData.has_digit(digit) && digit.copies,
        }
    }

    /// True for those that tell replicas with a copy of their own from those that share one.
    #[must_use]
    pub const fn is_of_copies(self) -> bool {
        matches!(self, Self::Shard | Self::Copies | Self::ExpertShard | Self::ExpertCopies)
    }
}
