//! `model.*`, `layout.*`, `cluster.*`.
//!
//! Figures: how the model is spread over the GPUs.

use super::row::Better::Neither;
use super::row::{
    CONTEXT, COUNT, DATA, EXPERT, FLAG, INTERLEAVED, LINKS, NUMBER, ONE_F_ONE_B, PARAMETERS,
    PLANES, Quantity, STATES, TENSOR, TIED, TOKEN_COST, TWO_TIERS, WORD, count_amount,
    number_amount, optional_row, word_amount,
};
use crate::parallel::Zero;
use crate::units::Amount;

pub(super) const LAYOUT_ROWS: &[Quantity] = &[
    Quantity {
        key: "layout.tensor",
        label: "tensor degree",
        read: |source| count_amount(source.layout?.tensor),
        meaning: "GPUs that share every matrix",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[TENSOR],
        inputs: &["parallelism.tensor"],
        ..COUNT
    },
    Quantity {
        key: "layout.pipeline",
        label: "pipeline stages",
        read: |source| count_amount(source.layout?.pipeline),
        meaning: "stages that the layers are cut into",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[ONE_F_ONE_B, TIED],
        inputs: &["parallelism.pipeline"],
        ..COUNT
    },
    Quantity {
        key: "layout.data",
        label: "replicas",
        read: |source| count_amount(source.layout?.data),
        meaning: "copies of the model",
        formula: "GPUs / (t · p · c): what the other degrees leave",
        equations: &[DATA],
        inputs: &[
            "cluster.gpus",
            "parallelism.tensor",
            "parallelism.pipeline",
            "parallelism.context",
        ],
        ..COUNT
    },
    Quantity {
        key: "layout.gpus_training",
        label: "GPUs that train",
        read: |source| count_amount(source.layout?.gpus()),
        meaning: "GPUs that the layout uses; those of the cluster beyond them are bought and stay idle",
        formula: "t · p · D_p · c",
        equations: &[STATES],
        inputs: &[
            "parallelism.tensor",
            "parallelism.pipeline",
            "layout.data",
            "parallelism.context",
        ],
        ..COUNT
    },
    Quantity {
        key: "layout.context",
        label: "context degree",
        read: |source| count_amount(source.layout?.context),
        meaning: "GPUs that share a sequence",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[CONTEXT],
        inputs: &["parallelism.context"],
        ..COUNT
    },
    Quantity {
        key: "layout.expert",
        label: "expert degree",
        read: |source| count_amount(source.layout?.expert),
        meaning: "GPUs that share the experts",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[EXPERT],
        inputs: &["parallelism.expert"],
        ..COUNT
    },
    Quantity {
        key: "layout.expert_tensor",
        label: "tensor degree of experts",
        read: |source| count_amount(source.layout?.expert_tensor),
        meaning: "GPUs that share every matrix of an expert",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[EXPERT],
        inputs: &["parallelism.expert_tensor"],
        ..COUNT
    },
    Quantity {
        key: "layout.interleave",
        label: "virtual stages",
        read: |source| count_amount(source.layout?.interleave),
        meaning: "virtual stages of a GPU",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[INTERLEAVED],
        inputs: &["parallelism.interleave"],
        ..COUNT
    },
    Quantity {
        key: "layout.micro_batch",
        label: "micro-batch",
        read: |source| count_amount(source.layout?.micro_batch),
        meaning: "sequences that a pipeline works on at a time",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[ONE_F_ONE_B],
        inputs: &["training.micro_batch"],
        ..COUNT
    },
    Quantity {
        key: "layout.micro_batches",
        label: "micro-batches",
        read: |source| count_amount(source.micro_batches?),
        meaning: "micro-batches of a pipeline in one step",
        formula: "G / (D_p · b)",
        equations: &[ONE_F_ONE_B],
        inputs: &["training.global_batch", "layout.data as replicas D_p", "training.micro_batch"],
        ..COUNT
    },
    Quantity {
        key: "layout.sequence_parallel",
        label: "sequence parallel",
        read: |source| Some(Amount::Flag(source.layout?.sequence_parallel)),
        meaning: "whether activations between matrices are shared out too",
        ..FLAG
    },
    Quantity {
        key: "layout.zero",
        label: "ZeRO stage",
        read: |source| count_amount(source.layout?.zero.stage_number()),
        meaning: "what replicas share out: 0 nothing, 1 optimizer states, 2 gradients too, 3 \
                   weights too",
        formula: "what the spec states; left open, that of the best layout that fits",
        equations: &[STATES],
        inputs: &["parallelism.zero"],
        ..COUNT
    },
    Quantity {
        key: "layout.shard",
        label: "replicas to a copy",
        read: |source| {
            source
                .layout
                .filter(|layout| layout.zero != Zero::None)
                .and_then(|layout| count_amount(layout.replicas_per_copy()))
        },
        meaning: "replicas that share one copy of what ZeRO shards; nothing with ZeRO 0",
        formula: "what the spec states; else all replicas",
        equations: &[STATES],
        inputs: &["parallelism.zero", "parallelism.shard"],
        ..COUNT
    },
    Quantity {
        key: "layout.recompute",
        label: "recomputation",
        read: |source| word_amount(source.layout?.recompute.name()),
        meaning: "what is computed again in the backward pass",
        ..WORD
    },
    Quantity {
        key: "layout.order",
        label: "order of ranks",
        read: |source| word_amount(source.layout?.order.to_string()),
        meaning: "order of the ranks, the innermost first",
        ..WORD
    },
    Quantity {
        key: "layout.schedule",
        label: "schedule",
        read: |source| word_amount(source.layout?.schedule.name()),
        meaning: "schedule of the pipeline",
        ..WORD
    },
];

