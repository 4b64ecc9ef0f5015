//! Messages of one call that leave their domain, one by one and in runs.

use std::collections::BTreeMap;

use super::matrix::terms_of_call;
use super::patch::{DigitValues, Patch};
use super::term::MatrixTerm;
use crate::collective::{GroupSpread, Policy, RelationShape};
use crate::parallel::{Axis, Digit, Group, Placed, Rank};
use crate::step::{Communication, Step};
use crate::units::Bytes;

/// One call of a communication on all groups at once.
#[derive(Clone, Debug)]
pub struct GroupedCall<'a> {
    pub(super) placed: &'a Placed,
    pub(super) terms: Vec<MatrixTerm>,
    /// Rings that share each hop from domain to domain; 1 where a message is one message.
    rings: u32,
}

/// What a call is made of, on a grid of ranks: as far as bytes go, calls of equal relations are
/// equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CallRelations {
    terms: Vec<MatrixTerm>,
    /// Several rings may share a hop.
    several: bool,
}

impl CallRelations {
    /// Those of a call of a communication that may leave a domain.
    pub(super) fn new(
        step: &Step,
        communication: &Communication,
        placed: &Placed,
        policy: &Policy,
    ) -> Self {
        let mut terms = terms_of_call(step, communication, placed, policy);
        let used = placed.placement().used_gpus_per_domain();
        let digits = placed.grid().digits();
        // Members that only digits inside a domain tell apart never leave it.
        terms.retain(|term| {
            !placed.is_aligned() || term.members.iter().any(|k| digits[*k].stride >= used)
        });
        let uneven = matches!(
            GroupSpread::spread_of_group(placed, communication.group),
            GroupSpread::Ragged { .. }
        );
        let several = uneven && policy.hierarchical && communication.collective.is_ring();
        Self { terms, several }
    }
}

/// Bytes that one rank sends to another in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub from: Rank,
    /// Receiver, in another HB domain.
    pub to: Rank,
    /// Pipeline stage of the sender.
    pub stage: usize,
    pub bytes: Bytes,
}

impl<'a> GroupedCall<'a> {
    /// The call of a communication by the algorithms that `policy` chooses. Ranks of all stages
    /// are taken to call at the same time; stages that never take part in a step send nothing.
    #[must_use]
    pub fn new(
        step: &Step,
        communication: &Communication,
        placed: &'a Placed,
        policy: &Policy,
    ) -> Self {
        Self::from_relations(placed, CallRelations::new(step, communication, placed, policy))
    }

    /// The call of these relations.
    pub(super) fn from_relations(placed: &'a Placed, relations: CallRelations) -> Self {
        let CallRelations { terms, several } = relations;
        let rings = if several { min_members_per_domain(&terms, placed) } else { 1 };
        Self { placed, terms, rings }
    }

    /// The call in two: what all members of a group, all of one stage, send alike to all others,
    /// and the rest.
    #[must_use]
    pub fn split_uniform_part(self) -> (Self, Self) {
        let digits = self.placed.grid().digits();
        let of_one_stage =
            |term: &MatrixTerm| term.members.iter().all(|k| digits[*k].axis != Axis::Pipeline);
        let (alike, rest) = self.terms.into_iter().partition(|term: &MatrixTerm| {
            term.shape == RelationShape::EveryOther && of_one_stage(term)
        });
        let part = |terms| Self { placed: self.placed, terms, rings: self.rings };
        (part(alike), part(rest))
    }

    /// The members of every group with the bytes that each sends to each other one, of a call in
    /// which nobody sends otherwise: the first of [`GroupedCall::split_uniform_part`].
    pub fn for_each_group(&self, mut take: impl FnMut(&[Rank], usize, Bytes)) {
        let grid = self.placed.grid();
        let digits = grid.digits();
        let mut members = Vec::new();
        for term in &self.terms {
            let size = term.group_size(digits);
            for first in (0..grid.ranks()).map(Rank) {
                let stage = grid.pipeline_stage(first) as usize;
                let bytes = term.bytes[stage];
                if term.position_in_group(first, digits) == 0 && !bytes.is_zero() {
                    members.clear();
                    members.extend(
                        (0..size).map(|place| term.member_at_position(first, place, digits)),
                    );
                    take(&members, stage, bytes);
                }
            }
        }
    }

