//! `planner calibrate` as programs read it. Errors are shares of the measured value.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::calibration_lines;
use crate::validate::Calibrated;

#[derive(Serialize)]
struct Sheet<'a> {
    schema: &'static str,
    set: &'a str,
    /// The table for a spec; empty where no constant moved.
    toml: String,
    mean_error_before: f64,
    mean_unseen_error: f64,
    few_steps: bool,
    unexplained: bool,
    constants: Vec<Constant<'a>>,
    steps: Vec<Step<'a>>,
}

/// A constant; values are in `unit`, without one they are shares.
#[derive(Serialize)]
struct Constant<'a> {
    name: &'a str,
    unit: &'a str,
    before: f64,
    after: f64,
    steps: usize,
}

#[derive(Serialize)]
struct Step<'a> {
    name: &'a str,
    measured_s: f64,
    error_before: f64,
    unseen_error: f64,
    disagrees: bool,
}

/// The calibration as pretty JSON.
pub(in super::super) fn calibration(found: &Calibrated) -> String {
    let [before, unseen] = found.means().map(exact);
    let constants = found.constants.iter().map(|of| Constant {
        name: &of.key,
        unit: &of.unit,
        before: exact(of.before),
        after: exact(of.after),
        steps: of.rows,
    });
    let steps = found.rows.iter().map(|of| Step {
        name: &of.name,
        measured_s: exact(of.time.get()),
        error_before: exact(of.before),
        unseen_error: exact(of.unseen),
        disagrees: of.disagrees,
    });
    super::write(&Sheet {
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
