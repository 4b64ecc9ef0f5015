//! How often something happens. Knows nothing of what it is.

use crate::units::Seconds;

/// Events per year of one piece, or of many together.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct PerYear(f64); // Invariant: finite and not negative.

/// Seconds of a mean year.
const YEAR_SECONDS: f64 = PerYear::DAYS * Seconds::DAY.get();

impl PerYear {
    /// Days of a mean year.
    pub const DAYS: f64 = 365.25;

    /// So many events a year; what is negative or no number counts as none.
    #[must_use]
    pub fn from_events(events: f64) -> Self {
        Self(if events.is_finite() { events.max(0.0) } else { 0.0 })
    }

    /// Events a year.
    #[must_use]
    pub const fn events(self) -> f64 {
        self.0
    }

    /// Of so many pieces together.
    #[must_use]
    pub fn for_pieces(self, pieces: u64) -> Self {
        Self::from_events(self.0 * pieces as f64)
    }

    /// Of all of them together.
    #[must_use]
    pub fn sum(all: impl Iterator<Item = Self>) -> Self {
        Self::from_events(all.map(Self::events).sum())
    }

    /// Events that are expected in a time.
    #[must_use]
    pub fn expected_events(self, time: Seconds) -> f64 {
        self.0 * time.get() / YEAR_SECONDS
    }

    /// Probability of at least one event in a time, where events are independent.
    #[must_use]
    pub fn event_probability(self, time: Seconds) -> f64 {
        -(-self.expected_events(time)).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::PerYear;
    use crate::units::quantity::Seconds;

    #[test]
    fn a_chance_never_exceeds_one() {
        let year = Seconds::from_f64(super::YEAR_SECONDS);
        assert!((PerYear::from_events(1e6).event_probability(year) - 1.0).abs() < 1e-12);
        assert!((PerYear::from_events(0.01).event_probability(year) - 0.009_950).abs() < 1e-6);
        assert_eq!(PerYear::from_events(f64::NAN).events(), 0.0);
    }
}
