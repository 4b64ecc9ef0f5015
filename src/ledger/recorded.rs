//! Calls as a real job made them, whatever wrote them down. No file is read here.

use crate::collective::CollectiveFlow;
use crate::parallel::Rank;
use crate::step::{Operation, TrafficKind};

/// What a record says of the reason of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedCause {
    /// A kind of parallelism.
    Kind(TrafficKind),
    /// What the matrix leaves out, by name: scalars of the gradient norm and the like.
    LeftOut(&'static str),
}

/// One call of one rank, or several alike.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCall {
    /// Who called.
    pub rank: Rank,
    /// What.
    pub operation: Operation,
    /// Members of the group in its order; of a send the sender and the receiver, or the sender alone
    /// where the record has no receiver.
    pub members: Vec<Rank>,
    /// Payload D of one call, in bytes.
    pub payload: u128,
    /// How often.
    pub times: u64,
    /// Of an all-to-all, what goes to each member, in any unit; empty: as much to each.
    pub splits: Vec<u64>,
    /// Why, where the record says so.
    pub cause: Option<RecordedCause>,
    /// Whom the caller sends how much, where the record says so; else the planner's own algorithm
    /// is taken.
    pub flows: Option<Vec<CollectiveFlow>>,
}

/// A recorded run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Every call, in no order.
    pub calls: Vec<RecordedCall>,
    /// Steps that they were made in; at least 1.
    pub steps: u64,
}
