//! One value against one kind: the typed value, or what is wrong with it. Knows no keys and no
//! tables.

use super::document::{SpannedValue, SpecValue};
use super::problem::{self, ProblemKind};
use crate::hardware::Month;
use crate::keys::Kind;
use crate::parallel::Order;
use crate::units::exact_text::{self, TextForms};
use crate::units::{Money, Unit, parse};

/// A whole number in range.
pub(crate) fn parse_count(item: &SpannedValue, min: u64, max: u64) -> Result<u64, ProblemKind> {
    let wanted = || format!("a whole number from {min} to {max}");
    let number = match &item.value {
        SpecValue::Integer(number) => *number,
        SpecValue::Float(number) if !number.is_finite() => {
            return Err(out_of_range(number.to_string(), wanted()));
        }
        // 1e6 is a float to TOML, but a count to its writer.
        SpecValue::Float(number) if number.fract() == 0.0 => *number as i128,
        other => return Err(wrong_type(other, wanted(), "")),
    };
    match u64::try_from(number) {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        _ => Err(out_of_range(shorten_number(number), wanted())),
    }
}

/// A whole number as text; far beyond any range only its order of magnitude.
fn shorten_number(number: i128) -> String {
    const LONG: u128 = 1_000_000_000_000_000_000;
    if number.unsigned_abs() < LONG { number.to_string() } else { format!("{:.0e}", number as f64) }
}

/// A number in range.
pub(crate) fn parse_number(item: &SpannedValue, min: f64, max: f64) -> Result<f64, ProblemKind> {
    let wanted = || format!("a number from {min} to {max}");
    let number = match &item.value {
        SpecValue::Integer(number) => *number as f64,
        SpecValue::Float(number) => *number,
        other => {
            let example = if max < 1.0 { "0.15" } else { "" };
            return Err(wrong_type(other, wanted(), example));
        }
    };
    if (min..=max).contains(&number) {
        return Ok(number);
    }
    // Who writes 15 for a share may mean 15 %.
    let percent = max <= 2.0 && number <= 100.0 && (max < 1.0 || number >= 5.0) && number > max;
    let share = number / 100.0;
    let meant = if percent { format!(" ({number} % is {share})") } else { String::new() };
    Err(out_of_range(number.to_string(), wanted() + &meant))
}

/// A count that may be written short.
pub(crate) fn parse_amount(item: &SpannedValue, max: f64) -> Result<f64, ProblemKind> {
    let number = match &item.value {
        SpecValue::Text(text) => parse::parse_count(text).map_err(ProblemKind::Quantity)?,
        SpecValue::Integer(number) => *number as f64,
        SpecValue::Float(number) => *number,
        other => return Err(wrong_type(other, "a count".into(), "\"300B\"")),
    };
    if number >= 1.0 && number <= max {
        Ok(number)
    } else {
        Err(out_of_range(format!("{number:e}"), format!("a count from 1 to {max:e}")))
    }
}

/// A quantity in base units: bytes, bytes per second, FLOP/s, watts, seconds or US dollars.
pub(crate) fn parse_quantity(item: &SpannedValue, unit: Unit) -> Result<f64, ProblemKind> {
    let written = exact_text::text_forms(unit);
    let TextForms { noun, example, .. } = written;
    let SpecValue::Text(text) = &item.value else {
        return Err(wrong_type(&item.value, format!("{noun} with its unit, in quotes"), example));
    };
    let value = (written.read)(text).map_err(ProblemKind::Quantity)?;
    if value > written.most || (value == 0.0 && !written.zero) {
        return Err(out_of_range(text.clone(), format!("{noun} that exists, such as {example}")));
    }
    Ok(value)
}

/// What one costs, in whatever currency.
pub(crate) fn parse_cost(item: &SpannedValue) -> Result<Money, ProblemKind> {
    let SpecValue::Text(text) = &item.value else {
        let wanted = "an amount of money with its currency, in quotes".to_owned();
        return Err(wrong_type(&item.value, wanted, "\"$1000\""));
    };
    let money = Money::parse(text).map_err(ProblemKind::Quantity)?;
    if money.to_usd(1.0).get() > exact_text::text_forms(Unit::Money).most {
        let wanted = "a price that exists, such as \"$1000\"".to_owned();
        return Err(out_of_range(text.clone(), wanted));
    }
    Ok(money)
}

/// `true` or `false`.
pub(crate) fn parse_flag(item: &SpannedValue) -> Result<bool, ProblemKind> {
    match &item.value {
        SpecValue::Flag(flag) => Ok(*flag),
        other => Err(wrong_type(other, "true or false".into(), "")),
    }
}

