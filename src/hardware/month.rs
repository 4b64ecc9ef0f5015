//! A month of the calendar, read from the dates that prices carry. Not a clock: nothing here knows
//! which month it is.

use std::fmt;

/// A month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(u32); // Invariant: months since year 0, from FIRST_YEAR to LAST_YEAR.

/// Months of a year.
const YEAR: u32 = 12;

impl Month {
    /// The first year that a date of a part or a price can be of: what is before is a slip of the
    /// pen.
    pub const FIRST_YEAR: u32 = 2000;
    /// The last one, likewise.
    pub const LAST_YEAR: u32 = 2049;

    /// Reads `2026-07`, also where a day of that month follows; `None` where the text is no such
    /// thing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().splitn(3, '-');
        let year = parse_digits(parts.next()?, 4)
            .filter(|year| (Self::FIRST_YEAR..=Self::LAST_YEAR).contains(year))?;
        let month = parse_digits(parts.next()?, 2).filter(|month| (1..=YEAR).contains(month))?;
        let exists = |day: &str| {
            parse_digits(day, 2).is_some_and(|day| (1..=days_in_month(year, month)).contains(&day))
        };
        parts.next().is_none_or(exists).then_some(Self(year * YEAR + month - 1))
    }

    /// The last month that a date can mean: `2026` may be December.
    #[must_use]
    pub fn parse_latest(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| parse_year(text).map(|year| Self(year * YEAR + YEAR - 1)))
    }

    /// The first month that a date can mean: `2026` may be January.
    #[must_use]
    pub fn parse_earliest(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| parse_year(text).map(|year| Self(year * YEAR)))
    }

    /// The month so many later.
    #[must_use]
    pub const fn add_months(self, months: u32) -> Self {
        Self(self.0 + months)
    }

    /// Whole months from `earlier` to this one; 0 where it is later.
    #[must_use]
    pub const fn months_since(self, earlier: Self) -> u32 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Days of a month (Gregorian calendar).
const fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A year alone.
fn parse_year(text: &str) -> Option<u32> {
    parse_digits(text.trim(), 4)
        .filter(|year| (Month::FIRST_YEAR..=Month::LAST_YEAR).contains(year))
}

/// A number of exactly that many digits.
fn parse_digits(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0 / YEAR, self.0 % YEAR + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Month;

    #[test]
    fn dates_of_any_precision_are_months() {
        let month = |text: &str| Month::parse_latest(text).map(|month| month.to_string());
        assert_eq!(month("2026-07").as_deref(), Some("2026-07"));
        assert_eq!(month("2026-07-31").as_deref(), Some("2026-07"));
        assert_eq!(month("2026").as_deref(), Some("2026-12"));
        assert_eq!(month("2024-02-29").as_deref(), Some("2024-02"));
        assert_eq!(month("2000-02-29").as_deref(), Some("2000-02"));
        let first = |text: &str| Month::parse_earliest(text).map(|month| month.to_string());
        assert_eq!(first("2026").as_deref(), Some("2026-01"));
        assert_eq!(first("2026-07-31").as_deref(), Some("2026-07"));
        assert_eq!(
            Month::parse_earliest("2026").map(|this_month| this_month.add_months(13)),
            Month::parse("2027-02")
        );
        for rubbish in [
            "",
            "undated",
            "26-07",
            "2026-13",
            "2026-00",
            "2026-7",
            "2026-07-x",
            "1066",
            "1999-12",
            "2050",
        ] {
            assert_eq!(month(rubbish), None, "{rubbish}");
        }
        for no_day in ["2026-02-29", "2027-02-29", "2026-04-31", "2026-07-00", "2026-07-32"] {
            assert_eq!(month(no_day), None, "{no_day}");
        }
        assert_eq!(Month::parse("2026"), None);
    }

    #[test]
    fn ages_are_in_whole_months() {
        let month = |text: &str| Month::parse(text).expect("a month");
        assert_eq!(month("2026-11").months_since(month("2024-08")), 27);
        assert_eq!(month("2024-08").months_since(month("2026-11")), 0);
    }
}
