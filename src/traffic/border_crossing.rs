//! How many senders of a patch lie below a number, counted in ranks or, as the borders of HB
//! domains see it, in whole domains.

use super::patch::{DigitValues, Patch, digit_distance};
use super::patch_counts::greatest_common_divisor;
use crate::parallel::Digit;

/// Domains that each send to the domain at one distance. What leaves a run of domains is counted
/// without walking over them.
#[derive(Clone, Debug)]
pub(super) struct BorderCrossing {
    /// Digits across domains, fastest first: domains from one value to the next, values, and
    /// those of them that send.
    digits: Vec<DigitPlace>,
    /// Domains from a sender to its target.
    moved: i64,
}

/// One digit of a domain's number.
#[derive(Clone, Debug)]
struct DigitPlace {
    stride: u64,
    size: u64,
    values: DigitValues,
    /// Senders of one value of this digit: the product of the faster digits' values.
    below: u64,
}

impl BorderCrossing {
    /// The patch's digits from `inner` on, whose strides are counted in domains in `outer`.
    pub(super) fn from_patch(patch: &Patch, inner: usize, outer: &[Digit]) -> Self {
        let mut below = 1;
        let place = |(values, digit): (&DigitValues, &Digit)| {
            let (stride, size) = (u64::from(digit.stride), u64::from(digit.size));
            let place = DigitPlace { stride, size, values: values.clone(), below };
            below *= u64::from(values.value_count());
            place
        };
        let digits: Vec<DigitPlace> = patch.sources[inner..].iter().zip(outer).map(place).collect();
        Self { digits, moved: digit_distance(&patch.delta[inner..], outer) }
    }

    /// Domains from a sender to its target.
    pub(super) const fn domain_distance(&self) -> i64 {
        self.moved
    }

    /// Senders in `first..end` whose target lies outside.
    pub(super) fn senders_leaving(&self, first: u32, end: u32) -> u64 {
        let (first, end) = (i64::from(first), i64::from(end));
        let (low, high) = if self.moved > 0 {
            ((end - self.moved).max(first), end)
        } else {
            (first, (first - self.moved).min(end))
        };
        self.senders_below(high as u64) - self.senders_below(low as u64)
    }

    /// Senders whose number is below `limit`: the digits of `limit` from the slowest down, each
    /// adding the domains that agree above it and are smaller in it.
    pub(super) fn senders_below(&self, limit: u64) -> u64 {
        let Some(last) = self.digits.last() else { return u64::from(limit > 0) };
        if limit >= last.stride * last.size {
            return last.below * u64::from(last.values.value_count());
        }
        let mut senders = 0;
        let mut rest = limit;
        for place in self.digits.iter().rev() {
            let value = (rest / place.stride) as u32;
            rest %= place.stride;
            senders += u64::from(place.values.count_below(value)) * place.below;
            if !place.values.contains(value) {
                break;
            }
        }
        senders
    }

    /// Domains at which the slowest digit begins or ceases to send.
    fn sending_change_domains(&self) -> impl Iterator<Item = u64> + '_ {
        let spans = |place: &DigitPlace| place.values.value_spans().collect::<Vec<_>>();
        let read = |(low, high)| [low, high];
        let stride = self.digits.last().map_or(1, |place| place.stride);
        let values = self.digits.last().map(spans).unwrap_or_default().into_iter().flat_map(read);
        values.map(move |value: u32| u64::from(value) * stride)
    }
}

