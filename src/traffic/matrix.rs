//! `TrafficMatrix`, `ByKind`, `TrafficSummary`.
//!
//! The traffic matrix of one step: bytes from every GPU to every other, as a sum of terms.

use std::collections::BTreeMap;

use super::patch::Patch;
use super::patch_counts::{Localities, overlay_patches};
use super::term::MatrixTerm;
use crate::collective::{GroupSpread, Policy, collective_flows};
use crate::parallel::{Locality, Placed, Placement, Rank};
use crate::step::{Communication, Step, TrafficKind};
use crate::units::Bytes;

/// Bytes by what causes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByKind([Bytes; 5]);

impl ByKind {
    /// Bytes of one kind.
    #[must_use]
    pub const fn bytes_of_kind(&self, kind: TrafficKind) -> Bytes {
        self.0[kind as usize]
    }

    /// All kinds together.
    #[must_use]
    pub fn total_bytes(&self) -> Bytes {
        self.0.into_iter().sum()
    }

    /// Adds bytes of one kind.
    pub fn add(&mut self, kind: TrafficKind, bytes: Bytes) {
        self.0[kind as usize] += bytes;
    }
}

/// Bytes from every GPU to every other in one step. Its size does not grow with the cluster.
#[derive(Clone, Debug)]
pub struct TrafficMatrix {
    placed: Placed,
    stages: u32,
    terms: Vec<MatrixTerm>,
    patches: Vec<Patch>, // Invariant: the terms' patches, none empty.
}

impl TrafficMatrix {
    /// The matrix of a step on GPUs, by the algorithms that its communications name: who speaks to
    /// whom in the end.
    #[must_use]
    pub fn new(step: &Step, placement: Placement) -> Self {
        Self::with_call_policies(step, placement, |communication| Policy::from(communication.by))
    }

    /// The matrix of a step by the algorithms that `policy` chooses for all communications.
    #[must_use]
    pub fn with_policy(step: &Step, placement: Placement, policy: &Policy) -> Self {
        Self::with_call_policies(step, placement, |_| *policy)
    }

    fn with_call_policies(
        step: &Step,
        placement: Placement,
        policy: impl Fn(&Communication) -> Policy,
    ) -> Self {
        let placed = Placed::new(&step.grid, placement);
        let terms = matrix_terms(step, step.communications.iter(), &placed, policy, |c, stage| {
            step.calls_per_step(c, stage)
        });
        let patches = terms.iter().flat_map(|term| term.disjoint_patches(placed.grid())).collect();
        Self { placed, stages: step.layout.pipeline, terms, patches }
    }

    /// Number of ranks N: rows and columns.
    #[must_use]
    pub const fn rank_count(&self) -> u32 {
        self.placed.grid().ranks()
    }

    /// Where the ranks sit.
    #[must_use]
    pub const fn placed_ranks(&self) -> &Placed {
        &self.placed
    }

    /// Pipeline stages.
    #[must_use]
    pub const fn stage_count(&self) -> u32 {
        self.stages
    }

    pub(super) fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Bytes from one GPU to another. Nothing from a GPU to itself or beyond the last rank.
    #[must_use]
    pub fn bytes_between(&self, from: Rank, to: Rank) -> ByKind {
        let mut bytes = ByKind::default();
        if from != to && from.0.max(to.0) < self.rank_count() {
            for term in &self.terms {
                bytes.add(term.kind, term.bytes_between(from, to, self.placed.grid()));
            }
        }
        bytes
    }

    /// All that one GPU sends, by target in ascending order; targets without traffic are left
    /// out. Costs as much as the GPU has targets.
    #[must_use]
    pub fn row_of_rank(&self, from: Rank) -> Vec<(Rank, ByKind)> {
        let mut row: BTreeMap<Rank, ByKind> = BTreeMap::new();
        if from.0 < self.rank_count() {
            let grid = self.placed.grid();
            let stage = grid.pipeline_stage(from) as usize;
            for term in &self.terms {
                for to in term.targets_of_rank(from, stage, grid.digits()) {
                    row.entry(to).or_default().add(term.kind, term.bytes[stage]);
                }
            }
        }
        row.into_iter().collect()
    }

