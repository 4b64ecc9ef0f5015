//! How uplinks are spread over the switches above: evenly, so that equal-cost routing is fair.
//!
//! Every leaf has the same number of links to each spine of its pod, so **the number of spines
//! divides the uplinks of a leaf**: 24 leafs of a 64-port switch take 16 spines, not 12
//! (NVIDIA DGX SuperPOD RA-11333-001, table 4). Wiring itself is the graph's business.

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
    use super::{ascending_divisors, fewest_spines, uplink_counts_to_try};

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
