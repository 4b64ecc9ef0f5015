//! Constants of the step-time model, one set per GPU generation, fitted on declared rows.

use super::Peaks;
use crate::units::{FlopRate, Seconds};

/// What a GPU generation achieves of its peaks, and what its calls cost.
///
/// Every constant has a physical meaning and one value per generation; none belongs to a
/// single measured row. `presets/calibrations.toml` states origin and fitting set of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Name in the presets.
    pub name: String,
    /// GPU whose shares of peak the rates are, times the peaks of another GPU of which no step was
    /// measured: an assumption. `None` where the rates are stated for the GPU itself.
    pub shares_of: Option<String>,
    /// Rate of large matrix multiplications, 16-bit.
    pub gemm_bf16: FlopRate,
    /// Rate of large matrix multiplications, 8-bit with a scale per tensor; `None` where the
    /// GPU lacks them.
    pub gemm_fp8: Option<FlopRate>,
    /// Rate of large matrix multiplications, 4-bit; `None` where the GPU lacks them.
    pub gemm_fp4: Option<FlopRate>,
    /// Rate with a scale per block of 32 over the rate with a scale per tensor, 8-bit.
    pub mxfp8_share: f64,
    /// Exponent p of the roofline (compute^p + memory^p)^(1/p); `None` is the maximum.
    pub roofline_exponent: Option<f64>,
    /// Rows and columns of a matrix multiplication are rounded up to a multiple of this.
    pub gemm_tile: u64,
    /// Share of memory bandwidth that the operands of matrix multiplications see.
    pub gemm_memory_share: f64,
    /// Share of memory bandwidth that element-wise kernels see.
    pub elementwise_share: f64,
    /// Start of a kernel.
    pub kernel_start: Seconds,
    /// Start of an 8-bit matrix multiplication with its scaling kernels.
    pub kernel_start_fp8: Seconds,
    /// Start of a 4-bit matrix multiplication with its scaling kernels.
    pub kernel_start_fp4: Seconds,
    /// Share of the 16-bit peak that fused attention reaches forward.
    pub attention_forward_share: f64,
    /// Share of the 16-bit peak that fused attention reaches backward.
    pub attention_backward_share: f64,
    /// Rate of fused attention in 8 bits over its rate in 16.
    pub attention_fp8_gain: f64,
    /// Share of the HB line rate that collectives reach.
    pub hb_share: f64,
    /// Share of the NIC line rate that collectives reach.
    pub nic_share: f64,
    /// Wait for the slowest rank in each pass of a collective inside a block.
    pub collective_skew: Seconds,
    /// Start of one pass of a collective; an all-reduce is two passes.
    pub collective_start: Seconds,
    /// Cost per pass of each rank of a collective inside a domain.
    pub collective_hop_hb: Seconds,
    /// Cost per pass of each domain that a collective spans.
    pub collective_hop_nic: Seconds,
    /// Cost of a point-to-point call.
    pub message_start: Seconds,
    /// Slowdown per doubling of the GPUs beyond one domain: the slowest sets the pace.
    pub jitter_per_doubling: f64,
    /// Host time of a part of a layer outside a CUDA graph, forward and backward.
    pub host_block: Seconds,
    /// Host time of a layer with overlapped all-to-all outside a CUDA graph.
    pub host_overlapped_block: Seconds,
    /// Start of the kernels of one local expert.
    pub expert_start: Seconds,
    /// Visible share of tensor-parallel communication that runs beside compute.
    pub tensor_overlap_visible: f64,
    /// Visible share of context-parallel communication that runs beside compute.
    pub context_overlap_visible: f64,
    /// Visible share of an overlapped all-to-all.
    pub expert_overlap_visible: f64,
    /// Visible share of data-parallel communication that runs beside compute.
    pub data_overlap_visible: f64,
    /// Visible share of gathering and scattering fully sharded parameters beside compute.
    pub sharding_overlap_visible: f64,
    /// Share of a pass beside which data-parallel communication can run.
    pub data_overlap_window: f64,
}

impl Calibration {
    /// These constants on another GPU, of which nothing was measured: each rate is the share of
    /// its `own` peak that the GPU with the `measured` peaks reaches of its.
    ///
    /// A format that either of them lacks has no rate of its own. Without a 16-bit peak, the
    /// 32-bit one is what the share is taken of.
    #[must_use]
    pub fn on(self, own: &Peaks, measured: &Peaks, name: &str) -> Self {
        let wide = |peaks: &Peaks| peaks.bf16.or(peaks.fp32);
        let shared = |rate: Option<FlopRate>, of: Option<FlopRate>, own: Option<FlopRate>| {
            Some(rate? * (own? / of?))
        };
        Self {
            gemm_bf16: shared(Some(self.gemm_bf16), wide(measured), wide(own))
                .unwrap_or(self.gemm_bf16),
            gemm_fp8: shared(self.gemm_fp8, measured.fp8, own.fp8),
            gemm_fp4: shared(self.gemm_fp4, measured.fp4, own.fp4),
            shares_of: Some(name.to_owned()),
            ..self
        }
    }

    /// The first rate that is above the peak of a GPU, with that peak.
    #[must_use]
    pub fn above(&self, peaks: &Peaks) -> Option<(&'static str, FlopRate, FlopRate)> {
        let wide = peaks.bf16.or(peaks.fp32);
        [
            ("gemm_bf16", Some(self.gemm_bf16), wide),
            ("gemm_fp8", self.gemm_fp8, peaks.fp8),
            ("gemm_fp4", self.gemm_fp4, peaks.fp4),
        ]
        .into_iter()
        .find_map(|(key, rate, peak)| {
            let (rate, peak) = (rate?, peak?);
            (rate > peak).then_some((key, rate, peak))
        })
    }
}