/// The first domains of leaf switches with so many domains each, out of `domains` in a row: of
/// those that send alike by all crossings, the first few alone.
///
/// Between two turns of the slowest digit the same domains send again and again, with that digit's
/// stride s as period. A leaf of L domains then finds itself where it was after s / gcd(s, L)
/// leafs. Leafs across a turn are all looked at.
pub(super) fn unlike_leafs(crossings: &[BorderCrossing], domains: u32, leaf: u32) -> Vec<u32> {
    let (all, leaf) = (u64::from(domains), u64::from(leaf));
    let slowest = crossings.first().and_then(|crossing| crossing.digits.last());
    let stride = slowest.map_or(1, |place| place.stride);
    let mut turns: Vec<u64> =
        crossings.iter().flat_map(BorderCrossing::sending_change_domains).collect();
    turns.extend([0, all]);
    turns.retain(|turn| *turn <= all);
    turns.sort_unstable();
    turns.dedup();
    let period = stride / greatest_common_divisor(stride, leaf);
    let mut firsts = Vec::new();
    for run in turns.windows(2) {
        let (low, high) = (run[0].div_ceil(leaf), run[1] / leaf);
        firsts.extend((low..high.min(low + period)).map(|number| number * leaf));
        if run[1] % leaf != 0 {
            firsts.push(high * leaf);
        }
    }
    firsts.dedup();
    firsts.into_iter().map(|first| first as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::{BorderCrossing, unlike_leafs};
    use crate::parallel::{Axis, Digit, ExpertRole};
    use crate::step::TrafficKind;
    use crate::traffic::patch::{DigitValues, Patch};
    use crate::units::Bytes;

    /// Three digits of 3, 4 and 5 values; senders and moves as given, fastest first.
    fn crossing(sources: [(u32, u32); 3], delta: [i64; 3]) -> BorderCrossing {
        let sizes = [(1, 3), (3, 4), (12, 5)];
        let outer = sizes.map(|(stride, size)| Digit {
            axis: Axis::Data,
            expert_role: ExpertRole::Data,
            copies: false,
            stride,
            size,
        });
        let sources = sources.map(|(low, high)| DigitValues::from_span(low, high)).to_vec();
        let patch =
            Patch { kind: TrafficKind::Data, bytes: Bytes::new(1), sources, delta: delta.to_vec() };
        BorderCrossing::from_patch(&patch, 0, &outer)
    }

    #[test]
    fn what_leaves_is_counted_domain_by_domain_and_no_leaf_is_unlike_all_that_are_looked_at() {
        let crossings = [
            crossing([(0, 3), (0, 3), (0, 5)], [0, 1, 0]),
            crossing([(0, 3), (3, 4), (0, 5)], [0, -3, 0]),
            crossing([(1, 2), (0, 4), (0, 4)], [0, 0, 1]),
            crossing([(2, 3), (1, 2), (4, 5)], [0, 0, -4]),
        ];
        let sends = |domain: u32, [a, b, c]: [(u32, u32); 3]| {
            (a.0..a.1).contains(&(domain % 3))
                && (b.0..b.1).contains(&(domain / 3 % 4))
                && (c.0..c.1).contains(&(domain / 12))
        };
        let boxes = [
            ([(0, 3), (0, 3), (0, 5)], 3_i64),
            ([(0, 3), (3, 4), (0, 5)], -9),
            ([(1, 2), (0, 4), (0, 4)], 12),
            ([(2, 3), (1, 2), (4, 5)], -48),
        ];
        for leaf in 1..=60_u32 {
            let by_hand = |first: u32| -> Vec<u64> {
                let end = (first + leaf).min(60);
                let inside = |to: i64| (i64::from(first)..i64::from(end)).contains(&to);
                let read = |(senders, moved): &([(u32, u32); 3], i64)| {
                    let leaves = |d: &u32| sends(*d, *senders) && !inside(i64::from(*d) + moved);
                    (first..end).filter(leaves).count() as u64
                };
                boxes.iter().map(read).collect()
            };
            let counted = |first: u32| -> Vec<u64> {
                let end = (first + leaf).min(60);
                crossings.iter().map(|crossing| crossing.senders_leaving(first, end)).collect()
            };
            let looked_at = unlike_leafs(&crossings, 60, leaf);
            for first in (0..60).step_by(leaf as usize) {
                assert_eq!(counted(first), by_hand(first), "{leaf} domains from {first}");
                assert!(
                    looked_at.iter().any(|like| by_hand(*like) == by_hand(first)),
                    "{leaf} domains from {first} are unlike all of {looked_at:?}"
                );
            }
        }
    }
}
