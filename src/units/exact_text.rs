//! Limits written back with every digit that decides; how a text states a quantity.

use std::fmt;

use super::number_separators::{UnitError, group_thousands};
use super::{Amount, Unit, Usd, parse};

/// An amount on the grid of its limit, so that what is printed would do. Limits are from above, so
/// what is between two steps of the grid is rounded up; shares are limits from below, and rounded
/// down.
#[derive(Clone, Copy, Debug)]
pub struct ExactAmount<'a>(pub &'a Amount);

/// An amount as a spec states it: with every digit that it has, as far as a person would write one.
#[derive(Clone, Copy, Debug)]
pub struct StatedAmount<'a>(pub &'a Amount);

/// An amount as a line of a spec has it: rounded up, in quotes where it has a unit.
#[derive(Clone, Copy, Debug)]
pub struct SpecAmount<'a>(pub &'a Amount);

impl fmt::Display for SpecAmount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = ExactAmount(self.0);
        match self.0 {
            Amount::Money(_) | Amount::Power(_) | Amount::Time(_) => write!(f, "\"{exact}\""),
            Amount::Days(days) => f.write_str(&shortest_decimals(round_up_to_step(*days, 10.0))),
            _ => write!(f, "{exact}"),
        }
    }
}

impl fmt::Display for StatedAmount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Amount::Money(usd) if usd.get().fract() == 0.0 => format_money(f, usd.get()),
            Amount::Money(usd) => {
                let text = format!("{:.2}", usd.get());
                let (dollars, cents) = text.split_once('.').unwrap_or((&text, ""));
                write!(f, "${}.{cents}", group_thousands(dollars))
            }
            Amount::Power(watts) => format_power(f, watts.get() / THOUSAND),
            Amount::Time(time) => write!(f, "{} s", format_digits(time.get())),
            Amount::Days(days) => write!(f, "{} days", format_digits(*days)),
            Amount::Share(share) => write!(f, "{}", format_digits(*share)),
            other => write!(f, "{}", ExactAmount(other)),
        }
    }
}

/// Four decimals, or one digit where those would say nothing.
fn format_digits(value: f64) -> String {
    let text = shortest_decimals(value);
    if text == "0" && value > 0.0 {
        format!("{value:.0e}").parse::<f64>().unwrap_or(value).to_string()
    } else {
        text
    }
}

/// Steps of 1000 from one unit to the next.
const THOUSAND: f64 = 1e3;

impl fmt::Display for ExactAmount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Amount::Money(usd) => format_money(f, round_up_to_step(usd.get(), 1.0)),
            Amount::Power(watts) => format_power(f, round_up_to_step(watts.get() / THOUSAND, 10.0)),
            Amount::Time(time) => {
                write!(f, "{} s", shortest_decimals(round_up_to_step(time.get(), 1e4)))
            }
            Amount::Days(days) => {
                write!(f, "{} days", shortest_decimals(round_up_to_step(*days, 10.0)))
            }
            Amount::Share(share) => {
                write!(f, "{}", shortest_decimals(-round_up_to_step(-share, 1e3)))
            }
            Amount::Count(pieces) => write!(f, "{pieces}"),
            other => write!(f, "{}", shortest_decimals(round_up_to_step(other.scalar(), 1e4))),
        }
    }
}

/// A price as books have it, to a millionth: `$1,499`, `$0.078`.
#[must_use]
pub fn format_price(usd: Usd) -> String {
    const MILLION: f64 = 1e6;
    let text = ((usd.get() * MILLION).round() / MILLION).to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let point = if decimals.is_empty() { "" } else { "." };
    format!("${}{point}{decimals}", group_thousands(whole))
}

/// Whole dollars; millions where thousands are whole.
fn format_money(f: &mut fmt::Formatter<'_>, dollars: f64) -> fmt::Result {
    let thousands = dollars / THOUSAND;
    if thousands < THOUSAND || thousands.fract() != 0.0 {
        return write!(f, "${}", group_thousands(&format!("{dollars:.0}")));
    }
    write!(f, "${}M", shortest_decimals(thousands / THOUSAND))
}

/// Kilowatts; megawatts from a thousand of them.
fn format_power(f: &mut fmt::Formatter<'_>, kilowatts: f64) -> fmt::Result {
    if kilowatts < THOUSAND {
        return write!(f, "{} kW", shortest_decimals(kilowatts));
    }
    write!(f, "{} MW", shortest_decimals(kilowatts / THOUSAND))
}

/// Rounded up to so many steps of a unit; what is such a step but for the rounding of a float
/// stays.
fn round_up_to_step(value: f64, steps: f64) -> f64 {
    const SAME: f64 = 1e-6;
    let scaled = value * steps;
    let nearest = scaled.round();
    if (scaled - nearest).abs() < SAME { nearest / steps } else { scaled.ceil() / steps }
}

