//! Figures: how the model is spread over the GPUs.

use super::equation::{CONTEXT, DATA, EXPERT, INTERLEAVED, ONE_F_ONE_B, STATES, TENSOR, TIED};
use super::row::{Quantity, ROW};
use super::value::{count_amount, word_amount};
use crate::parallel::Zero;
use crate::units::{Amount, Unit};

pub(super) const LAYOUT_ROWS: &[Quantity] = &[
    Quantity {
        key: "layout.tensor",
        label: "tensor degree",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.tensor),
        meaning: "GPUs that share every matrix",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[TENSOR],
        ..ROW
    },
    Quantity {
        key: "layout.pipeline",
        label: "pipeline stages",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.pipeline),
        meaning: "stages that the layers are cut into",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[ONE_F_ONE_B, TIED],
        ..ROW
    },
    Quantity {
        key: "layout.data",
        label: "replicas",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.data),
        meaning: "copies of the model",
        formula: "GPUs / (t · p · c): what the other degrees leave",
        equations: &[DATA],
        ..ROW
    },
    Quantity {
        key: "layout.gpus_training",
        label: "GPUs that train",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.gpus()),
        meaning: "GPUs that the layout uses; those of the cluster beyond them are bought and stay idle",
        formula: "t · p · D_p · c",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "layout.context",
        label: "context degree",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.context),
        meaning: "GPUs that share a sequence",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[CONTEXT],
        ..ROW
    },
    Quantity {
        key: "layout.expert",
        label: "expert degree",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.expert),
        meaning: "GPUs that share the experts",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[EXPERT],
        ..ROW
    },
    Quantity {
        key: "layout.expert_tensor",
        label: "tensor degree of experts",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.expert_tensor),
        meaning: "GPUs that share every matrix of an expert",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[EXPERT],
        ..ROW
    },
    Quantity {
        key: "layout.interleave",
        label: "virtual stages",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.interleave),
        meaning: "virtual stages of a GPU",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[INTERLEAVED],
        ..ROW
    },
    Quantity {
        key: "layout.micro_batch",
        label: "micro-batch",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.micro_batch),
        meaning: "sequences that a pipeline works on at a time",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[ONE_F_ONE_B],
        ..ROW
    },
    Quantity {
        key: "layout.micro_batches",
        label: "micro-batches",
        unit: Unit::Count,
        read: |source| count_amount(source.micro_batches?),
        meaning: "micro-batches of a pipeline in one step",
        formula: "G / (D_p · b)",
        equations: &[ONE_F_ONE_B],
        ..ROW
    },
    Quantity {
        key: "layout.sequence_parallel",
        label: "sequence parallel",
        unit: Unit::Flag,
        read: |source| Some(Amount::Flag(source.layout?.sequence_parallel)),
        meaning: "whether activations between matrices are shared out too",
        ..ROW
    },
    Quantity {
        key: "layout.zero",
        label: "ZeRO stage",
        unit: Unit::Count,
        read: |source| count_amount(source.layout?.zero.stage_number()),
        meaning: "what replicas share out: 0 nothing, 1 optimizer states, 2 gradients too, 3 \
                   weights too",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "layout.shard",
        label: "replicas to a copy",
        unit: Unit::Count,
        read: |source| {
            source
                .layout
                .filter(|layout| layout.zero != Zero::None)
                .and_then(|layout| count_amount(layout.replicas_per_copy()))
        },
        meaning: "replicas that share one copy of what ZeRO shards; nothing with ZeRO 0",
        formula: "what the spec states; else all replicas",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "layout.recompute",
        label: "recomputation",
        unit: Unit::Word,
        read: |source| word_amount(source.layout?.recompute.name()),
        meaning: "what is computed again in the backward pass",
        ..ROW
    },
    Quantity {
        key: "layout.order",
        label: "order of ranks",
        unit: Unit::Word,
        read: |source| word_amount(source.layout?.order.to_string()),
        meaning: "order of the ranks, the innermost first",
        ..ROW
    },
    Quantity {
        key: "layout.schedule",
        label: "schedule",
        unit: Unit::Word,
        read: |source| word_amount(source.layout?.schedule.name()),
        meaning: "schedule of the pipeline",
        ..ROW
    },
];
