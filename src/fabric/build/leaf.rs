//! How a leaf divides its ports between endpoints, its rail's spines and a spine across rails.

use super::RailRequest;

/// Ports of one leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LeafShape {
    /// Towards endpoints; at least 1.
    pub(super) down: u32,
    /// Towards the spines of the rail.
    pub(super) up: u32,
    /// Towards a spine across rails.
    pub(super) across: u32,
}

/// The leaf with the most ports down whose uplinks are a multiple of `stripe` and whose ports
/// across rails are one of `across_stripe`.
///
/// It needs the fewest leafs; those may then have fewer ports in use. `None` where it has no ports.
pub(super) fn leaf_with_own_spines(
    request: &RailRequest<'_>,
    radix: u32,
    stripe: u32,
    across_stripe: u32,
) -> Option<LeafShape> {
    widest_leaf_shape(radix, |down| {
        let up = round_up(request.within.ceil_times(u64::from(down)).max(1), stripe);
        let across = round_up(request.across.ceil_times(u64::from(down)), across_stripe);
        (up, across)
    })
}

/// The leaf with the most ports down that has no spines of its own: its ports across rails, a
/// multiple of `stripe`, carry what leaves it within the rail too.
pub(super) fn leaf_with_shared_spine(
    request: &RailRequest<'_>,
    radix: u32,
    stripe: u32,
) -> Option<LeafShape> {
    widest_leaf_shape(radix, |down| {
        let down = u64::from(down);
        // Both demands add up, but no more can leave a leaf than enters it.
        let demand = request.within.ceil_times(down) + request.across.ceil_times(down);
        (0, round_up(demand.min(down).max(1), stripe))
    })
}

/// The shape with the most ports down that fits, where the other ports follow from those.
fn widest_leaf_shape(radix: u32, others: impl Fn(u32) -> (u64, u64)) -> Option<LeafShape> {
    // What is needed upwards never falls as `down` rises, so the shapes that fit are the lowest.
    let fits = |down: u32| {
        let (up, across) = others(down);
        u64::from(down) + up + across <= u64::from(radix)
    };
    let (mut low, mut high) = (0, radix);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    if low == 0 {
        return None;
    }
    let (up, across) = others(low);
    Some(LeafShape { down: low, up: up as u32, across: across as u32 })
}

/// The least multiple of `step` that is no less than `count`.
fn round_up(count: u64, step: u32) -> u64 {
    count.next_multiple_of(u64::from(step.max(1)))
}

#[cfg(test)]
mod tests {
    use super::{LeafShape, leaf_with_own_spines, leaf_with_shared_spine};
    use crate::fabric::Ratio;
    use crate::fabric::build::nouns::RailRequest;

    fn request(within: (u32, u32), across: (u32, u32)) -> RailRequest<'static> {
        let ratio = |(over, under)| Ratio::new(over, under).expect("not over zero");
        RailRequest {
            endpoints: 1000,
            skus: &[],
            within: ratio(within),
            across: ratio(across),
            models_per_rail: None,
        }
    }

    #[test]
    fn the_widest_leaf_is_the_widest_of_all() {
        for (within, across) in [((1, 1), (0, 1)), ((18, 110), (0, 1)), ((1, 7), (1, 5))] {
            let request = request(within, across);
            for stripe in 1..=40 {
                let found = leaf_with_own_spines(&request, 128, stripe, 3);
                let tried = (1..=128_u32).rev().find_map(|down| {
                    let up = request.within.ceil_times(down.into()).max(1) as u32;
                    let up = up.next_multiple_of(stripe);
                    let across = request.across.ceil_times(down.into()) as u32;
                    let across = across.next_multiple_of(3);
                    (down + up + across <= 128).then_some(LeafShape { down, up, across })
                });
                assert_eq!(found, tried, "{within:?} {across:?} {stripe}");
            }
        }
    }

    #[test]
    fn a_shared_spine_carries_both_demands_up_to_all_that_enters() {
        let both = leaf_with_shared_spine(&request((1, 4), (1, 4)), 96, 1).expect("fits");
        assert_eq!(both, LeafShape { down: 64, up: 0, across: 32 });
        let full = leaf_with_shared_spine(&request((1, 1), (1, 1)), 64, 1).expect("fits");
        assert_eq!(full, LeafShape { down: 32, up: 0, across: 32 });
    }
}
