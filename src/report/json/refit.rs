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
    let constants = fitted.constants.iter().map(|of| RefitConstant {
        name: &of.constant.key,
        calibrations: &of.constant.calibrations,
        unit: &of.constant.unit,
        least: of.constant.least,
        most: of.constant.most,
        prior: of.constant.prior,
        rows: of.rows,
        shipped: exact_number(of.shipped),
        fitted: exact_number(of.value),
        without_a_source: of.spread.map(exact_number),
        refused: of.refusal().is_some(),
    });
    let rows = fitted.rows.iter().map(|of| RefitRow {
        set: of.set,
        name: &of.id,
        source: &of.role.source,
        fitted: of.role.fitted,
        error: exact_number(of.seen),
        unseen_error: exact_number(of.unseen),
    });
    super::write(&RefitJson {
        schema: "planner/refit/1",
        constants: constants.collect(),
        rows: rows.collect(),
    })
}
