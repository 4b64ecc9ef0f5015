//! One row per published number, and the table that they form. It computes nothing of its own.

use std::fmt;

/// How far ours may lie from the published figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tolerance {
    /// Counts and sums of money: no distance at all.
    Exact,
    /// Share of the published figure.
    Relative(f64),
    /// Distance in the figure's own unit: the precision that it was printed or read off with.
    Absolute(f64),
    /// Printed as a whole number with the rest cut off, as the first rail-only paper does.
    Truncated,
}

/// A published number and what the planner makes of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Paper and place in it.
    pub(crate) source: &'static str,
    /// What the number is.
    pub(crate) figure: String,
    /// The published value.
    pub(crate) expected: f64,
    /// How far ours may be off.
    pub(crate) tolerance: Tolerance,
    /// The planner's value.
    pub(crate) ours: f64,
}

impl Row {
    /// True where ours is within the tolerance; never for what is not finite.
    pub(crate) fn holds(&self) -> bool {
        let distance = (self.ours - self.expected).abs();
        match self.tolerance {
            Tolerance::Exact => distance == 0.0,
            Tolerance::Relative(share) => distance <= share * self.expected.abs(),
            Tolerance::Absolute(most) => distance <= most,
            Tolerance::Truncated => self.ours.trunc() == self.expected,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "ok  " } else { "MISS" };
        let allowed = match self.tolerance {
            Tolerance::Exact => "exact".to_owned(),
            Tolerance::Relative(share) => format!("±{:.1} %", share * 100.0),
            Tolerance::Absolute(most) => format!("±{most}"),
            Tolerance::Truncated => "truncated".to_owned(),
        };
        write!(
            f,
            "{verdict} {:<52} published {:>16} ours {:>16} {allowed:>10}  {}",
            self.figure,
            number(self.expected),
            number(self.ours),
            self.source
        )
    }
}

/// Whole numbers whole, others with four digits after the point.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.4}") }
}

#[cfg(test)]
mod tests {
    use super::{Row, Tolerance};

    #[track_caller]
    fn case(holds: bool, tolerance: Tolerance, expected: f64, ours: f64) {
        let row = Row { source: "test", figure: String::new(), expected, tolerance, ours };
        assert_eq!(row.holds(), holds, "{row}");
    }

    #[test]
    fn a_tolerance_binds_on_both_sides() {
        case(true, Tolerance::Exact, 7168.0, 7168.0);
        case(false, Tolerance::Exact, 7168.0, 7168.5);
        case(true, Tolerance::Relative(0.02), 1.0, 1.019);
        case(false, Tolerance::Relative(0.02), 1.0, 1.021);
        case(false, Tolerance::Relative(0.02), 1.0, 0.979);
        case(true, Tolerance::Absolute(0.05), 0.4, 0.44);
        case(false, Tolerance::Absolute(0.05), 0.4, 0.34);
        case(true, Tolerance::Truncated, 37.0, 37.99);
        case(false, Tolerance::Truncated, 37.0, 38.0);
    }

    #[test]
    fn what_is_no_number_never_holds() {
        case(false, Tolerance::Relative(1.0), 1.0, f64::NAN);
        case(false, Tolerance::Absolute(f64::MAX), 1.0, f64::INFINITY);
    }
}
