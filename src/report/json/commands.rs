//! `planner step`, `search`, `traffic`, `explain`, `presets`, `check`, `diff`, `sweep`, `validate`
//! and `calibrate` as programs read them.

use super::common::section_figures;
use crate::explain::Explanation;
use crate::gate::ChangeCause;
use crate::ledger::Difference;
use crate::quantity::FigureSource;
use crate::report::list::{
    ASSUMPTION_COLUMNS, CALIBRATED_CALL_COLUMNS, CALIBRATED_CONSTANT_COLUMNS,
    CALIBRATED_STEP_COLUMNS, CAPEX_CHANGE_COLUMNS, CHANGED_LINE_COLUMNS, COLLECTIVE_COLUMNS,
    FACT_COLUMNS, FINDING_COLUMNS, FITTED_CONSTANT_COLUMNS, GROUP_COLUMNS, JsonObject, JsonValue,
    KIND_COLUMNS, ListColumn, MOVEMENT_COLUMNS, NOT_PREDICTED_COLUMNS, PAIR_COLUMNS, PHASE_COLUMNS,
    QUESTION_COLUMNS, RULE_COLUMNS, SET_COLUMNS, UNSEEN_ROW_COLUMNS, json_column, list_json,
    row_json,
};
use crate::report::sheet::{
    CheckSheet, Doubtful, ExplainSheet, LayoutSheet, PERCENTILES, Preset, StepSheet, TrafficSheet,
    calibration_lines, cause_code_and_text, input_origin_text,
};
use crate::search::{Breadth, RankBy, Ranked};
use crate::sweep::{Outcome, Sweep, SweepAxis, SweepEntry, SweepRow};
use crate::traffic::{Bin, Distribution};
use crate::units::Amount;
use crate::validate::{Calibrated, CalibratedNetwork, CollectiveRow, Refit, SetResult};

/// The check as pretty JSON.
pub(in crate::report) fn check_json(sheet: &CheckSheet<'_>) -> String {
    let report = sheet.report;
    super::write(
        &JsonObject::with_schema(if sheet.is_diff { "planner/diff/1" } else { "planner/check/1" })
            .with("name", &report.name)
            .with("old", sheet.old.to_owned())
            .with("new", sheet.new.to_owned())
            .with("verdict", report.verdict.name())
            .with("unchanged", report.is_unchanged())
            .with("rules", list_json(RULE_COLUMNS, &report.rules))
            .with("change", row_json(CAPEX_CHANGE_COLUMNS, &report.change))
            .with_list("causes", report.causes.iter().map(cause_json))
            .with("figures", list_json(MOVEMENT_COLUMNS, &report.figures))
            .with("facts", list_json(FACT_COLUMNS, &report.facts))
            .with("bom", list_json(CHANGED_LINE_COLUMNS, &report.change.lines))
            .with("price_not_found", report.unpriced.clone())
            .with("findings", list_json(FINDING_COLUMNS, &report.findings))
            .with("question", list_json(QUESTION_COLUMNS, &report.question)),
    )
}

fn cause_json(cause: &ChangeCause) -> JsonObject {
    let (code, text) = cause_code_and_text(cause);
    let usd = match cause {
        ChangeCause::Prices { by_price, .. } => Some(*by_price),
        ChangeCause::Exchange { by_exchange, .. } => Some(*by_exchange),
        _ => None,
    };
    JsonObject::new().with("code", code).with("text", text).with_known("usd", usd)
}

/// The sweep as pretty JSON. `build` stands for the source that it was built from, `catalogue`
/// for the parts and prices that ship with it, `origin` for spec, overrides, part, prices and
/// solver; `senses` say which way each objective gets better, `min` or `max`.
pub(in crate::report) fn sweep_json(sweep: &Sweep) -> String {
    let objectives =
        sweep.objectives.iter().filter_map(|objective| sweep.columns.get(objective.column));
    let points = sweep.rows.iter().zip(sweep.front_membership());
    super::write(
        &JsonObject::with_schema("planner/sweep/1")
            .with("name", &sweep.name)
            .with("planner", &sweep.origin.planner)
            .with("build", &sweep.origin.build)
            .with("catalogue", &sweep.origin.catalogue)
            .with("origin", &sweep.origin.question)
            .with("axes", list_json(AXIS_COLUMNS, sweep.grid.axes()))
            .with("shard", sweep.shard.to_string())
            .with_list("columns", sweep.columns.iter().map(|column| &column.key))
            .with_list("objectives", objectives.map(|column| &column.key))
            .with_list("senses", sweep.objectives.iter().map(|objective| objective.sense.name()))
            .with_list("points", points.map(|(row, on_front)| point_json(sweep, row, on_front))),
    )
}

const AXIS_COLUMNS: &[ListColumn<SweepAxis>] = &[
    json_column("key", |axis| (&axis.key).into()),
    json_column("values", |axis| JsonValue::from(axis.values.clone())),
];

