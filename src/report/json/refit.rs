//! `planner validate --refit` as programs read it. Errors are shares of the published value.

use serde::Serialize;

use super::super::number::exact_number;
use crate::validate::Refit;

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
pub(in super::super) fn refit_json(fitted: &Refit) -> String {
    let constants = fitted.constants.iter().map(|this_fitted| RefitConstant {
        name: &this_fitted.constant.key,
        calibrations: &this_fitted.constant.calibrations,
        unit: &this_fitted.constant.unit,
        least: this_fitted.constant.least,
        most: this_fitted.constant.most,
        prior: this_fitted.constant.prior,
        rows: this_fitted.rows,
        shipped: exact_number(this_fitted.shipped),
        fitted: exact_number(this_fitted.value),
        without_a_source: this_fitted.spread.map(exact_number),
        refused: this_fitted.refusal().is_some(),
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
