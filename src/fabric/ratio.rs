//! An exact small ratio, so that no port is ever counted with floats.

use std::cmp::Ordering;
use std::fmt;

/// A non-negative fraction of two whole numbers, in lowest terms.
///
/// Equality is by value: 2/4 equals 1/2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    over: u32,
    under: u32, // Invariant: above zero, and without a divisor common to `over`.
}

impl Ratio {
    /// Nothing: a rail-only fabric across rails.
    pub const ZERO: Self = Self { over: 0, under: 1 };
    /// As much up as down: non-blocking.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// `over / under`; `None` where `under` is zero.
    #[must_use]
    pub fn new(over: u32, under: u32) -> Option<Self> {
        if under == 0 {
            return None;
        }
        let common = greatest_common_divisor(over, under);
        Some(Self { over: over / common, under: under / common })
    }

    /// Uplinks over downlinks, at most [`Ratio::ONE`]: more uplinks than downlinks carry nothing
    /// more. No downlinks count as non-blocking.
    #[must_use]
    pub fn uplinks_per_downlink(up: u32, down: u32) -> Self {
        if up >= down { Self::ONE } else { Self::new(up, down).unwrap_or(Self::ONE) }
    }

    /// The fraction upside down; `None` for zero.
    #[must_use]
    pub const fn inverse(self) -> Option<Self> {
        if self.over == 0 { None } else { Some(Self { over: self.under, under: self.over }) }
    }

    /// The least whole number that is no less than this share of `whole`.
    #[must_use]
    pub const fn ceil_times(self, whole: u64) -> u64 {
        if whole <= u32::MAX as u64 {
            return (self.over as u64 * whole).div_ceil(self.under as u64);
        }
        let product = self.over as u128 * whole as u128;
        product.div_ceil(self.under as u128) as u64
    }

    /// The most downlinks of a switch with so many ports that can each have this share of an
    /// uplink: d + ⌈share · d⌉ ≤ ports.
    #[must_use]
    pub const fn downlinks_of(self, ports: u32) -> u32 {
        // d · over / under ≤ ports − d, and the right side is whole.
        (ports as u64 * self.under as u64 / (self.over as u64 + self.under as u64)) as u32
    }

    /// The share as a float, for reports and clocks; never for counting.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.over) / f64::from(self.under)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u64::from(self.over) * u64::from(other.under);
        left.cmp(&(u64::from(other.over) * u64::from(self.under)))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.over, self.under)
    }
}

/// The largest number that divides both; the other one where one is zero.
pub(super) const fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn fractions_compare_by_value() {
        assert_eq!(Ratio::new(2, 4), Ratio::new(1, 2));
        assert_eq!(Ratio::new(0, 9), Some(Ratio::ZERO));
        assert_eq!(Ratio::new(1, 0), None);
        assert!(Ratio::new(1, 7) < Ratio::new(16, 111));
        assert_eq!(Ratio::new(1, 7).and_then(Ratio::inverse), Ratio::new(7, 1));
    }

    #[test]
    fn shares_round_up_exactly() {
        let third = Ratio::new(1, 3).expect("three is not zero");
        assert_eq!([0, 1, 3, 4].map(|whole| third.ceil_times(whole)), [0, 1, 1, 2]);
        assert_eq!(Ratio::uplinks_per_downlink(66, 62), Ratio::ONE);
        assert_eq!(Ratio::uplinks_per_downlink(0, 0), Ratio::ONE);
    }
}
