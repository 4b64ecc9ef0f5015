//! Memory traffic of the work between matrix multiplications: norms, residuals, activations,
//! rotations. Bytes per element, derived from what each kernel reads and writes in 16 bits.

use crate::workload::Framework;

/// Bytes per element and direction, and kernels, of one era of fusion.
pub(super) struct Elementwise {
    /// Norm, bias, dropout and residual of one half of a layer, per element of the residual
    /// stream.
    pub(super) residual: [f64; 2],
    /// Splitting, rotating and merging heads, per element of queries, keys and values.
    pub(super) heads: [f64; 2],
    /// Softmax and dropout of stored scores, per score.
    pub(super) scores: [f64; 2],
    /// Kernels of the attention part.
    pub(super) attention_kernels: [u32; 2],
    /// Kernels of the feed-forward part.
    pub(super) ffn_kernels: [u32; 2],
    /// Loss, per logit.
    pub(super) loss: [f64; 2],
    /// Kernels of loss and last norm.
    pub(super) loss_kernels: [u32; 2],
}

/// Megatron-LM until 2022 and DeepSpeed: a kernel for each step, dropout everywhere.
/// Forward: norm 4 (read, write), bias-dropout-add 7 (two reads, a write, a one-byte mask);
/// heads 4 (read, write); softmax 4, dropout 5. Backward: twice the residual part for the
/// gradients of both branches, heads 6, scores 11. Loss: 45 B a logit over both directions
/// (fp32 copies of the logits, maximum, exponential, sum, gradient).
const SEPARATE: Elementwise = Elementwise {
    residual: [11.0, 22.0],
    heads: [4.0, 6.0],
    scores: [9.0, 11.0],
    attention_kernels: [10, 15],
    ffn_kernels: [6, 10],
    loss: [25.0, 20.0],
    loss_kernels: [12, 8],
};

/// Megatron-Core since 2024: fused norms, no dropout, fused rotation, fused loss; launches ride
/// behind running kernels. Norm and residual 10 (reads of input and residual, writes of sum
/// and norm, statistics) in each direction; rotation 4; unfused scores 8 and 12; loss 8 over
/// both directions.
const FUSED: Elementwise = Elementwise {
    residual: [10.0, 10.0],
    heads: [4.0, 4.0],
    scores: [8.0, 12.0],
    attention_kernels: [0, 0],
    ffn_kernels: [0, 0],
    loss: [4.0, 4.0],
    loss_kernels: [0, 0],
};

/// The figures of a framework.
pub(super) const fn elementwise_of_framework(framework: &Framework) -> &'static Elementwise {
    if framework.fused_elementwise { &FUSED } else { &SEPARATE }
}

/// Activation function of a feed-forward block, per element of its width: read and write, one
/// read more backward; gated, the second matrix's output as well.
pub(super) const fn activation_function_bytes(gated: bool) -> [f64; 2] {
    if gated { [6.0, 10.0] } else { [4.0, 6.0] }
}
