//! Pairs of a patch by locality; patches laid over each other.

use std::collections::BTreeMap;

use super::patch::{DigitValues, EveryValue, Patch};
use crate::parallel::{Digit, Locality, Placed};

/// Counts pairs by locality. Locality depends on a rank only by its place in the domain, so it
/// suffices to know how the sources of a patch fall on places: each digit adds a multiple of its
/// stride modulo the domain, and the counts of two digits combine like polynomials.
pub(super) struct Localities<'a> {
    placed: &'a Placed,
    /// Counts by place of the digits in a mask, all values free; made on demand.
    free: BTreeMap<u32, Vec<u64>>,
}

impl<'a> Localities<'a> {
    pub(super) const fn new(placed: &'a Placed) -> Self {
        Self { placed, free: BTreeMap::new() }
    }

    /// Pairs of the patch by [`Locality`].
    pub(super) fn pairs_by_locality(&mut self, patch: &Patch) -> [u128; 3] {
        let placement = self.placed.placement();
        let digits = self.placed.grid().digits();
        let border = placement.used_gpus_per_domain();
        if self.placed.is_aligned() {
            let moves = |inside: bool| {
                let apart = |(delta, digit): (&i64, &Digit)| {
                    *delta != 0 && (digit.stride < border) == inside
                };
                patch.delta.iter().zip(digits).any(apart)
            };
            let only = match (moves(false), moves(true)) {
                (false, _) => Some(Locality::InsideDomain),
                (true, false) => Some(Locality::AlongRail),
                (true, true) if placement.has_nic_per_gpu() => Some(Locality::AcrossRails),
                (true, true) => None,
            };
            if let Some(locality) = only {
                let mut pairs = [0; 3];
                pairs[locality as usize] = patch.pair_count();
                return pairs;
            }
        }
        self.pairs_by_place(patch)
    }

    fn pairs_by_place(&mut self, patch: &Patch) -> [u128; 3] {
        let placement = self.placed.placement();
        let used = i64::from(placement.used_gpus_per_domain());
        let distance = patch.target_distance(self.placed.grid().digits());
        let mut pairs = [0; 3];
        for (place, count) in self.sources_by_place(patch).into_iter().enumerate() {
            let moved = place as i64 + distance;
            let index = moved.rem_euclid(used) as u32;
            let locality = if (0..used).contains(&moved) {
                Locality::InsideDomain
            } else if placement.rail_at(index) == placement.rail_at(place as u32) {
                Locality::AlongRail
            } else {
                Locality::AcrossRails
            };
            pairs[locality as usize] += u128::from(count);
        }
        pairs
    }

    /// Sources of the patch by their place in the domain.
    pub(super) fn sources_by_place(&mut self, patch: &Patch) -> Vec<u64> {
        let digits = self.placed.grid().digits();
        let used = self.placed.placement().used_gpus_per_domain();
        let full = |k: usize| patch.sources[k].value_count() == digits[k].size;
        let mask = (0..digits.len()).filter(|k| full(*k)).fold(0, |mask, k| mask | 1 << k);
        let free = self.free.entry(mask).or_insert_with(|| {
            let mut places = rank_at_place_zero(used);
            for (k, digit) in digits.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1) {
                debug_assert!(full(k), "the mask holds free digits only");
                places = combine_places(
                    &places,
                    &places_of_digit(digit, &DigitValues::from_span(0, digit.size), used),
                );
            }
            places
        });
        let mut places = free.clone();
        for (k, digit) in digits.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 0) {
            places = combine_places(&places, &places_of_digit(digit, &patch.sources[k], used));
        }
        places
    }
}

/// One rank at place 0.
fn rank_at_place_zero(used: u32) -> Vec<u64> {
    let mut places = vec![0; used as usize];
    places[0] = 1;
    places
}

/// The places that the values of one digit add, with how many values add each.
fn places_of_digit(digit: &Digit, values: &DigitValues, used: u32) -> Vec<(usize, u64)> {
    let used = u64::from(used);
    let stride = u64::from(digit.stride) % used;
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    // After `period` values the places repeat.
    let period = (used / greatest_common_divisor(used, stride)) as u32;
    let mut add = |(low, high): (u32, u32), times: u64| {
        let length = high - low;
        for first in 0..length.min(period) {
            let each = u64::from((length - first).div_ceil(period));
            let place = (u64::from(low + first) * stride % used) as usize;
            *counts.entry(place).or_default() += each * times;
        }
    };
    if let DigitValues::Every(every) = values {
        // Likewise after so many intervals.
        let period =
            (used / greatest_common_divisor(used, stride * u64::from(every.step) % used)) as u32;
        for first in 0..every.count.min(period) {
            let low = every.first + first * every.step;
            add((low, low + every.run), u64::from((every.count - first).div_ceil(period)));
        }
    } else {
        values.value_spans().for_each(|span| add(span, 1));
    }
    counts.into_iter().collect()
}

