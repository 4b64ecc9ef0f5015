//! Amounts of any unit as text, and what more of a limit is worth.

use super::{number, words};
use crate::design::{LimitWorth, Premium};
use crate::scenario::Minimize;
use crate::units::{Amount, ExactAmount, StatedAmount, Usd};

/// A value in its unit; of a name, that.
pub(super) fn amount_text(value: &Amount) -> String {
    /// Plain numbers below this are written out.
    const SMALL: f64 = 1e4;
    match value {
        Amount::Time(value) => number::time(*value),
        // A part of a day is not to read as none.
        Amount::Days(days) if *days < 1.0 && *days > 0.0 => format!("{days:.2} days"),
        Amount::Days(days) => format!("{days:.1} days"),
        Amount::Memory(bytes) => number::memory(*bytes),
        Amount::Volume(bytes) => number::volume(*bytes),
        Amount::Money(usd) => number::money(*usd),
        Amount::Power(watts) => number::power(*watts),
        Amount::Work(work) => number::flops(*work),
        Amount::Rate(rate) => number::flop_rate(*rate),
        Amount::Link(rate) => number::link_rate(*rate),
        Amount::Bandwidth(rate) => number::bandwidth(*rate),
        Amount::TokenRate(rate) => format!("{}/s", number::large_count(*rate)),
        Amount::Count(pieces) => number::count(*pieces),
        Amount::Share(share) => number::percent(*share),
        Amount::Number(plain) if plain.abs() < SMALL => words::rounded_number(*plain),
        Amount::Number(plain) => number::large_count(*plain),
        Amount::Flag(on) => on.to_string(),
        Amount::Word(name) => name.to_string(),
    }
}

/// The worth as a sentence without its full stop.
pub(super) fn limit_worth_text(worth: &LimitWorth) -> String {
    match worth {
        LimitWorth::Moved { has, needs, saved, quantity: objective, design, least } => {
            let moved = needs.as_ref().map_or_else(
                || "without this limit".to_owned(),
                |needs| format!("{} in place of {}", ExactAmount(needs), StatedAmount(has)),
            );
            let less = if *least { "" } else { "; a smaller change may be enough" };
            format!(
                "{moved}: saves {}{} with {design}{less}",
                amount_text(saved),
                saved_quantity_suffix(*objective)
            )
        }
        LimitWorth::Together { needs, saved, quantity: objective, design } => {
            let needs: Vec<String> =
                needs.iter().map(|(_, amount)| ExactAmount(amount).to_string()).collect();
            format!(
                "changing one is not enough; {} together, to {}: saves {}{} with {design}",
                if needs.len() == 2 { "both" } else { "all" },
                needs.join(" and "),
                amount_text(saved),
                saved_quantity_suffix(*objective)
            )
        }
        LimitWorth::Tiers { endpoints, radix, tiers } => format!(
            "a rail of {0} NICs takes {tiers} tiers of {radix}-port switches; a switch of {0} ports \
             would do with one",
            number::count(*endpoints)
        ),
    }
}

/// What a rule takes more: `$12,000`, `$0.0003 per million tokens`.
pub(super) fn premium_text(premium: &Premium) -> String {
    format!("{}{}", amount_text(&premium.more), saved_quantity_suffix(premium.minimized))
}

/// What is saved, as a sentence goes on.
const fn saved_quantity_suffix(quantity: Minimize) -> &'static str {
    match quantity {
        Minimize::Tco => " over the years",
        Minimize::UsdPerToken => " per million tokens",
        Minimize::Capex | Minimize::Power => "",
    }
}

/// The money in it; `None` where it is none, or money per token.
pub(super) const fn saved_money(worth: &LimitWorth) -> Option<Usd> {
    match worth {
        LimitWorth::Moved { quantity: Minimize::UsdPerToken, .. }
        | LimitWorth::Together { quantity: Minimize::UsdPerToken, .. } => None,
        LimitWorth::Moved { saved: Amount::Money(saved), .. }
        | LimitWorth::Together { saved: Amount::Money(saved), .. } => Some(*saved),
        LimitWorth::Moved { .. } | LimitWorth::Together { .. } | LimitWorth::Tiers { .. } => None,
    }
}

/// Money per million tokens in it; `None` where it is none.
pub(super) const fn saved_per_token(worth: &LimitWorth) -> Option<Usd> {
    match worth {
        LimitWorth::Moved {
            quantity: Minimize::UsdPerToken, saved: Amount::Money(saved), ..
        }
        | LimitWorth::Together {
            quantity: Minimize::UsdPerToken,
            saved: Amount::Money(saved),
            ..
        } => Some(*saved),
        LimitWorth::Moved { .. } | LimitWorth::Together { .. } | LimitWorth::Tiers { .. } => None,
    }
}
