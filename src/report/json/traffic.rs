//! `planner traffic`, and `traffic` within other results, as programs read them.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::{PERCENTILES, TrafficSheet};
use super::design::{Assumption, Cluster};
use super::step::Layout;
use crate::step::TrafficKind;
use crate::traffic::{Distribution, Locality, Summary};

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    name: String,
    cluster: Cluster,
    layout: Layout,
    traffic: Traffic,
    pair_volumes: PairVolumes,
    assumptions: Vec<Assumption>,
}

/// What the busy pairs carry.
#[derive(Serialize)]
struct PairVolumes {
    busy_pairs: u128,
    percentiles: Vec<Percentile>,
    histogram: Vec<Bin>,
}

/// A volume that a share of the busy pairs do not exceed.
#[derive(Serialize)]
struct Percentile {
    share: f64,
    volume_bytes: u128,
}

/// Pairs from one power of two to the next.
#[derive(Serialize)]
struct Bin {
    from_bytes: u128,
    below_bytes: u128,
    pairs: u128,
}

impl PairVolumes {
    fn new(distribution: &Distribution) -> Self {
        let percentile = |(_, share)| {
            let volume_bytes = distribution.percentile(share)?.count();
            Some(Percentile { share, volume_bytes })
        };
        let bins = distribution.histogram();
        Self {
            busy_pairs: distribution.busy_pairs(),
            percentiles: PERCENTILES.into_iter().filter_map(percentile).collect(),
            histogram: bins
                .iter()
                .map(|bin| Bin {
                    from_bytes: bin.low.count(),
                    below_bytes: bin.high.count(),
                    pairs: bin.pairs,
                })
                .collect(),
        }
    }
}

/// The traffic as pretty JSON.
pub(in super::super) fn traffic(sheet: &TrafficSheet<'_>) -> String {
    super::write(&Sheet {
        schema: "planner/traffic/1",
        name: sheet.name.to_owned(),
        cluster: Cluster::new(sheet.nodes),
        layout: Layout::new(sheet.layout, sheet.micro_batches),
        traffic: Traffic::new(sheet.summary),
        pair_volumes: PairVolumes::new(sheet.distribution),
        assumptions: sheet.notes.iter().map(Assumption::new).collect(),
    })
}

/// The matrix in a few numbers.
#[derive(Serialize)]
pub(super) struct Traffic {
    total_bytes: u128,
    pairs: u128,
    idle_pairs: u128,
    idle_pair_share: f64,
    bytes_by_kind: ByKind,
    bytes_by_locality: ByLocality,
    max_pair_bytes: u128,
}

#[derive(Serialize)]
struct ByKind {
    tensor: u128,
    pipeline: u128,
    data: u128,
    context: u128,
    expert: u128,
}

#[derive(Serialize)]
struct ByLocality {
    inside_domain: u128,
    along_rail: u128,
    across_rails: u128,
}

impl Traffic {
    pub(super) fn new(summary: &Summary) -> Self {
        let kind = |kind| summary.kind(kind).count();
        let locality = |locality| summary.locality(locality).count();
        Self {
            total_bytes: summary.total.count(),
            pairs: summary.pairs,
            idle_pairs: summary.idle_pairs,
            idle_pair_share: exact(summary.idle_share()),
            bytes_by_kind: ByKind {
                tensor: kind(TrafficKind::Tensor),
                pipeline: kind(TrafficKind::Pipeline),
                data: kind(TrafficKind::Data),
                context: kind(TrafficKind::Context),
                expert: kind(TrafficKind::Expert),
            },
            bytes_by_locality: ByLocality {
                inside_domain: locality(Locality::InsideDomain),
                along_rail: locality(Locality::AlongRail),
                across_rails: locality(Locality::AcrossRails),
            },
            max_pair_bytes: summary.largest_pair.count(),
        }
    }
}
