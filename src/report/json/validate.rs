//! `planner validate`, `--refit` and `calibrate` as programs read them. Errors are shares of the
//! published value.

use crate::report::list::{
    CALIBRATED_CONSTANT_COLUMNS, CALIBRATED_STEP_COLUMNS, FITTED_CONSTANT_COLUMNS, JsonObject,
    SET_COLUMNS, UNSEEN_ROW_COLUMNS, list_json,
};
use crate::report::sheet::calibration_lines;
use crate::validate::{Calibrated, Refit, SetResult};

/// The errors as pretty JSON.
pub(in crate::report) fn validation_json(sets: &[SetResult]) -> String {
    super::write(
        &JsonObject::with_schema("planner/validate/1").with("sets", list_json(SET_COLUMNS, sets)),
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
            .with("toml", calibration_lines(found).join("\n"))
            .with("mean_error_before", before)
            .with("mean_unseen_error", unseen)
            .with("few_steps", found.thin)
            .with("unexplained", found.unexplained)
            .with("constants", list_json(CALIBRATED_CONSTANT_COLUMNS, &found.constants))
            .with("steps", list_json(CALIBRATED_STEP_COLUMNS, &found.rows)),
    )
}
