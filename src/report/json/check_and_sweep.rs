//! `planner check`, `planner diff` and `planner sweep` as programs read them.

use crate::gate::ChangeCause;
use crate::report::list::{
    CAPEX_CHANGE_COLUMNS, CHANGED_LINE_COLUMNS, FACT_COLUMNS, FINDING_COLUMNS, JsonObject,
    JsonValue, ListColumn, MOVEMENT_COLUMNS, RULE_COLUMNS, json_column, list_json, row_json,
};
use crate::report::sheet::{CheckSheet, cause_code_and_text};
use crate::sweep::{Outcome, Sweep, SweepAxis, SweepEntry, SweepRow};

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
            .with("findings", list_json(FINDING_COLUMNS, &report.findings)),
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
