//! `planner sweep` as programs read it, and as `--merge` reads it back.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::number::exact_number;
use crate::sweep::{Outcome, Sweep, SweepEntry, SweepRow};

#[derive(Serialize)]
struct SweepJson<'a> {
    schema: &'static str,
    name: &'a str,
    /// Version of the program.
    planner: &'a str,
    /// Stands for the source that it was built from.
    build: &'a str,
    /// Stands for the parts and prices that ship with it.
    catalogue: &'a str,
    /// Stands for spec, overrides, part, prices and solver.
    origin: &'a str,
    axes: Vec<AxisJson<'a>>,
    shard: String,
    columns: Vec<&'a str>,
    objectives: Vec<&'a str>,
    /// Which way each objective gets better: `min` or `max`.
    senses: Vec<&'static str>,
    points: Vec<SweepPoint>,
}

#[derive(Serialize)]
struct AxisJson<'a> {
    key: &'a str,
    values: &'a [String],
}

/// A point of the grid; one without a design says why.
#[derive(Serialize)]
struct SweepPoint {
    index: usize,
    values: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entries: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<String>,
    on_front: bool,
}

/// The sweep as pretty JSON.
pub(in super::super) fn sweep_json(sweep: &Sweep) -> String {
    let front = sweep.front_membership();
    super::write(&SweepJson {
        schema: "planner/sweep/1",
        name: &sweep.name,
        planner: &sweep.origin.planner,
        build: &sweep.origin.build,
        catalogue: &sweep.origin.catalogue,
        origin: &sweep.origin.question,
        axes: sweep
            .grid
            .axes()
            .iter()
            .map(|axis| AxisJson { key: &axis.key, values: &axis.values })
            .collect(),
        shard: sweep.shard.to_string(),
        columns: sweep.columns.iter().map(|column| column.key.as_str()).collect(),
        objectives: sweep
            .objectives
            .iter()
            .filter_map(|objective| sweep.columns.get(objective.column))
            .map(|column| column.key.as_str())
            .collect(),
        senses: sweep.objectives.iter().map(|objective| objective.sense.name()).collect(),
        points: sweep
            .rows
            .iter()
            .zip(front)
            .map(|(row, on_front)| sweep_point(sweep, row, on_front))
            .collect(),
    })
}

fn sweep_point(sweep: &Sweep, row: &SweepRow, on_front: bool) -> SweepPoint {
    let axes = sweep.grid.axes().iter().map(|axis| axis.key.clone());
    let values =
        axes.zip(sweep.grid.point_values(row.place)).map(|(key, value)| (key, value.into()));
    let (entries, impossible) = match &row.outcome {
        Outcome::Impossible(reason) => (None, Some(reason.clone())),
        Outcome::Design(entries) => {
            let keys = sweep.columns.iter().map(|column| column.key.clone());
            (Some(keys.zip(entries.iter().map(entry_value)).collect()), None)
        }
    };
    SweepPoint { index: row.place, values: values.collect(), entries, impossible, on_front }
}

fn entry_value(entry: &SweepEntry) -> Value {
    match entry {
        SweepEntry::Figure(figure) => exact_number(*figure).into(),
        SweepEntry::Word(word) => word.as_str().into(),
        SweepEntry::None => Value::Null,
    }
}
