//! The time of kernels and blocks by roofline.

use crate::hardware::{Calibration, Gpu, NcclGeneration};
use crate::step::{Block, Gemm, Kernel, PartKind, Pass, Step};
use crate::units::{Bandwidth, FlopRate, Seconds};
use crate::workload::{Framework, Precision};

/// Heads narrower than this run fused attention at a proportional rate: the exponential
/// units, not the matrix units, then set the pace (FlashAttention-3, arXiv 2407.08608 §3).
const FULL_RATE_HEAD: f64 = 128.0;

/// Matrix units can load the operands. One product may be padded, and experts pad their tokens;
/// products of scores are as wide as their heads.
const fn is_aligned(gemm: &Gemm) -> bool {
    const ELEMENTS: u64 = 8;
    let wide = gemm.n.is_multiple_of(ELEMENTS) && gemm.k.is_multiple_of(ELEMENTS);
    gemm.count == 1 || gemm.weight_gradient || wide
}

/// A GPU as the clock sees it.
#[derive(Clone, Copy)]
pub(super) struct GpuClock<'a> {
    gpu: &'a Gpu,
    ideal: bool,
    earlier_attention: bool,
}

impl<'a> GpuClock<'a> {
    /// Of a stack without overheads, matrix multiplications run at peak and nothing else takes
    /// time.
    pub(super) const fn new(gpu: &'a Gpu, framework: &Framework) -> Self {
        let (ideal, earlier_attention) = (!framework.overheads, framework.earlier_attention);
        Self { gpu, ideal, earlier_attention }
    }

    /// Constants of the generation.
    pub(super) const fn calibration(&self) -> &'a Calibration {
        &self.gpu.calibration
    }

    /// Whose constants the cost model of its collectives has.
    pub(super) const fn nccl_generation(&self) -> NcclGeneration {
        self.gpu.nccl
    }

    /// Nothing but matrix multiplications and bytes on wires takes time.
    pub(super) const fn has_ideal_rates(&self) -> bool {
        self.ideal
    }

    /// Time of a kernel.
    fn kernel_time(&self, kernel: &Kernel, pass: Pass) -> Seconds {
        match kernel {
            Kernel::Gemm(gemm) => self.gemm_time(gemm),
            Kernel::Attention { flops, head_dim, precision } => {
                self.attention_time(*flops, *head_dim, *precision, pass)
            }
            Kernel::Scan { flops, precision } => self.scan_time(*flops, *precision),
            Kernel::Memory { bytes, kernels } => self.memory_bound_time(*bytes, *kernels),
        }
    }

    /// Time of memory-bound work: bytes over the share of the memory bandwidth that
    /// element-wise kernels see, and their starts.
    pub(super) fn memory_bound_time(&self, bytes: f64, kernels: u32) -> Seconds {
        if self.ideal {
            return Seconds::ZERO;
        }
        let constants = self.calibration();
        let rate = self.gpu.memory_bandwidth.get() * constants.elementwise_share;
        Seconds::from_f64(bytes / rate) + constants.kernel_start * f64::from(kernels)
    }

    /// Host time of a step besides its layers.
    pub(super) const fn host_step_time(&self) -> Seconds {
        if self.ideal { Seconds::ZERO } else { self.gpu.calibration.host_step }
    }

    /// Bandwidth to and from the host, one way.
    pub(super) const fn host_link(&self) -> Bandwidth {
        self.gpu.host_link
    }

    /// Time of that many FLOPs in small fp32 matrix multiplications, at the share of peak that
    /// large ones reach.
    pub(super) fn small_matmul_time(&self, flops: f64) -> Seconds {
        if self.ideal {
            Seconds::ZERO
        } else {
            Seconds::from_f64(flops / self.matmul_rate(Precision::Fp32).get())
        }
    }

    /// Roofline of a matrix multiplication (docs/equations.md §2.5): compute on dimensions rounded
    /// up to tiles, operands through memory, joined by the generation's exponent.
    fn gemm_time(&self, gemm: &Gemm) -> Seconds {
        let constants = self.calibration();
        if self.ideal {
            return Seconds::from_f64(gemm.flops() / self.peak_rate(gemm.precision).get());
        }
        let rows = constants.gemm_tile.max(1);
        let tile = |size: u64| (size.div_ceil(rows) * rows) as f64;
        let (m, n, k, count) = (gemm.m as f64, gemm.n as f64, gemm.k as f64, gemm.count as f64);
        let flops = 2.0 * tile(gemm.m) * tile(gemm.n) * k * count;
        let bytes =
            count * ((m + n) * k * gemm.precision.operand_bytes() + m * n * gemm.result_bytes);
        let alignment = if is_aligned(gemm) { 1.0 } else { constants.unaligned_rate };
        let compute = flops / (self.matmul_rate(gemm.precision).get() * alignment);
        let memory = bytes / (self.gpu.memory_bandwidth.get() * constants.gemm_memory_share);
        let both = match constants.roofline_exponent {
            None => compute.max(memory),
            Some(p) => (compute.powf(p) + memory.powf(p)).powf(1.0 / p),
        };
        Seconds::from_f64(both) + self.kernel_start_time(gemm.precision)
    }

    /// Fused attention at its share of the peak of the format, in 8 bits of the 16-bit peak with
    /// what the format gains: never above a peak.
    fn attention_time(
        &self,
        flops: f64,
        head_dim: u64,
        precision: Precision,
        pass: Pass,
    ) -> Seconds {
        let fp8 = precision == Precision::Fp8;
        let peak = self.peak_rate(if fp8 { Precision::Bf16 } else { precision }).get();
        if self.ideal {
            return Seconds::from_f64(flops / peak);
        }
        let constants = self.calibration();
        let share = match pass {
            Pass::Forward | Pass::Recompute => constants.attention_forward_share,
            Pass::Backward => constants.attention_backward_share,
        };
        let width = (head_dim as f64 / FULL_RATE_HEAD).min(1.0);
        let gain = if fp8 { constants.attention_fp8_gain } else { 1.0 };
        let kernels = if self.earlier_attention { constants.earlier_attention_share } else { 1.0 };
        let rate = (peak * share * kernels * width * gain).min(self.peak_rate(precision).get());
        Seconds::from_f64(flops / rate) + constants.kernel_start
    }

    /// A recurrence in chunks, at its share of the peak of wide matrix multiplications: small
    /// products, with what lies between them.
    fn scan_time(&self, flops: f64, precision: Precision) -> Seconds {
        let peak = self.peak_rate(precision).get();
        if self.ideal {
            return Seconds::from_f64(flops / peak);
        }
        let constants = self.calibration();
        Seconds::from_f64(flops / (peak * constants.scan_share)) + constants.kernel_start
    }

    /// Rate of large matrix multiplications; a format that the GPU lacks runs in 16 bits, and
    /// 32 bits at the same share of their peak as 16.
    fn matmul_rate(&self, precision: Precision) -> FlopRate {
        let constants = self.calibration();
        let wide = constants.gemm_bf16;
        match precision {
            Precision::Fp16 | Precision::Bf16 => wide,
            Precision::Fp8 => constants.gemm_fp8.unwrap_or(wide),
            Precision::Mxfp8 => {
                constants.gemm_fp8.map_or(wide, |rate| rate * constants.mxfp8_share)
            }
            Precision::Nvfp4 => constants.gemm_fp4.or(constants.gemm_fp8).unwrap_or(wide),
            Precision::Fp32 => {
                let share = wide / self.peak_rate(Precision::Bf16);
                self.peak_rate(Precision::Fp32) * share
            }
        }
    }

    /// Peak of a format; one that the GPU lacks falls back to 16 bits.
    fn peak_rate(&self, precision: Precision) -> FlopRate {
        let peaks = &self.gpu.peaks;
        peaks
            .peak_of_precision(precision)
            .or(peaks.bf16)
            .or(peaks.fp32)
            .unwrap_or(self.calibration().gemm_bf16)
    }

    const fn kernel_start_time(&self, precision: Precision) -> Seconds {
        let constants = &self.gpu.calibration;
        match precision {
            Precision::Fp32 | Precision::Fp16 | Precision::Bf16 => constants.kernel_start,
            Precision::Fp8 | Precision::Mxfp8 => constants.kernel_start_fp8,
            Precision::Nvfp4 => constants.kernel_start_fp4,
        }
    }
}

