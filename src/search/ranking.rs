//! `Question`, `Ranking`: what is sought, the best few.

use std::cmp::Ordering;

use crate::hardware::Gpu;
use crate::parallel::Layout;
use crate::technique::Recipe;
use crate::timing::{NetworkModel, StepTime};
use crate::units::{Bytes, Seconds};
use crate::workload::{Framework, Model, Techniques, Training};

/// A layout with what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedLayout {
    pub layout: Layout,
    /// Time of a step by part.
    pub time: StepTime,
    /// Of a run with phases its time over the steps that it would have without them; else that of a
    /// step.
    pub pace: Seconds,
    /// Memory of the fullest GPU.
    pub memory: Bytes,
    /// HB domains that its ranks sit on, and so machines that it needs.
    pub domains: u32,
}

/// What layouts are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankBy {
    /// Time of a step; of a run with phases, over all of them.
    StepTime,
    /// Cost per token. On machines of one kind and for one batch that is the order of the
    /// machines that a layout needs times the time of its step.
    UsdPerToken,
}

/// Which layouts are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankingRequest {
    /// At most so many.
    pub top: usize,
    pub by: RankBy,
}

impl RankingRequest {
    /// The fastest one.
    pub const FASTEST: Self = Self { top: 1, by: RankBy::StepTime };
}

impl RankBy {
    /// What is ranked, smallest first, in seconds.
    pub(super) fn score(self, time: Seconds, domains: u32) -> Seconds {
        match self {
            Self::StepTime => time,
            Self::UsdPerToken => time * f64::from(domains),
        }
    }

    /// As `score`, of a layout.
    pub(super) fn score_of(self, layout: &RankedLayout) -> Seconds {
        self.score(layout.pace, layout.domains)
    }
}

/// The best candidates seen so far, best first.
pub(super) struct Ranking {
    best: Vec<RankedLayout>, // Invariant: sorted, at most `wanted.top`.
    wanted: RankingRequest,
}

impl Ranking {
    pub(super) const fn criterion(&self) -> RankBy {
        self.wanted.by
    }

    pub(super) const fn new(wanted: RankingRequest) -> Self {
        Self { best: Vec::new(), wanted }
    }

    /// True where a step of that time on so many domains might still enter.
    pub(super) fn can_enter(&self, time: Seconds, domains: u32) -> bool {
        self.best.len() < self.wanted.top
            || self
                .best
                .last()
                .is_some_and(|worst| self.wanted.by.score(time, domains) <= self.score(worst))
    }

    pub(super) fn add(&mut self, candidate: RankedLayout) {
        let place = self
            .best
            .partition_point(|layout| self.compare_layouts(layout, &candidate) == Ordering::Less);
        self.best.insert(place, candidate);
        self.best.truncate(self.wanted.top);
    }

    pub(super) fn into_sorted(self) -> Vec<RankedLayout> {
        self.best
    }

    fn score(&self, layout: &RankedLayout) -> Seconds {
        self.wanted.by.score_of(layout)
    }

    /// Better first; of equally good ones the one with less memory, then the smaller degrees.
    /// Total, as data parallelism follows from the other degrees.
    fn compare_layouts(&self, one: &RankedLayout, other: &RankedLayout) -> Ordering {
        let key = |ranked_layout: &RankedLayout| {
            let layout = &ranked_layout.layout;
            (
                ranked_layout.memory,
                layout.tensor,
                layout.pipeline,
                layout.context,
                layout.expert,
                layout.expert_tensor,
                layout.interleave,
                layout.micro_batch,
                (layout.sequence_parallel, layout.zero, layout.recompute),
                (layout.schedule, layout.order),
            )
        };
        self.score(one).total_cmp(&self.score(other)).then_with(|| key(one).cmp(&key(other)))
    }
}

/// The job and the machines that a layout is sought for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub model: &'a Model,
    /// In which batches; micro-batch and recomputation are the space's.
    pub training: &'a Training,
    pub framework: &'a Framework,
    pub techniques: &'a Techniques,
    pub gpu: &'a Gpu,
    /// Over which network.
    pub network: &'a NetworkModel,
    /// On how many GPUs; layouts use them all.
    pub gpus: u32,
    /// With which step at most. Of a run with phases, whose pace is another, that of the whole run.
    pub longest_step: Seconds,
}

impl<'a> Question<'a> {
    /// What a step follows from.
    pub(super) const fn recipe(&self) -> Recipe<'a> {
        let Self { model, training, framework, techniques, .. } = *self;
        Recipe { model, training, framework, techniques }
    }
}
