//! `Communication`, `Collective`, `TrafficKind`, `Element`: one communication and its words.

use crate::parallel::Group;
use crate::step::{BlockKind, Pass, PipelineStage};
use crate::units::Bytes;
use crate::workload::{Algorithms, DemoGather, Precision, Routing};

/// One communication of a step, the same on all groups of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Communication {
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// What it carries, for `explain`.
    pub label: &'static str,
    pub group: Group,
    pub collective: Collective,
    /// By which algorithms they do it.
    pub by: Algorithms,
    /// Bytes D of one call, by pipeline stage of the rank (one entry: the same on all).
    /// Padded so that the group splits it evenly.
    pub(super) payload: Vec<Bytes>,
    /// Format of the elements of the payload.
    pub element: Element,
    pub cadence: Cadence,
    /// Where in its pass or step.
    pub moment: Moment,
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

    /// This communication with elements of another format.
    #[must_use]
    pub fn with_element(self, element: Element) -> Self {
        Self { element, ..self }
    }

    /// This communication elsewhere in its pass or step.
    #[must_use]
    pub fn with_moment(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    /// Messages in which one call's payload goes on a rank of `stage`, at least one.
    #[must_use]
    pub fn messages_per_call(&self, stage: usize) -> u64 {
        self.messages.get(stage).copied().unwrap_or(1).max(1)
    }

    /// Bytes of one of the messages of a call on a rank of `stage`, from 0: as many as of the
    /// others, in whole multiples of `unit` bytes; the first one has what is left over.
    #[must_use]
    pub fn message_payload(&self, stage: usize, message: u64, unit: u128) -> Bytes {
        let (whole, unit) = (self.payload(stage).count(), unit.max(1));
        let count = u128::from(self.messages_per_call(stage));
        let each = whole / count / unit * unit;
        Bytes::new(if message == 0 { whole - each * (count - 1) } else { each })
    }

    /// This communication with its payload in so many messages, one count for each stage.
    #[must_use]
    pub fn split_into_messages(self, messages: Vec<u64>) -> Self {
        Self { messages, ..self }
    }

    /// Calls of one step on a rank of `stage`.
    pub(in crate::step) fn calls_per_step(
        &self,
        stage: &PipelineStage,
        micro_batches: u64,
        stages: usize,
    ) -> u64 {
        let chunks = u64::from(stage.chunks);
        // The first stage's first chunk has nothing before it, the last stage's last nothing after.
        let before = micro_batches * (chunks - u64::from(stage.index == 0));
        let after = micro_batches * (chunks - u64::from(stage.index as usize + 1 == stages));
        match self.cadence {
            Cadence::PerBlock { block, times, .. } => {
                micro_batches * u64::from(stage.block_count(block)) * u64::from(times)
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

/// Format of one element on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A floating-point number.
    Float(Precision),
    /// A whole number of so many bytes, such as the index of a component.
    Whole(u64),
}

impl Element {
    /// The format of a gradient or parameter that takes so many bytes in a step of `precision`.
    #[must_use]
    pub const fn from_byte_width(bytes: u64, precision: Precision) -> Self {
        match (bytes, precision) {
            (4, _) => Self::Float(Precision::Fp32),
            (2, Precision::Fp16) => Self::Float(Precision::Fp16),
            (2, _) => Self::Float(Precision::Bf16),
            (1, _) => Self::Float(Precision::Fp8),
            (other, _) => Self::Whole(other),
        }
    }

    /// The format of activations between layers.
    #[must_use]
    pub const fn activation_element(precision: Precision) -> Self {
        Self::from_byte_width(precision.activation_bytes(), precision)
    }

    /// Its name, as in a spec; `int16` for whole numbers of two bytes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float(precision) => precision.name(),
            Self::Whole(1) => "int8",
            Self::Whole(2) => "int16",
            Self::Whole(4) => "int32",
            Self::Whole(8) => "int64",
            Self::Whole(_) => "bytes",
        }
    }

    /// How many of them `bytes` are, a part of one counted as one.
    #[must_use]
    pub fn count_in(self, bytes: u128) -> u128 {
        match self {
            Self::Float(Precision::Nvfp4) => {
                (bytes as f64 / Precision::Nvfp4.operand_bytes()).ceil() as u128
            }
            Self::Float(precision) => bytes.div_ceil(precision.operand_bytes() as u128),
            Self::Whole(width) => bytes.div_ceil(u128::from(width.max(1))),
        }
    }
}

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

/// What a library of collectives is asked for. Its payload D is the whole vector of a reduction or
/// a gather, what one member sends to all of an all-to-all, and the message of a send.
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
        block: BlockKind,
        /// The pass it belongs to.
        pass: Pass,
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
    /// After the gradients: those of a matrix that two stages or all ranks of a tensor group hold.
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