/// The kernels of a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlockKernels {
    /// Those of the forward pass.
    pub(super) forward: Seconds,
    /// Those of the backward pass, what is recomputed included.
    pub(super) backward: Seconds,
    /// Weight gradients, a part of the backward pass.
    pub(super) weight_gradient: Seconds,
    /// Matrix multiplications of the forward and of the backward pass.
    pub(super) multiplications: [Seconds; 2],
    /// The parts of the block.
    pub(super) parts: Vec<PartKernels>,
    /// Time that what a layer keeps takes over the link to the host, one way.
    pub(super) kept_over_link: Seconds,
}

/// The kernels of a part of a block, as far as the host's time depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PartKernels {
    pub(super) kind: PartKind,
    /// Time on the GPU, both passes.
    pub(super) time: Seconds,
    /// Matrix multiplications of the forward pass, those of many experts at once as one.
    pub(super) multiplications: u32,
}

impl BlockKernels {
    /// Of a block of a step on a GPU.
    pub(super) fn time_kernels(machine: &GpuClock<'_>, step: &Step, block: &Block) -> Self {
        let kept = step.activations.kept[block.kind.index_among_kinds()];
        let mut time = Self {
            forward: Seconds::ZERO,
            backward: Seconds::ZERO,
            weight_gradient: Seconds::ZERO,
            multiplications: [Seconds::ZERO; 2],
            parts: Vec::with_capacity(block.parts.len()),
            kept_over_link: Seconds::from_f64(kept / machine.host_link().get()),
        };
        for part in &block.parts {
            let (mut on_gpu, mut multiplications) = (Seconds::ZERO, 0);
            for (pass, kernel) in &part.kernels {
                let seconds = machine.kernel_time(kernel, *pass);
                on_gpu += seconds;
                let backward = *pass != Pass::Forward;
                if backward {
                    time.backward += seconds;
                } else {
                    time.forward += seconds;
                }
                if let Kernel::Gemm(gemm) = kernel {
                    time.multiplications[usize::from(backward)] += seconds;
                    multiplications += u32::from(!backward);
                    if gemm.weight_gradient {
                        time.weight_gradient += seconds;
                    }
                }
            }
            if !machine.has_ideal_rates() {
                let starts = machine.calibration().expert_start * part.expert_starts as f64;
                // Two of the six groups of kernels belong to the forward pass.
                time.forward += starts / 3.0;
                time.backward += starts * 2.0 / 3.0;
                on_gpu += starts;
            }
            time.parts.push(PartKernels { kind: part.kind, time: on_gpu, multiplications });
        }
        time
    }
}