/// Up to four decimals, none that says nothing: `10`, `19.34`.
fn shortest_decimals(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Texts of one unit.
#[derive(Clone, Copy, Debug)]
pub struct TextForms {
    /// What it is, in words.
    pub noun: &'static str,
    /// How to write it, in quotes.
    pub example: &'static str,
    /// Largest that any text may state, in base units: one that says more means another unit.
    pub most: f64,
    /// Whether nothing of it makes sense.
    pub zero: bool,
    /// Reads a text into base units: bytes, bytes per second, FLOP/s, watts, seconds, US dollars.
    pub read: fn(&str) -> Result<f64, UnitError>,
}

/// How texts state a unit; a plain count such as `300B` where they name none.
#[must_use]
pub const fn text_forms(unit: Unit) -> TextForms {
    match unit {
        Unit::Memory | Unit::Volume => TextForms {
            noun: "a size",
            example: "\"80 GiB\"",
            most: 1e18,
            zero: false,
            read: |text| parse::parse_bytes(text).map(|value| value.as_f64()),
        },
        Unit::Bandwidth | Unit::Link => TextForms {
            noun: "a bandwidth",
            example: "\"400 Gb/s\"",
            most: 1e16,
            zero: false,
            read: |text| parse::parse_bandwidth(text).map(|value| value.get()),
        },
        Unit::Rate => TextForms {
            noun: "a compute rate",
            example: "\"312 TFLOP/s\"",
            most: 1e19,
            zero: false,
            read: |text| parse::flop_rate(text).map(|value| value.get()),
        },
        Unit::Power => TextForms {
            noun: "a power",
            example: "\"6.5 kW\"",
            most: 1e12,
            zero: true,
            read: |text| parse::parse_watts(text).map(|value| value.get()),
        },
        Unit::Time => TextForms {
            noun: "a time",
            example: "\"25 s\"",
            most: 1e10,
            zero: true,
            read: |text| parse::parse_seconds(text).map(|value| value.get()),
        },
        Unit::Money => TextForms {
            noun: "an amount in US dollars",
            example: "\"$60M\"",
            most: 1e13,
            zero: true,
            read: |text| parse::parse_usd(text).map(|value| value.get()),
        },
        Unit::Days
        | Unit::Work
        | Unit::TokenRate
        | Unit::Count
        | Unit::Share
        | Unit::Number
        | Unit::Flag
        | Unit::Word => TextForms {
            noun: "a count",
            example: "\"300B\"",
            most: 1e18,
            zero: false,
            read: parse::parse_count,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{ExactAmount, format_price};
    use crate::units::amount::Amount;
    use crate::units::parse::{parse_usd, parse_watts as power};
    use crate::units::{Usd, Watts};

    #[test]
    fn prices_have_separators_and_every_decimal() {
        for (dollars, text) in [(1499.0, "$1,499"), (0.078, "$0.078"), (1234.5, "$1,234.5")] {
            assert_eq!(format_price(Usd::from_f64(dollars)), text);
            assert_eq!(parse_usd(text), Ok(Usd::from_f64(dollars)));
        }
    }

    /// What a spec states stands as it is, and never as nothing.
    #[test]
    fn what_is_stated_keeps_its_digits() {
        use super::StatedAmount;
        use crate::units::Seconds;
        for (watts, text) in [(332_910.0, "332.91 kW"), (1_093_700.0, "1.0937 MW")] {
            assert_eq!(StatedAmount(&Amount::Power(Watts::from_f64(watts))).to_string(), text);
        }
        for (seconds, text) in [(0.000_01, "0.00001 s"), (5.165_5, "5.1655 s"), (2.0, "2 s")] {
            assert_eq!(StatedAmount(&Amount::Time(Seconds::from_f64(seconds))).to_string(), text);
        }
        assert_eq!(StatedAmount(&Amount::Money(Usd::from_f64(1234.5))).to_string(), "$1,234.50");
    }

    /// As in a spec, and never less than what was asked for.
    #[test]
    fn limits_are_written_as_in_a_spec() {
        let cases = [
            (10e6, "10 MW"),
            (12_345_678.0, "12.3457 MW"),
            (999_999.0, "1 MW"),
            (97_300.0, "97.3 kW"),
            (97_301.0, "97.4 kW"),
            (600.0, "0.6 kW"),
            (0.0, "0 kW"),
        ];
        for (watts, text) in cases {
            assert_eq!(ExactAmount(&Amount::Power(Watts::from_f64(watts))).to_string(), text);
            assert!(power(text).expect("a spec may say so").get() >= watts, "{text}");
        }
        let cases =
            [(2e6, "$2M"), (40_500_000.0, "$40.5M"), (207_912_345.2, "$207,912,346"), (0.0, "$0")];
        for (dollars, text) in cases {
            assert_eq!(ExactAmount(&Amount::Money(Usd::from_f64(dollars))).to_string(), text);
            assert!(parse_usd(text).is_ok(), "{text}");
        }
    }
}
