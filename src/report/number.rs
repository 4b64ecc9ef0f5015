//! How numbers are written: the one place for units, digits and separators. Every function is
//! fixed (no locale, no terminal), and none of them changes what a number means.
//!
//! The unit is chosen after rounding, so that nothing is ever shown as `1000 MB`.

use super::words::{
    positive_zero, round_to_decimals, scale_to_unit, small_number, trim_zero_fraction,
};
use crate::units::{Bandwidth, Bytes, FlopRate, Flops, Seconds, Usd, Watts};

/// Steps of 1000 with the sign that each puts before a unit.
const DECIMAL: [(&str, f64); 7] =
    [("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15), ("E", 1e18)];

/// Units of time that the text of a report uses.
const TIME: [(&str, f64); 6] =
    [("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("h", 3600.0), ("days", 86_400.0)];

/// Below this, an amount of money is written in full dollars and not in millions.
const FULL_DOLLARS_BELOW: f64 = 1e6;

/// Below this, cents matter.
const CENTS_BELOW: f64 = 100.0;

/// What no cluster takes to do anything: ten thousand years. Longer times come from a link or
/// a rate of zero.
const NEVER: f64 = 1e4 * 365.0 * 86_400.0;

/// A whole number with separators: `16,384`.
pub(super) fn count(value: impl Into<u128>) -> String {
    let digits = value.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun in the right number: `1 switch`, `2 switches`.
pub(super) fn count_with_noun(value: impl Into<u128>, one: &str, many: &str) -> String {
    let value = value.into();
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

/// Money: three digits below a dollar, cents below $100, whole dollars below a million, then
/// millions and billions with at least three digits: `$2.40`, `$32,870`, `$34.6M`, `$6.28B`.
pub(super) fn money(value: Usd) -> String {
    let amount = value.get();
    let sign = if amount < 0.0 { "-" } else { "" };
    format!("{sign}${}", unsigned_dollars(amount.abs()))
}

/// A difference of money, with its sign even where it is a plus: `+$63.7M`, `$0`.
pub(super) fn money_change(value: Usd) -> String {
    let text = money(value);
    match text.as_str() {
        "$0.00" | "-$0.00" => "$0".to_owned(),
        _ if value.get() > 0.0 => format!("+{text}"),
        _ => text,
    }
}

fn unsigned_dollars(amount: f64) -> String {
    if amount > 0.0 && round_to_decimals(amount, 2) < 1.0 {
        return small_number(amount);
    }
    if round_to_decimals(amount, 2) < CENTS_BELOW {
        return format!("{amount:.2}");
    }
    if amount.round() < FULL_DOLLARS_BELOW {
        return count(amount.round() as u128);
    }
    let (digits, unit) = scale_to_unit(amount, &[("M", 1e6), ("B", 1e9), ("T", 1e12)]);
    // A tenth of a million is worth a digit on a bill of hundreds of millions.
    if unit == "M" && round_to_decimals(amount / 1e6, 1) >= 100.0 {
        return format!("{:.1}M", amount / 1e6);
    }
    format!("{digits}{unit}")
}

/// Bytes on wires, decimal: `12.6 GB`.
pub(super) fn volume(value: Bytes) -> String {
    let (digits, unit) = scale_to_unit(value.as_f64(), &DECIMAL);
    format!("{digits} {unit}B")
}

/// Bytes in a memory, binary: `61.3 GiB`.
pub(super) fn memory(value: Bytes) -> String {
    const BINARY: [(&str, f64); 5] = [
        ("B", 1.0),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
    ];
    if value.is_zero() {
        return "0 B".to_owned();
    }
    let (digits, unit) = scale_to_unit(value.as_f64(), &BINARY);
    format!("{digits} {unit}")
}

/// Line rate of a link, in bits as networks are sold: `400 Gb/s`.
pub(super) fn link_rate(value: Bandwidth) -> String {
    let (digits, unit) = scale_to_unit(value.get() * 8.0, &DECIMAL);
    format!("{} {unit}b/s", trim_zero_fraction(&digits))
}

/// Bandwidth inside a domain, in bytes as it is sold: `300 GB/s`.
pub(super) fn bandwidth(value: Bandwidth) -> String {
    let (digits, unit) = scale_to_unit(value.get(), &DECIMAL);
    format!("{} {unit}B/s", trim_zero_fraction(&digits))
}

/// Work: `451 PFLOP`.
pub(super) fn flops(value: Flops) -> String {
    let (digits, unit) = scale_to_unit(value.get(), &DECIMAL);
    format!("{digits} {unit}FLOP")
}

/// Rate of work: `136 TFLOP/s`.
pub(super) fn flop_rate(value: FlopRate) -> String {
    let (digits, unit) = scale_to_unit(value.get(), &DECIMAL);
    format!("{digits} {unit}FLOP/s")
}

/// A time with three digits: `6.07 s`, `23.4 ms`; `never` where a dead link makes it endless.
pub(super) fn time(value: Seconds) -> String {
    if value.get() == 0.0 {
        return "0 s".to_owned();
    }
    if value.get() >= NEVER {
        return "never".to_owned();
    }
    let (digits, unit) = scale_to_unit(value.get(), &TIME);
    format!("{digits} {unit}")
}

/// A part of a time, in the unit and with the decimals of the whole but without its unit, so that
/// parts can be added up by eye: `5.04` of `6.07 s`.
pub(super) fn time_part(part: Seconds, whole: Seconds) -> String {
    if whole.get() <= 0.0 || whole.get() >= NEVER {
        return time(part);
    }
    let (digits, unit) = scale_to_unit(whole.get(), &TIME);
    let decimals = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let factor = TIME.iter().find(|(name, _)| *name == unit).map_or(1.0, |(_, factor)| *factor);
    format!("{:.decimals$}", part.get() / factor)
}

/// Electrical power: `747 W`, `510 kW`, `21.4 MW`.
pub(super) fn power(value: Watts) -> String {
    let (digits, unit) = scale_to_unit(value.get(), &DECIMAL);
    let digits = if unit.is_empty() { trim_zero_fraction(&digits) } else { &digits };
    format!("{digits} {unit}W")
}

/// A difference of power, with its sign.
pub(super) fn power_change(value: Watts) -> String {
    let plus = if value.get() > 0.0 { "+" } else { "" };
    format!("{plus}{}", power(value))
}

/// A share as percent with one decimal: `92.1 %`. A share that rounding would turn into all or
/// nothing says so: `<0.1 %`, `>99.9 %`.
pub(super) fn percent(share: f64) -> String {
    const STEP: f64 = 0.05;
    let percent = share * 100.0;
    if percent > 0.0 && percent < STEP {
        return "<0.1 %".to_owned();
    }
    if percent < 100.0 && percent > 100.0 - STEP {
        return ">99.9 %".to_owned();
    }
    format!("{:.1} %", positive_zero(percent, 1))
}

/// A relative change as percent with its sign: `+1.0 %`, `-36.1 %`, `0.0 %`.
pub(super) fn percent_change(change: f64) -> String {
    let percent = positive_zero(change * 100.0, 1);
    if percent == 0.0 { "0.0 %".to_owned() } else { format!("{percent:+.1} %") }
}

/// A plain ratio with two decimals: `1.13`.
pub(super) fn ratio(value: f64) -> String {
    format!("{:.2}", positive_zero(value, 2))
}

/// A multiple of something: `x 0.62`.
pub(super) fn factor(value: f64) -> String {
    format!("x {}", ratio(value))
}

/// `down : up` of an oversubscribed layer from its ratio up over down: 0.164 is `6.1:1`.
pub(super) fn oversubscription(up_over_down: f64) -> String {
    if up_over_down <= 0.0 {
        return "no uplinks".to_owned();
    }
    let ratio = format!("{:.1}", 1.0 / up_over_down);
    format!("{}:1", trim_zero_fraction(&ratio))
}

/// A count too large for separators: `2.76 M`, `300 B`, `15.6 T`.
pub(super) fn large_count(value: f64) -> String {
    let (digits, unit) =
        scale_to_unit(value, &[("", 1.0), ("k", 1e3), ("M", 1e6), ("B", 1e9), ("T", 1e12)]);
    format!("{digits} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{
        count, count_with_noun, large_count, link_rate, memory, money, money_change,
        oversubscription, percent, percent_change, power, time, time_part, volume,
    };
    use crate::report::words::{coordinate, exact_number};
    use crate::units::quantity::{Bandwidth, Bytes, Seconds, Usd, Watts};

    #[track_caller]
    fn reads(text: String, expected: &str) {
        assert_eq!(text, expected);
    }

    #[test]
    fn counts_have_separators_and_nouns_agree() {
        reads(count(0_u32), "0");
        reads(count(999_u32), "999");
        reads(count(1000_u32), "1,000");
        reads(count(1_048_576_u32), "1,048,576");
        reads(count_with_noun(1_u32, "switch", "switches"), "1 switch");
        reads(count_with_noun(2_u32, "switch", "switches"), "2 switches");
    }

    #[test]
    fn money_keeps_three_digits_and_picks_its_unit_after_rounding() {
        reads(money(Usd::from_f64(2.4)), "$2.40");
        reads(money(Usd::from_f64(0.042_38)), "$0.0424");
        reads(money(Usd::from_f64(0.5)), "$0.500");
        reads(money(Usd::from_f64(0.999)), "$1.00");
        reads(money(Usd::from_f64(1e-9)), "$0.00");
        reads(money(Usd::from_f64(99.996)), "$100");
        reads(money(Usd::from_f64(659.0)), "$659");
        reads(money(Usd::from_f64(32_870.0)), "$32,870");
        reads(money(Usd::from_f64(999_999.4)), "$999,999");
        reads(money(Usd::from_f64(999_999.6)), "$1.00M");
        reads(money(Usd::from_f64(34_560_000.0)), "$34.6M");
        reads(money(Usd::from_f64(634_880_000.0)), "$634.9M");
        reads(money(Usd::from_f64(999_960_000.0)), "$1.00B");
        reads(money(Usd::from_f64(-2_100_000.0)), "-$2.10M");
        reads(money_change(Usd::from_f64(63_700_000.0)), "+$63.7M");
        reads(money_change(Usd::ZERO), "$0");
        reads(money_change(Usd::from_f64(-0.002)), "-$0.0020");
        reads(money_change(Usd::from_f64(-1e-9)), "$0");
    }

    #[test]
    fn bytes_on_wires_are_decimal_and_in_memories_binary() {
        reads(volume(Bytes::new(999)), "999 B");
        reads(volume(Bytes::new(12_600_000_000)), "12.6 GB");
        reads(volume(Bytes::new(999_999)), "1.00 MB");
        reads(memory(Bytes::from_gib(80)), "80.0 GiB");
        reads(memory(Bytes::new(1023 * 1024 + 1023)), "1.00 MiB");
    }

    #[test]
    fn links_are_named_in_bits() {
        reads(link_rate(Bandwidth::from_gigabytes(50.0)), "400 Gb/s");
        reads(link_rate(Bandwidth::from_gigabits(1600.0)), "1.6 Tb/s");
    }

    #[test]
    fn times_and_watts_pick_their_unit_after_rounding() {
        reads(time(Seconds::ZERO), "0 s");
        reads(time(Seconds::from_f64(6.0712)), "6.07 s");
        reads(time(Seconds::from_f64(0.0234)), "23.4 ms");
        reads(time(Seconds::from_f64(0.000_999_99)), "1.00 ms");
        reads(time(Seconds::from_f64(3599.9)), "1.00 h");
        reads(time(Seconds::from_f64(86_400.0 * 24.0)), "24.0 days");
        reads(time(Seconds::from_f64(f64::MAX)), "never");
        reads(time_part(Seconds::from_f64(0.02), Seconds::from_f64(6.07)), "0.02");
        reads(time_part(Seconds::from_f64(0.33), Seconds::from_f64(61.0)), "0.3");
        reads(power(Watts::from_f64(747.0)), "747 W");
        reads(power(Watts::from_f64(510_000.0)), "510 kW");
        reads(power(Watts::from_f64(21_400_000.0)), "21.4 MW");
    }

    #[test]
    fn shares_never_round_to_all_or_nothing() {
        reads(percent(0.0), "0.0 %");
        reads(percent(0.0001), "<0.1 %");
        reads(percent(0.9999), ">99.9 %");
        reads(percent(1.0), "100.0 %");
        reads(percent_change(-0.0), "0.0 %");
        reads(percent_change(0.0101), "+1.0 %");
        reads(percent_change(-0.361), "-36.1 %");
    }

    #[test]
    fn ratios_and_large_counts_read_as_people_say_them() {
        reads(oversubscription(18.0 / 110.0), "6.1:1");
        reads(oversubscription(1.0), "1:1");
        reads(oversubscription(0.0), "no uplinks");
        reads(large_count(3e11), "300 B");
        reads(large_count(2_760_000.0), "2.76 M");
        reads(large_count(512.0), "512");
    }

    #[test]
    fn positions_have_no_more_digits_than_eyes_see() {
        reads(coordinate(1.0 / 3.0, 2), "0.33");
        reads(coordinate(20.0, 2), "20");
        reads(coordinate(-0.001, 2), "0");
        reads(coordinate(f64::NAN, 2), "0");
    }

    #[test]
    fn machine_floats_lose_only_noise() {
        assert_eq!(exact_number(0.1 + 0.2), 0.3);
        assert_eq!(exact_number(6.123_456_789), 6.123_456_789);
        assert_eq!(exact_number(f64::NAN), 0.0);
    }
}