    /// The most by which whole bytes of a message exceed what it carries, as a share of that: a
    /// byte of a term, and a byte of each ring that takes a part of it.
    #[must_use]
    pub fn max_rounding_share(&self) -> f64 {
        let bytes = self.terms.iter().flat_map(|term| &term.bytes).filter(|size| !size.is_zero());
        let least = bytes.min().map_or(f64::INFINITY, |size| size.as_f64());
        (1.0 + f64::from(self.rings)) / least
    }

    /// No fewer messages than [`GroupedCall::for_each`] gives: what routing them costs.
    #[must_use]
    pub fn max_messages(&self) -> u64 {
        let digits = self.placed.grid().digits();
        let ranks = u64::from(self.placed.grid().ranks());
        let targets =
            |term: &MatrixTerm| u64::from(term.shape.most_targets(term.group_size(digits)));
        self.terms.iter().map(|term| ranks * targets(term)).sum()
    }

    /// Every message that leaves its domain, in the order of the senders.
    pub fn for_each(&self, mut take: impl FnMut(Message)) {
        let grid = self.placed.grid();
        let placement = self.placed.placement();
        let of_stages: Vec<Digit> = grid.group_digits(Group::Pipeline).copied().collect();
        for from in (0..grid.ranks()).map(Rank) {
            let stage = Digit::position_by_digits(&of_stages, from) as usize;
            let domain = placement.domain_of(from);
            for term in &self.terms {
                let bytes = term.bytes[stage];
                for to in term.targets_of_rank(from, stage, grid.digits()) {
                    if placement.domain_of(to) == domain {
                        continue;
                    }
                    if self.rings == 1 || term.shape != RelationShape::Next {
                        take(Message { from, to, stage, bytes });
                    } else {
                        self.flows_between_neighbours(term, from, to, |from, to, bytes| {
                            take(Message { from, to, stage, bytes });
                        });
                    }
                }
            }
        }
    }

    /// A hop of a ring from domain to domain: the last members of the one send to the first of the
    /// other, each its ring's share. Each ring then goes through a domain in an order of its own.
    fn flows_between_neighbours(
        &self,
        term: &MatrixTerm,
        from: Rank,
        to: Rank,
        mut take: impl FnMut(Rank, Rank, Bytes),
    ) {
        let digits = self.placed.grid().digits();
        let (last, first) =
            (term.position_in_group(from, digits), term.position_in_group(to, digits));
        let stage = self.placed.grid().pipeline_stage(from) as usize;
        let bytes = term.bytes[stage].equal_share(u128::from(self.rings));
        for ring in 0..self.rings {
            let member = |position| term.member_at_position(from, position, digits);
            // Domains with as many members each speak along their rails.
            take(member((last + 1 + ring).saturating_sub(self.rings)), member(first + ring), bytes);
        }
    }
}

/// The fewest members that a group has in any domain that it touches: as many rings as all domains
/// have interfaces for (NCCL opens as many channels as the node with the fewest allows).
fn min_members_per_domain(terms: &[MatrixTerm], placed: &Placed) -> u32 {
    let grid = placed.grid();
    let used = placed.placement().used_gpus_per_domain();
    let mut fewest = u32::MAX;
    for term in terms.iter().filter(|term| term.shape == RelationShape::Next) {
        for first in (0..grid.ranks()).step_by(used as usize) {
            let mut there: BTreeMap<Rank, u32> = BTreeMap::new();
            for rank in (first..(first + used).min(grid.ranks())).map(Rank) {
                *there.entry(term.member_at_position(rank, 0, grid.digits())).or_default() += 1;
            }
            fewest = there.into_values().fold(fewest, u32::min);
        }
    }
    if fewest == u32::MAX { 1 } else { fewest }
}

/// Messages from consecutive ranks of one HB domain to as many consecutive ranks of another one,
/// each to the rank at the same distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageRun {
    /// First sender.
    pub(super) from: Rank,
    pub(super) to: Rank,
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
                            self.flows_between_neighbours(term, from, to, |from, to, bytes| {
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
