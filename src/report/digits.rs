//! Digits of numbers: as many as are shown, as few as say the same. Knows no unit.

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
