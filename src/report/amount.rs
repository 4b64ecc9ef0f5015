//! A value of any unit as people read it: the unit decides which words of `number` it gets.

use super::number;
use crate::units::Amount;

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
        Amount::Number(plain) if plain.abs() < SMALL => number::rounded_number(*plain),
        Amount::Number(plain) => number::large_count(*plain),
        Amount::Flag(on) => on.to_string(),
        Amount::Word(name) => name.to_string(),
    }
}
