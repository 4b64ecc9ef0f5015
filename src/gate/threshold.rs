//! The number of a rule: a percentage, or an amount with its unit. Knows neither results nor rules.

use crate::units::error::UnitError;
use crate::units::{Bytes, Seconds, Unit, Usd, Watts, text};

/// How much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Percent of the old value.
    Percent(f64),
    /// A number in the unit of whatever figure it is held against.
    Plain(f64),
    /// Money.
    Usd(Usd),
    /// Power.
    Watts(Watts),
    /// Time.
    Seconds(Seconds),
    /// Size.
    Bytes(Bytes),
}

/// Percent of a whole.
const HUNDRED: f64 = 100.0;

/// Longest text that can be a number with a unit.
const LONGEST_THRESHOLD: usize = 64;

impl Threshold {
    /// Reads `2%`, `500000`, `$2M`, `100 kW`, `1.5 s`, `3 GiB`; no sign.
    ///
    /// # Errors
    /// Where it is none of these.
    pub(super) fn parse(text: &str) -> Result<Self, UnitError> {
        let text = text.trim();
        let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || c == '$' || c == '.');
        if !starts_well || text.len() > LONGEST_THRESHOLD {
            return Err(UnitError {
                message: format!(
                    "`{}` is no number with a unit",
                    text::shorten_for_message(text, LONGEST_THRESHOLD)
                ),
                hint: "write it like 2%, 500000, $2M, 100kW, 1.5s or 3GiB".into(),
            });
        }
        if let Some(percent) = text.strip_suffix('%') {
            return Ok(Self::Percent(text::parse_count(percent.trim_end())?));
        }
        if text.starts_with('$') {
            return text::parse_usd(text).map(Self::Usd);
        }
        // A bare number, also `500k`; then each unit in turn: no two dimensions share a spelling.
        let plain = text::parse_count(text).map(Self::Plain);
        plain
            .or_else(|_| text::parse_watts(text).map(Self::Watts))
            .or_else(|_| text::parse_seconds(text).map(Self::Seconds))
            .or_else(|_| text::parse_bytes(text).map(Self::Bytes))
            .map_err(|_| UnitError {
                message: format!(
                    "`{}` has a unit that no figure has",
                    text::shorten_for_message(text, LONGEST_THRESHOLD)
                ),
                hint: "write it like 2%, 500000, $2M, 100kW, 1.5s or 3GiB".into(),
            })
    }

    /// The amount in the unit of a figure that was `old`; `None` where they don't go together.
    #[must_use]
    pub fn amount_in_unit(self, unit: Unit, old: f64) -> Option<f64> {
        match (self, unit) {
            (Self::Percent(percent), _) => Some(percent / HUNDRED * old.abs()),
            (Self::Plain(value), _) => Some(value),
            (Self::Usd(value), Unit::Money) => Some(value.get()),
            (Self::Watts(value), Unit::Power) => Some(value.get()),
            (Self::Seconds(value), Unit::Time) => Some(value.get()),
            (Self::Seconds(value), Unit::Days) => Some(value.as_days()),
            (Self::Bytes(value), Unit::Volume | Unit::Memory) => Some(value.as_f64()),
            _ => None,
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Percent(_) => "a percentage",
            Self::Plain(_) => "a plain number",
            Self::Usd(_) => "an amount of money",
            Self::Watts(_) => "a power",
            Self::Seconds(_) => "a time",
            Self::Bytes(_) => "a size",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Threshold;
    use crate::units::{Bytes, Seconds, Unit, Usd, Watts};

    #[track_caller]
    fn reads(text: &str, expected: Threshold) {
        assert_eq!(Threshold::parse(text), Ok(expected), "{text}");
    }

    #[test]
    fn percentages_and_amounts_are_told_apart() {
        reads("2%", Threshold::Percent(2.0));
        reads("0 %", Threshold::Percent(0.0));
        reads("500000", Threshold::Plain(500_000.0));
        reads("500k", Threshold::Plain(500_000.0));
        reads("$2M", Threshold::Usd(Usd::from_f64(2e6)));
        reads("100kW", Threshold::Watts(Watts::from_f64(1e5)));
        reads("1.5 s", Threshold::Seconds(Seconds::from_f64(1.5)));
        reads("3GiB", Threshold::Bytes(Bytes::from_gib(3)));
        for rubbish in ["", "%", "two%", "5 parsecs", "$", "-2%", "NaN", "inf%", "1e999"] {
            assert!(Threshold::parse(rubbish).is_err(), "{rubbish}");
        }
    }

    #[test]
    fn an_amount_holds_only_for_figures_of_its_unit() {
        assert_eq!(Threshold::Percent(2.0).amount_in_unit(Unit::Money, -50.0), Some(1.0));
        assert_eq!(Threshold::Plain(7.0).amount_in_unit(Unit::Power, 1.0), Some(7.0));
        assert_eq!(Threshold::Watts(Watts::from_f64(5.0)).amount_in_unit(Unit::Money, 1.0), None);
        assert_eq!(
            Threshold::Seconds(Seconds::from_f64(43_200.0)).amount_in_unit(Unit::Days, 9.0),
            Some(0.5)
        );
    }
}
