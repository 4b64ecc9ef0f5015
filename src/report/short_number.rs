//! Numbers of a screen: three digits of money, two of a share. Reports in full use `number`.

use super::number::{count, large_count};
use super::words::{
    positive_zero, round_to_decimals, scale_to_unit, small_number, trim_zero_fraction,
};
use crate::units::Usd;

/// Money with three digits whatever its size, as people say it: `$0.0377`, `$13.8`, `$416k`.
pub(super) fn money(value: Usd) -> String {
    const UNITS: [(&str, f64); 5] = [("", 1.0), ("k", 1e3), ("M", 1e6), ("B", 1e9), ("T", 1e12)];
    let amount = value.get().abs();
    let sign = if value.get() < 0.0 { "-" } else { "" };
    if amount == 0.0 {
        return "$0".to_owned();
    }
    if round_to_decimals(amount, 2) < 1.0 {
        return format!("{sign}${}", small_number(amount));
    }
    let (digits, unit) = scale_to_unit(amount, &UNITS);
    format!("{sign}${digits}{unit}")
}

/// Money as [`money`], rounded up: what is printed is enough.
pub(super) fn money_limit(value: Usd) -> String {
    money(value.rounded_up())
}

/// A difference of money with three digits and its sign: `+$53.0k`.
pub(super) fn money_change(value: Usd) -> String {
    let plus = if value.get() > 0.0 { "+" } else { "" };
    format!("{plus}{}", money(value))
}

/// A share as percent with two digits: `55 %`, `4.1 %`, `<0.1 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.1 {
        return "<0.1 %".to_owned();
    }
    if (99.5..100.0).contains(&percent) {
        return ">99 %".to_owned();
    }
    let decimals = usize::from(percent != 0.0 && round_to_decimals(percent.abs(), 1) < 10.0);
    format!("{:.decimals$} %", positive_zero(percent, decimals))
}

/// Days of a run, a tenth of one where they are fewer than a hundred: `4.5`, `102`.
pub(super) fn days(value: f64) -> String {
    if round_to_decimals(value, 1) < 100.0 {
        return format!("{value:.1}");
    }
    count(value.round() as u128)
}

/// Tokens of a run as a spec states them: `1T`, `15.6T`, `300B`.
pub(super) fn tokens(value: f64) -> String {
    let text = large_count(value);
    let (digits, unit) = text.split_once(' ').unwrap_or((&text, ""));
    format!("{}{unit}", trim_zero_fraction(digits))
}

#[cfg(test)]
mod tests {
    use super::{days, money, money_change, money_limit, percent, tokens};
    use crate::units::Usd;

    #[track_caller]
    fn check_text(text: String, expected: &str) {
        assert_eq!(text, expected);
    }

    #[test]
    fn a_screen_has_three_digits_of_money_and_two_of_a_share() {
        let usd = |value| money(Usd::from_f64(value));
        for (value, text) in [
            (0.0, "$0"),
            (0.037_7, "$0.0377"),
            (2.449, "$2.45"),
            (416_000.0, "$416k"),
            (999_960.0, "$1.00M"),
            (11_012_345.0, "$11.0M"),
            (-4_490_000.0, "-$4.49M"),
        ] {
            check_text(usd(value), text);
        }
        check_text(money_change(Usd::from_f64(53_010.0)), "+$53.0k");
        for (value, text) in [
            (691_000_000.0, "$691M"),
            (691_000_001.0, "$692M"),
            (8_437_640.0, "$8.44M"),
            (999_100.0, "$1.00M"),
            (15.2, "$16"),
            (0.0, "$0"),
        ] {
            check_text(money_limit(Usd::from_f64(value)), text);
        }
        for (share, text) in [
            (0.0, "0 %"),
            (0.0001, "<0.1 %"),
            (0.041, "4.1 %"),
            (0.0996, "10 %"),
            (0.546, "55 %"),
            (0.998, ">99 %"),
            (1.0, "100 %"),
        ] {
            check_text(percent(share), text);
        }
        check_text(days(4.46), "4.5");
        check_text(days(60.0), "60.0");
        check_text(days(101.7), "102");
        check_text(days(20_971.0), "20,971");
        check_text(tokens(1e12), "1T");
        check_text(tokens(1.56e13), "15.6T");
    }
}
