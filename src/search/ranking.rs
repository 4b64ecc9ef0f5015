//! The best few of many, the same whatever the order in which they come.

use std::cmp::Ordering;

use crate::parallel::Layout;
use crate::timing::StepTime;
use crate::units::Bytes;
use crate::workload::Recompute;

/// A layout with what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The layout.
    pub layout: Layout,
    /// What it recomputes.
    pub recompute: Recompute,
    /// Time of a step by part.
    pub time: StepTime,
    /// Memory of the fullest GPU.
    pub memory: Bytes,
}

impl Candidate {
    /// Faster first; of equally fast ones the one with less memory, then the smaller degrees.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |of: &Self| {
            let layout = &of.layout;
            (
                of.memory,
                layout.tensor,
                layout.pipeline,
                layout.context,
                layout.expert,
                layout.expert_tensor,
                layout.interleave,
                layout.micro_batch,
                (layout.sequence_parallel, layout.zero, of.recompute, layout.order),
            )
        };
        self.time.total().total_cmp(&other.time.total()).then_with(|| key(self).cmp(&key(other)))
    }
}

/// The best `limit` candidates seen so far, best first.
pub(super) struct Ranking {
    best: Vec<Candidate>, // Invariant: sorted, at most `limit`.
    limit: usize,
}

impl Ranking {
    pub(super) const fn new(limit: usize) -> Self {
        Self { best: Vec::new(), limit }
    }

    /// True where a step of that time might still enter.
    pub(super) fn admits(&self, time: &StepTime) -> bool {
        self.limit > 0
            && (self.best.len() < self.limit
                || self.best.last().is_none_or(|worst| time.total() <= worst.time.total()))
    }

    pub(super) fn add(&mut self, candidate: Candidate) {
        let place = self.best.partition_point(|of| of.compare(&candidate) == Ordering::Less);
        self.best.insert(place, candidate);
        self.best.truncate(self.limit);
    }

    pub(super) fn into_best(self) -> Vec<Candidate> {
        self.best
    }
}
