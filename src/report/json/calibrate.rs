//! `planner calibrate` as programs read it. Errors are shares of the measured value.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::calibration_lines;
use crate::validate::Calibrated;

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
pub(in super::super) fn calibration_json(found: &Calibrated) -> String {
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
