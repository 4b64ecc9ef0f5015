//! Causes, findings, names told alike in text and JSON.

use crate::compare::{Freed, TechniqueCase};
use crate::design::{Frontier, Plan};
use crate::gate::{ChangeCause, Finding, PriceChange, QuestionChange, RateChange, Severity};
use crate::hardware::PricedItem;
use crate::report::number;
use crate::report::table::figure_text;
use crate::scenario::Minimize;
use crate::units::Usd;
use crate::units::parse::shorten_for_message;

/// Most characters of a value of a spec that a sentence repeats.
const LONGEST_VALUE: usize = 60;

/// What a case is called.
pub(in crate::report) fn case_name(case: &TechniqueCase) -> String {
    match case.on.as_slice() {
        [] => "without".to_owned(),
        on => {
            let name = match on {
                [one] => one.key().replace('_', "-"),
                _ => "all together".to_owned(),
            };
            match case.freed {
                Freed::Nothing => name,
                Freed::Stages => format!("{name}, free p"),
                Freed::Sharding | Freed::Memory | Freed::Degrees => format!("{name}, nearest"),
            }
        }
    }
}

/// What a plan costs in the frontier's sense.
pub(in crate::report) fn frontier_cost(frontier: &Frontier, plan: &Plan) -> Usd {
    match frontier.cost {
        Minimize::Capex | Minimize::Power => plan.cost.capex,
        Minimize::Tco | Minimize::UsdPerToken => plan.cost.tco,
    }
}

/// Step of the cluster that is slowed most, over that on a full-bisection Clos.
pub(in crate::report) fn frontier_slowdown(plan: &Plan) -> f64 {
    plan.cluster_plans()
        .into_iter()
        .map(|cluster_plan| cluster_plan.step.slowdown)
        .fold(1.0, f64::max)
}

/// Name of what is weighed against step time.
pub(in crate::report) const fn frontier_axis(frontier: &Frontier) -> &'static str {
    match frontier.cost {
        Minimize::Capex | Minimize::Power => "capex",
        Minimize::Tco | Minimize::UsdPerToken => "TCO",
    }
}

/// Most prices or keys that a sentence names.
const MOST_NAMED: usize = 5;

/// A stable code for programs, and the sentence.
pub(in crate::report) fn cause_code_and_text(cause: &ChangeCause) -> (&'static str, String) {
    match cause {
        ChangeCause::Question { keys } if keys.is_empty() => (
            "design-changed",
            "the spec changed: workload, cluster, objective, limits or stock".into(),
        ),
        ChangeCause::Question { keys } => {
            let named: Vec<String> =
                keys.iter().take(MOST_NAMED).map(|key| format!("`{key}`")).collect();
            let more = match keys.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let text = format!("the spec changed: {}{more}", named.join(", "));
            ("design-changed", text)
        }
        ChangeCause::Prices { old_book, new_book, changed, .. } => {
            ("prices-changed", price_changes_text(old_book, new_book, changed))
        }
        ChangeCause::Exchange { changed, by_exchange, price: amount } => {
            ("exchange-rate-changed", exchange_rates_text(changed, *by_exchange, *amount))
        }
        ChangeCause::Catalogue => (
            "catalogue-changed",
            "the catalogue changed: a part came, went, or has other ports, rates or power".into(),
        ),
        ChangeCause::Version { old, new } => (
            "planner-changed",
            format!("the planner is version {new} and was {old}: its formulas may differ"),
        ),
        ChangeCause::Optimum { at_old_prices } => {
            ("different-optimum", other_optimum_text(*at_old_prices))
        }
        ChangeCause::Untold => (
            "origin-unknown",
            "one of the results does not say what it was made from; write it anew to learn why"
                .into(),
        ),
    }
}

fn other_optimum_text(at_old_prices: Option<Usd>) -> String {
    let text = "the solver chose another design, which no change of the spec explains";
    match at_old_prices {
        Some(usd) => format!("{text}: {} at the old prices", number::money_change(usd)),
        None => text.to_owned(),
    }
}

fn price_changes_text(old_book: &str, new_book: &str, changed: &[PriceChange]) -> String {
    // What stands on a bill matters most; the rest is named only where nothing does.
    let on_bill: Vec<&PriceChange> = changed.iter().filter(|change| change.on_bill).collect();
    let rates = |change: &&PriceChange| !matches!(change.item, PricedItem::Part(_));
    let mut named = on_bill.clone();
    named.extend(changed.iter().filter(|change| !change.on_bill).filter(rates));
    named.extend(changed.iter().filter(|change| !change.on_bill && !rates(change)));
    let list: Vec<String> =
        named.iter().take(MOST_NAMED).map(|change| price_change_text(change)).collect();
    let more = match named.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = number::count_with_noun(changed.len() as u64, "price changed", "prices changed");
    let books = if old_book == new_book {
        String::new()
    } else {
        format!(" with the book, {old_book} to {new_book}")
    };
    let bill = match on_bill.len() {
        0 => "none of parts on a bill".to_owned(),
        known => format!("{} on a bill", number::count_with_noun(known as u64, "part", "parts")),
    };
    format!("{count}{books}, {bill}: {}{more}", list.join(", "))
}

