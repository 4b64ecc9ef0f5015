//! `planner validate --refit` as programs read it. Errors are shares of the published value.

use serde::Serialize;

use super::super::number::exact;
use crate::validate::Refit;

#[derive(Serialize)]
struct Sheet<'a> {
    schema: &'static str,
    constants: Vec<Constant<'a>>,
    rows: Vec<Row<'a>>,
}

/// A constant; values are in `unit`, without one they are shares.
#[derive(Serialize)]
struct Constant<'a> {
    name: &'a str,
    of: &'a [String],
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
struct Row<'a> {
    set: &'static str,
    name: &'a str,
    source: &'a str,
    fitted: bool,
    error: f64,
    unseen_error: f64,
}

/// The refit as pretty JSON.
pub(in super::super) fn refit(fitted: &Refit) -> String {
    let constants = fitted.constants.iter().map(|of| Constant {
        name: &of.constant.key,
        of: &of.constant.of,
        unit: &of.constant.unit,
        least: of.constant.least,
        most: of.constant.most,
        prior: of.constant.prior,
        rows: of.rows,
        shipped: exact(of.shipped),
        fitted: exact(of.value),
        without_a_source: of.spread.map(exact),
        refused: of.refusal().is_some(),
    });
    let rows = fitted.rows.iter().map(|of| Row {
        set: of.set,
        name: &of.id,
        source: &of.role.source,
        fitted: of.role.fitted,
        error: exact(of.seen),
        unseen_error: exact(of.unseen),
    });
    super::write(&Sheet {
        schema: "planner/refit/1",
        constants: constants.collect(),
        rows: rows.collect(),
    })
}
