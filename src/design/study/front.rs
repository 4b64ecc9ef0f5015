//! What is known of a frontier: cost and step of designs that no other known one beats in both.

use crate::units::Seconds;

/// Designs whose step is shorter than that of a cheaper one of the frontier by less than this share may be left
/// out, but for the fastest of a candidate: no clock is that exact, and there are thousands of them.
pub const LEAST_GAIN: f64 = 1e-3;

/// Times that differ by less than this share are one: rounding of sums.
pub(crate) const SAME: f64 = 1e-9;

/// Costs and steps, cheapest first, each with a shorter step than the one before it.
#[derive(Default)]
pub(super) struct KnownFront(Vec<(f64, Seconds)>);

impl KnownFront {
    /// Adds a design, unless one that is known beats it.
    pub(super) fn add(&mut self, value: f64, step: Seconds) {
        if self.has_dominating_design(value, step) {
            return;
        }
        let place = self.0.partition_point(|known| known.0 < value);
        self.0.insert(place, (value, step));
        let mut kept = 0;
        self.0.retain(|known| {
            kept += 1;
            kept <= place + 1 || known.1 < step
        });
    }

    /// True where a known design is no dearer and has no longer step.
    pub(super) fn has_dominating_design(&self, value: f64, step: Seconds) -> bool {
        self.step_at(value) <= step
    }

    /// The shortest step of those that cost no more.
    pub(super) fn step_at(&self, value: f64) -> Seconds {
        let count = self.0.partition_point(|known| known.0 <= value);
        count.checked_sub(1).map_or(Seconds::ENDLESS, |last| self.0[last].1)
    }

    /// The least cost of those that have no longer step; infinite where none has.
    pub(super) fn value_at(&self, step: Seconds) -> f64 {
        let first = self.0.iter().find(|known| known.1 <= step);
        first.map_or(f64::INFINITY, |known| known.0)
    }
}

#[cfg(test)]
mod tests {
    use super::KnownFront;
    use crate::units::Seconds;

    #[test]
    fn designs_that_another_beats_are_no_part_of_it() {
        let mut front = KnownFront::default();
        for (value, step) in [(5.0, 2.0), (3.0, 4.0), (4.0, 5.0), (4.0, 2.0), (6.0, 1.0)] {
            front.add(value, Seconds::from_f64(step));
        }
        let known: Vec<(f64, f64)> = front.0.iter().map(|pair| (pair.0, pair.1.get())).collect();
        assert_eq!(known, [(3.0, 4.0), (4.0, 2.0), (6.0, 1.0)]);
        assert_eq!(front.step_at(5.0), Seconds::from_f64(2.0));
        assert_eq!(front.value_at(Seconds::from_f64(3.0)), 4.0);
        assert!(front.has_dominating_design(4.0, Seconds::from_f64(2.0)));
        assert!(!front.has_dominating_design(2.0, Seconds::from_f64(9.0)));
        assert!(!front.has_dominating_design(9.0, Seconds::from_f64(0.5)));
    }
}
