//! `planner validate` as programs read it. Errors are shares of the published value.

use serde::Serialize;

use super::super::number::exact_number;
use crate::validate::{RowResult, SetResult, Statistics};

#[derive(Serialize)]
struct ValidateJson {
    schema: &'static str,
    sets: Vec<ValidationSet>,
}

/// A set; `time` and `memory` are null where nothing of it was measured.
#[derive(Serialize)]
struct ValidationSet {
    name: &'static str,
    title: &'static str,
    rule: &'static str,
    fitted: bool,
    reference_tool: Option<&'static str>,
    reference_mean_percent: Option<f64>,
    time: Option<Errors>,
    unseen_time: Option<Errors>,
    memory: Option<Errors>,
    rows: Vec<ValidationRow>,
}

#[derive(Serialize)]
struct Errors {
    rows: usize,
    mean_error: f64,
    largest_error: f64,
    bias: f64,
}

/// A row; what its source did not measure is null.
#[derive(Serialize)]
struct ValidationRow {
    name: String,
    source: String,
    published_s: Option<f64>,
    predicted_s: f64,
    time_error: Option<f64>,
    unseen_time_error: Option<f64>,
    fitted: bool,
    published_gib: Option<f64>,
    predicted_gib: f64,
    memory_error: Option<f64>,
}

/// The errors as pretty JSON.
pub(in super::super) fn validation_json(sets: &[SetResult]) -> String {
    super::write(&ValidateJson {
        schema: "planner/validate/1",
        sets: sets.iter().map(ValidationSet::new).collect(),
    })
}

impl ValidationSet {
    fn new(result: &SetResult) -> Self {
        let set = &result.set;
        Self {
            name: set.name,
            title: set.title,
            rule: set.rule,
            fitted: result.is_fitted(),
            reference_tool: set.reference.map(|(_, name)| name),
            reference_mean_percent: set.reference.map(|(error, _)| error),
            time: Errors::new(&result.time_errors()),
            unseen_time: Errors::new(&result.unseen_errors()),
            memory: Errors::new(&result.memory_errors()),
            rows: result.rows.iter().map(ValidationRow::new).collect(),
        }
    }
}

impl Errors {
    fn new(statistics: &Statistics) -> Option<Self> {
        (statistics.rows > 0).then(|| Self {
            rows: statistics.rows,
            mean_error: exact_number(statistics.mean),
            largest_error: exact_number(statistics.largest),
            bias: exact_number(statistics.bias),
        })
    }
}

impl ValidationRow {
    fn new(result: &RowResult) -> Self {
        Self {
            name: result.case.id.clone(),
            source: result.case.source.clone(),
            published_s: result.case.seconds.map(|seconds| exact_number(seconds.get())),
            predicted_s: exact_number(result.time.total_time().get()),
            time_error: result.time_error().map(exact_number),
            unseen_time_error: result.unseen.map(exact_number),
            fitted: result.role.fitted,
            published_gib: result.case.memory_gib.map(exact_number),
            predicted_gib: exact_number(result.memory_gib()),
            memory_error: result.memory_error().map(exact_number),
        }
    }
}
