//! In how many messages a stack sends gradients and new parameters: the buckets that it cuts a
//! stage's parameters into, walked in the order in which their gradients come. Bytes stay; the
//! elements that pad a bucket's end for its ranks are left out, a few thousand of tens of millions.

use super::source::CommunicationInputs;
use crate::parallel::Zero;
use crate::step::PipelineStage;
use crate::step::weight_shapes::{BlockRun, Tensor, matrices_last_first};

/// How a stack cuts the parameters of a stage; sizes in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BucketRule {
    /// Not at all.
    Whole,
    /// By virtual stage.
    Chunks,
    /// By block, as `fully_shard` wraps them.
    Blocks,
    /// A bucket closes with the parameter that fills it. The first may be smaller, to start early;
    /// some stacks cut only the first virtual stage of the first stage, whose gradients come last.
    Filled { first: u64, next: u64, first_chunk_only: bool },
    /// A parameter that does not fit starts another bucket; one that is larger than any goes alone.
    Limited { most: u64 },
}

impl BucketRule {
    /// Of gradients on their way to their sum.
    pub(super) fn of_gradients(source: &CommunicationInputs<'_>) -> Self {
        /// `reduce_bucket_size` (deepspeed/runtime/zero/config.py, 0.19).
        const DEEPSPEED: u64 = 500_000_000;
        match (Stack::of_framework(source), source.layout.zero) {
            _ if runs_ahead(source) => Self::Whole,
            (Stack::DeepSpeed, _) => Self::Limited { most: DEEPSPEED },
            (_, zero) => Self::of_either(source, zero),
        }
    }

    /// Of parameters on their way to those who need them.
    pub(super) fn of_parameters(source: &CommunicationInputs<'_>) -> Self {
        /// `stage3_prefetch_bucket_size`, as above.
        const DEEPSPEED: u64 = 50_000_000;
        match (Stack::of_framework(source), source.layout.zero) {
            _ if runs_ahead(source) => Self::Whole,
            (Stack::DeepSpeed, Zero::Parameters) => Self::Limited { most: DEEPSPEED },
            // One gather for each group of the optimizer, of which one has next to everything.
            (Stack::DeepSpeed, _) => Self::Whole,
            (_, zero) => Self::of_either(source, zero),
        }
    }

    /// Of stacks that cut both alike.
    fn of_either(source: &CommunicationInputs<'_>, zero: Zero) -> Self {
        /// `bucket_size` of Megatron-Core's distributed_data_parallel.py: at least so many, and so
        /// many for each replica, that rings find enough for every rank.
        const MEGATRON: [u64; 2] = [40_000_000, 1_000_000];
        /// Bytes of the first and of the other buckets of PyTorch's DistributedDataParallel.
        const PYTORCH: [u64; 2] = [1 << 20, 25 << 20];
        match (Stack::of_framework(source), zero) {
            (_, Zero::Parameters) | (Stack::PyTorch, Zero::Gradients) => Self::Blocks,
            (Stack::PyTorch, _) => {
                let [first, next] =
                    PYTORCH.map(|bytes| bytes / source.framework.gradient_bytes.max(1));
                Self::Filled { first, next, first_chunk_only: false }
            }
            _ if source.framework.overlap_data => {
                let replicas = u64::from(source.layout.data) * u64::from(source.layout.context);
                let size = MEGATRON[0].max(MEGATRON[1] * replicas);
                Self::Filled { first: size, next: size, first_chunk_only: true }
            }
            _ => Self::Chunks,
        }
    }

    /// Messages of each stage: of routed experts, or of all else; empty where each sends one.
    pub(super) fn messages_by_stage(
        self,
        source: &CommunicationInputs<'_>,
        of_experts: bool,
    ) -> Vec<u64> {
        let walk = |stage: &PipelineStage| {
            self.count_buckets(&matrices_last_first(source.model, source.layout, stage, of_experts))
        };
        let messages = |stage: &PipelineStage| {
            let blocks = stage.blocks_with_parameters(of_experts);
            let chunks = u64::from(stage.chunks).clamp(1, blocks.max(1));
            match self {
                Self::Whole => 1,
                Self::Blocks => blocks,
                Self::Filled { first_chunk_only: true, .. } if stage.index == 0 => {
                    walk(&stage.first_chunk()) + chunks - 1
                }
                Self::Chunks | Self::Filled { first_chunk_only: true, .. } => chunks,
                Self::Filled { .. } | Self::Limited { .. } => walk(stage),
            }
        };
        if self == Self::Whole {
            return Vec::new();
        }
        source.stages.iter().map(messages).collect()
    }

    /// Buckets of parameters in that order.
    fn count_buckets(self, blocks: &[BlockRun]) -> u64 {
        let mut buckets = Buckets { rule: self, closed: 0, fill: 0 };
        for (own, count) in blocks {
            for _ in 0..*count {
                for tensor in own {
                    buckets.add_tensors(tensor);
                }
            }
        }
        buckets.closed + u64::from(buckets.fill > 0)
    }
}

/// Buckets of a stage so far.
struct Buckets {
    rule: BucketRule,
    closed: u64,
    /// Elements of the one that is open.
    fill: u64,
}

impl Buckets {
    fn add_tensors(&mut self, tensor: &Tensor) {
        let size = (tensor.rows * tensor.columns).max(1);
        let mut left = tensor.count;
        let Self { closed, fill, .. } = self;
        match self.rule {
            BucketRule::Filled { first, next, .. } => {
                // One bucket that is begun already, or the first one; then equal ones.
                let limit = if *closed == 0 { first } else { next };
                if *fill + left * size < limit {
                    *fill += left * size;
                    return;
                }
                left -= limit.saturating_sub(*fill).div_ceil(size).max(1);
                let each = next.div_ceil(size).max(1);
                *closed += 1 + left / each;
                *fill = left % each * size;
            }
            BucketRule::Limited { most } => {
                if *fill + left * size <= most {
                    *fill += left * size;
                    return;
                }
                let each = (most / size).max(1);
                let room = most.saturating_sub(*fill) / size;
                left -= room;
                let full = left.div_ceil(each) - 1;
                *closed += u64::from(*fill + room * size > 0) + full;
                *fill = (left - full * each) * size;
            }
            BucketRule::Whole | BucketRule::Chunks | BucketRule::Blocks => {}
        }
    }
}

/// Families of training stacks that cut alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stack {
    DeepSpeed,
    PyTorch,
    Megatron,
}

impl Stack {
    /// By the name of the preset.
    fn of_framework(source: &CommunicationInputs<'_>) -> Self {
        let name = source.framework.name.as_str();
        match name.split('-').next() {
            Some("deepspeed") => Self::DeepSpeed,
            Some("fsdp") => Self::PyTorch,
            // Where it overlaps, gradients go through PyTorch's DistributedDataParallel.
            _ if name == "megatron-2020" && source.framework.overlap_data => Self::PyTorch,
            _ => Self::Megatron,
        }
    }
}

/// True where what is fully sharded goes around one ring through one interface, as if at once.
fn runs_ahead(source: &CommunicationInputs<'_>) -> bool {
    source.framework.single_ring_sharding && source.layout.zero == Zero::Parameters
}
