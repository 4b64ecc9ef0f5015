//! Lays patches over each other, so that no pair is counted twice.

use std::collections::BTreeMap;

use super::patch::Patch;
use crate::parallel::Digit;

/// Calls `each` with a number of pairs and the patches that all of them lie in, for disjoint
/// sets of pairs that cover every pair of any patch.
///
/// Two patches share pairs only where their digits move alike, so each such class is laid over
/// itself: digit by digit, the values fall into runs within which the same patches apply.
pub(super) fn overlay<'a>(
    patches: &'a [Patch],
    digits: &[Digit],
    mut each: impl FnMut(u128, &[&'a Patch]),
) {
    let mut classes: BTreeMap<&[i64], Vec<&Patch>> = BTreeMap::new();
    for patch in patches {
        classes.entry(&patch.delta).or_default().push(patch);
    }
    for class in classes.values() {
        sweep(class, 0, digits.len(), 1, &mut each);
    }
}

/// Lays patches over one another whatever their moves: how many senders each set of patches has.
pub(super) fn sweep<'a>(
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
        sweep(patches, digit + 1, end, pairs * u128::from(values.len()), each);
        return;
    }
    let mut cuts: Vec<u32> = patches
        .iter()
        .flat_map(|patch| patch.sources[digit].spans())
        .flat_map(|(low, high)| [*low, *high])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    for run in cuts.windows(2) {
        let within: Vec<&Patch> =
            patches.iter().filter(|patch| patch.sources[digit].contains(run[0])).copied().collect();
        sweep(&within, digit + 1, end, pairs * u128::from(run[1] - run[0]), each);
    }
}