/// A point of the grid; one without a design says why.
fn point_json(sweep: &Sweep, row: &SweepRow, on_front: bool) -> JsonObject {
    let axes = sweep.grid.axes().iter().zip(sweep.grid.point_values(row.place));
    let values = axes.fold(JsonObject::new(), |object, (axis, value)| {
        object.with(axis.key.clone(), value.to_string())
    });
    let object = JsonObject::new().with("index", row.place).with("values", values);
    match &row.outcome {
        Outcome::Impossible(reason) => object.with("impossible", reason),
        Outcome::Design(entries) => {
            let entries = sweep.columns.iter().zip(entries);
            let figures = entries.fold(JsonObject::new(), |object, (column, entry)| {
                object.with(column.key.clone(), entry_value(entry))
            });
            object.with("entries", figures)
        }
    }
    .with("on_front", on_front)
}

fn entry_value(entry: &SweepEntry) -> JsonValue {
    match entry {
        SweepEntry::Figure(figure) => (*figure).into(),
        SweepEntry::Word(word) => word.into(),
        SweepEntry::None => JsonValue::Null,
    }
}

/// The explanations as pretty JSON.
pub(in crate::report) fn explanations_json(sheet: &ExplainSheet<'_>) -> String {
    let explained =
        sheet.explanations.iter().map(|explanation| explained_json(explanation, sheet.presets));
    super::write(
        &JsonObject::with_schema("planner/explain/1")
            .with("name", sheet.name.to_owned())
            .with_list("quantities", explained),
    )
}

fn explained_json(explanation: &Explanation, presets: &[Preset]) -> JsonObject {
    let equations = explanation.equations.iter().map(|equation| {
        JsonObject::new().with("section", equation.section).with("source", equation.source)
    });
    let inputs = explanation.inputs.iter().map(|input| {
        JsonObject::new()
            .with("name", &input.name)
            .with_all(value_with_unit(&input.value))
            .with("origin", input_origin_text(&input.origin, presets))
    });
    let parts = explanation.parts.iter().map(|part| {
        JsonObject::new().with("name", &part.name).with_all(value_with_unit(&part.value))
    });
    JsonObject::new()
        .with("key", explanation.key.to_string())
        .with("meaning", explanation.meaning.to_string())
        .with("formula", explanation.formula)
        .with_list("equations", equations)
        .with_list("inputs", inputs)
        .with_list("parts", parts)
        .with("result", value_with_unit(&explanation.result))
}

/// A value beside its unit; the unit is empty for plain numbers and names.
fn value_with_unit(amount: &Amount) -> JsonObject {
    JsonObject::new().with("value", amount.clone()).with("unit", amount.unit().name())
}

/// The presets as pretty JSON, with their texts where wanted.
pub(in crate::report) fn presets_json(presets: &[Preset], texts: bool) -> String {
    let preset = |preset: &Preset| {
        JsonObject::new()
            .with("kind", preset.kind)
            .with("name", &preset.name)
            .with("date", &preset.date)
            .with("source", &preset.source)
            .with_known("parameters", preset.parameters.map(|count| count.total))
            .with_known("active_parameters", preset.parameters.map(|count| count.active))
            .with_known("embedding_parameters", preset.parameters.map(|count| count.embedding))
            .with_known("text", texts.then_some(&preset.text))
    };
    super::write(
        &JsonObject::with_schema("planner/presets/1")
            .with_list("presets", presets.iter().map(preset)),
    )
}

const DOUBTFUL_COLUMNS: &[ListColumn<Doubtful>] = &[
    json_column("kind", |entry| (&entry.kind).into()),
    json_column("name", |entry| (&entry.name).into()),
    json_column("doubts", |entry| JsonValue::from(entry.doubts.clone())),
    json_column("date", |entry| (&entry.date).into()),
    json_column("note", |entry| (&entry.note).into()),
];

/// The list as pretty JSON.
pub(in crate::report) fn audit_json(found: &[Doubtful], as_of: &str) -> String {
    super::write(
        &JsonObject::with_schema("planner/audit/1")
            .with("as_of", as_of.to_owned())
            .with("entries", list_json(DOUBTFUL_COLUMNS, found)),
    )
}

/// The step as pretty JSON.
pub(in crate::report) fn step_json(sheet: &StepSheet<'_>) -> String {
    let step = sheet.step;
    let answer = FigureSource::from_step_plan(step);
    super::write(
        &JsonObject::with_schema("planner/step/1")
            .with("name", sheet.name.to_owned())
            .with("cluster", section_figures("cluster", &answer))
            .with("model", section_figures("model", &answer))
            .with("layout", section_figures("layout", &answer))
            .with("step", section_figures("step", &answer))
            .with("phases", list_json(PHASE_COLUMNS, &step.phases))
            .with("memory", section_figures("memory", &answer))
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &step.assumptions)),
    )
}

