//! Keys of a calibration: the constants of the step-time model, one set per GPU generation.

use super::job::{DATE, NOTE, SOURCE};
use super::{Kind, Section, Unit, key};

const FLOP_RATE: Kind = Kind::Quantity(Unit::FlopRate);
const TIME: Kind = Kind::Quantity(Unit::Time);
/// Shares of a time, and gains; either may be above 1.
const SHARE: Kind = Kind::Number { min: 0.0, max: 10.0 };
/// Shares of a peak rate, which nothing exceeds.
const PEAK: Kind = Kind::Number { min: 0.0, max: 1.0 };

/// `[hardware.calibrations.NAME]`.
pub(crate) const CALIBRATION: Section = Section {
    doc: "what a GPU generation achieves of its peaks, and what its calls cost",
    keys: &[
        key(
            "gpu",
            Kind::Name,
            "GPU that it was measured on: of another one, its shares of peak are taken",
        )
        .or("the rates hold as they stand"),
        key("gemm_bf16", FLOP_RATE, "rate of large matrix multiplications, 16 bits").required(),
        key(
            "gemm_fp8",
            FLOP_RATE,
            "rate of large matrix multiplications, 8 bits, a scale per tensor",
        )
        .or("not supported"),
        key("gemm_fp4", FLOP_RATE, "rate of large matrix multiplications, 4 bits")
            .or("not supported"),
        key(
            "mxfp8_share",
            PEAK,
            "8-bit rate with a scale per block of 32 over that with one per tensor",
        )
        .required(),
        key(
            "roofline_exponent",
            Kind::Number { min: 1.0, max: 100.0 },
            "exponent p of (compute^p + memory^p)^(1/p)",
        )
        .or("the larger of both"),
        key(
            "gemm_tile",
            Kind::Count { min: 1, max: 4096 },
            "rows and columns round up to a multiple of this",
        )
        .required(),
        key("gemm_memory_share", PEAK, "share of memory bandwidth that GEMM operands see")
            .required(),
        key("elementwise_share", PEAK, "share of memory bandwidth that element-wise kernels see")
            .required(),
        key("kernel_start", TIME, "start of a kernel").required(),
        key("kernel_start_fp8", TIME, "start of an 8-bit GEMM with its scaling kernels").required(),
        key("kernel_start_fp4", TIME, "start of a 4-bit GEMM with its scaling kernels").required(),
        key(
            "attention_forward_share",
            PEAK,
            "share of the 16-bit peak that attention reaches forward",
        )
        .required(),
        key(
            "attention_backward_share",
            PEAK,
            "share of the 16-bit peak that attention reaches backward",
        )
        .required(),
        key("attention_fp8_gain", SHARE, "rate of attention in 8 bits over 16").required(),
        key("hb_share", SHARE, "share of the HB line rate that collectives reach").required(),
        key("nic_share", PEAK, "share of the NIC line rate that collectives reach").required(),
        key("collective_skew", TIME, "wait for the slowest rank, per pass").required(),
        key("collective_start", TIME, "start of one pass of a collective").required(),
        key("collective_hop_hb", TIME, "cost per pass of each rank inside a domain").required(),
        key("collective_hop_nic", TIME, "cost per pass of each domain spanned").required(),
        key("message_start", TIME, "cost of a point-to-point call").required(),
        key("jitter_per_doubling", SHARE, "slowdown per doubling of the GPUs beyond one domain")
            .required(),
        key("host_block", TIME, "host time of a part of a layer outside a CUDA graph").required(),
        key("host_overlapped_block", TIME, "host time of a layer with overlapped all-to-all")
            .required(),
        key("expert_start", TIME, "start of the kernels of one local expert").required(),
        key("tensor_overlap_visible", SHARE, "visible share of overlapped tensor-parallel traffic")
            .required(),
        key(
            "context_overlap_visible",
            SHARE,
            "visible share of overlapped context-parallel traffic",
        )
        .required(),
        key("expert_overlap_visible", SHARE, "visible share of an overlapped all-to-all")
            .required(),
        key("data_overlap_visible", SHARE, "visible share of overlapped data-parallel traffic")
            .required(),
        key("sharding_overlap_visible", SHARE, "visible share of overlapped ZeRO-3 traffic")
            .required(),
        key(
            "data_overlap_window",
            SHARE,
            "share of a pass beside which data-parallel traffic runs",
        )
        .required(),
        SOURCE,
        DATE,
        NOTE,
    ],
};
