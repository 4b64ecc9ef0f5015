//! The words that a communication is described in: what causes it, what its members do, when it
//! happens and what may hide it. No bytes.

use crate::step::{BlockKind, Pass};
use crate::workload::{DemoGather, Routing};

/// Which dimension of parallelism causes the traffic; what reports sum by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrafficKind {
    /// Shards of matrices.
    Tensor,
    /// Stage to stage.
    Pipeline,
    /// Gradients and parameters.
    Data,
    /// Shards of sequences.
    Context,
    /// Tokens to experts.
    Expert,
}

impl TrafficKind {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 5] =
        [Self::Tensor, Self::Pipeline, Self::Data, Self::Context, Self::Expert];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::Pipeline => "pipeline",
            Self::Data => "data",
            Self::Context => "context",
            Self::Expert => "expert",
        }
    }
}

/// What the members of a group do together. Payloads are D bytes per call, defined for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Collective {
    /// Every member ends with the sum of all vectors; D is the whole vector.
    AllReduce,
    /// Every member ends with its share of the sum; D is the whole vector.
    ReduceScatter,
    /// Every member ends with all shares; D is the whole vector.
    AllGather,
    /// As reduce-scatter, among the members of one HB domain only; where each is alone, nothing.
    ReduceScatterInside,
    /// As all-gather, likewise.
    AllGatherInside,
    /// Every member ends with the messages of all; D is the message of one.
    GatherEach {
        /// By which algorithm.
        by: DemoGather,
        /// Only among members of different HB domains, of the x of a domain each for its share
        /// D/x; where all are in one domain, nothing.
        apart: bool,
    },
    /// Every member sends a different share to every member; D is what one member sends to all,
    /// itself included.
    AllToAll,
    /// Member i sends D to member i+1, the last one to the first.
    ShiftUp,
    /// Member i sends D to member i−1, the first one to the last.
    ShiftDown,
    /// The first and the last member all-reduce D between them; the others rest.
    EndsAllReduce,
    /// Every member sends each of its tokens to the members that hold its experts, once per
    /// member and once per HB domain; D is one copy of all tokens of a member. The way back is
    /// the same reversed, and so are its bytes.
    TokenExchange {
        /// How a token's experts are drawn.
        routing: Routing,
    },
}

impl Collective {
    /// What its members do, by the name that a ledger has for it.
    #[must_use]
    pub const fn operation(self) -> Operation {
        match self {
            Self::AllReduce | Self::EndsAllReduce => Operation::AllReduce,
            Self::ReduceScatter | Self::ReduceScatterInside => Operation::ReduceScatter,
            Self::AllGather | Self::AllGatherInside | Self::GatherEach { .. } => {
                Operation::AllGather
            }
            Self::AllToAll | Self::TokenExchange { .. } => Operation::AllToAll,
            Self::ShiftUp | Self::ShiftDown => Operation::Send,
        }
    }

    /// True where every member's share goes round a ring, or several.
    #[must_use]
    pub const fn is_ring(self) -> bool {
        matches!(
            self,
            Self::AllReduce | Self::ReduceScatter | Self::AllGather | Self::GatherEach { .. }
        )
    }
}

/// What a library of collectives is asked for. Its payload D is the whole vector of a reduction or a
/// gather, what one member sends to all of an all-to-all, and the message of a send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Every member ends with the sum of all vectors.
    AllReduce,
    /// Every member ends with its share of the sum.
    ReduceScatter,
    /// Every member ends with all shares.
    AllGather,
    /// Every member sends a share to every member.
    AllToAll,
    /// One member sends to another.
    Send,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::AllReduce, Self::ReduceScatter, Self::AllGather, Self::AllToAll, Self::Send];

    /// Its name in a ledger.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllGather => "all_gather",
            Self::AllToAll => "all_to_all",
            Self::Send => "send",
        }
    }
}

/// When a communication happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cadence {
    /// `times` in each micro-batch, in every block of that kind.
    PerBlock {
        /// The kind of block.
        block: BlockKind,
        /// The pass it belongs to.
        pass: Pass,
        /// Calls in one block.
        times: u32,
    },
    /// Once per micro-batch and virtual stage on every rank that has a successor (forward) or
    /// predecessor (backward) chunk to send to.
    PerBoundary {
        /// Forward sends up, backward sends down.
        pass: Pass,
    },
    /// Once per micro-batch and virtual stage on every rank that has a predecessor (forward) or
    /// successor (backward) chunk to receive from.
    PerArrival {
        /// Forward receives from below, backward from above.
        pass: Pass,
    },
    /// Once per step.
    PerStep,
    /// Once per micro-batch.
    PerMicroBatch {
        /// The pass it belongs to.
        pass: Pass,
    },
}

/// Where in its pass a communication stands: what enters a half of a block comes first, what leaves
/// it last, in either direction. Those of a step or micro-batch as a whole frame all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// Before all else: parameters that the pass needs.
    Parameters,
    /// What feeds the first multiplication of a half; one call is of the half with attention, the
    /// second of that with the feed-forward block.
    Inputs,
    /// Queries, keys and values of heads that ranks share.
    Heads,
    /// Attention over sequences that are split.
    Attention,
    /// Tokens to their experts; a second call is their way back.
    Dispatch,
    /// Tokens to all shards of an expert.
    ShardsGather,
    /// Sums of the shards of an expert.
    ShardsScatter,
    /// Tokens back from their experts.
    Combine,
    /// Outputs of routed experts put together where ranks hold all tokens.
    Rejoin,
    /// Inputs once more, for the gradient of the weights.
    Again,
    /// What leaves a half of a block.
    Outputs,
    /// The loss.
    Loss,
    /// A message to another stage.
    Border,
    /// After all else: gradients.
    Gradients,
    /// After the gradients: those of a matrix that two stages hold.
    Tied,
}

/// What the communication may run beside. The clock decides how much of it is then seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hiding {
    /// Nothing: ranks wait for it.
    Exposed,
    /// The compute of the same block.
    Block,
    /// The matrix multiplications of the same block, which carry it inside them.
    Fused,
    /// The backward pass of the last micro-batch.
    LastBackward,
    /// The forward pass of the first micro-batch.
    FirstForward,
}
