//! A box of ranks that all send the same bytes to the rank at the same distance.

use super::values::DigitValues;
use crate::parallel::{Digit, Rank};
use crate::step::TrafficKind;
use crate::units::Bytes;

/// Ranks whose digits lie in `sources` each send `bytes` to the rank whose digits differ by
/// `delta`. The target's digits stay in their ranges: a step that carries is a patch of its own.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) kind: TrafficKind,
    /// Bytes of each pair in a step.
    pub(super) bytes: Bytes,
    /// Values of each digit of the grid, fastest first.
    pub(super) sources: Vec<DigitValues>,
    /// What the target's digits have more, fastest first.
    pub(super) delta: Vec<i64>,
}

impl Patch {
    /// Pairs in the patch.
    pub(super) fn pair_count(&self) -> u128 {
        self.sources.iter().map(|values| u128::from(values.value_count())).product()
    }

    /// Ranks from a source to its target.
    pub(super) fn target_distance(&self, digits: &[Digit]) -> i64 {
        digit_distance(&self.delta, digits)
    }

    /// Whether the fastest digits of a rank are those of a sender; slower ones are not asked.
    pub(super) fn has_inner_source(&self, rank: Rank, inner: &[Digit]) -> bool {
        self.sources
            .iter()
            .zip(inner)
            .all(|(values, digit)| values.contains(digit.digit_value(rank)))
    }
}

/// How far some digits' moves lead, in what their strides count.
pub(super) fn digit_distance(delta: &[i64], digits: &[Digit]) -> i64 {
    let step = |(delta, digit): (&i64, &Digit)| *delta * i64::from(digit.stride);
    delta.iter().zip(digits).map(step).sum()
}
