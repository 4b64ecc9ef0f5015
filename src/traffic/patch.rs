//! A box of ranks that all send the same bytes to the rank at the same distance.

use super::values::Values;
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
    pub(super) sources: Vec<Values>,
    /// What the target's digits have more, fastest first.
    pub(super) delta: Vec<i64>,
}

impl Patch {
    /// Pairs in the patch.
    pub(super) fn pairs(&self) -> u128 {
        self.sources.iter().map(|values| u128::from(values.len())).product()
    }

    /// Ranks from a source to its target.
    pub(super) fn distance(&self, digits: &[Digit]) -> i64 {
        let step = |(delta, digit): (&i64, &Digit)| *delta * i64::from(digit.stride);
        self.delta.iter().zip(digits).map(step).sum()
    }

    /// Sources below `limit`: the digits of `limit` from the slowest down, each adding the
    /// ranks that agree above it and are smaller in it.
    pub(super) fn sources_below(&self, limit: u64, digits: &[Digit]) -> u64 {
        let Some(last) = digits.last() else {
            return u64::from(limit > 0);
        };
        if limit >= u64::from(last.stride) * u64::from(last.size) {
            return self.sources.iter().map(|values| u64::from(values.len())).product();
        }
        // Each slower digit's factor is settled before its faster ones are looked at.
        let mut faster: Vec<u64> = Vec::with_capacity(digits.len());
        let mut product = 1;
        for values in &self.sources {
            faster.push(product);
            product *= u64::from(values.len());
        }
        let mut below = 0;
        for (k, digit) in digits.iter().enumerate().rev() {
            let value = (limit / u64::from(digit.stride) % u64::from(digit.size)) as u32;
            below += u64::from(self.sources[k].below(value)) * faster[k];
            if !self.sources[k].contains(value) {
                break;
            }
        }
        below
    }

    /// Whether the fastest digits of a rank are those of a sender; slower ones are not asked.
    pub(super) fn has_inner_source(&self, rank: Rank, inner: &[Digit]) -> bool {
        let value = |digit: &Digit| rank.0 / digit.stride % digit.size;
        self.sources.iter().zip(inner).all(|(values, digit)| values.contains(value(digit)))
    }
}
