//! Reads quantities from text such as `400 Gb/s`, `80 GiB`, `$60M`. Never guesses a unit.

pub use super::number_separators::UnitError;

use super::number_separators::{self, SeparatorProblem};
use super::{Bandwidth, Bytes, FlopRate, Seconds, Usd, Watts};

/// The units of one dimension: spelling and factor to the base unit.
struct Dimension {
    name: &'static str,
    example: &'static str,
    units: &'static [(&'static str, f64)],
}

const SIZE: Dimension = Dimension {
    name: "a size in bytes",
    example: "80 GiB",
    units: &[
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("PB", 1e15),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
    ],
};

const BANDWIDTH: Dimension = Dimension {
    name: "a bandwidth",
    example: "400 Gb/s",
    units: &[
        ("Mb/s", 1e6 / 8.0),
        ("Gb/s", 1e9 / 8.0),
        ("Tb/s", 1e12 / 8.0),
        ("MB/s", 1e6),
        ("GB/s", 1e9),
        ("TB/s", 1e12),
        ("GiB/s", 1_073_741_824.0),
    ],
};

const FLOP_RATE: Dimension = Dimension {
    name: "a compute rate",
    example: "312 TFLOP/s",
    units: &[("GFLOP/s", 1e9), ("TFLOP/s", 1e12), ("PFLOP/s", 1e15)],
};

const POWER: Dimension = Dimension {
    name: "a power",
    example: "6.5 kW",
    units: &[("W", 1.0), ("kW", 1e3), ("MW", 1e6), ("GW", 1e9)],
};

const TIME: Dimension = Dimension {
    name: "a time",
    example: "25 s",
    units: &[
        ("ns", 1e-9),
        ("us", 1e-6),
        ("µs", 1e-6),
        ("ms", 1e-3),
        ("s", 1.0),
        ("min", 60.0),
        ("h", 3600.0),
        ("d", 86_400.0),
        ("days", 86_400.0),
        ("weeks", 604_800.0),
    ],
};

const MONEY: Dimension = Dimension {
    name: "an amount of money",
    example: "$60M",
    units: &[("", 1.0), ("k", 1e3), ("M", 1e6), ("B", 1e9)],
};

const COUNT: Dimension = Dimension {
    name: "a count",
    example: "300B",
    units: &[("", 1.0), ("k", 1e3), ("K", 1e3), ("M", 1e6), ("B", 1e9), ("T", 1e12)],
};

/// The largest amount in base units that any text may state; beyond it arithmetic on the
/// quantity could not stay exact or finite.
const LARGEST: f64 = 1e24;

/// Reads a size: `80 GiB`, `16 MB`.
///
/// # Errors
/// Where the text is no non-negative number with a unit of size.
pub fn parse_bytes(text: &str) -> Result<Bytes, UnitError> {
    Ok(Bytes::new(SIZE.parse_value(text, text)?.round() as u128))
}

/// Reads a bandwidth: `400 Gb/s` (bits) or `50 GB/s` (bytes).
///
/// # Errors
/// Where the text is no non-negative number with a unit of bandwidth.
pub fn parse_bandwidth(text: &str) -> Result<Bandwidth, UnitError> {
    Ok(Bandwidth::from_f64(BANDWIDTH.parse_value(text, text)?))
}

/// Reads a compute rate: `312 TFLOP/s`.
///
/// # Errors
/// Where the text is no non-negative number with a unit of FLOP/s.
pub fn flop_rate(text: &str) -> Result<FlopRate, UnitError> {
    Ok(FlopRate::from_f64(FLOP_RATE.parse_value(text, text)?))
}

/// Reads a power: `6.5 kW`.
///
/// # Errors
/// Where the text is no non-negative number with a unit of power.
pub fn parse_watts(text: &str) -> Result<Watts, UnitError> {
    Ok(Watts::from_f64(POWER.parse_value(text, text)?))
}

/// Reads a time: `25 s`, `120 days`.
///
/// # Errors
/// Where the text is no non-negative number with a unit of time.
pub fn parse_seconds(text: &str) -> Result<Seconds, UnitError> {
    Ok(Seconds::from_f64(TIME.parse_value(text, text)?))
}

