//! Figures: who sends how much in a step.

use super::FigureSource;
use super::row::Better::Lower;
use super::row::{
    COLLECTIVES, CONTEXT, DATA, EXPERT, HIERARCHICAL, MESSAGES, Quantity, ROW, TENSOR, TIED,
    count_amount, share_amount, volume_amount,
};
use crate::parallel::placement::Locality;
use crate::step::TrafficKind;
use crate::units::{Amount, Unit};

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "traffic.total_bytes",
        label: "traffic",
        unit: Unit::Volume,
        better: Lower,
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
        ..ROW
    },
    Quantity {
        key: "traffic.pairs",
        label: "pairs",
        unit: Unit::Count,
        read: |source| count_amount(source.traffic?.pairs),
        meaning: "ordered pairs of different GPUs",
        formula: "N · (N − 1)",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.idle_pairs",
        label: "idle pairs",
        unit: Unit::Count,
        read: |source| count_amount(source.traffic?.idle_pairs),
        meaning: "ordered pairs that exchange no traffic in a step",
        formula: "pairs − pairs that at least one communication of the step joins",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.idle_pair_share",
        label: "share of idle pairs",
        unit: Unit::Share,
        most: Some(1.0),
        read: |source| share_amount(source.traffic?.idle_share()),
        meaning: "share of the pairs that exchange no traffic",
        formula: "idle pairs / pairs",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_kind.tensor",
        label: "tensor traffic",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_of_kind(source, TrafficKind::Tensor),
        meaning: "bytes of shards of matrices (tensor parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, two \
                   all-reduces a layer and pass, or as scatter and gather",
        equations: &[TENSOR, COLLECTIVES],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_kind.pipeline",
        label: "pipeline traffic",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_of_kind(source, TrafficKind::Pipeline),
        meaning: "bytes from stage to stage (pipeline parallelism, tied embedding)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·b·(s/c)·h, over \
                   t where the message is split, and V·h/t of a tied embedding",
        equations: &[MESSAGES, TIED],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_kind.data",
        label: "data traffic",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_of_kind(source, TrafficKind::Data),
        meaning: "bytes of gradients and parameters (data parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = bytes of a \
                   gradient, or of a gathered parameter, · parameters of the rank; n = D_p·c",
        equations: &[DATA, COLLECTIVES, HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_kind.context",
        label: "context traffic",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_of_kind(source, TrafficKind::Context),
        meaning: "bytes of keys and values (context parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; of keys and values D \
                   = 2·w·b·s·g·d/t",
        equations: &[CONTEXT],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_kind.expert",
        label: "expert traffic",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_of_kind(source, TrafficKind::Expert),
        meaning: "bytes of tokens on their way to experts (expert parallelism)",
        formula: "Σ of what is listed: calls · D · times that a GPU sends D; D = w·tokens·k·h of \
                   an all-to-all, w·tokens·h of an exchange that sends a token once to each place",
        equations: &[EXPERT],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_locality.inside_domain",
        label: "inside HB domains",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_in_locality(source, Locality::InsideDomain),
        meaning: "bytes that stay inside an HB domain",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_locality.along_rail",
        label: "along rails",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_in_locality(source, Locality::AlongRail),
        meaning: "bytes between GPUs on the same rail",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.bytes_by_locality.across_rails",
        label: "across rails",
        unit: Unit::Volume,
        better: Lower,
        read: |source| traffic_in_locality(source, Locality::AcrossRails),
        meaning: "bytes between domains and rails: forwarded, or through a spine",
        formula: "sum over the kinds of parallelism, of the pairs that lie so",
        equations: &[HIERARCHICAL],
        ..ROW
    },
    Quantity {
        key: "traffic.max_pair_bytes",
        label: "busiest GPU pair",
        unit: Unit::Volume,
        better: Lower,
        read: |source| volume_amount(source.traffic?.largest_pair),
        meaning: "bytes of the ordered pair that exchanges most",
        formula: "the largest entry of the traffic matrix, all kinds added up",
        equations: &[COLLECTIVES, HIERARCHICAL],
        ..ROW
    },
];

fn traffic_of_kind(source: &FigureSource<'_>, kind: TrafficKind) -> Option<Amount> {
    volume_amount(source.traffic?.bytes_of_kind(kind))
}

fn traffic_in_locality(source: &FigureSource<'_>, locality: Locality) -> Option<Amount> {
    volume_amount(source.traffic?.bytes_of_locality(locality))
}
