//! Work of linear layers, and element-wise work that memory bounds.

use super::kernel::{Gemm, Kernel, KernelInputs, Pass};
use crate::workload::{Framework, Precision};

/// `count` products of `rows`×`inputs` activations with `inputs`×`outputs` weights.
pub(super) struct Linear {
    pub(super) rows: u64,
    pub(super) inputs: u64,
    pub(super) outputs: u64,
    pub(super) count: u64,
    pub(super) precision: Precision,
}

/// Bytes of an element in 16-bit formats, in which results leave a matrix multiplication.
const RESULT: f64 = 2.0;
/// Bytes of reading and writing an fp32 sum in place.
const ACCUMULATE: f64 = 8.0;
/// Bytes per element of adding a 16-bit weight gradient to the fp32 sum in a kernel of its own,
/// counted as the read and the write of the sum (Megatron-LM until 2021, DeepSpeed).
const SEPARATE_ACCUMULATE: f64 = 8.0;

impl Linear {
    /// The kernels of forward and backward pass: the gradient of the input has the shape of a
    /// forward product with inputs and outputs exchanged, that of the weight sums over rows.
    pub(super) fn kernels(&self, source: &KernelInputs<'_>) -> Vec<(Pass, Kernel)> {
        let fused = source.framework.fused_weight_gradient;
        let mut kernels = vec![
            (
                Pass::Forward,
                self.gemm_kernel([self.rows, self.outputs, self.inputs], RESULT, false),
            ),
            (
                Pass::Backward,
                self.gemm_kernel([self.rows, self.inputs, self.outputs], RESULT, false),
            ),
            (
                Pass::Backward,
                self.gemm_kernel(
                    [self.outputs, self.inputs, self.rows],
                    if fused { ACCUMULATE } else { RESULT },
                    true,
                ),
            ),
        ];
        if !fused {
            let weights = self.inputs as f64 * self.outputs as f64 * self.count as f64;
            kernels.push((Pass::Backward, memory_kernel(weights * SEPARATE_ACCUMULATE, 1)));
        }
        let cast = cast_bytes(self.precision);
        if cast > 0.0 {
            let rows = self.rows as f64 * self.count as f64;
            kernels.push((Pass::Forward, memory_kernel(rows * self.inputs as f64 * cast, 0)));
            kernels.push((Pass::Backward, memory_kernel(rows * self.outputs as f64 * cast, 0)));
        }
        kernels
    }

    /// The forward kernels alone, for work that is computed again.
    pub(super) fn forward_kernels(
        &self,
        source: &KernelInputs<'_>,
    ) -> impl Iterator<Item = Kernel> {
        self.kernels(source)
            .into_iter()
            .filter(|(pass, _)| *pass == Pass::Forward)
            .map(|(_, kernel)| kernel)
    }

    fn gemm_kernel(&self, [m, n, k]: [u64; 3], result_bytes: f64, weight_gradient: bool) -> Kernel {
        Kernel::Gemm(Gemm {
            m,
            n,
            k,
            count: self.count,
            precision: self.precision,
            result_bytes,
            weight_gradient,
        })
    }
}

/// Memory traffic that casting the input of a product to a narrow format adds, per element:
/// the pass that finds the scale and a second read. The cast itself rides on the kernel that
/// makes the tensor; with scales per block of 32 it needs no pass of its own.
const fn cast_bytes(precision: Precision) -> f64 {
    match precision {
        Precision::Fp32 | Precision::Fp16 | Precision::Bf16 => 0.0,
        Precision::Mxfp8 => 2.0,
        Precision::Fp8 | Precision::Nvfp4 => 4.0,
    }
}

/// Work bound by memory bandwidth.
pub(super) const fn memory_kernel(bytes: f64, kernels: u32) -> Kernel {
    Kernel::Memory { bytes, kernels }
}

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