/// Rates of exchange, and what they did to the bill beside prices.
fn exchange_rates_text(changed: &[RateChange], by_exchange: Usd, price: Usd) -> String {
    let rate = |change: &RateChange| {
        let (old, new) = (&change.old, &change.new);
        let share = number::percent_change((new.usd - old.usd) / old.usd);
        let days = if old.date == new.date {
            String::new()
        } else {
            format!(", {} to {}", old.date, new.date)
        };
        format!("{} {} to {} USD ({share}{days})", old.currency, old.usd, new.usd)
    };
    let list: Vec<String> = changed.iter().take(MOST_NAMED).map(rate).collect();
    let more = match changed.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = number::count_with_noun(changed.len() as u64, "exchange rate", "exchange rates");
    let prices = price - by_exchange;
    let worth = if by_exchange == Usd::ZERO {
        "nothing on the bill is priced at it".to_owned()
    } else {
        let share = by_exchange / price;
        let share = if (0.0..=1.0).contains(&share) {
            format!(", {} of what prices and rates add", number::percent(share))
        } else {
            String::new()
        };
        let rest = number::money_change(prices);
        format!(
            "{} on the bill{share}; prices themselves {rest}",
            number::money_change(by_exchange)
        )
    };
    format!("{count} changed: {}{more}: {worth}", list.join("; "))
}

fn price_change_text(change: &PriceChange) -> String {
    let at = if change.at_new_rate { " at the new rate" } else { "" };
    match (change.old, change.new) {
        (Some(old), Some(new)) => {
            let share = if old.get() == 0.0 {
                String::new()
            } else {
                format!(" ({})", number::percent_change((new - old) / old))
            };
            let (old, new) = (number::money(old), number::money(new));
            format!("{} {old}{at} to {new}{share}", change.item)
        }
        (None, Some(new)) => format!("{} newly {}", change.item, number::money(new)),
        (Some(old), None) => format!("{} no longer (was {})", change.item, number::money(old)),
        (None, None) => change.item.to_string(),
    }
}

/// What a change may state itself, and what it is judged by as well.
const ACCEPTED_TERMS: &str = "at the accepted prices, parts and stock";

/// `cluster.gpus 1024 to 512`.
pub(in crate::report) fn question_change_text(change: &QuestionChange) -> String {
    let value = |stated: &Option<String>| match stated {
        Some(text) => shorten_for_message(text, LONGEST_VALUE),
        None => "not stated".to_owned(),
    };
    let key = shorten_for_message(&change.key, 2 * LONGEST_VALUE);
    if change.old == change.new {
        return key;
    }
    format!("{key} {} to {}", value(&change.old), value(&change.new))
}

/// The sentence.
pub(in crate::report) fn finding_text(finding: &Finding) -> String {
    match finding {
        Finding::LostPrice { part, old: Some(usd) } => {
            format!("{part} has no price now and was {}: every total lacks it", number::money(*usd))
        }
        Finding::LostPrice { part, old: None } => {
            format!("{part} has no price and was not bought before: every total lacks it")
        }
        Finding::FreePart { part, old } => {
            format!("{part} costs nothing now and was {}", number::money(*old))
        }
        Finding::WeakerBasis { part, old, new } => format!(
            "the price of {part} rests on less than before: {} now, {} before",
            new.name(),
            old.name()
        ),
        Finding::ChangedQuestion(change) => {
            format!("the question changed: {}", question_change_text(change))
        }
        Finding::OwnTerms { rule, unit, old, new } => {
            let [old_text, new_text] = [*old, *new].map(|value| {
                value.map_or("no value".to_owned(), |value| figure_text(*unit, value))
            });
            let share = old
                .zip(*new)
                .filter(|(old, _)| *old != 0.0)
                .map(|(old, new)| format!(" ({})", number::percent_change((new - old) / old)));
            let share = share.unwrap_or_default();
            format!("{rule} {ACCEPTED_TERMS}: {old_text} to {new_text}{share}")
        }
        Finding::NoDesignOnTerms { reason } => format!("no design {ACCEPTED_TERMS}: {reason}"),
        Finding::RemovedRule { rule, severity } => {
            format!("the spec has lost its rule `{}`", rule_with_severity(*severity, rule))
        }
        Finding::LooserRule { rule, severity, now } => {
            let now: Vec<String> = now
                .iter()
                .map(|(severity, rule)| format!("`{}`", rule_with_severity(*severity, rule)))
                .collect();
            let was = rule_with_severity(*severity, rule);
            format!("the spec has loosened its rule `{was}`: it has only {} now", now.join(", "))
        }
    }
}

fn rule_with_severity(severity: Severity, rule: &str) -> String {
    match severity {
        Severity::Warn => format!("warn on {rule}"),
        Severity::Fail => format!("fail on {rule}"),
    }
}
