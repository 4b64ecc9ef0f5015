//! Words and digits: short notes of a table as sentences for a page, sentences as lines, numbers
//! with as many digits as are shown.

/// What a slowdown is measured against, as it follows "slower than": the fastest layout, rank order
/// and placement that are open may be others than those of the design, so a Clos may be slower as
/// well.
pub(super) const REFERENCE: &str =
    "these machines on a full-bisection Clos, in their fastest layout, rank order and placement";

/// The text with a capital letter at its start.
pub(super) fn capitalise_first_letter(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `LOAD BALANCING` as `Load balancing`.
pub(super) fn capitalise_heading(heading: &str) -> String {
    capitalise_first_letter(&heading.to_lowercase())
}

/// The text with a capital letter and a full stop.
pub(super) fn finish_sentence(text: &str) -> String {
    capitalise_first_letter(text) + "."
}

/// The words of `text` in lines of at most `first` and then `rest` columns. Several spaces in a
/// row hold columns apart and are kept, unless the line breaks there.
pub(super) fn wrap_lines(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in split_words(text) {
        let width = if lines.is_empty() { first } else { rest };
        if line.chars().count() + piece.trim_end().chars().count() > width && !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        if !(line.is_empty() && piece == " ") {
            line.push_str(piece);
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The words of a text, each with the space behind it; a unit stays with its number.
fn split_words(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(' ') {
        if !is_before_unit(text, at) {
            pieces.push(&text[start..=at]);
            start = at + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Units as they are printed behind a number.
const UNITS: [&str; 26] = [
    "%", "W", "kW", "MW", "GW", "ns", "µs", "ms", "s", "h", "days", "B", "kB", "MB", "GB", "TB",
    "PB", "KiB", "MiB", "GiB", "TiB", "Mb/s", "Gb/s", "Tb/s", "GB/s", "TB/s",
];

/// True of a space between a number and its unit, or ZeRO and its stage: no line breaks there.
fn is_before_unit(text: &str, space: usize) -> bool {
    if text[..space].ends_with("ZeRO") {
        return true;
    }
    let number = text[..space].ends_with(|last: char| last.is_ascii_digit());
    let next = text[space + 1..].split(' ').next().unwrap_or_default();
    number && UNITS.contains(&next.trim_end_matches([',', ';', ':', '.', ')']))
}

/// The text with spaces that hold a number and its unit together: tables break at no other ones.
pub(super) fn keep_units_together(text: &str) -> String {
    let hold = |(at, letter): (usize, char)| {
        if letter == ' ' && is_before_unit(text, at) { HOLDS } else { letter }
    };
    text.char_indices().map(hold).collect()
}

/// The text with plain spaces again.
pub(super) fn break_units_again(text: &str) -> String {
    text.replace(HOLDS, " ")
}

/// A space at which no line breaks.
const HOLDS: char = '\u{a0}';

/// A float for machines: 12 significant digits, so that the last bits of a sum don't change
/// bytes of a file; what is not finite becomes 0, as JSON has no word for it.
pub(super) fn exact_number(value: f64) -> f64 {
    const DIGITS: usize = 11;
    if value.is_finite() { format!("{value:.DIGITS$e}").parse().unwrap_or(value) } else { 0.0 }
}

/// A plain number for people: five significant digits.
pub(super) fn rounded_number(value: f64) -> String {
    exact_number(format!("{value:.4e}").parse().unwrap_or(value)).to_string()
}

/// A position in a picture, with at most so many decimals and none that are zero; what is not
/// finite is 0.
pub(super) fn coordinate(value: f64, decimals: usize) -> String {
    let value = if value.is_finite() { positive_zero(value, decimals) } else { 0.0 };
    let digits = format!("{value:.decimals$}");
    trim_zero_fraction(&digits).to_owned()
}

/// Three significant digits of `value` in the largest unit that keeps them at 1 or above;
/// rounding comes first. Below the smallest unit and above the largest, that unit stays.
pub(super) fn scale_to_unit<'a>(value: f64, units: &[(&'a str, f64)]) -> (String, &'a str) {
    let size = value.abs();
    for (place, (unit, factor)) in units.iter().enumerate() {
        let last = place + 1 == units.len();
        let text = three_digits(value / factor, *factor == 1.0 && unit.is_empty());
        let shown = text.parse::<f64>().map_or(size, f64::abs);
        // The ratio of two units is whole, but floats such as 1e-3/1e-6 come out just above it.
        let full = units.get(place + 1).map_or(f64::INFINITY, |(_, next)| (next / factor).round());
        if last || shown < full {
            return (text, unit);
        }
    }
    (three_digits(value, false), "")
}

/// `value` with three significant digits, never in exponents; `whole` counts have no decimals.
fn three_digits(value: f64, whole: bool) -> String {
    if whole && value.fract() == 0.0 {
        return format!("{value:.0}");
    }
    for (decimals, below) in [(2, 10.0), (1, 100.0)] {
        if round_to_decimals(value.abs(), decimals) < below {
            return format!("{value:.decimals$}");
        }
    }
    format!("{value:.0}")
}

/// A value below 1 with three digits after its zeros, but no more than four decimals: `0.381`,
/// `0.0424`, `0.0009`; what is smaller reads `0.00`.
pub(super) fn small_number(value: f64) -> String {
    const MOST_DECIMALS: usize = 4;
    let exact = (3..=MOST_DECIMALS)
        .map(|decimals| format!("{value:.decimals$}"))
        .find(|text| text.trim_start_matches(['0', '.']).len() >= 3);
    match exact {
        Some(text) => text,
        None if round_to_decimals(value, MOST_DECIMALS) > 0.0 => format!("{value:.MOST_DECIMALS$}"),
        None => format!("{value:.2}"),
    }
}

/// `value` as it will read with that many decimals.
pub(super) fn round_to_decimals(value: f64, decimals: usize) -> f64 {
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

/// As [`round_to_decimals`], without the sign of a negative zero.
pub(super) fn positive_zero(value: f64, decimals: usize) -> f64 {
    let value = round_to_decimals(value, decimals);
    if value == 0.0 { 0.0 } else { value }
}

/// Digits without a fraction of zeros: `400.00` is `400`.
pub(super) fn trim_zero_fraction(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::{break_units_again, finish_sentence, keep_units_together, wrap_lines};

    #[test]
    fn a_note_becomes_a_sentence() {
        assert_eq!(
            finish_sentence("no other candidate costs less"),
            "No other candidate costs less."
        );
    }

    #[test]
    fn words_longer_than_a_line_get_a_line_of_their_own() {
        assert_eq!(wrap_lines("a bbbbbb c", 3, 3), ["a", "bbbbbb", "c"]);
        assert_eq!(wrap_lines("a 93.3 %", 6, 6), ["a", "93.3 %"]);
        assert_eq!(wrap_lines("", 3, 3), Vec::<String>::new());
    }

    #[test]
    fn a_unit_stays_with_its_number() {
        assert_eq!(wrap_lines("of 334 kW, 2 s", 6, 6), ["of", "334 kW,", "2 s"]);
        assert_eq!(wrap_lines("8 GPUs", 4, 4), ["8", "GPUs"]);
        assert_eq!(keep_units_together("8 in 334 kW"), "8 in 334\u{a0}kW");
        assert_eq!(break_units_again(&keep_units_together("8 in 334 kW")), "8 in 334 kW");
    }
}
