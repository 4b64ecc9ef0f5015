//! Figures: who sends how much in a step.

use super::FigureSource;
use super::row::{
    COLLECTIVES, CONTEXT, COUNT, DATA, EXPERT, HIERARCHICAL, MESSAGES, Quantity, SHARE, TENSOR,
    TIED, VOLUME, count_amount, share_amount, volume_amount,
};
use crate::parallel::placement::Locality;
use crate::step::TrafficKind;
use crate::units::Amount;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "traffic.total_bytes",
        label: "traffic",
        read: |source| volume_amount(source.traffic?.total),
        meaning: "bytes that all GPUs send in one step",
        formula: "sum over the kinds of parallelism",
        equations: &[TENSOR, MESSAGES, DATA, EXPERT, CONTEXT],
        parts: &[
            "traffic.bytes_by_kind.tensor",
            "traffic.bytes_by_kind.pipeline",
            "traffic.bytes_by_kind.data",
            "traffic.bytes_by_kind.context",
            "traffic.bytes_by_kind.expert",
        ],
        ..VOLUME
    },
    Quantity {
        key: "traffic.pairs",
        label: "pairs",
        read: |source| count_amount(source.traffic?.pairs),
        meaning: "ordered pairs of different GPUs",
        formula: "N · (N − 1)",
        equations: &[HIERARCHICAL],
        inputs: &["cluster.gpus"],
        ..COUNT
    },
    Quantity {
        key: "traffic.idle_pairs",
        label: "idle pairs",
        read: |source| count_amount(source.traffic?.idle_pairs),
        meaning: "ordered pairs that exchange nothing in a step",
        formula: "pairs − pairs that at least one communication of the step joins",
        equations: &[HIERARCHICAL],
        inputs: &["traffic.pairs", "degrees"],
        ..COUNT
    },
    Quantity {
        key: "traffic.idle_pair_share",
        label: "share of idle pairs",
        most: Some(1.0),
        read: |source| share_amount(source.traffic?.idle_share()),
        meaning: "share of the pairs that exchange nothing",
        formula: "idle pairs / pairs",
        equations: &[HIERARCHICAL],
        inputs: &["traffic.idle_pairs", "traffic.pairs"],
        ..SHARE
    },
    Quantity {
        key: "traffic.bytes_by_kind.tensor",
        label: "tensor traffic",
        read: |source| traffic_of_kind(source, TrafficKind::Tensor),
        meaning: "bytes of shards of matrices (tensor parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, two \
                  all-reduces per layer and pass, or as scatter and gather",
        equations: &[TENSOR, COLLECTIVES],
        inputs: &["model.hidden", "training.recompute", "size of a message", "tensor calls"],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_kind.pipeline",
        label: "pipeline traffic",
        read: |source| traffic_of_kind(source, TrafficKind::Pipeline),
        meaning: "bytes from stage to stage (pipeline parallelism, tied embedding)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, over \
                   t where the message is split, and V·h/t of a tied embedding",
        equations: &[MESSAGES, TIED],
        inputs: &[
            "model.hidden",
            "training.recompute",
            "parallelism.pipeline",
            "parallelism.interleave",
            "framework.scatter_pipeline",
            "size of a message",
            "pipeline calls",
        ],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_kind.data",
        label: "data traffic",
        read: |source| traffic_of_kind(source, TrafficKind::Data),
        meaning: "bytes of gradients and parameters (data parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = bytes of a \
                   gradient, or of a gathered parameter, · parameters of the rank; n = D_p·c",
        equations: &[DATA, COLLECTIVES, HIERARCHICAL],
        inputs: &[
            "parallelism.data",
            "parallelism.context",
            "parallelism.zero",
            "framework.gradient_bytes",
            "framework.parameter_bytes",
            "senders",
            "data calls",
        ],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_kind.context",
        label: "context traffic",
        read: |source| traffic_of_kind(source, TrafficKind::Context),
        meaning: "bytes of keys and values (context parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; of keys and values D \
                   = 2·w·b·s·g·d/t",
        equations: &[CONTEXT],
        inputs: &[
            "model.kv_heads",
            "model.head_dim",
            "parallelism.context",
            "size of a message",
            "context calls",
        ],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_kind.expert",
        label: "expert traffic",
        read: |source| traffic_of_kind(source, TrafficKind::Expert),
        meaning: "bytes of tokens on their way to experts (expert parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·tokens·k·h of \
                   an all-to-all, w·tokens·h of an exchange that sends a token once to each place",
        equations: &[EXPERT],
        inputs: &[
            "model.hidden",
            "parallelism.expert",
            "model.top_k",
            "size of a message",
            "expert calls",
        ],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_locality.inside_domain",
        label: "inside machines",
        read: |source| traffic_in_locality(source, Locality::InsideDomain),
        meaning: "bytes that stay inside an HB domain",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        inputs: &["node.gpus", "degrees"],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_locality.along_rail",
        label: "on a rail",
        read: |source| traffic_in_locality(source, Locality::AlongRail),
        meaning: "bytes between GPUs on the same rail",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        inputs: &["node.gpus", "degrees"],
        ..VOLUME
    },
    Quantity {
        key: "traffic.bytes_by_locality.across_rails",
        label: "between rails",
        read: |source| traffic_in_locality(source, Locality::AcrossRails),
        meaning: "bytes between domains and rails: forwarded, or through a spine",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        inputs: &["node.gpus", "degrees"],
        ..VOLUME
    },
    Quantity {
        key: "traffic.max_pair_bytes",
        label: "busiest pair of GPUs",
        read: |source| volume_amount(source.traffic?.largest_pair),
        meaning: "bytes of the ordered pair that exchanges most",
        formula: "the largest entry of the traffic matrix, all kinds added up",
        equations: &[COLLECTIVES, HIERARCHICAL],
        inputs: &["degrees"],
        ..VOLUME
    },
];

fn traffic_of_kind(source: &FigureSource<'_>, kind: TrafficKind) -> Option<Amount> {
    volume_amount(source.traffic?.bytes_of_kind(kind))
}

fn traffic_in_locality(source: &FigureSource<'_>, locality: Locality) -> Option<Amount> {
    volume_amount(source.traffic?.bytes_of_locality(locality))
}