/// The ranking as pretty JSON.
pub(in crate::report) fn layouts_json(sheet: &LayoutSheet<'_>) -> String {
    let found = sheet.found;
    let space = match found.breadth {
        Breadth::Open => "open",
        Breadth::Whole => "whole",
    };
    let ranked_by = match found.by {
        RankBy::StepTime => "step-time",
        RankBy::UsdPerToken => "usd-per-token",
    };
    let layouts = found.ranked.iter().enumerate();
    super::write(
        &JsonObject::with_schema("planner/search/1")
            .with("name", sheet.name.to_owned())
            .with("gpus", sheet.gpus)
            .with("space", space)
            .with("ranked_by", ranked_by)
            .with("open", found.open.clone())
            .with("legal", found.legal)
            .with("fitting", found.fitting)
            .with_list("layouts", layouts.map(|(place, ranked)| layout_json(place + 1, ranked)))
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &found.assumptions)),
    )
}

/// A layout with what it takes. What layouts are ranked by, the pace, is of a run with phases not
/// the step.
fn layout_json(rank: usize, ranked: &Ranked) -> JsonObject {
    let candidate = &ranked.candidate;
    let answer = FigureSource {
        layout: Some(&candidate.layout),
        micro_batches: Some(ranked.micro_batches),
        time: Some(&candidate.time),
        ..FigureSource::default()
    };
    JsonObject::new()
        .with("rank", rank)
        .with("node", &ranked.node)
        .with("nic", &ranked.nic)
        .with("layout", section_figures("layout", &answer))
        .with("recompute", candidate.layout.recompute.name())
        .with("step", section_figures("step", &answer))
        .with("pace_s", candidate.pace)
        .with("mfu", ranked.efficiency.mfu)
        .with("hfu", ranked.efficiency.hfu)
        .with("tokens_per_s_per_gpu", ranked.efficiency.tokens_per_gpu_second)
        .with("memory_bytes", candidate.memory)
        .with("memory_capacity_bytes", ranked.memory_capacity)
        .with("fits", ranked.is_within_memory())
        .with("machine_usd_per_million_tokens", ranked.usd_per_million_tokens)
}

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

/// The errors as pretty JSON.
pub(in crate::report) fn validation_json(sets: &[SetResult], calls: &[CollectiveRow]) -> String {
    super::write(
        &JsonObject::with_schema("planner/validate/1")
            .with("sets", list_json(SET_COLUMNS, sets))
            .with("collectives", list_json(COLLECTIVE_COLUMNS, calls)),
    )
}

/// The refit as pretty JSON.
pub(in crate::report) fn refit_json(fitted: &Refit) -> String {
    super::write(
        &JsonObject::with_schema("planner/refit/1")
            .with("constants", list_json(FITTED_CONSTANT_COLUMNS, &fitted.constants))
            .with("rows", list_json(UNSEEN_ROW_COLUMNS, &fitted.rows)),
    )
}

/// The calibration as pretty JSON. `toml` is the table for a spec, empty where no constant moved.
pub(in crate::report) fn calibration_json(found: &Calibrated) -> String {
    let [before, unseen] = found.mean_errors();
    super::write(
        &JsonObject::with_schema("planner/calibrate/1")
            .with("set", &found.set)
            .with("toml", calibration_lines(&found.set, &found.constants, "steps").join("\n"))
            .with("mean_error_before", before)
            .with("mean_unseen_error", unseen)
            .with("few_steps", found.thin)
            .with("unexplained", found.unexplained)
            .with("constants", list_json(CALIBRATED_CONSTANT_COLUMNS, &found.constants))
            .with("steps", list_json(CALIBRATED_STEP_COLUMNS, &found.rows)),
    )
}

/// The shares of line rates as pretty JSON. `toml` is the table for a spec, empty where no share
/// moved.
pub(in crate::report) fn network_calibration_json(found: &CalibratedNetwork) -> String {
    let ([before, now], unseen) = (found.mean_errors(), found.mean_unseen_errors());
    super::write(
        &JsonObject::with_schema("planner/calibrate-network/1")
            .with("set", &found.set)
            .with("toml", calibration_lines(&found.set, &found.constants, "rows").join("\n"))
            .with("mean_error_before", before)
            .with("mean_error_now", now)
            .with("mean_unseen_error_before", unseen.map(|unseen| unseen[0]))
            .with("mean_unseen_error", unseen.map(|unseen| unseen[1]))
            .with("unexplained", found.unexplained)
            .with("constants", list_json(CALIBRATED_CONSTANT_COLUMNS, &found.constants))
            .with("notes", JsonValue::from(found.notes.clone()))
            .with("calls", list_json(CALIBRATED_CALL_COLUMNS, &found.calls)),
    )
}
