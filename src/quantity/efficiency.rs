//! Figures: what follows from the time of a step.

use super::row::Better::{Higher, Lower};
use super::row::{
    COLLECTIVE_TIME, COUNT, ERROR_BAND, EXPERT_LOAD, MODEL_FLOPS, NUMBER, OVERLAP, PHASES,
    Quantity, ROW, SCORES, SHARE, STAGES, TIME, UTILISATION, WORD, count_amount, number_amount,
    optional_row, share_amount, time_amount, word_amount,
};
use crate::units::{Amount, Unit};

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "step.interfaces_busy_s",
        label: "NICs busy",
        read: |source| time_amount(source.step?.time.interfaces_busy),
        meaning: "how long the GPU's share of its domain's NICs is busy, beside other work or not; \
                  no part of the step's sum",
        formula: "m · (Σ calls of a micro-batch + messages between stages) + Σ calls once a step, \
                  each its bytes to other domains / reachable rate of the NICs that a rank has \
                  while all ranks of its domain send",
        equations: &[OVERLAP, COLLECTIVE_TIME],
        inputs: &["micro-batches m", "nic.bandwidth", "node.gpus", "calibration.nic_share"],
        ..TIME
    },
    Quantity {
        key: "step.pace_s",
        label: "step over all phases",
        nickname: "pace",
        read: |source| time_amount(source.step?.pace),
        meaning: "time of a run with phases over the steps that it would have without them; the step time \
                   where a run has none",
        formula: "Σ over phases: share of the steps · step time",
        equations: &[PHASES],
        inputs: &["steps of phases"],
        ..TIME
    },
    Quantity {
        key: "step.slowdown",
        label: "slowdown",
        read: |source| number_amount(source.step?.slowdown),
        meaning: "step over all phases, over that of the same machines on a full-bisection Clos in \
                  the fastest layout, rank order and placement that are open",
        formula: "mean step time / least with ρ = σ = 1",
        equations: &[STAGES, COLLECTIVE_TIME],
        inputs: &[
            "mean step time",
            "least step time on a full-bisection Clos",
            "least mean step time on a full-bisection Clos",
        ],
        ..NUMBER
    },
    Quantity {
        key: "step.expert_load",
        label: "expert load",
        read: |source| number_amount(source.step?.experts?.fullest),
        meaning: "tokens of the fullest rank with experts over the mean of these ranks",
        formula: "largest sum of the loads of a rank's experts / mean sum",
        equations: &[EXPERT_LOAD],
        ..optional_row(NUMBER)
    },
    Quantity {
        key: "step.even_experts_time_s",
        label: "step with even expert loads",
        read: |source| time_amount(source.step?.experts?.even),
        meaning: "time of a step whose ranks with experts all receive the mean of the tokens",
        formula: "step time where the fullest rank has the mean",
        equations: &[EXPERT_LOAD, STAGES],
        ..optional_row(TIME)
    },
    Quantity {
        key: "step.error_band",
        label: "error band",
        better: Lower,
        read: |source| share_amount(source.step?.interval.max_deviation_share()),
        meaning: "share by which 80 of 100 measured steps are at most longer or shorter",
        formula: "the farther end of the interval: quantiles of measured over predicted time, of \
                  steps of this kind by constants that had not seen their source; wider where \
                  settings are a guess or no such step was measured",
        equations: &[ERROR_BAND],
        inputs: &["step.time_s"],
        ..SHARE
    },
    Quantity {
        key: "step.range_rows",
        label: "measured steps",
        read: |source| count_amount(source.step?.interval.rows as u64),
        meaning: "measured steps that the range of the step time is from",
        formula: "rows of the narrowest group around the step that has ten, else of its kind of model",
        equations: &[ERROR_BAND],
        ..COUNT
    },
    Quantity {
        key: "step.range_group",
        label: "what measured steps share",
        read: |source| word_amount(source.step?.interval.group.name()),
        meaning: "what those steps have in common with it besides the kind of model: stack, gpu, \
                   generation or model",
        ..WORD
    },
    Quantity {
        key: "step.low_time_s",
        label: "step, low",
        read: |source| time_amount(source.step?.time.total_time() * source.step?.interval.low),
        meaning: "of 100 measured steps of this kind, 10 are shorter",
        formula: "predicted · share of the interval's low end",
        equations: &[ERROR_BAND],
        inputs: &["step.time_s as predicted step time", "low end"],
        ..TIME
    },
    Quantity {
        key: "step.high_time_s",
        label: "step, high",
        read: |source| time_amount(source.step?.time.total_time() * source.step?.interval.high),
        meaning: "of 100 measured steps of this kind, 10 are longer",
        formula: "predicted · share of the interval's high end",
        equations: &[ERROR_BAND],
        inputs: &["step.time_s as predicted step time", "high end"],
        ..TIME
    },
    Quantity {
        key: "step.mfu",
        label: "MFU",
        better: Higher,
        most: Some(1.0),
        read: |source| share_amount(source.step?.mfu),
        meaning: "share of peak that the model's FLOPs reach",
        formula: "model FLOPs / (step time · N · peak)",
        equations: &[UTILISATION, MODEL_FLOPS],
        inputs: &["step.model_flop", "step.time_s", "cluster.gpus", "peak of a GPU"],
        ..SHARE
    },
    Quantity {
        key: "step.hfu",
        label: "HFU",
        better: Higher,
        most: Some(1.0),
        read: |source| share_amount(source.step?.hfu),
        meaning: "share of peak that all FLOPs reach, recomputation included",
        formula: "hardware FLOPs / (step time · N · peak)",
        equations: &[UTILISATION],
        inputs: &["step.hardware_flop", "step.time_s", "cluster.gpus", "peak of a GPU"],
        ..SHARE
    },
    Quantity {
        key: "step.tokens",
        label: "tokens of a step",
        read: |source| count_amount(source.step?.tokens),
        meaning: "tokens of one global batch",
        formula: "G · s",
        equations: &[MODEL_FLOPS],
        inputs: &["training.global_batch", "model.sequence"],
        ..COUNT
    },
    Quantity {
        key: "step.tokens_per_s_per_gpu",
        label: "tokens per second and GPU",
        unit: Unit::TokenRate,
        better: Higher,
        read: |source| Some(Amount::TokenRate(source.step?.tokens_per_gpu_second)),
        meaning: "tokens per second and GPU",
        formula: "tokens of a step / (step time · N)",
        equations: &[UTILISATION],
        inputs: &["step.tokens", "step.time_s", "cluster.gpus"],
        ..ROW
    },
    Quantity {
        key: "step.model_tflops_per_gpu",
        label: "model TFLOP/s of a GPU",
        unit: Unit::Rate,
        better: Higher,
        read: |source| Some(Amount::Rate(source.step?.model_rate(source.nodes?.gpus))),
        meaning: "model work per second and GPU",
        formula: "model FLOPs / (step time · N)",
        equations: &[UTILISATION, MODEL_FLOPS],
        inputs: &["step.model_flop", "step.time_s", "cluster.gpus"],
        ..ROW
    },
    Quantity {
        key: "step.model_flop",
        label: "model FLOPs",
        unit: Unit::Work,
        read: |source| Some(Amount::Work(source.step?.model_flops)),
        meaning: "FLOPs that the model needs for one step, recomputation left out",
        formula: "3 · G·s · (2 · matrix elements that a token meets + FLOPs of attention scores)",
        equations: &[MODEL_FLOPS, SCORES],
        inputs: &[
            "training.global_batch",
            "model.sequence",
            "matrix elements that a token meets",
            "FLOPs of attention scores of a token, forward",
            "model.layers",
            "framework.causal_attention",
            "FLOPs of scans of a token, forward",
        ],
        ..ROW
    },
    Quantity {
        key: "step.hardware_flop",
        label: "hardware FLOPs",
        unit: Unit::Work,
        read: |source| Some(Amount::Work(source.step?.hardware_flops)),
        meaning: "FLOPs that are computed in one step, recomputation included",
        formula: "model FLOPs · (1 + recomputed FLOPs / FLOPs of the forward and backward kernels)",
        equations: &[UTILISATION],
        inputs: &[
            "training.recompute",
            "step.model_flop",
            "recomputed FLOPs / FLOPs of the forward and backward kernels",
        ],
        ..ROW
    },
];
