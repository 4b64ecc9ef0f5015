//! `validate`, `--refit`, `calibrate`.
//!
//! `planner validate` as programs read it. Errors are shares of the published value.

use serde::Serialize;

use crate::report::sheet::calibration_lines;
use crate::report::words::exact_number;
use crate::validate::{Calibrated, Refit, RowResult, SetResult, Statistics};

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
pub(in crate::report) fn validation_json(sets: &[SetResult]) -> String {
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

#[derive(Serialize)]
struct RefitJson<'a> {
    schema: &'static str,
    constants: Vec<RefitConstant<'a>>,
    rows: Vec<RefitRow<'a>>,
}

/// A constant; values are in `unit`, without one they are shares.
#[derive(Serialize)]
struct RefitConstant<'a> {
    name: &'a str,
    #[serde(rename = "of")]
    calibrations: &'a [String],
    unit: &'a str,
    least: f64,
    most: f64,
    prior: f64,
    rows: usize,
    shipped: f64,
    fitted: f64,
    without_a_source: [f64; 2],
    refused: bool,
}

#[derive(Serialize)]
struct RefitRow<'a> {
    set: &'static str,
    name: &'a str,
    source: &'a str,
    fitted: bool,
    error: f64,
    unseen_error: f64,
}

/// The refit as pretty JSON.
pub(in crate::report) fn refit_json(fitted: &Refit) -> String {
    let constants = fitted.constants.iter().map(|fitted_constant| RefitConstant {
        name: &fitted_constant.constant.key,
        calibrations: &fitted_constant.constant.calibrations,
        unit: &fitted_constant.constant.unit,
        least: fitted_constant.constant.least,
        most: fitted_constant.constant.most,
        prior: fitted_constant.constant.prior,
        rows: fitted_constant.rows,
        shipped: exact_number(fitted_constant.shipped),
        fitted: exact_number(fitted_constant.value),
        without_a_source: fitted_constant.spread.map(exact_number),
        refused: fitted_constant.refusal().is_some(),
    });
    let rows = fitted.rows.iter().map(|unseen| RefitRow {
        set: unseen.set,
        name: &unseen.id,
        source: &unseen.role.source,
        fitted: unseen.role.fitted,
        error: exact_number(unseen.seen),
        unseen_error: exact_number(unseen.unseen),
    });
    super::write(&RefitJson {
        schema: "planner/refit/1",
        constants: constants.collect(),
        rows: rows.collect(),
    })
}

#[derive(Serialize)]
struct CalibrateJson<'a> {
    schema: &'static str,
    set: &'a str,
    /// The table for a spec; empty where no constant moved.
    toml: String,
    mean_error_before: f64,
    mean_unseen_error: f64,
    few_steps: bool,
    unexplained: bool,
    constants: Vec<CalibratedConstant<'a>>,
    steps: Vec<CalibratedStep<'a>>,
}

/// A constant; values are in `unit`, without one they are shares.
#[derive(Serialize)]
struct CalibratedConstant<'a> {
    name: &'a str,
    unit: &'a str,
    before: f64,
    after: f64,
    steps: usize,
}

#[derive(Serialize)]
struct CalibratedStep<'a> {
    name: &'a str,
    measured_s: f64,
    error_before: f64,
    unseen_error: f64,
    disagrees: bool,
}

/// The calibration as pretty JSON.
pub(in crate::report) fn calibration_json(found: &Calibrated) -> String {
    let [before, unseen] = found.mean_errors().map(exact_number);
    let constants = found.constants.iter().map(|constant| CalibratedConstant {
        name: &constant.key,
        unit: &constant.unit,
        before: exact_number(constant.before),
        after: exact_number(constant.after),
        steps: constant.rows,
    });
    let steps = found.rows.iter().map(|step| CalibratedStep {
        name: &step.name,
        measured_s: exact_number(step.time.get()),
        error_before: exact_number(step.before),
        unseen_error: exact_number(step.unseen),
        disagrees: step.disagrees,
    });
    super::write(&CalibrateJson {
        schema: "planner/calibrate/1",
        set: &found.set,
        toml: calibration_lines(found).join("\n"),
        mean_error_before: before,
        mean_unseen_error: unseen,
        few_steps: found.thin,
        unexplained: found.unexplained,
        constants: constants.collect(),
        steps: steps.collect(),
    })
}
