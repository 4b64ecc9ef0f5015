//! The messages of a call that leave their HB domain, those of neighbours together: what has to be added
//! up is the same whatever the order, and most ranks do what the rank before them does.

use super::flows::GroupedCall;
use super::patch::Patch;
use super::values::DigitValues;
use crate::collective::RelationShape;
use crate::parallel::{Digit, Rank};
use crate::units::Bytes;

/// Messages from consecutive ranks of one HB domain to as many consecutive ranks of another one, each to
/// the rank at the same distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageRun {
    /// First sender.
    pub(super) from: Rank,
    /// Its receiver.
    pub(super) to: Rank,
    /// Senders.
    pub(super) ranks: u32,
    /// What each message carries.
    pub(super) bytes: Bytes,
}

impl GroupedCall<'_> {
    /// The messages of [`GroupedCall::for_each`], relation by relation.
    pub(super) fn for_each_run(&self, mut take: impl FnMut(MessageRun)) {
        let (grid, used) = (self.placed.grid(), self.placed.placement().used_gpus_per_domain());
        for term in &self.terms {
            let in_rings = self.rings > 1 && term.shape == RelationShape::Next;
            for patch in term.disjoint_patches(grid) {
                let distance = patch.target_distance(grid.digits());
                patch.for_each_run(grid.digits(), &mut |first, ranks| {
                    let whole = MessageRun {
                        from: Rank(first),
                        // Targets of a patch are ranks of the grid.
                        to: Rank(first.saturating_add_signed(distance as i32)),
                        ranks,
                        bytes: patch.bytes,
                    };
                    whole.between_domains(used, |run| {
                        if !in_rings {
                            return take(run);
                        }
                        for (from, to) in run.sender_receiver_pairs() {
                            self.flows_between_neighbours(term, (from, to), |from, to, bytes| {
                                take(MessageRun { from, to, ranks: 1, bytes });
                            });
                        }
                    });
                });
            }
        }
    }
}

impl MessageRun {
    /// Senders with their receivers.
    fn sender_receiver_pairs(self) -> impl Iterator<Item = (Rank, Rank)> {
        (0..self.ranks).map(move |more| (Rank(self.from.0 + more), Rank(self.to.0 + more)))
    }

    /// The parts of it that lie between two domains of `used` ranks each.
    fn between_domains(self, used: u32, mut take: impl FnMut(Self)) {
        let Self { from: Rank(mut from), to: Rank(mut to), mut ranks, bytes } = self;
        while ranks > 0 {
            let own = (used - from % used).min(used - to % used).min(ranks);
            if from / used != to / used {
                take(Self { from: Rank(from), to: Rank(to), ranks: own, bytes });
            }
            (from, to, ranks) = (from + own, to + own, ranks - own);
        }
    }
}

impl Patch {
    /// Its senders as (first, how many in a row).
    fn for_each_run(&self, digits: &[Digit], take: &mut impl FnMut(u32, u32)) {
        let whole = |(values, digit): &(&DigitValues, &Digit)| values.value_count() == digit.size;
        // The fastest digits of which every value sends make the runs longer.
        let inner = self.sources.iter().zip(digits).take_while(whole).count();
        self.runs_from(0, digits, inner, take);
    }

    /// Those of the ranks from `first` on that differ in the digits given.
    fn runs_from(
        &self,
        first: u32,
        digits: &[Digit],
        inner: usize,
        take: &mut impl FnMut(u32, u32),
    ) {
        let Some((digit, faster)) = digits.split_last() else { return take(first, 1) };
        let values = &self.sources[faster.len()];
        for (low, high) in values.value_spans() {
            if faster.len() <= inner {
                take(first + low * digit.stride, (high - low) * digit.stride);
                continue;
            }
            for value in low..high {
                self.runs_from(first + value * digit.stride, faster, inner, take);
            }
        }
    }
}
