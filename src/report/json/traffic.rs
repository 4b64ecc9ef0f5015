//! `planner traffic` as programs read it.

use serde::Serialize;

use super::super::sheet::{PERCENTILES, TrafficSheet};
use super::assumption::AssumptionJson;
use super::figures::Figures;
use crate::quantity::FigureSource;
use crate::traffic::Distribution;
use crate::units::Bytes;

#[derive(Serialize)]
struct TrafficJson {
    schema: &'static str,
    name: String,
    cluster: Figures,
    layout: Figures,
    traffic: Figures,
    pair_volumes: PairVolumes,
    not_counted: Vec<NotCounted>,
    assumptions: Vec<AssumptionJson>,
}

/// What the matrix leaves out: bytes of all GPUs each time, and a step where that is known.
#[derive(Serialize)]
struct NotCounted {
    what: &'static str,
    often: &'static str,
    bytes: u128,
    bytes_a_step: Option<u128>,
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
            let volume_bytes = distribution.volume_percentile(share)?.count();
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
pub(in super::super) fn traffic_json(sheet: &TrafficSheet<'_>) -> String {
    let answer = FigureSource::from_step_plan(sheet.step);
    let figures = |section| Figures::section_figures(section, &answer);
    super::write(&TrafficJson {
        schema: "planner/traffic/1",
        name: sheet.name.to_owned(),
        cluster: figures("cluster"),
        layout: figures("layout"),
        traffic: figures("traffic"),
        pair_volumes: PairVolumes::new(sheet.distribution),
        not_counted: sheet
            .uncounted
            .iter()
            .map(|(uncounted, a_step)| NotCounted {
                what: uncounted.what,
                often: uncounted.often.name(),
                bytes: uncounted.bytes.count(),
                bytes_a_step: a_step.map(Bytes::count),
            })
            .collect(),
        assumptions: sheet.notes.iter().map(AssumptionJson::new).collect(),
    })
}
