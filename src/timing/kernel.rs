//! The time of kernels and blocks by roofline.

use crate::hardware::{Calibration, Gpu, NcclGeneration};
use crate::step::{Block, FusedAttention, Gemm, Kernel, PartKind, Pass, Step};
use crate::units::{Bandwidth, FlopRate, Seconds};
use crate::workload::{Framework, Precision};

/// Time that the gradient of an attention sink takes for a query of a head, whatever its width: they are
/// added one by one (cuDNN 9.19, measured on H200).
const SINK_GRADIENT: Seconds = Seconds::from_f64(1.6e-9);
/// Widths to which fused attention pads its heads, and the rate of wide ones over that of heads 128
/// wide (cuDNN 9.19, measured on H100 and H200). Latent attention with queries 192 and values 128 wide
/// runs at the whole rate.
const NARROW_HEAD: f64 = 64.0;
const FULL_RATE_HEAD: f64 = 128.0;
const WIDE_HEADS: [(f64, f64); 2] = [(192.0, 0.80), (256.0, 0.87)];
/// Rate of FlashAttention-2 with heads 64 wide over that with heads 128 wide, on H100
/// (arXiv 2307.08691, figure 7).
const EARLIER_NARROW_SHARE: f64 = 0.87;
/// Sequence in tokens over which kernels of the first FlashAttention reach half of their rate: 180 to
/// 380 on A100, heads 64 and 128 wide at the same rate (arXiv 2307.08691, figure 4).
const FIRST_ATTENTION_HALF_LENGTH: f64 = 300.0;

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
    attention: AttentionKernels,
}

/// For which GPU generation the kernels of fused attention were written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AttentionKernels {
    Own,
    Earlier,
    First,
}

impl AttentionKernels {
    const fn of_framework(framework: &Framework) -> Self {
        if framework.first_attention {
            Self::First
        } else if framework.earlier_attention {
            Self::Earlier
        } else {
            Self::Own
        }
    }

    /// Their rate over that of the generation's own.
    const fn share_of_own(self, constants: &Calibration) -> f64 {
        match self {
            Self::Own => 1.0,
            Self::Earlier => constants.earlier_attention_share,
            Self::First => constants.first_attention_share,
        }
    }
}

impl<'a> GpuClock<'a> {
    /// Of a stack without overheads, matrix multiplications run at peak and nothing else takes
    /// time.
    pub(super) const fn new(gpu: &'a Gpu, framework: &Framework) -> Self {
        let attention = AttentionKernels::of_framework(framework);
        Self { gpu, ideal: !framework.overheads, attention }
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
            Kernel::Attention(attention) => self.attention_time(attention, pass),
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
    /// what the format gains: never above a peak. Each query costs some keys more than it sees, and
    /// gradients of attention sinks are added one by one (docs/equations.md §2.4).
    fn attention_time(&self, attention: &FusedAttention, pass: Pass) -> Seconds {
        let precision = attention.precision;
        let fp8 = precision == Precision::Fp8;
        let peak = self.peak_rate(if fp8 { Precision::Bf16 } else { precision }).get();
        if self.ideal {
            return Seconds::from_f64(attention.flops.get() / peak);
        }
        let constants = self.calibration();
        let (share, keys) = match pass {
            Pass::Forward | Pass::Recompute => {
                (constants.attention_forward_share, constants.attention_forward_half_length)
            }
            Pass::Backward => {
                (constants.attention_backward_share, constants.attention_backward_half_length)
            }
        };
        let gain = if fp8 { constants.attention_fp8_gain } else { 1.0 };
        let keys = if self.attention == AttentionKernels::First {
            FIRST_ATTENTION_HALF_LENGTH
        } else {
            keys
        };
        let kernels = self.attention.share_of_own(constants);
        let width = self.head_width_share(attention.head_dim);
        let rate = (peak * share * kernels * width * gain).min(self.peak_rate(precision).get());
        let flops = attention.flops + attention.flops_of_key * keys;
        Seconds::from_f64(flops.get() / rate)
            + SINK_GRADIENT * attention.sink_gradients
            + constants.kernel_start
    }

    /// Rate of fused attention with heads of a width over that with wide ones.
    fn head_width_share(&self, head_dim: u64) -> f64 {
        let width = head_dim as f64;
        if width <= NARROW_HEAD {
            let narrow = match self.attention {
                AttentionKernels::Own => self.calibration().narrow_head_share,
                AttentionKernels::Earlier => EARLIER_NARROW_SHARE,
                AttentionKernels::First => 1.0,
            };
            return narrow * width / NARROW_HEAD;
        }
        if width <= FULL_RATE_HEAD {
            return width / FULL_RATE_HEAD;
        }
        let fits = |wide: &&(f64, f64)| width <= wide.0;
        let (padded, share) = WIDE_HEADS.iter().find(fits).copied().unwrap_or((width, 1.0));
        share * width / padded
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
