//! Measured rows and constants: as validated, fitted anew, calibrated.

use super::{
    JsonObject, JsonValue, ListColumn, json_column, list_json, number_column, percent_change_value,
    percent_value, shown_as, word_column, yes_or_no,
};
use crate::validate::{
    CollectiveErrors, CollectiveRow, Fitted, JudgedCall, JudgedStep, MovedConstant, Refusal,
    RowResult, SetResult, Statistics, Unseen,
};

/// Sets; `time` and `memory` are null where nothing of it was measured.
pub(in crate::report) const SET_COLUMNS: &[ListColumn<SetResult>] = &[
    json_column("name", |result| result.set.name.into()),
    json_column("title", |result| result.set.title.into()),
    json_column("rule", |result| result.set.rule.into()),
    json_column("fitted", |result| result.is_fitted().into()),
    json_column("reference_tool", |result| result.set.reference.map(|(_, name)| name).into()),
    json_column("reference_mean_percent", |result| {
        result.set.reference.map(|(error, _)| error).into()
    }),
    json_column("time", |result| errors_json(&result.time_errors())),
    json_column("unseen_time", |result| errors_json(&result.unseen_errors())),
    json_column("memory", |result| errors_json(&result.memory_errors())),
    json_column("rows", |result| list_json(ROW_COLUMNS, &result.rows)),
];

fn errors_json(statistics: &Statistics) -> JsonValue {
    let errors = || {
        JsonObject::new()
            .with("rows", statistics.rows)
            .with("mean_error", statistics.mean)
            .with("largest_error", statistics.largest)
            .with("bias", statistics.bias)
    };
    (statistics.rows > 0).then(errors).into()
}

/// Rows; what their source did not measure is null.
const ROW_COLUMNS: &[ListColumn<RowResult>] = &[
    json_column("name", |result| (&result.case.id).into()),
    json_column("source", |result| (&result.case.source).into()),
    json_column("published_s", |result| result.case.seconds.into()),
    json_column("predicted_s", |result| result.time.total_time().into()),
    json_column("time_error", |result| result.time_error().into()),
    json_column("unseen_time_error", |result| result.unseen.into()),
    json_column("measured_mfu", |result| result.measured_mfu.into()),
    json_column("fitted", |result| result.role.fitted.into()),
    json_column("published_gib", |result| result.case.memory_gib.into()),
    json_column("predicted_gib", |result| result.memory_gib().into()),
    json_column("memory_error", |result| result.memory_error().into()),
];

/// Calls of published tables.
pub(in crate::report) const COLLECTIVE_COLUMNS: &[ListColumn<CollectiveRow>] = &[
    json_column("node", |row| row.node.into()),
    json_column("domains", |row| row.domains.into()),
    json_column("gpus", |row| row.gpus.into()),
    json_column("collective", |row| row.collective.name().into()),
    json_column("bytes", |row| row.bytes.into()),
    json_column("published_s", |row| row.published.into()),
    json_column("predicted_s", |row| row.predicted.into()),
    json_column("time_error", |row| row.time_error().into()),
    json_column("counted", |row| row.is_counted().into()),
    json_column("source", |row| row.source.into()),
];

/// Errors of calls that are alike.
pub(in crate::report) const COLLECTIVE_ERROR_COLUMNS: &[ListColumn<CollectiveErrors>] = &[
    word_column("node", "machine", |group| group.node.into()),
    word_column("domains", "domains", |group| group.domains_text().into()),
    word_column("collective", "collective", |group| group.collective.name().into()),
    word_column("size", "bytes", |group| group.size_text().into()),
    number_column("rows", "rows", |group| group.errors.rows.into()),
    number_column("mean_error", "mean", |group| percent_value(group.errors.mean)),
    number_column("largest_error", "largest", |group| percent_value(group.errors.largest)),
    number_column("bias", "signed", |group| percent_change_value(group.errors.bias)),
];

/// Errors of a quantity in a set.
#[derive(Clone, Debug)]
pub(in crate::report) struct SetErrors {
    set: &'static str,
    /// `time` or `memory`.
    quantity: &'static str,
    errors: Statistics,
    /// Mean error of rows by constants fitted without their source; `None` of memory.
    unseen: Option<f64>,
    fitted: bool,
    /// Mean error of another tool in percent, and its name.
    reference: Option<(f64, &'static str)>,
}

impl SetErrors {
    /// Those of each quantity that the set measured.
    pub(in crate::report) fn from_set(result: &SetResult) -> Vec<Self> {
        let set = result.set.name;
        let time = Self {
            set,
            quantity: "time",
            errors: result.time_errors(),
            unseen: Some(result.unseen_errors().mean),
            fitted: result.is_fitted(),
            reference: result.set.reference,
        };
        let errors = result.memory_errors();
        let memory =
            Self { set, quantity: "memory", errors, unseen: None, fitted: false, reference: None };
        [time, memory].into_iter().filter(|quantity| quantity.errors.rows > 0).collect()
    }