/// Reads an amount in US dollars: `$60M`, `$32,870`.
///
/// # Errors
/// Where the text does not start with `$` or is no non-negative amount.
pub fn parse_usd(text: &str) -> Result<Usd, UnitError> {
    let amount = text
        .trim()
        .strip_prefix('$')
        .ok_or_else(|| MONEY.dimension_error(text, "starts with `$`"))?;
    check_unambiguous(amount, text)?;
    Ok(Usd::from_f64(MONEY.parse_value(amount, text)?))
}

/// That an amount of money reads in one way only: its separators stand as in `33,894.50`, and it is
/// no `33.894`, which is thirty-four to one reader and a thousand times that to another.
pub(super) fn check_unambiguous(amount: &str, whole: &str) -> Result<(), UnitError> {
    let amount = amount.trim();
    let digits = number_length(amount);
    let unit = amount[digits..].trim();
    let (number, misread) = (&amount[..digits], |problem: SeparatorProblem| {
        problem.to_unit_error(&shorten_quantity_text(whole), unit)
    });
    number_separators::strip_separators(number).map_err(misread)?;
    match number_separators::thousands_or_decimals(number).filter(|_| unit.is_empty()) {
        Some(problem) => Err(misread(problem)),
        None => Ok(()),
    }
}

/// Reads a count: `300B`, `1536`, `3.2M`.
///
/// # Errors
/// Where the text is no non-negative number.
pub fn parse_count(text: &str) -> Result<f64, UnitError> {
    COUNT.parse_value(text, text)
}

impl Dimension {
    /// The value of `text` in the base unit; `whole` is what the user wrote.
    fn parse_value(&self, text: &str, whole: &str) -> Result<f64, UnitError> {
        let text = text.trim();
        let digits = number_length(text);
        let unit = text[digits..].trim();
        let plain = number_separators::strip_separators(&text[..digits])
            .map_err(|misread| misread.to_unit_error(&shorten_quantity_text(whole), unit))?;
        let number: f64 =
            plain.parse().map_err(|_| self.dimension_error(whole, "starts with a number"))?;
        let Some((_, factor)) = self.units.iter().find(|(name, _)| *name == unit) else {
            return Err(self.unknown_unit(whole, unit));
        };
        let value = number * factor;
        if !value.is_finite() || value < 0.0 {
            return Err(self.dimension_error(whole, "is a finite number of zero or more"));
        }
        if value > LARGEST {
            return Err(self.dimension_error(whole, "is of a size that any cluster could have"));
        }
        Ok(value)
    }

    fn dimension_error(&self, text: &str, rule: &str) -> UnitError {
        UnitError {
            message: format!(
                "`{}` is not {}: it has to be one that {rule}",
                shorten_quantity_text(text),
                self.name
            ),
            hint: format!("write {} like \"{}\"", self.name, self.example),
        }
    }

    fn unknown_unit(&self, text: &str, unit: &str) -> UnitError {
        let known: Vec<&str> =
            self.units.iter().map(|(name, _)| *name).filter(|n| !n.is_empty()).collect();
        let near = known
            .iter()
            .find(|name| name.eq_ignore_ascii_case(unit))
            .or_else(|| known.iter().find(|name| strsim::damerau_levenshtein(name, unit) == 1));
        let message = if unit.is_empty() {
            format!(
                "`{}` has no unit, so it could mean several amounts",
                shorten_quantity_text(text)
            )
        } else {
            format!(
                "`{}` is not a unit of {}",
                shorten_quantity_text(unit),
                self.name.trim_start_matches("a ")
            )
        };
        let hint = match near.filter(|_| !unit.is_empty()) {
            Some(name) => format!("did you mean `{name}`? known units: {}", known.join(", ")),
            None => {
                format!("write it like \"{}\"; known units: {}", self.example, known.join(", "))
            }
        };
        UnitError { message, hint }
    }
}

