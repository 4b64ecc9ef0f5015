//! Figures: time of a step and its parts.

use super::FigureSource;
use super::row::{
    COLLECTIVE_TIME, CONTEXT, DATA, EXPERT, HOST, INTERLEAVED, MEMORY_BOUND, MESSAGES, ONE_F_ONE_B,
    OPTIMIZER, OVERLAP, Quantity, ROOFLINE, SCORES, STAGES, STRAGGLERS, SWAP, TENSOR, TIME,
    ZERO_BUBBLE, time_amount,
};
use crate::step::TrafficKind;
use crate::units::Amount;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "step.time_s",
        label: "step",
        nickname: "step_time",
        compared: true,
        read: |source| time_amount(source.time?.total_time()),
        meaning: "time of one training step on the GPU that sets the pace",
        formula: "compute + exposed communication + bubble + optimizer + host + host link + \
                   stragglers",
        equations: &[STAGES, ONE_F_ONE_B, INTERLEAVED],
        parts: &[
            "step.compute_s",
            "step.exposed_communication_s.tensor",
            "step.exposed_communication_s.pipeline",
            "step.exposed_communication_s.data",
            "step.exposed_communication_s.context",
            "step.exposed_communication_s.expert",
            "step.bubble_s",
            "step.optimizer_s",
            "step.host_s",
            "step.host_link_s",
            "step.stragglers_s",
        ],
        ..TIME
    },
    Quantity {
        key: "step.compute_s",
        label: "compute",
        read: |source| time_amount(source.time?.compute),
        meaning: "matrix multiplications, attention and memory-bound work",
        formula: "m · Σ kernels of the slowest stage: max(FLOPs/rate, bytes/bandwidth) + start, or \
                   its smooth form",
        equations: &[ROOFLINE, MEMORY_BOUND, SCORES],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.tensor",
        label: "exposed tensor communication",
        read: |source| exposed_amount(source, TrafficKind::Tensor),
        meaning: "tensor-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, TENSOR, OVERLAP],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.pipeline",
        label: "exposed pipeline communication",
        read: |source| exposed_amount(source, TrafficKind::Pipeline),
        meaning: "messages between stages that nothing hides",
        formula: "the step's pipeline with messages x − the same with x = 0",
        equations: &[COLLECTIVE_TIME, MESSAGES, ONE_F_ONE_B, INTERLEAVED],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.data",
        label: "exposed data communication",
        read: |source| exposed_amount(source, TrafficKind::Data),
        meaning: "data-parallel communication that nothing hides",
        formula: "Σ calls of a step: T − min(T,W) + v·min(T,W), T a call's time, W the pass beside \
                   it",
        equations: &[COLLECTIVE_TIME, DATA, OVERLAP],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.context",
        label: "exposed context communication",
        read: |source| exposed_amount(source, TrafficKind::Context),
        meaning: "context-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, CONTEXT, OVERLAP],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.expert",
        label: "exposed expert communication",
        read: |source| exposed_amount(source, TrafficKind::Expert),
        meaning: "expert-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, EXPERT, OVERLAP],
        ..TIME
    },
    Quantity {
        key: "step.bubble_s",
        label: "bubble",
        read: |source| time_amount(source.time?.bubble),
        meaning: "waiting for the pipeline to fill and drain, and for the fullest stage",
        formula: "T_sum − T_max, by the schedule less or m times as much; none of one stage",
        equations: &[ONE_F_ONE_B, INTERLEAVED, ZERO_BUBBLE, STAGES],
        ..TIME
    },
    Quantity {
        key: "step.optimizer_s",
        label: "optimizer",
        read: |source| time_amount(source.time?.optimizer),
        meaning: "the optimizer's pass over states, gradients and weights",
        formula: "bytes a parameter · parameters that the rank owns / reachable memory bandwidth",
        equations: &[OPTIMIZER],
        ..TIME
    },
    Quantity {
        key: "step.host_s",
        label: "host",
        read: |source| time_amount(source.time?.host),
        meaning: "host time that no kernel hides",
        formula: "m · Σ parts of the slowest stage's layers: max(0, host − time on the GPU)",
        equations: &[HOST],
        ..TIME
    },
    Quantity {
        key: "step.host_link_s",
        label: "host link",
        read: |source| time_amount(source.time?.swap),
        meaning: "copies to and from the host that no pass hides",
        formula: "m · Σ passes of the slowest stage: max(0, bytes swapped / link − the pass)",
        equations: &[SWAP],
        ..TIME
    },
    Quantity {
        key: "step.stragglers_s",
        label: "stragglers",
        read: |source| time_amount(source.time?.stragglers),
        meaning: "the slowest of many GPUs, and the production factor where one is stated",
        formula: "other parts of the step · ((1 + j·log2(N/K)) · production factor − 1)",
        equations: &[STRAGGLERS],
        ..TIME
    },
];

fn exposed_amount(source: &FigureSource<'_>, kind: TrafficKind) -> Option<Amount> {
    time_amount(source.time?.exposed.time_of_kind(kind))
}