    /// Every pair that carries anything, row by row and ascending in each: one row at a time is
    /// in memory.
    pub fn busy_cells(&self) -> impl Iterator<Item = (Rank, Rank, ByKind)> + '_ {
        (0..self.rank_count()).map(Rank).flat_map(|from| {
            self.row_of_rank(from).into_iter().map(move |(to, bytes)| (from, to, bytes))
        })
    }

    /// Totals by kind and locality, idle pairs, the largest pair. Exact, in time that depends
    /// on the number of communications and the members of their groups.
    #[must_use]
    pub fn summary(&self) -> TrafficSummary {
        let n = u128::from(self.rank_count());
        let mut summary =
            TrafficSummary { pairs: n * n.saturating_sub(1), ..TrafficSummary::default() };
        let mut localities = Localities::new(&self.placed);
        for patch in &self.patches {
            let pairs = localities.pairs_by_locality(patch);
            for locality in Locality::ALL {
                let count = pairs[locality as usize];
                if count > 0 {
                    summary.add(patch.kind, locality, patch.bytes * count);
                }
            }
        }
        let mut busy = 0;
        overlay_patches(&self.patches, self.placed.grid().digits(), |pairs, patches| {
            busy += pairs;
            let bytes = patches.iter().map(|patch| patch.bytes).sum();
            summary.largest_pair = summary.largest_pair.max(bytes);
        });
        summary.idle_pairs = summary.pairs - busy;
        summary
    }
}

/// The terms of one call of a communication by the algorithms that `policy` chooses. Ranks of all
/// stages that ever take part call at the same time.
pub(super) fn terms_of_call(
    step: &Step,
    communication: &Communication,
    placed: &Placed,
    policy: &Policy,
) -> Vec<MatrixTerm> {
    let once = |this_communication: &Communication, stage| {
        step.calls_per_step(this_communication, stage).min(1)
    };
    matrix_terms(step, [communication].into_iter(), placed, |_| *policy, once)
}

/// The terms of some communications, alike ones added up. `times` is how often a rank of a
/// stage takes part.
fn matrix_terms<'a>(
    step: &Step,
    communications: impl Iterator<Item = &'a Communication>,
    placed: &Placed,
    policy: impl Fn(&Communication) -> Policy,
    times: impl Fn(&Communication, usize) -> u64,
) -> Vec<MatrixTerm> {
    let stages = step.stages.len();
    let mut merged: BTreeMap<_, Vec<Bytes>> = BTreeMap::new();
    for communication in communications {
        let group = communication.group;
        let spread = GroupSpread::spread_of_group(placed, group);
        for stage in 0..stages {
            let calls = u128::from(times(communication, stage));
            if calls == 0 {
                continue;
            }
            let payload = communication.payload(stage);
            let policy = policy(communication);
            for flow in collective_flows(communication.collective, payload, spread, &policy) {
                let digits = placed.grid().digits().iter().enumerate();
                let members: Vec<usize> = digits
                    .filter(|(_, digit)| flow.scope.has_members_along_digit(group, digit, placed))
                    .map(|(k, _)| k)
                    .collect();
                merged
                    .entry((communication.kind, members, flow.shape))
                    .or_insert_with(|| vec![Bytes::ZERO; stages])[stage] += flow.bytes * calls;
            }
        }
    }
    merged
        .into_iter()
        .map(|((kind, members, shape), bytes)| MatrixTerm { kind, members, shape, bytes })
        .collect()
}

/// Sums over the whole matrix of one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrafficSummary {
    /// All bytes that any GPU sends.
    pub total: Bytes,
    /// Ordered pairs of different GPUs.
    pub pairs: u128,
    pub idle_pairs: u128,
    /// Bytes by kind and locality: `by[kind as usize][locality as usize]`.
    by: [[Bytes; 3]; 5],
    /// The largest volume of any pair.
    pub largest_pair: Bytes,
}

impl TrafficSummary {
    /// Adds bytes of one kind and locality.
    pub fn add(&mut self, kind: TrafficKind, locality: Locality, bytes: Bytes) {
        self.by[kind as usize][locality as usize] += bytes;
        self.total += bytes;
    }

    /// Bytes of one kind.
    #[must_use]
    pub fn bytes_of_kind(&self, kind: TrafficKind) -> Bytes {
        self.by[kind as usize].into_iter().sum()
    }

    /// Bytes of one locality.
    #[must_use]
    pub fn bytes_of_locality(&self, locality: Locality) -> Bytes {
        self.by.iter().map(|row| row[locality as usize]).sum()
    }

    /// Bytes of one kind and locality.
    #[must_use]
    pub const fn bytes_at(&self, kind: TrafficKind, locality: Locality) -> Bytes {
        self.by[kind as usize][locality as usize]
    }

    /// Share of pairs that carry nothing; 0 where there is no pair.
    #[must_use]
    pub fn idle_share(&self) -> f64 {
        if self.pairs == 0 { 0.0 } else { self.idle_pairs as f64 / self.pairs as f64 }
    }
}
