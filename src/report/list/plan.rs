//! What a plan lists: assumptions, phases, prices, limits, other designs.

use super::{
    JsonValue, ListColumn, json_column, known_column, money_change_value, number_column,
    percent_change_value, percent_value, word_column,
};
use crate::design::{
    Alternative, BindingLimit, IdleParts, LimitWorth, NotSized, PhaseReport, PriceBand, PriceDoubt,
    Priority, StatedLimit, Warning,
};
use crate::report::decision::Decide;
use crate::report::{amount, warnings};
use crate::scenario::Assumption;
use crate::units::Amount;

/// What is taken for granted.
pub(in crate::report) const ASSUMPTION_COLUMNS: &[ListColumn<Assumption>] = &[
    word_column("topic", "", |assumption| (&assumption.topic).into()),
    word_column("text", "", |assumption| (&assumption.text).into()),
];

/// Parts of a run with steps of their own.
pub(in crate::report) const PHASE_COLUMNS: &[ListColumn<PhaseReport>] = &[
    word_column("name", "phase", |phase: &PhaseReport| (&phase.name).into()).with_csv_key("phase"),
    number_column("share_of_steps", "steps", |phase| percent_value(phase.share)),
    number_column("step_time_s", "step", |phase| phase.step.into()),
    json_column("model_flop", |phase| phase.model_flops.get().into()),
];

pub(in crate::report) const WARNING_COLUMNS: &[ListColumn<Warning>] = &[
    json_column("code", |warning| warnings::warning_code(warning).into()),
    json_column("text", |warning| warnings::warning_text(warning).into()),
];

/// Limits that the spec states.
pub(in crate::report) const STATED_LIMIT_COLUMNS: &[ListColumn<StatedLimit>] = &[
    word_column("key", "limit", |limit: &StatedLimit| (&limit.key).into()),
    number_column("is", "taken", |limit| limit.takes.clone().into()),
    number_column("may", "allowed", |limit| limit.may.clone().into()),
    json_column("is_floor", |limit| limit.is_floor.into()),
    number_column("used_share", "used", |limit| percent_value(limit.used_share())),
];

/// What is left to decide.
pub(in crate::report) const DECIDE_COLUMNS: &[ListColumn<Decide>] = &[
    json_column("text", |decide| (&decide.text).into()),
    known_column("code", |decide| {
        Some(decide.code).filter(|code| !code.is_empty()).map(str::to_owned).into()
    }),
    json_column("usd", |decide| decide.usd.into()),
];

/// Parts in hand that a stage does not use.
pub(in crate::report) const IDLE_PARTS_COLUMNS: &[ListColumn<IdleParts>] = &[
    json_column("part", |idle| (&idle.part).into()),
    json_column("count", |idle| idle.count.into()),
];

/// Quantities that were minimised one after another.
pub(in crate::report) const PRIORITY_COLUMNS: &[ListColumn<Priority>] = &[
    json_column("minimize", |priority| priority.quantity.name().into()),
    json_column("given_up_share", |priority| priority.given_up.into()),
    json_column("gained_share", |priority| priority.gained.into()),
];

/// Prices of a part between which the design stays the best; an end that is absent was not found.
pub(in crate::report) const PRICE_BAND_COLUMNS: &[ListColumn<PriceBand>] = &[
    word_column("part", "part", |band| (&band.part).into()),
    number_column("price_usd", "price", |band| band.price.into()),
    json_column("basis", |band| band.basis.name().into()),
    word_column("basis", "price from", |band: &PriceBand| match band.date.as_str() {
        "" => band.basis.name().into(),
        date => format!("{}, {date}", band.basis.name()).into(),
    })
    .only_in_tables(),
    json_column("date", |band| (&band.date).into()),
    json_column("doubt", |band| band.doubt.map(PriceDoubt::name).into()),
    number_column("below_usd", "down to", |band: &PriceBand| {
        band.below.as_ref().map(|turn| turn.price).into()
    })
    .with_missing_text("/ 4"),
    word_column("below", "then", |band: &PriceBand| {
        band.below.as_ref().map(|turn| &turn.to).into()
    })
    .with_missing_text(""),
    json_column("above_usd", |band| band.above.as_ref().map(|turn| turn.price).into()),
    number_column("above_usd", "up to", |band: &PriceBand| match &band.above {
        Some(turn) => turn.price.into(),
        None if band.used => "x 4".into(),
        None => "any".into(),
    })
    .only_in_tables(),
    word_column("above", "then", |band: &PriceBand| {
        band.above.as_ref().map(|turn| &turn.to).into()
    })
    .with_missing_text(""),
];

/// Limits in the way of a cheaper design, and what more of them is worth.
pub(in crate::report) const BINDING_LIMIT_COLUMNS: &[ListColumn<BindingLimit>] = &[
    word_column("limit", "limit", |binding| (&binding.limit).into()),
    word_column("worth", "if it changed", |binding| {
        amount::limit_worth_text(&binding.worth).into()
    }),
    json_column("saving_usd", |binding| amount::saved_money(&binding.worth).into()),
    known_column("saving_usd_per_million_tokens", |binding| {
        amount::saved_per_token(&binding.worth).into()
    }),
    known_column("needs", |binding| match &binding.worth {
        LimitWorth::Moved { needs, .. } => needs.as_ref().map(Amount::scalar).into(),
        LimitWorth::Together { .. } | LimitWorth::Tiers { .. } => JsonValue::Null,
    }),
    known_column("design", |binding| match &binding.worth {
        LimitWorth::Moved { design, .. } | LimitWorth::Together { design, .. } => design.into(),
        LimitWorth::Tiers { .. } => JsonValue::Null,
    }),
];

/// Designs that were not chosen.
pub(in crate::report) const ALTERNATIVE_COLUMNS: &[ListColumn<Alternative>] = &[
    word_column("name", "design", |other: &Alternative| (&other.name).into())
        .with_csv_key("design"),
    number_column("network_capex_change_usd", "network", |other| {
        money_change_value(other.network_capex_change)
    }),
    number_column("capex_change_usd", "cluster", |other| money_change_value(other.capex_change)),
    json_column("step_ratio", |other| other.step_ratio.into()),
    number_column("step_change", "step", |other: &Alternative| {
        percent_change_value(other.step_ratio - 1.0)
    })
    .only_in_tables(),
    json_column("usd_per_token_ratio", |other| other.usd_per_token_ratio.into()),
    number_column("usd_per_token_change", "per token", |other: &Alternative| {
        other.usd_per_token_ratio.map(|ratio| percent_change_value(ratio - 1.0)).into()
    })
    .only_in_tables(),
    json_column("standing", |other| other.standing.name().into()),
    word_column("reason", "note", |other| (&other.reason).into()),
];

/// Products that a bound leaves out.
pub(in crate::report) const NOT_SIZED_COLUMNS: &[ListColumn<NotSized>] = &[
    json_column("name", |product| (&product.name).into()),
    json_column("at_least_ratio", |product| product.at_least.into()),
];
