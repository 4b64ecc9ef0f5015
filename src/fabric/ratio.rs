//! `Ratio` of uplinks to downlinks, and how uplinks are striped over spines.

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

// How uplinks are spread over the switches above: evenly, so that equal-cost routing is fair.
//
// Every leaf has the same number of links to each spine of its pod, so **the number of spines
// divides the uplinks of a leaf**: 24 leafs of a 64-port switch take 16 spines, not 12
// (NVIDIA DGX SuperPOD RA-11333-001, table 4). Wiring itself is the graph's business.

/// The fewest spines that take `links` uplinks in all, `uplinks` from each leaf, with `ports`
/// downward ports each: the least divisor of `uplinks` that has enough ports.
/// `None` where even one spine for every uplink of a leaf would be too few.
#[must_use]
pub fn fewest_spines(uplinks: u32, links: u64, ports: u32) -> Option<u32> {
    if ports == 0 {
        return None;
    }
    let least = links.div_ceil(u64::from(ports)).max(1);
    ascending_divisors(uplinks).into_iter().find(|divisor| u64::from(*divisor) >= least)
}

/// The divisors of a number, least first; none for zero.
#[must_use]
pub fn ascending_divisors(number: u32) -> Vec<u32> {
    let mut low = Vec::new();
    let mut high = Vec::new();
    let mut candidate: u32 = 1;
    while u64::from(candidate) * u64::from(candidate) <= u64::from(number) {
        if number.is_multiple_of(candidate) {
            low.push(candidate);
            if number / candidate != candidate {
                high.push(number / candidate);
            }
        }
        candidate += 1;
    }
    low.extend(high.into_iter().rev());
    low
}

/// The numbers of uplinks worth trying where at least `least` and at most `most` are wanted:
/// `least` rounded up to a multiple of each m ≤ `least`.
///
/// Complete: for any number q of spines that may be needed, the fewest uplinks that some number
/// of at least q spines divides are in the list, as more uplinks only cost more links. A cost is
/// not monotone in the uplinks, because of the divisor rule.
#[must_use]
pub fn uplink_counts_to_try(least: u32, most: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = (1..=least)
        .filter_map(|multiple| least.checked_next_multiple_of(multiple))
        .filter(|uplinks| *uplinks <= most)
        .collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::{Ratio, ascending_divisors, fewest_spines, uplink_counts_to_try};

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

    #[test]
    fn spines_divide_the_uplinks_of_a_leaf() {
        assert_eq!(fewest_spines(32, 24 * 32, 64), Some(16));
        assert_eq!(fewest_spines(18, 19 * 18, 128), Some(3));
        assert_eq!(fewest_spines(43, 25 * 43, 128), Some(43));
        assert_eq!(fewest_spines(32, 65 * 32, 64), None);
        assert_eq!(fewest_spines(0, 0, 64), None);
        assert_eq!(fewest_spines(8, 8, 0), None);
    }

    #[test]
    fn divisors_come_in_order() {
        assert_eq!(ascending_divisors(36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!(ascending_divisors(1), [1]);
        assert!(ascending_divisors(0).is_empty());
    }

    #[test]
    fn a_list_of_uplinks_holds_the_cheapest_for_every_number_of_spines() {
        for least in 1..=64_u32 {
            let listed = uplink_counts_to_try(least, 2 * least);
            for spines in 1..=least {
                let best = (least..).find(|u| ascending_divisors(*u).iter().any(|d| *d >= spines));
                assert!(best.is_some_and(|u| listed.contains(&u)), "{least} {spines}");
                let exact = (least..).find(|u| u.is_multiple_of(spines));
                assert!(exact.is_some_and(|u| listed.contains(&u)), "{least} {spines}");
            }
        }
    }
}
