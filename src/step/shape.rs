//! The sizes that one rank sees of one micro-batch. No bytes, no seconds.

use crate::parallel::Layout;
use crate::workload::Model;

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
    /// Tensor-parallel degree t.
    pub tensor: u64,
    /// Context-parallel degree c.
    pub context: u64,
    /// Hidden width h.
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
