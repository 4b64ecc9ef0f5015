//! What the gate finds: rules, figures, lines of the bill that changed.

use super::{
    JsonValue, ListColumn, json_column, money_change_value, number_column, shown_as, word_column,
};
use crate::gate::{
    CapexChange, FactChange, GateFinding, Judged, LineChange, Movement, QuestionChange, RuleBound,
    RuleOrigin, Severity, Verdict,
};
use crate::report::sheet::finding_text;
use crate::report::table::{change_cell, change_share_cell, figure_text};
use crate::units::Unit;

/// Rules; values are in the unit of their key, and `null` where a result has none.
pub(in crate::report) const RULE_COLUMNS: &[ListColumn<Judged>] = &[
    json_column("rule", |judged| judged.gate.rule.to_string().into()),
    word_column("rule", "rule", |judged: &Judged| {
        let word = match judged.gate.severity {
            Severity::Warn => "warn on",
            Severity::Fail => "fail on",
        };
        format!("{word} {}", judged.gate.rule).into()
    })
    .only_in_tables(),
    json_column("key", |judged| (&judged.key).into()),
    json_column("severity", |judged| match judged.gate.severity {
        Severity::Warn => "warn".into(),
        Severity::Fail => "fail".into(),
    }),
    json_column("origin", |judged| match judged.gate.origin {
        RuleOrigin::Planner => "planner".into(),
        RuleOrigin::Spec => "spec".into(),
        RuleOrigin::CommandLine => "command-line".into(),
        RuleOrigin::Policy => "policy".into(),
    }),
    json_column("silenced", |judged| judged.silenced.into()),
    number_column("old", "before", |judged| figure_value(judged.unit, judged.old)),
    number_column("new", "after", |judged| figure_value(judged.unit, judged.new)),
    json_column("change", |judged| judged.change().into()),
    number_column("change", "change", |judged: &Judged| {
        change_cell(judged.unit, judged.change()).into()
    })
    .only_in_tables(),
    number_column("change_share", "", |judged: &Judged| {
        change_share_cell(judged.old, judged.new).into()
    })
    .only_in_tables(),
    word_column("origin", "set by", |judged: &Judged| match judged.gate.origin {
        RuleOrigin::Planner => "planner".into(),
        RuleOrigin::Spec => "spec".into(),
        RuleOrigin::CommandLine => "you".into(),
        RuleOrigin::Policy => "policy".into(),
    })
    .only_in_tables(),
    json_column("verdict", |judged| judged.verdict.name().into()),
    word_column("verdict", "verdict", |judged| verdict_text(judged).into()).only_in_tables(),
];

/// A figure in its unit.
fn figure_value(unit: Unit, value: Option<f64>) -> JsonValue {
    value.map(|value| shown_as(figure_text(unit, value), value)).into()
}

fn verdict_text(judged: &Judged) -> String {
    if judged.silenced {
        return "pass: switched off by `never`".to_owned();
    }
    match (judged.verdict, judged.old, judged.new) {
        (Verdict::Pass, _, _) if judged.gate.rule.bound == RuleBound::Never => {
            "shown only".to_owned()
        }
        (Verdict::Pass, None, None) => "pass: there is no such value".to_owned(),
        (Verdict::Pass, _, _) if judged.broken_on_terms => {
            "pass, but FAIL at the accepted prices and parts".to_owned()
        }
        (Verdict::Pass, _, _) => "pass".to_owned(),
        (other, Some(_), Some(_)) => other.name().to_uppercase(),
        (other, None, _) => format!("{}: there was no value", other.name().to_uppercase()),
        (other, _, None) => format!("{}: there is no value", other.name().to_uppercase()),
    }
}

/// The change of capex; `by_exchange_usd` is a part of `by_price_usd`, and `by_quantity_usd`,
/// `by_price_usd` and `other_usd` sum to it.
pub(in crate::report) const CAPEX_CHANGE_COLUMNS: &[ListColumn<CapexChange>] = &[
    json_column("capex_usd", |change| change.total.into()),
    json_column("by_quantity_usd", |change| change.by_quantity.into()),
    json_column("by_price_usd", |change| change.by_price.into()),
    json_column("by_exchange_usd", |change| change.by_exchange.into()),
    json_column("other_usd", |change| change.other.into()),
    json_column("network_by_quantity_usd", |change| change.network_by_quantity.into()),
    json_column("network_by_price_usd", |change| change.network_by_price.into()),
    json_column("by_optimum_usd", |change| change.by_optimum.into()),
];

/// Figures that changed.
pub(in crate::report) const MOVEMENT_COLUMNS: &[ListColumn<Movement>] = &[
    word_column("key", "figure", |movement| (&movement.key).into()),
    number_column("old", "before", |movement| figure_value(movement.unit, movement.old)),
    number_column("new", "after", |movement| figure_value(movement.unit, movement.new)),
    json_column("change", |movement| movement.change().into()),
    json_column("change_share", |movement| movement.relative_change().into()),
    number_column("change", "change", |movement: &Movement| {
        change_cell(movement.unit, movement.change()).into()
    })
    .only_in_tables(),
    number_column("change_share", "share", |movement: &Movement| {
        change_share_cell(movement.old, movement.new).into()
    })
    .only_in_tables(),
];

/// Words of the design that changed.
pub(in crate::report) const FACT_COLUMNS: &[ListColumn<FactChange>] = &[
    json_column("key", |change| (&change.key).into()),
    json_column("old", |change| (&change.old).into()),
    json_column("new", |change| (&change.new).into()),
];

/// Lines of the bill that changed.
pub(in crate::report) const CHANGED_LINE_COLUMNS: &[ListColumn<LineChange>] = &[
    word_column("part", "part", |change| (&change.part).into()),
    json_column("role", |change| (&change.role).into()),
    number_column("old_count", "before", |change| change.old_count.into()),
    number_column("new_count", "after", |change| change.new_count.into()),
    number_column("old_unit_usd", "price before", |change: &LineChange| change.old_unit.into())
        .with_missing_text("no price"),
    number_column("new_unit_usd", "after", |change: &LineChange| change.new_unit.into())
        .with_missing_text("no price"),
    number_column("by_quantity_usd", "from quantity", |change| {
        money_change_value(change.by_quantity)
    }),
    number_column("by_price_usd", "from price", |change| money_change_value(change.by_price)),
    number_column("by_exchange_usd", "of it by rate", |change| {
        money_change_value(change.by_exchange)
    }),
];

/// What the new spec asks otherwise.
pub(in crate::report) const QUESTION_COLUMNS: &[ListColumn<QuestionChange>] = &[
    json_column("key", |change| (&change.key).into()),
    json_column("old", |change| change.old.clone().into()),
    json_column("new", |change| change.new.clone().into()),
];

/// What no rule sees.
pub(in crate::report) const FINDING_COLUMNS: &[ListColumn<GateFinding>] = &[
    json_column("code", |judged| judged.finding.code().into()),
    json_column("subject", |judged| judged.finding.subject().to_owned().into()),
    json_column("text", |judged| finding_text(&judged.finding).into()),
    json_column("verdict", |judged| judged.verdict.name().into()),
];
