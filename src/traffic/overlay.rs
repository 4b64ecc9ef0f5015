//! Lays patches over each other, so that no pair is counted twice.

use std::collections::BTreeMap;

use super::patch::Patch;
use super::residues::greatest_common_divisor;
use super::values::{DigitValues, EveryValue};
use crate::parallel::Digit;

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

/// How many values of a digit lie in the same patches, for every set of patches that any value lies in.
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
            repeating.iter().flat_map(|every| turns_in_range(*every, window)).collect();
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
fn turns_in_range(every: EveryValue, (low, high): (u32, u32)) -> impl Iterator<Item = u32> {
    let before = low.saturating_sub(every.first) / every.step;
    let begin = (before..every.count).map(move |i| every.first + i * every.step);
    let turns = begin.take_while(move |begin| *begin < high);
    turns
        .flat_map(move |begin| [begin, begin + every.run])
        .filter(move |at| (low..high).contains(at))
}