pub(super) const MODEL_ROWS: &[Quantity] = &[
    Quantity {
        key: "model.name",
        label: "model",
        read: |source| word_amount(source.question?.models.join(" + ")),
        meaning: "name of the model; of several workloads those of all",
        ..optional_row(WORD)
    },
    Quantity {
        key: "model.run_tokens",
        label: "tokens of the run",
        read: |source| number_amount(source.question?.tokens?),
        meaning: "tokens of the whole run; not of several workloads",
        formula: "as stated",
        equations: &[TOKEN_COST],
        inputs: &["training.tokens"],
        ..optional_row(Quantity { better: Neither, ..NUMBER })
    },
    Quantity {
        key: "model.parameters",
        label: "parameters",
        nickname: "parameters",
        read: |source| count_amount(source.step?.parameters.total),
        meaning: "elements of the model; layers that predict further tokens are not counted",
        formula: "elements of all layers + tables · V · h + h",
        equations: &[PARAMETERS],
        inputs: &["elements of all layers", "model.tied_embeddings", "model.vocab", "model.hidden"],
        ..COUNT
    },
    Quantity {
        key: "model.active_parameters",
        label: "active parameters",
        read: |source| count_amount(source.step?.parameters.active),
        meaning: "elements that one token passes through: all but the experts that it does not visit",
        formula: "elements of all layers, with k experts in the place of E + tables · V · h + h",
        equations: &[PARAMETERS],
        inputs: &[
            "elements of active layers as elements of all layers",
            "model.tied_embeddings",
            "model.vocab",
            "model.hidden",
        ],
        ..COUNT
    },
    Quantity {
        key: "model.embedding_parameters",
        label: "parameters of the embedding",
        read: |source| count_amount(source.step?.parameters.embedding),
        meaning: "elements of the embedding and of the output layer, where it has a matrix of its \
                  own",
        formula: "tables · V · h",
        equations: &[PARAMETERS],
        inputs: &["model.tied_embeddings", "model.vocab", "model.hidden"],
        ..COUNT
    },
];

