//! Sizes that one rank sees of a micro-batch; bytes and work a parameter costs a rank.

use crate::parallel::Layout;
use crate::workload::{Framework, Model, Precision, Training};

/// Sizes per rank and micro-batch, in the letters of docs/equations.md.
#[derive(Clone, Debug, PartialEq)]
pub struct RankShape {
    /// Sequences b of the micro-batch.
    pub sequences: u64,
    /// Tokens s of a sequence.
    pub sequence: u64,
    /// Tokens N = b·s/c that a tensor-parallel group works on.
    pub tokens: u64,
    /// Tokens whose norms and residuals this rank computes: N/t with sequence parallelism.
    pub shard_tokens: f64,
    /// Tokens that this rank sends to experts: N/t.
    pub routed_tokens: f64,
    pub tensor: u64,
    pub context: u64,
    pub hidden: u64,
    /// Query heads on this rank.
    pub heads: u64,
    /// Key and value heads on this rank; where t exceeds them they are copied.
    pub kv_heads: u64,
    /// Rows of the vocabulary on this rank, padded.
    pub vocabulary: u64,
}

/// Every rank of a tensor-parallel group holds a multiple of this many vocabulary rows
/// (Megatron-LM, `--make-vocab-size-divisible-by`).
pub(super) const VOCABULARY_ROWS: u64 = 128;

impl RankShape {
    /// The sizes of a layout.
    #[must_use]
    pub fn new(model: &Model, layout: &Layout) -> Self {
        let tensor = u64::from(layout.tensor);
        let context = u64::from(layout.context);
        let tokens = layout.micro_batch * model.sequence / context;
        let routed_tokens = tokens as f64 / tensor as f64;
        Self {
            sequences: layout.micro_batch,
            sequence: model.sequence,
            tokens,
            shard_tokens: if layout.sequence_parallel { routed_tokens } else { tokens as f64 },
            routed_tokens,
            tensor,
            context,
            hidden: model.hidden,
            heads: model.heads.div_ceil(tensor),
            kv_heads: model.kv_heads.div_ceil(tensor),
            vocabulary: model.vocab.div_ceil(VOCABULARY_ROWS * tensor) * VOCABULARY_ROWS,
        }
    }

    /// Elements of the residual stream that this rank's norms see.
    #[must_use]
    pub fn shard_elements(&self) -> f64 {
        self.shard_tokens * self.hidden as f64
    }
}

/// Bytes and work of one parameter, and what the update needs once.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterUpkeep {
    /// Bytes of its weight on the GPU.
    pub weight: f64,
    /// Bytes of its gradient on the GPU.
    pub gradient: f64,
    /// Bytes of master weight, optimizer states and the update's copy of the gradient on the GPU.
    pub state: f64,
    /// Bytes of the same on the host.
    pub host: f64,
    /// Bytes from the host, each step.
    pub from_host: f64,
    /// Bytes to the host, each step.
    pub to_host: f64,
    /// Bytes that are fetched from the host for every pass of every micro-batch, instead of
    /// being kept on the GPU.
    pub streamed: f64,
    /// FLOPs of the update beyond what follows from its bytes.
    pub update_flops: f64,
    /// Bytes on the GPU that do not grow with the parameters.
    pub buffer: f64,
    /// How the update goes piece by piece; `None` where it waits for all gradients.
    pub pieces: Option<UpdatePieces>,
    /// Ranks that share what is sharded; `None` for all replicas.
    pub shards: Option<f64>,
}

/// An update in pieces: the gradients of one are reduced while the piece before is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdatePieces {
    /// Parameters whose gradients are reduced together, in one message.
    pub reduced: u64,
    /// Parameters that are updated together.
    pub updated: u64,
    /// Kernels and copies that start for those.
    pub starts: u32,
}

/// Master copy in fp32 of a narrower weight, bytes per parameter.
const MASTER: f64 = 4.0;

impl ParameterUpkeep {
    /// Mixed-precision Adam, all of it on the GPU.
    #[must_use]
    pub fn new(training: &Training, framework: &Framework) -> Self {
        let moments = 2.0 * framework.moment_bytes as f64;
        let master = if training.precision == Precision::Fp32 { 0.0 } else { MASTER };
        let state = moments + master + framework.gradient_copy_bytes as f64;
        Self {
            weight: training.precision.activation_bytes() as f64,
            gradient: framework.gradient_bytes as f64,
            state,
            host: 0.0,
            from_host: 0.0,
            to_host: 0.0,
            streamed: 0.0,
            update_flops: 0.0,
            buffer: 0.0,
            pieces: None,
            shards: None,
        }
    }
}