/// Any text that fits on a line of a report.
pub(crate) fn parse_line_text(item: &SpannedValue) -> Result<&str, ProblemKind> {
    match &item.value {
        SpecValue::Text(text) => match unprintable_problem(text) {
            Some(kind) => Err(kind),
            None => Ok(text),
        },
        other => Err(wrong_type(other, "text in quotes".into(), "")),
    }
}

/// A date of the calendar, as exact as its writer knows it.
pub(crate) fn parse_date(item: &SpannedValue) -> Result<&str, ProblemKind> {
    let text = parse_line_text(item)?;
    match Month::parse_latest(text) {
        Some(_) => Ok(text),
        None => {
            let (first, last) = (Month::FIRST_YEAR, Month::LAST_YEAR);
            let wanted =
                format!("a date such as 2026-09-15, 2026-09 or 2026, of {first} to {last}");
            Err(out_of_range(problem::quote_input(text), wanted))
        }
    }
}

/// What makes a text unfit for a report: control characters could rewrite a terminal.
pub(crate) fn unprintable_problem(text: &str) -> Option<ProblemKind> {
    /// Longest name or note, in bytes.
    const LONGEST: usize = 1000;
    let wanted = if text.trim().is_empty() {
        "text that says something"
    } else if text.chars().any(char::is_control) {
        "text without control characters"
    } else if text.len() > LONGEST {
        "a text of at most 1000 bytes"
    } else {
        return None;
    };
    Some(out_of_range(format!("`{}`", problem::quote_input(text)), wanted.to_owned()))
}

/// One of a few texts.
pub(crate) fn parse_choice<'a>(
    item: &'a SpannedValue,
    allowed: &[&str],
) -> Result<&'a str, ProblemKind> {
    match &item.value {
        SpecValue::Text(text) if allowed.contains(&text.as_str()) => Ok(text),
        SpecValue::Text(text) => Err(not_one_of(text, allowed)),
        other => Err(wrong_type(other, format!("one of {}", allowed.join(", ")), "")),
    }
}

/// An order of dimensions; `None` for `auto`.
pub(crate) fn parse_order(item: &SpannedValue) -> Result<Option<Order>, ProblemKind> {
    let text = parse_line_text(item)?;
    if is_auto(item) {
        return Ok(None);
    }
    Order::parse(text).map(Some).ok_or_else(|| {
        not_one_of(text, &["auto", "tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "any other order of these"])
    })
}

/// The word `auto`.
pub(crate) fn is_auto(item: &SpannedValue) -> bool {
    matches!(&item.value, SpecValue::Text(text) if text == "auto")
}

/// What is wrong with a value of that kind in itself; tables and maps are the checker's.
pub(crate) fn value_problem(item: &SpannedValue, kind: &Kind) -> Option<ProblemKind> {
    match kind {
        Kind::Text | Kind::Name => parse_line_text(item).err(),
        Kind::Date => parse_date(item).err(),
        Kind::Choice(allowed) => parse_choice(item, allowed).err(),
        Kind::Order => parse_order(item).err(),
        Kind::Flag => parse_flag(item).err(),
        Kind::Count { min, max } => parse_count(item, *min, *max).err(),
        Kind::Number { min, max } => parse_number(item, *min, *max).err(),
        Kind::Amount { max } => parse_amount(item, *max).err(),
        Kind::Quantity(unit) => parse_quantity(item, *unit).err(),
        Kind::Price | Kind::Cost => parse_cost(item).err(),
        Kind::Auto(inner) if is_auto(item) => None,
        Kind::Auto(inner) => value_problem(item, inner).map(or_auto),
        Kind::Some(inner) => value_problem(item, inner),
        Kind::Tables(_) => Some(wrong_type(&item.value, "a list of tables".into(), "")),
        Kind::Table(_) | Kind::Map(_) => Some(wrong_type(&item.value, "a table".into(), "")),
    }
}

/// A problem of a value, with `auto` among what is allowed.
fn or_auto(kind: ProblemKind) -> ProblemKind {
    match kind {
        ProblemKind::WrongType { found, wanted, example } => {
            ProblemKind::WrongType { found, wanted: format!("{wanted}, or \"auto\""), example }
        }
        ProblemKind::OutOfRange { value, wanted } => {
            ProblemKind::OutOfRange { value, wanted: format!("{wanted}, or \"auto\"") }
        }
        other => other,
    }
}

fn wrong_type(value: &SpecValue, wanted: String, example: &'static str) -> ProblemKind {
    ProblemKind::WrongType { found: value.description(), wanted, example }
}

fn out_of_range(value: String, wanted: String) -> ProblemKind {
    ProblemKind::OutOfRange { value, wanted }
}

fn not_one_of(value: &str, allowed: &[&str]) -> ProblemKind {
    let allowed = allowed.iter().map(|text| (*text).to_owned()).collect();
    ProblemKind::NotOneOf { value: value.to_owned(), allowed }
}
