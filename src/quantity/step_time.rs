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
        meaning: "time of one training step on the slowest GPU",
        formula: "compute + waiting for traffic + pipeline bubble + optimizer + CPU and launch + \
                  host link + waiting for the slowest GPU",
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
        inputs: &[
            "Σ kernels of the slowest stage",
            "model.layers",
            "model.hidden",
            "model.sequence",
            "training.micro_batch",
            "micro-batches m",
            "parallelism.tensor",
            "parallelism.pipeline",
            "parallelism.context",
            "training.precision",
            "training.recompute",
            "calibration.gemm_bf16",
            "calibration.elementwise_share as share of memory bandwidth, element-wise",
            "calibration.kernel_start",
            "gpu.memory_bandwidth",
        ],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.tensor",
        label: "waiting for tensor traffic",
        read: |source| exposed_amount(source, TrafficKind::Tensor),
        meaning: "tensor-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, TENSOR, OVERLAP],
        inputs: &[
            "parallelism.tensor",
            "traffic.bytes_by_kind.tensor as bytes of a step, all GPUs",
            "framework.overlap_tensor",
            "visible share of tensor",
            "time of a call",
        ],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.pipeline",
        label: "waiting for pipeline traffic",
        read: |source| exposed_amount(source, TrafficKind::Pipeline),
        meaning: "messages between stages that nothing hides",
        formula: "the step's pipeline with messages x − the same with x = 0",
        equations: &[COLLECTIVE_TIME, MESSAGES, ONE_F_ONE_B, INTERLEAVED],
        inputs: &[
            "parallelism.pipeline",
            "parallelism.interleave",
            "traffic.bytes_by_kind.pipeline as bytes of a step, all GPUs",
            "framework.overlap_pipeline",
            "calibration.message_start",
            "time of a call",
        ],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.data",
        label: "waiting for data traffic",
        read: |source| exposed_amount(source, TrafficKind::Data),
        meaning: "data-parallel communication that nothing hides",
        formula: "Σ calls of a step: T − min(T,W) + v·min(T,W), T a call's time, W the pass beside \
                   it",
        equations: &[COLLECTIVE_TIME, DATA, OVERLAP],
        inputs: &[
            "parallelism.data",
            "traffic.bytes_by_kind.data as bytes of a step, all GPUs",
            "framework.overlap_data",
            "visible share of data",
            "time of a call",
        ],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.context",
        label: "waiting for context traffic",
        read: |source| exposed_amount(source, TrafficKind::Context),
        meaning: "context-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, CONTEXT, OVERLAP],
        inputs: &[
            "parallelism.context",
            "traffic.bytes_by_kind.context as bytes of a step, all GPUs",
            "framework.overlap_context",
            "visible share of context",
            "time of a call",
        ],
        ..TIME
    },
    Quantity {
        key: "step.exposed_communication_s.expert",
        label: "waiting for expert traffic",
        read: |source| exposed_amount(source, TrafficKind::Expert),
        meaning: "expert-parallel communication that nothing hides",
        formula: "m · Σ calls of the slowest stage: T − min(T,W) + v·min(T,W), T a call's time, W \
                   the block beside it; T where it can't overlap",
        equations: &[COLLECTIVE_TIME, EXPERT, OVERLAP],
        inputs: &[
            "parallelism.expert",
            "traffic.bytes_by_kind.expert as bytes of a step, all GPUs",
            "framework.overlap_expert",
            "visible share of expert",
            "time of a call",
        ],
        ..TIME
    },
    Quantity {
        key: "step.bubble_s",
        label: "pipeline bubble",
        read: |source| time_amount(source.time?.bubble),
        meaning: "waiting for the pipeline to fill and drain, and for the fullest stage",
        formula: "T_sum − T_max, by the schedule less or m times as much; none of one stage",
        equations: &[ONE_F_ONE_B, INTERLEAVED, ZERO_BUBBLE, STAGES],
        inputs: &[
            "parallelism.schedule",
            "parallelism.pipeline",
            "parallelism.interleave",
            "micro-batches m",
            "through all stages T_sum",
            "on the slowest stage T_max",
            "its weight gradients W",
            "share of the largest of v chunks",
        ],
        ..TIME
    },
    Quantity {
        key: "step.optimizer_s",
        label: "optimizer",
        read: |source| time_amount(source.time?.optimizer),
        meaning: "the optimizer's pass over states, gradients and weights",
        formula: "bytes a parameter · parameters that the rank owns / reachable memory bandwidth",
        equations: &[OPTIMIZER],
        inputs: &[
            "link of offloaded states",
            "bytes that it moves",
            "parallelism.zero",
            "parallelism.data",
            "parallelism.context",
            "parallelism.tensor",
            "parallelism.pipeline",
            "gpu.memory_bandwidth",
            "calibration.elementwise_share",
        ],
        ..TIME
    },
    Quantity {
        key: "step.host_s",
        label: "CPU and launch",
        read: |source| time_amount(source.time?.host),
        meaning: "host time that no kernel hides",
        formula: "host time of a step + m · Σ parts of the slowest stage's layers: max(0, host − time \
                  on the GPU)",
        equations: &[HOST],
        inputs: &["micro-batches m", "calibration.host_step", "calibration.host_block"],
        ..TIME
    },
    Quantity {
        key: "step.host_link_s",
        label: "host link",
        read: |source| time_amount(source.time?.swap),
        meaning: "copies to and from the host that no pass hides",
        formula: "m · Σ passes of the slowest stage: max(0, bytes swapped / link − the pass)",
        equations: &[SWAP],
        inputs: &["micro-batches m", "node.host_link"],
        ..TIME
    },
    Quantity {
        key: "step.stragglers_s",
        label: "waiting for the slowest GPU",
        read: |source| time_amount(source.time?.stragglers),
        meaning: "the slowest of many GPUs, and the production factor where one is stated",
        formula: "other parts of the step · ((1 + j·log2(N/K)) · production factor − 1)",
        equations: &[STRAGGLERS],
        inputs: &[
            "other parts of the step",
            "calibration.jitter_per_doubling",
            "cluster.gpus",
            "node.gpus",
            "framework.production_factor",
        ],
        ..TIME
    },
];

fn exposed_amount(source: &FigureSource<'_>, kind: TrafficKind) -> Option<Amount> {
    time_amount(source.time?.exposed.time_of_kind(kind))
}
