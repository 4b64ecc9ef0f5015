//! Points, commas and underscores inside a number; `UnitError`.

use std::fmt;

/// A number whose separators have not one meaning, with what it could mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeparatorProblem {
    /// Numbers that it could be, written plainly; none where it is no number in any reading.
    readings: Vec<String>,
}

/// Digits of a group of thousands.
const GROUP: usize = 3;

/// The number without separators. Commas stand between groups of three digits left of the point, an
/// underscore between two digits: `33,894.50`, `1_536`.
pub(super) fn strip_separators(number: &str) -> Result<String, SeparatorProblem> {
    let (mantissa, exponent) = match number.find(['e', 'E']) {
        Some(at) => number.split_at(at),
        None => (number, ""),
    };
    let (sign, digits) = match mantissa.strip_prefix(['+', '-']) {
        Some(digits) => (&mantissa[..1], digits),
        None => ("", mantissa),
    };
    let sound = !exponent.contains([',', '_', '.'])
        && has_valid_underscores(digits)
        && has_valid_commas(digits);
    if sound {
        return Ok(format!("{sign}{}{exponent}", remove_separators(digits, &[',', '_'])));
    }
    Err(SeparatorProblem {
        readings: if exponent.is_empty() { possible_readings(digits) } else { Vec::new() },
    })
}

/// A number such as `33.894`, which has three decimals where a point stands before decimals, and
/// thousands where it stands between groups.
pub(super) fn thousands_or_decimals(number: &str) -> Option<SeparatorProblem> {
    let (whole, rest) = number.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let group = (1..=GROUP).contains(&whole.len()) && !whole.starts_with('0') && digits(whole);
    let both = group && rest.len() == GROUP && digits(rest);
    both.then(|| SeparatorProblem {
        readings: vec![format!("{whole},{rest}"), format!("{number}0")],
    })
}

/// Whether each underscore stands between two digits, and there is no comma beside them.
fn has_valid_underscores(digits: &str) -> bool {
    let bytes = digits.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut all = digits.match_indices('_').map(|(at, _)| at);
    !(digits.contains('_') && digits.contains(','))
        && all.all(|at| digit(at.checked_sub(1)) && digit(Some(at + 1)))
}

/// Whether the commas stand between groups of three digits, left of the only point.
fn has_valid_commas(digits: &str) -> bool {
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if !whole.contains(',') {
        return !decimals.contains([',', '.']);
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (1..=GROUP).contains(&first.len())
        && !first.starts_with('0')
        && number(first)
        && groups.all(|group| group.len() == GROUP && number(group))
        && !decimals.contains([',', '.'])
}

/// What digits with separators could mean, each way once: the last one before decimals, or none.
fn possible_readings(digits: &str) -> Vec<String> {
    let all = [',', '.', '_'];
    let mut found: Vec<String> = Vec::new();
    let last = digits.rfind([',', '.']);
    let decimals = last.map(|at| {
        let (whole, rest) = (remove_separators(&digits[..at], &all), &digits[at + 1..]);
        if rest.is_empty() {
            group_thousands(&whole)
        } else {
            format!("{}.{rest}", group_thousands(&whole))
        }
    });
    // Several of one kind can't each stand before decimals; two kinds name the last as such.
    let kinds = [',', '.'].iter().filter(|kind| digits.contains(**kind)).count();
    let once = last.is_some_and(|at| digits.matches(&digits[at..=at]).count() == 1);
    found.extend(decimals.filter(|_| once));
    if kinds < 2 || !once {
        found.push(group_thousands(&remove_separators(digits, &all)));
    }
    found.retain(|reading| !reading.is_empty() && reading.bytes().any(|c| c.is_ascii_digit()));
    found.dedup();
    found
}

/// Whole digits with a comma between groups of three.
pub(super) fn group_thousands(digits: &str) -> String {
    let mut text = String::new();
    let digits = match digits.trim_start_matches('0') {
        "" if !digits.is_empty() => "0",
        digits => digits,
    };
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(GROUP) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn remove_separators(text: &str, separators: &[char]) -> String {
    text.chars().filter(|c| !separators.contains(c)).collect()
}

impl SeparatorProblem {
    /// What is wrong with `whole`, in which the number stands before `unit`.
    pub(super) fn to_unit_error(&self, whole: &str, unit: &str) -> UnitError {
        let space = if unit.is_empty() { "" } else { " " };
        let each = self.readings.iter().map(|reading| format!("{reading}{space}{unit}"));
        let meant = each.collect::<Vec<_>>().join(" or ");
        let message = if meant.is_empty() {
            format!("`{whole}` has separators in places where a number has none")
        } else {
            format!("`{whole}` could mean {meant}")
        };
        let hint = "a point stands before decimals, commas between groups of three digits: \
                    33,894.50; write the one that you mean"
            .to_owned();
        UnitError { message, hint }
    }
}

/// Why a text is no quantity of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    /// What was found wrong, as a sentence without a full stop.
    pub message: String,
    pub hint: String,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnitError {}

#[cfg(test)]
mod tests {
    use super::{strip_separators, thousands_or_decimals};

    #[track_caller]
    fn is(number: &str, expected: &str) {
        assert_eq!(strip_separators(number).as_deref(), Ok(expected));
    }

    #[track_caller]
    fn could_be(number: &str, expected: &[&str]) {
        let misread = strip_separators(number).expect_err("its separators have not one meaning");
        assert_eq!(misread.readings, expected, "{number}");
    }

    #[test]
    fn separators_with_one_meaning_are_taken_out() {
        is("33894", "33894");
        is("33,894.50", "33894.50");
        is("1,234,567", "1234567");
        is("1_536", "1536");
        is("3.2e6", "3.2e6");
        is("-1,000e-3", "-1000e-3");
        is("", "");
    }

    #[test]
    fn all_others_are_refused_with_every_reading() {
        could_be("33.894,00", &["33,894.00"]);
        could_be("1.234.567,89", &["1,234,567.89"]);
        could_be("33894,50", &["33,894.50", "3,389,450"]);
        could_be("1,5", &["1.5", "15"]);
        could_be("0,078", &["0.078", "78"]);
        could_be("33.894.000", &["33,894,000"]);
        could_be("1,2,3", &["123"]);
        could_be("1__0", &["10"]);
        could_be("1_0,000", &["10.000", "10,000"]);
        could_be(",", &[]);
        could_be("1e3,0", &[]);
    }

    #[test]
    fn three_decimals_may_be_thousands() {
        for (number, both) in [
            ("33.894", true),
            ("1.125", true),
            ("0.078", false),
            ("33.89", false),
            ("33.8940", false),
            ("1000.125", false),
            ("33894", false),
        ] {
            assert_eq!(thousands_or_decimals(number).is_some(), both, "{number}");
        }
    }
}
