//! How many pairs of a patch stay in the domain, on the rail, or leave it.

use std::collections::BTreeMap;

use super::patch::Patch;
use super::values::DigitValues;
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
