//! The constants of the step-time model, by name.

use super::context::Context;
use super::hardware::Shelf;
use crate::hardware::{Calibration, Peaks};
use crate::spec::document::Place;

/// The calibration of that name; `asked` is who wants it.
pub(super) fn calibration(
    shelf: &Shelf,
    context: &mut Context<'_>,
    name: &str,
    asked: Option<(String, Place)>,
) -> Option<Calibration> {
    let reader = shelf.calibrations.find(context, name, asked)?;
    Some(Calibration {
        name: name.to_owned(),
        gemm_bf16: reader.flop_rate("gemm_bf16")?,
        gemm_fp8: reader.flop_rate("gemm_fp8"),
        gemm_fp4: reader.flop_rate("gemm_fp4"),
        mxfp8_share: reader.number("mxfp8_share")?,
        roofline_exponent: reader.number("roofline_exponent"),
        gemm_tile: reader.count("gemm_tile")?,
        gemm_memory_share: reader.number("gemm_memory_share")?,
        elementwise_share: reader.number("elementwise_share")?,
        kernel_start: reader.seconds("kernel_start")?,
        kernel_start_fp8: reader.seconds("kernel_start_fp8")?,
        kernel_start_fp4: reader.seconds("kernel_start_fp4")?,
        attention_forward_share: reader.number("attention_forward_share")?,
        attention_backward_share: reader.number("attention_backward_share")?,
        attention_fp8_gain: reader.number("attention_fp8_gain")?,
        hb_share: reader.number("hb_share")?,
        nic_share: reader.number("nic_share")?,
        collective_skew: reader.seconds("collective_skew")?,
        collective_start: reader.seconds("collective_start")?,
        collective_hop_hb: reader.seconds("collective_hop_hb")?,
        collective_hop_nic: reader.seconds("collective_hop_nic")?,
        message_start: reader.seconds("message_start")?,
        jitter_per_doubling: reader.number("jitter_per_doubling")?,
        host_block: reader.seconds("host_block")?,
        host_overlapped_block: reader.seconds("host_overlapped_block")?,
        expert_start: reader.seconds("expert_start")?,
        tensor_overlap_visible: reader.number("tensor_overlap_visible")?,
        context_overlap_visible: reader.number("context_overlap_visible")?,
        expert_overlap_visible: reader.number("expert_overlap_visible")?,
        data_overlap_visible: reader.number("data_overlap_visible")?,
        sharding_overlap_visible: reader.number("sharding_overlap_visible")?,
        data_overlap_window: reader.number("data_overlap_window")?,
    })
}

/// The set of the generation nearest to a GPU of the user's own, by its number formats.
pub(super) const fn nearest_set(peaks: &Peaks) -> &'static str {
    match (peaks.fp4, peaks.fp8) {
        (Some(_), _) => "b200",
        (None, Some(_)) => "hopper",
        (None, None) => "ampere",
    }
}