/// Length of the number that `text` starts with: sign, digits, separators, fraction, exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let exponent = end > 0
            && matches!(bytes[end], b'e' | b'E')
            && bytes.get(end + 1).is_some_and(|c| c.is_ascii_digit() || matches!(c, b'-' | b'+'));
        let sign = matches!(bytes[end], b'-' | b'+')
            && (end == 0 || matches!(bytes[end - 1], b'e' | b'E'));
        if !(bytes[end].is_ascii_digit()
            || matches!(bytes[end], b'.' | b',' | b'_')
            || exponent
            || sign)
        {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a character could steer a terminal or make a line read other than it is: control
/// characters, line breaks other than a line feed, and what turns the direction of reading around
/// (Unicode Standard Annex 9, table 4).
#[must_use]
pub fn has_control_characters(c: char) -> bool {
    let direction = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || direction || matches!(c, '\u{2028}' | '\u{2029}')
}

/// A text on one line with every [harmful](has_control_characters) character replaced.
#[must_use]
pub fn strip_control_characters(text: &str) -> String {
    text.chars().map(|c| if has_control_characters(c) { '\u{fffd}' } else { c }).collect()
}

/// What somebody wrote, fit for a message: one line, at most `most` characters, and nothing that
/// could steer a terminal.
#[must_use]
pub fn shorten_for_message(text: &str, most: usize) -> String {
    let mut quotable: String = text.chars().take(most).collect();
    quotable = strip_control_characters(&quotable);
    if text.chars().nth(most).is_some() {
        quotable.push('…');
    }
    quotable
}

/// A text as a basic string of TOML.
#[must_use]
pub fn quote_toml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// As much of what the user wrote as a message about a quantity repeats.
fn shorten_quantity_text(text: &str) -> String {
    const LONGEST: usize = 40;
    shorten_for_message(text.trim(), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::{parse_bandwidth, parse_bytes, parse_count, parse_seconds, parse_usd, parse_watts};
    use crate::units::quantity::{Bandwidth, Bytes};

    #[test]
    fn units_are_read_exactly() {
        assert_eq!(parse_bandwidth("400 Gb/s"), Ok(Bandwidth::from_gigabytes(50.0)));
        assert_eq!(parse_bandwidth("50GB/s"), Ok(Bandwidth::from_gigabytes(50.0)));
        assert_eq!(parse_bytes("80 GiB"), Ok(Bytes::from_gib(80)));
        assert_eq!(parse_usd("$32,870").map(|v| v.get()), Ok(32_870.0));
        assert_eq!(parse_usd("$60M").map(|v| v.get()), Ok(6e7));
        assert_eq!(parse_watts("3 MW").map(|v| v.get()), Ok(3e6));
        assert_eq!(parse_seconds("120 days").map(|v| v.get()), Ok(120.0 * 86_400.0));
        assert_eq!(parse_count("300B"), Ok(3e11));
        assert_eq!(parse_count("1_536"), Ok(1536.0));
        assert_eq!(parse_count("3.2e6"), Ok(3.2e6));
    }

    #[track_caller]
    fn refused(message: &str, text: &str) {
        let error = parse_bandwidth(text).expect_err("the text is no bandwidth");
        assert!(error.message.contains(message), "{}", error.message);
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_the_reason() {
        refused("no unit", "400");
        refused("not a unit", "400 Gbps");
        refused("starts with a number", "fast");
        refused("starts with a number", "NaN Gb/s");
        refused("zero or more", "-1 Gb/s");
        refused("any cluster", "1e300 Gb/s");
        refused("no unit", "1e999");
        refused("starts with a number", "");
        assert!(parse_bandwidth("400 gb/s").unwrap_err().hint.contains("did you mean `Gb/s`"));
        assert!(parse_usd("60M").is_err());
    }

    #[test]
    fn separators_that_could_mean_two_numbers_are_refused() {
        refused("could mean 25.5 Gb/s or 255 Gb/s", "25,5 Gb/s");
        assert_eq!(parse_bandwidth("1,000 Gb/s"), parse_bandwidth("1000 Gb/s"));
        // With a unit of thousands or millions three decimals are decimals, and so below one.
        assert_eq!(parse_usd("$1.125M").map(|v| v.get()), Ok(1_125_000.0));
        assert_eq!(parse_usd("$0.078").map(|v| v.get()), Ok(0.078));
        assert_eq!(parse_usd("$1000.125").map(|v| v.get()), Ok(1000.125));
        assert!(parse_usd("$33.894").is_err());
    }
}
