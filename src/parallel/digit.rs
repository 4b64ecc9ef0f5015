//! A digit of the number that a rank is: which axis it counts, for the dense part of a model and for its
//! experts. How digits follow from a layout is not said here.

use super::Axis;

/// One digit of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digit {
    /// Parallel dimension of the dense part of the model.
    pub axis: Axis,
    /// What the same digit is to the experts.
    pub expert_role: ExpertRole,
    /// Each of its values has a copy of what ZeRO shards over the other replicas.
    pub copies: bool,
    /// Values of the digit; at least 1.
    pub size: u32,
    /// Ranks between two neighbouring values.
    pub stride: u32,
}

/// What a digit means to the mixture-of-experts blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExpertRole {
    /// Shards of one expert.
    Tensor,
    /// Different experts.
    Expert,
    /// Replicas of the same experts.
    Data,
    /// Pipeline stage.
    Pipeline,
    /// Jobs that have nothing to do with each other.
    Job,
}
