//! `Peaks` (published rates of a GPU), `Calibration` (constants of the step-time model).

use crate::keys::{DATE, Kind, NOTE, SOURCE, key, table};
use crate::units::{FlopRate, Seconds};
use crate::workload::Precision;

/// Shares of a time, and gains; either may be above 1.
const SHARE: Kind = Kind::Number { min: 0.0, max: 10.0 };
/// Shares of a peak rate, which nothing exceeds.
const PEAK: Kind = Kind::Number { min: 0.0, max: 1.0 };

table! {
    /// What a GPU generation achieves of its peaks, and what its calls cost.
    ///
    /// Every constant has a physical meaning and one value per generation; none belongs to a
    /// single measured row. `presets/calibrations.toml` states origin and fitting set of each.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Calibration, "what a GPU generation achieves of its peaks, and what its calls cost" {
        /// Rate of large matrix multiplications, 16-bit.
        gemm_bf16: FlopRate, "rate of large matrix multiplications, 16 bits".required;
        /// Rate of large matrix multiplications, 8-bit with a scale per tensor; `None` where the
        /// GPU lacks them.
        gemm_fp8: Option<FlopRate>,
            "rate of large matrix multiplications, 8 bits, a scale per tensor" or "not supported";
        /// Rate of large matrix multiplications, 4-bit; `None` where the GPU lacks them.
        gemm_fp4: Option<FlopRate>, "rate of large matrix multiplications, 4 \
                                     bits" or "not supported";
        /// Rate with a scale per block of 32 over the rate with a scale per tensor, 8-bit.
        mxfp8_share: f64, in PEAK,
            "8-bit rate with a scale per block of 32 over that with one per tensor".required;
        /// Exponent p of the roofline (compute^p + memory^p)^(1/p); `None` is the maximum.
        roofline_exponent: Option<f64>, in Kind::Number { min: 1.0, max: 100.0 },
            "exponent p of (compute^p + memory^p)^(1/p)" or "the larger of both";
        /// Rows and columns of a matrix multiplication are rounded up to a multiple of this.
        gemm_tile: u64, in Kind::Count { min: 1, max: 4096 },
            "rows and columns round up to a multiple of this".required;
        /// Share of memory bandwidth that the operands of matrix multiplications see.
        gemm_memory_share: f64, in PEAK, "share of memory bandwidth that GEMM operands \
                                          see".required;
        /// Share of memory bandwidth that element-wise kernels see.
        elementwise_share: f64, in PEAK,
            "share of memory bandwidth that element-wise kernels see".required;
        kernel_start: Seconds, "start of a kernel".required;
        /// Start of an 8-bit matrix multiplication with its scaling kernels.
        kernel_start_fp8: Seconds, "start of an 8-bit GEMM with its scaling kernels".required;
        /// Start of a 4-bit matrix multiplication with its scaling kernels.
        kernel_start_fp4: Seconds, "start of a 4-bit GEMM with its scaling kernels".required;
        /// Share of the 16-bit peak that fused attention reaches forward over long sequences.
        attention_forward_share: f64, in PEAK,
            "share of the 16-bit peak that attention reaches forward".required;
        /// Share of the 16-bit peak that fused attention reaches backward over long sequences.
        attention_backward_share: f64, in PEAK,
            "share of the 16-bit peak that attention reaches backward".required;
        /// Sequence over which causal attention reaches half of that rate forward.
        attention_forward_half_length: f64 = 0.0, in Kind::Number { min: 0.0, max: 1e6 },
            "tokens of a sequence over which attention reaches half of that forward";
        /// Sequence over which causal attention reaches half of that rate backward.
        attention_backward_half_length: f64 = 0.0, in Kind::Number { min: 0.0, max: 1e6 },
            "tokens of a sequence over which attention reaches half of that backward";
        /// Rate of fused attention with heads 64 wide over that with heads 128 wide.
        narrow_head_share: f64 = 0.5, in PEAK,
            "rate of attention with heads 64 wide over that with heads 128 wide";
        /// Rate of fused attention by kernels that were written for an earlier generation, over its
        /// rate by those of its own.
        earlier_attention_share: f64 = 1.0, in PEAK,
            "rate of attention kernels of an earlier generation over that of its own";
        /// Rate of fused attention by the kernels of the first FlashAttention or of its Triton
        /// edition, over its rate by those of its own.
        first_attention_share: f64 = 0.42, in PEAK,
            "rate of the first FlashAttention's kernels over that of the generation's own";
        /// Rate of fused attention in 8 bits over its rate in 16.
        attention_fp8_gain: f64, in SHARE, "rate of attention in 8 bits over 16".required;
        /// Batched products whose rows do not start at multiples of 16 bytes, over the rate of
        /// others: what scores of odd heads lose.
        unaligned_rate: f64 = 1.0, in SHARE,
            "rate of batched products whose rows do not start at multiples of 16 bytes, over that of \
             others";
        /// Share of the 16-bit peak that scans of recurrent layers reach (Mamba-2, gated delta
        /// rule).
        scan_share: f64 = 0.0134, in PEAK,
            "share of the 16-bit peak that scans of recurrent layers reach";
        /// Share of the HB line rate that collectives reach.
        hb_share: f64, in SHARE, "share of the HB line rate that collectives reach".required;
        /// Share of the NIC line rate that collectives reach.
        nic_share: f64, in PEAK, "share of the NIC line rate that collectives reach".required;
        /// Wait for the slowest rank in each pass of a collective inside a block.
        collective_skew: Seconds, "wait for the slowest rank, per pass".required;
        /// Start of one pass of a collective; an all-reduce is two passes.
        collective_start: Seconds,
            "start of one pass of a collective that NCCL's cost model does not time".required;
        /// Cost per pass of each rank of a collective inside a domain.
        collective_hop_hb: Seconds,
            "of such a collective: cost per pass of each rank inside a domain".required;
        /// Cost per pass of each domain that a collective spans.
        collective_hop_nic: Seconds,
            "of such a collective: cost per pass of each domain spanned".required;
        /// Cost of a point-to-point call.
        message_start: Seconds, "cost of a point-to-point call".required;
        /// Slowdown per doubling of the GPUs beyond one domain: the slowest sets the pace.
        jitter_per_doubling: f64, in SHARE,
            "slowdown per doubling of the GPUs beyond one domain".required;
        /// Host time of a step besides its layers, CUDA graphs or not: norm of the gradients,
        /// clipping, start of the optimizer, data.
        host_step: Seconds = "10 ms",
            "host time of a step besides its layers: norm and clipping of gradients, start of the \
             optimizer, data";
        /// Host time of a part of a layer outside a CUDA graph, forward and backward.
        host_block: Seconds, "host time of a part of a layer outside a CUDA graph".required;
        /// Host time of a part with experts outside a CUDA graph, of a router and the two matrix
        /// multiplications of experts: their counts of tokens are waited for. A third of it for
        /// each further multiplication, of shared experts or a latent width. `None`: that of any
        /// part.
        host_experts: Option<Seconds>,
            "host time of router and experts outside a CUDA graph; a third more for each further \
             GEMM"
            or "that of any part";
        /// Host time of a layer with overlapped all-to-all outside a CUDA graph.
        host_overlapped_block: Seconds, "host time of a layer with overlapped all-to-all".required;
        /// Start of the kernels of one local expert.
        expert_start: Seconds, "start of the kernels of one local expert".required;
        /// Visible share of tensor-parallel communication that runs beside compute.
        tensor_overlap_visible: f64, in SHARE,
            "visible share of overlapped tensor-parallel traffic".required;
        /// Visible share of context-parallel communication that runs beside compute.
        context_overlap_visible: f64, in SHARE,
            "visible share of overlapped context-parallel traffic".required;
        /// Visible share of an overlapped all-to-all.
        expert_overlap_visible: f64, in SHARE, "visible share of an overlapped all-to-all".required;
        /// Visible share of data-parallel communication that runs beside compute.
        data_overlap_visible: f64, in SHARE,
            "visible share of overlapped data-parallel traffic".required;
        /// Visible share of gathering and scattering fully sharded parameters beside compute.
        sharding_overlap_visible: f64, in SHARE, "visible share of overlapped ZeRO-3 \
                                                  traffic".required;
        /// Share of a pass beside which data-parallel communication can run.
        data_overlap_window: f64, in SHARE,
            "share of a pass beside which data-parallel traffic runs".required;
    } besides {
        name: String,
        /// GPU that it was measured on; `None` where it says none.
        measured_on: Option<String>,
        /// GPU whose shares of peak the rates are, times the peaks of another GPU of which no step
        /// was measured: an assumption. `None` where the rates are stated for the GPU itself.
        shares_of: Option<String>,
    }
    first [
        key(
            "gpu",
            Kind::Name,
            "GPU that it was measured on: of another one, its shares of peak are taken",
        )
        .with_default_words("the rates hold as they stand"),
    ]
    last [SOURCE, DATE, NOTE]
}