fn combine_places(places: &[u64], adds: &[(usize, u64)]) -> Vec<u64> {
    let mut sums = vec![0; places.len()];
    for (place, count) in places.iter().enumerate().filter(|(_, count)| **count > 0) {
        for (add, times) in adds {
            sums[(place + add) % places.len()] += count * times;
        }
    }
    sums
}

/// Greatest common divisor; the other number where one is 0.
pub(super) const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Calls `each` with a number of pairs and the patches that all of them lie in, for disjoint
/// sets of pairs that cover every pair of any patch.
///
/// Two patches share pairs only where their digits move alike, so each such class is laid over
/// itself: digit by digit, the values fall into runs within which the same patches apply.
pub(super) fn overlay_patches<'a>(
    patches: &'a [Patch],
    digits: &[Digit],
    mut each: impl FnMut(u128, &[&'a Patch]),
) {
    let mut classes: BTreeMap<&[i64], Vec<&Patch>> = BTreeMap::new();
    for patch in patches {
        classes.entry(&patch.delta).or_default().push(patch);
    }
    for class in classes.values() {
        sweep_patches(class, 0, digits.len(), 1, &mut each);
    }
}

/// Lays patches over one another whatever their moves: how many senders each set of patches has.
pub(super) fn sweep_patches<'a>(
    patches: &[&'a Patch],
    digit: usize,
    end: usize,
    pairs: u128,
    each: &mut dyn FnMut(u128, &[&'a Patch]),
) {
    let Some(first) = patches.first() else { return };
    if digit == end {
        each(pairs, patches);
        return;
    }
    let values = &first.sources[digit];
    if patches.iter().all(|patch| patch.sources[digit] == *values) {
        sweep_patches(patches, digit + 1, end, pairs * u128::from(values.value_count()), each);
        return;
    }
    for (values, within) in group_alike_values(patches, digit) {
        sweep_patches(&within, digit + 1, end, pairs * u128::from(values), each);
    }
}

/// How many values of a digit lie in the same patches, for every set of patches that any value lies
/// in.
fn group_alike_values<'a>(patches: &[&'a Patch], digit: usize) -> Vec<(u64, Vec<&'a Patch>)> {
    let mut cuts: Vec<u32> =
        patches.iter().flat_map(|patch| interval_borders(&patch.sources[digit])).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut sets: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    for run in cuts.windows(2) {
        let (low, high) = (run[0], run[1]);
        let repeating = |patch: &&Patch| match patch.sources[digit] {
            DigitValues::Every(every) if every.first < high && low < every.end_value() => {
                Some(every)
            }
            _ => None,
        };
        let repeating: Vec<EveryValue> = patches.iter().filter_map(repeating).collect();
        // Together they repeat after this many values, if the run is as long.
        let common = |period: u64, value: &EveryValue| {
            let step = u64::from(value.step);
            (period / greatest_common_divisor(period, step))
                .saturating_mul(step)
                .min(u64::from(high - low))
        };
        let period = repeating.iter().fold(1, common) as u32;
        let window = (low, low + period);
        let mut turns: Vec<u32> =
            repeating.iter().flat_map(|every| turns_in_range(*every, window.0, window.1)).collect();
        turns.extend([low, low + period]);
        turns.sort_unstable();
        turns.dedup();
        for part in turns.windows(2) {
            let (rest, length) = (high - part[0], part[1] - part[0]);
            let values = rest / period * length + (rest % period).min(length);
            let with = |at: &usize| patches[*at].sources[digit].contains(part[0]);
            *sets.entry((0..patches.len()).filter(with).collect()).or_default() +=
                u64::from(values);
        }
    }
    let patches_of = |set: Vec<usize>| set.into_iter().map(|at| patches[at]).collect();
    sets.into_iter().map(|(set, values)| (values, patches_of(set))).collect()
}

/// Where the intervals begin and end, or where those that repeat begin and cease to.
fn interval_borders(values: &DigitValues) -> Vec<u32> {
    match values {
        DigitValues::Every(every) => vec![every.first, every.end_value()],
        listed => listed.value_spans().flat_map(|(low, high)| [low, high]).collect(),
    }
}

/// Values from `low` to before `high` at which one of the intervals begins or ends.
fn turns_in_range(every: EveryValue, low: u32, high: u32) -> impl Iterator<Item = u32> {
    let before = low.saturating_sub(every.first) / every.step;
    let begin = (before..every.count).map(move |i| every.first + i * every.step);
    let turns = begin.take_while(move |begin| *begin < high);
    turns
        .flat_map(move |begin| [begin, begin + every.run])
        .filter(move |at| (low..high).contains(at))
}
