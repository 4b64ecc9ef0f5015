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
