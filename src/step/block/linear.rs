//! A linear layer: its matrix multiplications, and the casts that narrow formats need.
//! Says nothing about which layer it is.

use super::kernel::{Gemm, Kernel};
use super::nouns::Pass;
use super::source::KernelInputs;
use crate::workload::Precision;

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
