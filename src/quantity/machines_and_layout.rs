//! `model.*`, `layout.*`, `cluster.*`.
//!
//! Figures: how the model is spread over the GPUs.

use super::row::{
    CONTEXT, DATA, EXPERT, INTERLEAVED, LINKS, ONE_F_ONE_B, PARAMETERS, PLANES, Quantity, ROW,
    STATES, TENSOR, TIED, TWO_TIERS, count_amount, word_amount,
};
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

pub(super) const MODEL_ROWS: &[Quantity] = &[
    Quantity {
        key: "model.parameters",
        label: "parameters",
        nickname: "parameters",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.total),
        meaning: "elements of the model; layers that predict further tokens are not counted",
        formula: "elements of all layers + tables · V · h + h",
        equations: &[PARAMETERS],
        ..ROW
    },
    Quantity {
        key: "model.active_parameters",
        label: "active parameters",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.active),
        meaning: "elements that one token passes through: all but the experts that it does not visit",
        formula: "elements of all layers, with k experts in the place of E + tables · V · h + h",
        equations: &[PARAMETERS],
        ..ROW
    },
    Quantity {
        key: "model.embedding_parameters",
        label: "parameters of the embedding",
        unit: Unit::Count,
        read: |source| count_amount(source.step?.parameters.embedding),
        meaning: "elements of the embedding and of the LM head, where it has a matrix of its own",
        formula: "tables · V · h",
        equations: &[PARAMETERS],
        ..ROW
    },
];

pub(super) const CLUSTER_ROWS: &[Quantity] = &[
    Quantity {
        key: "cluster.gpus",
        label: "GPUs",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.gpus),
        meaning: "GPUs that the job runs on; machines are bought whole",
        formula: "what the spec states; left out, the product of the degrees",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "cluster.node",
        label: "product",
        unit: Unit::Word,
        read: |source| word_amount(source.nodes?.node.name.clone()),
        meaning: "product that is bought as one HB domain",
        ..ROW
    },
    Quantity {
        key: "cluster.hb_domain_size",
        label: "GPUs of an HB domain",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.node.gpus),
        meaning: "GPUs that one machine joins by its own links",
        formula: "GPUs of the product",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_domains",
        label: "HB domains",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.domains),
        meaning: "machines of the product",
        formula: "the larger of ⌈N / K⌉ and ⌈GPUs of the layout / used GPUs of a domain⌉",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.used_per_domain",
        label: "used GPUs of an HB domain",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.used),
        meaning: "GPUs of a machine that hold ranks; the others are idle",
        formula: "the most with which borders of domains cut all groups alike, or all: what is best",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.switches",
        label: "switch chips of an HB domain",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.switches),
        meaning: "switch chips inside one HB domain; the machine's price has them",
        formula: "as the maker states it",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.links",
        label: "links of an HB domain",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.links),
        meaning: "links inside one HB domain",
        formula: "as the maker states it",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.all_switches",
        label: "switch chips of all HB domains",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.all_switches),
        meaning: "switch chips inside all HB domains",
        formula: "HB domains · switch chips of one",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.hb_inside.all_links",
        label: "links of all HB domains",
        unit: Unit::Count,
        always: false,
        read: |source| count_amount(source.hb_domain_insides()?.all_links),
        meaning: "links inside all HB domains",
        formula: "HB domains · links of one",
        equations: &[LINKS],
        ..ROW
    },
    Quantity {
        key: "cluster.rails",
        label: "rails",
        unit: Unit::Count,
        read: |source| count_amount(source.nodes?.node.nics),
        meaning: "NICs of an HB domain, a rail each",
        formula: "NICs of the product",
        equations: &[TWO_TIERS],
        ..ROW
    },
    Quantity {
        key: "cluster.nic",
        label: "interface",
        unit: Unit::Word,
        read: |source| word_amount(source.nodes?.nic.name.clone()),
        meaning: "network interface",
        ..ROW
    },
    Quantity {
        key: "cluster.planes",
        label: "planes",
        unit: Unit::Count,
        read: |source| count_amount(source.fabric?.planes),
        meaning: "separate copies of the fabric",
        formula: "the number up to max_planes and the NIC's ports that costs least",
        equations: &[PLANES],
        ..ROW
    },
];
