//! `planner traffic` as programs read it.

use super::common::section_figures;
use crate::ledger::Difference;
use crate::quantity::FigureSource;
use crate::report::list::{
    ASSUMPTION_COLUMNS, GROUP_COLUMNS, JsonObject, KIND_COLUMNS, NOT_PREDICTED_COLUMNS,
    PAIR_COLUMNS, list_json,
};
use crate::report::sheet::{PERCENTILES, TrafficSheet};
use crate::traffic::{Bin, Distribution};

/// The traffic as pretty JSON.
pub(in crate::report) fn traffic_json(sheet: &TrafficSheet<'_>) -> String {
    let answer = FigureSource::from_step_plan(sheet.step);
    // What the matrix leaves out: bytes of all GPUs each time, and a step where that is known.
    let uncounted = sheet.uncounted.iter().map(|(uncounted, a_step)| {
        JsonObject::new()
            .with("what", uncounted.what)
            .with("often", uncounted.often.name())
            .with("bytes", uncounted.bytes)
            .with("bytes_a_step", *a_step)
    });
    super::write(
        &JsonObject::with_schema("planner/traffic/1")
            .with("name", sheet.name.to_owned())
            .with("cluster", section_figures("cluster", &answer))
            .with("layout", section_figures("layout", &answer))
            .with("traffic", section_figures("traffic", &answer))
            .with("pair_volumes", pair_volumes_json(sheet.distribution))
            .with_list("not_counted", uncounted)
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, sheet.notes)),
    )
}

/// What the busy pairs carry: volumes that a share of them do not exceed, and how many lie from
/// one power of two to the next.
fn pair_volumes_json(distribution: &Distribution) -> JsonObject {
    let percentile = |(_, share)| {
        let volume = distribution.volume_percentile(share)?;
        Some(JsonObject::new().with("share", share).with("volume_bytes", volume))
    };
    let bin = |bin: &Bin| {
        JsonObject::new()
            .with("from_bytes", bin.low)
            .with("below_bytes", bin.high)
            .with("pairs", bin.pairs)
    };
    JsonObject::new()
        .with("busy_pairs", distribution.busy_pairs())
        .with_list("percentiles", PERCENTILES.into_iter().filter_map(percentile))
        .with_list("histogram", distribution.histogram().iter().map(bin))
}

pub(in crate::report) fn difference_json(name: &str, found: &Difference) -> String {
    super::write(
        &JsonObject::with_schema("planner/traffic-difference/1")
            .with("name", name.to_owned())
            .with("gpus_recorded", found.ranks)
            .with("steps_recorded", found.steps)
            .with("kinds", list_json(KIND_COLUMNS, &found.kinds))
            .with("groups", list_json(GROUP_COLUMNS, &found.groups))
            .with("pairs", list_json(PAIR_COLUMNS, &found.pairs))
            .with("not_predicted", list_json(NOT_PREDICTED_COLUMNS, &found.not_predicted)),
    )
}
