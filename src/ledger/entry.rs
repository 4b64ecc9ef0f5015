//! One call of a step as a rank of its stage makes it. Bytes stand at the communication.

use crate::step::{BlockKind, Pass};

/// A call by its stage and its place among those of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId {
    /// Pipeline stage.
    pub stage: u32,
    /// Place in the order of the stage's calls, from 0.
    pub place: u64,
}

/// One call. All groups of its kind on the stage make it at the same place of their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEntry {
    /// Its stage and place.
    pub id: CallId,
    /// Place of its communication among those of the step.
    pub communication: usize,
    /// Pass that it belongs to; `None` where it is one of the step as a whole.
    pub pass: Option<Pass>,
    /// Micro-batch; likewise.
    pub micro_batch: Option<u64>,
    /// Virtual stage on the GPU; likewise.
    pub chunk: Option<u32>,
    /// Kind of block, and which of the stage's layers, from 0; `None` outside blocks. Embedding
    /// and head have no layer.
    pub block: Option<(BlockKind, Option<u32>)>,
    /// Calls that end before it starts: the one before it on its stage, and the message that its
    /// turn needs from another stage.
    pub waits: Vec<CallId>,
}
