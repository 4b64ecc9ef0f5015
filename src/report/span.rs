//! From the least to the most of some amounts, and where an amount lies between them.

/// The ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisSpan {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl AxisSpan {
    /// That of some amounts.
    pub(super) fn from_values(amounts: impl Iterator<Item = f64>) -> Self {
        let nothing = Self { least: f64::INFINITY, most: f64::NEG_INFINITY };
        amounts.fold(nothing, |span, amount| Self {
            least: span.least.min(amount),
            most: span.most.max(amount),
        })
    }

    /// Both ends; one where all are equal.
    pub(super) fn ends(self) -> Vec<f64> {
        if self.most > self.least { vec![self.least, self.most] } else { vec![self.least] }
    }

    /// How far an amount is on the way from the least to the most, from 0 to 1; half of it where all
    /// are equal.
    pub(super) fn share_of_span(self, amount: f64) -> f64 {
        if self.most > self.least { (amount - self.least) / (self.most - self.least) } else { 0.5 }
    }
}
