//! The time of one step, taken apart into parts that sum to it.

use crate::step::TrafficKind;
use crate::units::Seconds;

/// Time of one step on the pace-setting GPU. [`StepTime::total_time`] is the sum of the parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTime {
    /// Matrix multiplications, attention and memory-bound work.
    pub compute: Seconds,
    /// Communication that nothing hides, by kind.
    pub exposed: Exposed,
    /// Waiting for the pipeline to fill and drain, and for the fullest stage.
    pub bubble: Seconds,
    /// Optimizer.
    pub optimizer: Seconds,
    /// Host time that no kernel hides.
    pub host: Seconds,
    /// Copies to and from the host that no pass hides.
    pub swap: Seconds,
    /// Slowest of many GPUs, and the production factor where one is stated.
    pub stragglers: Seconds,
    /// How long the GPU's share of its domain's interfaces carries bytes, seen or not, all kinds
    /// one after the other. No part of the total.
    pub interfaces_busy: Seconds,
    /// What bubble and compute follow from. No part of the total.
    pub paces: MicroBatchTimes,
}

/// Times of one micro-batch, messages between stages left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MicroBatchTimes {
    /// On the slowest stage, T_max.
    pub slowest: Seconds,
    /// Through all stages, T_sum.
    pub sum: Seconds,
    /// Weight gradients of the slowest stage, W.
    pub weight_gradient: Seconds,
    /// Share of the slowest stage's layers that its largest virtual stage holds; 1 where there is
    /// one.
    pub largest_chunk: f64,
}

/// Exposed communication by kind, in the order of [`TrafficKind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exposed([Seconds; 5]);

impl Exposed {
    /// Time of one kind.
    #[must_use]
    pub const fn time_of_kind(&self, kind: TrafficKind) -> Seconds {
        self.0[kind as usize]
    }

    /// Adds time to one kind.
    pub fn add(&mut self, kind: TrafficKind, time: Seconds) {
        self.0[kind as usize] += time;
    }

    /// Adds `times` times the other's times.
    pub fn add_scaled(&mut self, other: &Self, times: f64) {
        for (sum, one) in self.0.iter_mut().zip(other.0) {
            *sum += one * times;
        }
    }

    /// All kinds together.
    #[must_use]
    pub fn total_time(&self) -> Seconds {
        self.0.into_iter().sum()
    }
}

impl StepTime {
    /// Longest step that is one: the longest time that a spec may state, 300 years. What takes longer
    /// has a rate of nothing in it, and no number of it says anything.
    pub const LONGEST: Seconds = Seconds::from_f64(1e10);

    /// The whole step.
    #[must_use]
    pub fn total_time(&self) -> Seconds {
        self.compute
            + self.exposed.total_time()
            + self.bubble
            + self.optimizer
            + self.host
            + self.swap
            + self.stragglers
    }
}
