//! `planner traffic --against` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use crate::ledger::{BytesPair, Difference};

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

pub(in super::super) fn difference_json(name: &str, found: &Difference) -> String {
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