    pub(in crate::report) fn is_of_time(&self) -> bool {
        self.quantity == "time"
    }
}

/// Errors by set and quantity, for tables.
pub(in crate::report) const SET_ERROR_COLUMNS: &[ListColumn<SetErrors>] = &[
    word_column("set", "set", |row| row.set.into()),
    word_column("quantity", "quantity", |row| row.quantity.into()),
    number_column("rows", "rows", |row| row.errors.rows.into()),
    number_column("mean_error", "mean", |row| percent_value(row.errors.mean)),
    number_column("largest_error", "largest", |row| percent_value(row.errors.largest)),
    number_column("bias", "mean, signed", |row| percent_change_value(row.errors.bias)),
    number_column("unseen_mean_error", "without source", |row| {
        row.unseen.map(percent_value).into()
    }),
    word_column("fitted", "fitted", |row| yes_or_no(row.fitted)),
    number_column("reference_mean_percent", "reference", |row: &SetErrors| {
        row.reference.map(|(error, _)| shown_as(error.to_string(), error)).into()
    }),
    word_column("reference_tool", "reference tool", |row| {
        row.reference.map(|(_, name)| name).into()
    }),
    word_column("reference", "reference tool", |row| {
        row.reference.map(|(error, name)| format!("{error} % ({name})")).into()
    }),
];

/// Calibrations or stacks of a constant.
fn set_names(fitted: &Fitted) -> Vec<String> {
    fitted.constant.sets.iter().map(|set| set.name.clone()).collect()
}

/// Constants fitted anew; values are in `unit`, without one they are shares.
pub(in crate::report) const FITTED_CONSTANT_COLUMNS: &[ListColumn<Fitted>] = &[
    word_column("name", "constant", |fitted: &Fitted| (&fitted.constant.key).into())
        .with_csv_key("constant"),
    json_column("of", |fitted| JsonValue::from(set_names(fitted))),
    word_column("of", "of", |fitted: &Fitted| set_names(fitted).join(" ").into()).only_in_tables(),
    json_column("unit", |fitted| (&fitted.constant.unit).into()),
    json_column("least", |fitted| fitted.constant.least.into()),
    json_column("most", |fitted| fitted.constant.most.into()),
    json_column("prior", |fitted| fitted.constant.prior.into()),
    number_column("rows", "rows", |fitted| fitted.rows.into()),
    number_column("shipped", "shipped", |fitted| spec_value(fitted, fitted.shipped)),
    number_column("fitted", "fitted", |fitted| spec_value(fitted, fitted.value)),
    json_column("without_a_source", |fitted| fitted.spread.into()),
    number_column("spread", "without a source", |fitted: &Fitted| {
        fitted.spread.map(|value| fitted.constant.as_spec_text(value)).join(" to ").into()
    })
    .only_in_tables(),
    json_column("refused", |fitted| fitted.refusal().is_some().into()),
    word_column("refused", "", |fitted: &Fitted| match fitted.refusal() {
        Some(Refusal::Rows) => "refused: fewer than two rows".into(),
        Some(Refusal::Range) => "refused: at the end of its range".into(),
        None => "".into(),
    })
    .only_in_tables(),
];

/// A value as a spec writes it.
fn spec_value(fitted: &Fitted, value: f64) -> JsonValue {
    shown_as(fitted.constant.as_spec_text(value), value)
}

/// Rows by constants fitted without their source.
pub(in crate::report) const UNSEEN_ROW_COLUMNS: &[ListColumn<Unseen>] = &[
    json_column("set", |unseen| unseen.set.into()),
    json_column("name", |unseen| (&unseen.id).into()),
    json_column("source", |unseen| (&unseen.role.source).into()),
    json_column("fitted", |unseen| unseen.role.fitted.into()),
    json_column("error", |unseen| unseen.seen.into()),
    json_column("unseen_error", |unseen| unseen.unseen.into()),
];

/// Calibrated constants; values are in `unit`, without one they are shares.
pub(in crate::report) const CALIBRATED_CONSTANT_COLUMNS: &[ListColumn<MovedConstant>] = &[
    word_column("name", "constant", |constant: &MovedConstant| (&constant.key).into())
        .with_csv_key("constant"),
    json_column("unit", |constant| (&constant.unit).into()),
    number_column("before", "before", |constant| four_digits(constant.before)),
    number_column("after", "now", |constant| four_digits(constant.after)),
    word_column("unit", "unit", |constant: &MovedConstant| (&constant.unit).into())
        .only_in_tables(),
    number_column("steps", "rows", |constant: &MovedConstant| constant.rows.into())
        .with_csv_key("rows"),
];

fn four_digits(value: f64) -> JsonValue {
    shown_as(format!("{value:.4}"), value)
}

/// Measured steps, by constants fitted without each.
pub(in crate::report) const CALIBRATED_STEP_COLUMNS: &[ListColumn<JudgedStep>] = &[
    word_column("name", "step", |step| (&step.name).into()),
    number_column("measured_s", "measured", |step| step.time.into()),
    number_column("error_before", "before", |step| percent_change_value(step.before)),
    number_column("unseen_error", "without source", |step| percent_change_value(step.unseen)),
    json_column("disagrees", |step| step.disagrees.into()),
    word_column("disagrees", "", |step: &JudgedStep| {
        if step.disagrees { "disagrees with the others" } else { "" }.into()
    })
    .only_in_tables(),
];

/// Rows of nccl-tests, before and by the shares that fit.
pub(in crate::report) const CALIBRATED_CALL_COLUMNS: &[ListColumn<JudgedCall>] = &[
    word_column("collective", "collective", |judged| judged.call.collective.name().into()),
    number_column("gpus", "GPUs", |judged| judged.call.gpus.into()),
    number_column("domains", "domains", |judged| judged.call.domains.into()),
    number_column("bytes", "bytes", |judged| judged.call.bytes.into()),
    number_column("measured_s", "measured", |judged| judged.call.time.into()),
    number_column("error_before", "before", |judged| percent_change_value(judged.before)),
    number_column("error_now", "now", |judged| percent_change_value(judged.now)),
    number_column("unseen_error", "without table", |judged: &JudgedCall| {
        judged.unseen.map(percent_change_value).into()
    }),
];