impl Calibration {
    /// These constants on another GPU, of which nothing was measured: each rate is the share of
    /// its `own` peak that the GPU with the `measured` peaks reaches of its.
    ///
    /// A format that either of them lacks has no rate of its own. Without a 16-bit peak, the
    /// 32-bit one is what the share is taken of.
    #[must_use]
    pub fn scale_to_gpu(self, own: &Peaks, measured: &Peaks, name: &str) -> Self {
        let wide = |peaks: &Peaks| peaks.bf16.or(peaks.fp32);
        let shared =
            |rate: Option<FlopRate>, given_rate: Option<FlopRate>, own: Option<FlopRate>| {
                Some(rate? * (own? / given_rate?))
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

    /// Multiplications at that share of their rate.
    pub(crate) fn slow_multiplications(&mut self, share: f64) {
        let rates = [Some(&mut self.gemm_bf16), self.gemm_fp8.as_mut(), self.gemm_fp4.as_mut()];
        for rate in rates.into_iter().flatten() {
            *rate = *rate * share;
        }
    }

    /// It is of one product, and not of all of a generation.
    #[must_use]
    pub fn is_of_one_gpu(&self) -> bool {
        self.measured_on.as_ref() == Some(&self.name)
    }

    /// The first rate that is above the peak of a GPU, with that peak.
    #[must_use]
    pub fn rate_above_peak(&self, peaks: &Peaks) -> Option<(&'static str, FlopRate, FlopRate)> {
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

table! {
    /// Dense peak rates per number format; `None` where the GPU lacks it.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Peaks, "dense peak rates by number format" {
        /// 32-bit floats (on tensor cores where it has them).
        fp32: Option<FlopRate> as "peak_fp32", "dense peak, 32 bits" or "not supported";
        /// 16-bit floats of either kind.
        bf16: Option<FlopRate> as "peak_bf16", "dense peak, 16 bits" or "not supported";
        /// 8-bit floats.
        fp8: Option<FlopRate> as "peak_fp8", "dense peak, 8 bits" or "not supported";
        /// 4-bit floats.
        fp4: Option<FlopRate> as "peak_fp4", "dense peak, 4 bits" or "not supported";
    }
}

impl Peaks {
    /// Peak of a number format; `None` where the GPU lacks it.
    #[must_use]
    pub const fn peak_of_precision(&self, precision: Precision) -> Option<FlopRate> {
        match precision {
            Precision::Fp32 => self.fp32,
            Precision::Fp16 | Precision::Bf16 => self.bf16,
            Precision::Fp8 | Precision::Mxfp8 => self.fp8,
            Precision::Nvfp4 => self.fp4,
        }
    }
}
