//! Chance that is the same on every machine.

/// Numerical Recipes' linear congruential generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// 0 to `below` - 1.
    pub(crate) fn roll(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// Both ends included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.roll(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}