pub(super) const CLUSTER_ROWS: &[Quantity] = &[
    Quantity {
        key: "cluster.gpus",
        label: "GPUs",
        read: |source| count_amount(source.nodes?.gpus),
        meaning: "GPUs that the job runs on; machines are bought whole",
        formula: "what the spec states; left out, the product of the degrees",
        equations: &[STATES],
        inputs: &["cluster.gpus", "GPUs of the layout"],
        ..COUNT
    },
    Quantity {
        key: "cluster.node",
        label: "machine",
        read: |source| word_amount(source.nodes?.node.name.clone()),
        meaning: "machine: what is bought as one HB domain",
        ..WORD
    },
    Quantity {
        key: "cluster.hb_domain_size",
        label: "GPUs of an HB domain",
        read: |source| count_amount(source.nodes?.node.gpus),
        meaning: "GPUs that one machine joins by its own links",
        formula: "GPUs of the machine",
        equations: &[LINKS],
        inputs: &["node.gpus"],
        ..COUNT
    },
    Quantity {
        key: "cluster.hb_domains",
        label: "HB domains",
        read: |source| count_amount(source.nodes?.domains),
        meaning: "machines of this kind",
        formula: "the larger of ⌈N / K⌉ and ⌈GPUs of the layout / used GPUs of a domain⌉",
        equations: &[TWO_TIERS],
        inputs: &[
            "cluster.gpus",
            "node.gpus",
            "GPUs of the layout as ranks of the layout",
            "cluster.used_per_domain as used GPUs of a domain",
        ],
        ..COUNT
    },
    Quantity {
        key: "cluster.used_per_domain",
        label: "used GPUs of an HB domain",
        read: |source| count_amount(source.nodes?.used),
        meaning: "GPUs of a machine that have work; the others are idle",
        formula: "the most with which borders of domains cut all groups equally, or all: what is \
                  best",
        equations: &[TWO_TIERS],
        inputs: &["node.gpus"],
        ..COUNT
    },
    Quantity {
        key: "cluster.hb_inside.switches",
        label: "switch chips of an HB domain",
        read: |source| count_amount(source.hb_domain_insides()?.switches),
        meaning: "switch chips inside one HB domain; the machine's price has them",
        formula: "as the maker states it",
        equations: &[LINKS],
        inputs: &["node.hb_switches"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "cluster.hb_inside.links",
        label: "links of an HB domain",
        read: |source| count_amount(source.hb_domain_insides()?.links),
        meaning: "links inside one HB domain",
        formula: "as the maker states it",
        equations: &[LINKS],
        inputs: &["node.hb_links"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "cluster.hb_inside.all_switches",
        label: "switch chips of all HB domains",
        read: |source| count_amount(source.hb_domain_insides()?.all_switches),
        meaning: "switch chips inside all HB domains",
        formula: "HB domains · switch chips of one",
        equations: &[LINKS],
        inputs: &["HB domains M", "node.hb_switches"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "cluster.hb_inside.all_links",
        label: "links of all HB domains",
        read: |source| count_amount(source.hb_domain_insides()?.all_links),
        meaning: "links inside all HB domains",
        formula: "HB domains · links of one",
        equations: &[LINKS],
        inputs: &["HB domains M", "node.hb_links"],
        ..optional_row(COUNT)
    },
    Quantity {
        key: "cluster.rails",
        label: "rails",
        read: |source| count_amount(source.nodes?.node.nics),
        meaning: "NICs of an HB domain, a rail each",
        formula: "NICs of the machine",
        equations: &[TWO_TIERS],
        inputs: &["node.nics"],
        ..COUNT
    },
    Quantity {
        key: "cluster.nic",
        label: "NIC",
        read: |source| word_amount(source.nodes?.nic.name.clone()),
        meaning: "NIC",
        ..WORD
    },
    Quantity {
        key: "cluster.planes",
        label: "planes",
        read: |source| count_amount(source.fabric?.planes),
        meaning: "separate copies of the network",
        formula: "the number up to max_planes and the NIC's ports that costs least",
        equations: &[PLANES],
        inputs: &["fabric.planes"],
        ..COUNT
    },
];
