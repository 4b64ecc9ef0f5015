//! `planner traffic` as programs read it.

use serde::Serialize;

use super::common::{AssumptionJson, Figures};
use crate::ledger::{BytesPair, Difference};
use crate::quantity::FigureSource;
use crate::report::sheet::{PERCENTILES, TrafficSheet};
use crate::report::words::exact_number;
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
pub(in crate::report) fn traffic_json(sheet: &TrafficSheet<'_>) -> String {
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

#[derive(Serialize)]
struct DifferenceSheetJson<'a> {
    schema: &'static str,
    name: &'a str,
    gpus_recorded: u32,
    steps_recorded: u64,
    kinds: Vec<KindDifference>,
    groups: Vec<OnGroups>,
    pairs: Vec<PairDifference>,
    not_predicted: Vec<NotPredicted<'a>>,
}

#[derive(Serialize)]
struct Volumes {
    recorded_bytes: u128,
    predicted_bytes: u128,
    ratio: Option<f64>,
}

#[derive(Serialize)]
struct KindDifference {
    kind: &'static str,
    #[serde(flatten)]
    bytes: Volumes,
}

#[derive(Serialize)]
struct OnGroups {
    kind: &'static str,
    group: Option<&'static str>,
    op: &'static str,
    recorded_calls: u64,
    predicted_calls: u64,
    #[serde(flatten)]
    bytes: Volumes,
}

#[derive(Serialize)]
struct PairDifference {
    kind: &'static str,
    from: u32,
    to: Option<u32>,
    #[serde(flatten)]
    bytes: Volumes,
}

#[derive(Serialize)]
struct NotPredicted<'a> {
    what: &'a str,
    op: &'static str,
    recorded_calls: u64,
    recorded_bytes: u128,
}

impl Volumes {
    fn from_pair(both: &BytesPair) -> Self {
        Self {
            recorded_bytes: both.recorded.count(),
            predicted_bytes: both.predicted.count(),
            ratio: both.ratio().map(exact_number),
        }
    }
}

pub(in crate::report) fn difference_json(name: &str, found: &Difference) -> String {
    super::write(&DifferenceSheetJson {
        schema: "planner/traffic-difference/1",
        name,
        gpus_recorded: found.ranks,
        steps_recorded: found.steps,
        kinds: found
            .kinds
            .iter()
            .map(|(kind, both)| KindDifference {
                kind: kind.name(),
                bytes: Volumes::from_pair(both),
            })
            .collect(),
        groups: found
            .groups
            .iter()
            .map(|on_groups| OnGroups {
                kind: on_groups.kind.name(),
                group: on_groups.group.map(|group| group.name()),
                op: on_groups.operation.name(),
                recorded_calls: on_groups.calls.0,
                predicted_calls: on_groups.calls.1,
                bytes: Volumes::from_pair(&on_groups.bytes),
            })
            .collect(),
        pairs: found
            .pairs
            .iter()
            .map(|pair| PairDifference {
                kind: pair.kind.name(),
                from: pair.from.0,
                to: pair.to.map(|to| to.0),
                bytes: Volumes::from_pair(&pair.bytes),
            })
            .collect(),
        not_predicted: found
            .not_predicted
            .iter()
            .map(|predicted| NotPredicted {
                what: &predicted.what,
                op: predicted.operation.name(),
                recorded_calls: predicted.calls,
                recorded_bytes: predicted.bytes.count(),
            })
            .collect(),
    })
}
