//! `StepTime`, `Exposed`, `CallTime`, `LinkBusyTime`: time by part.

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
    /// Longest step that is one: the longest time that a spec may state, 300 years. What takes
    /// longer has a rate of nothing in it, and no number of it says anything.
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

/// How long links carry bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkBusyTime {
    /// Links inside the HB domain.
    pub inside: Seconds,
    /// The GPU's share of its domain's interfaces.
    pub across: Seconds,
}

/// One communication, or several one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallTime {
    /// From its start to its end where it has the links to itself; starts and waits included.
    pub time: Seconds,
    /// Of that, time in which links carry its bytes.
    pub busy: LinkBusyTime,
}

impl LinkBusyTime {
    /// Adds `times` times the other's time.
    pub(super) fn add_scaled(&mut self, other: &Self, times: f64) {
        self.inside += other.inside * times;
        self.across += other.across * times;
    }

    /// That many times as long.
    pub(super) fn scaled_by(&self, times: f64) -> Self {
        Self { inside: self.inside * times, across: self.across * times }
    }

    /// Time by which the busier link outlasts `window`.
    pub(super) fn time_beyond(&self, window: Seconds) -> Seconds {
        (self.inside.max(self.across) - window).max(Seconds::ZERO)
    }
}

impl CallTime {
    /// Adds `times` times the other.
    pub(super) fn add_scaled(&mut self, other: &Self, times: f64) {
        self.time += other.time * times;
        self.busy.add_scaled(&other.busy, times);
    }

    /// What is seen of it beside compute of length `window`, while others keep the links busy for
    /// `taken` of the same time: what outlasts the window, or what a link has no time left for;
    /// and a share of the rest, as it takes memory bandwidth and processors away.
    pub(super) fn exposed_time(
        &self,
        window: Seconds,
        taken: &LinkBusyTime,
        visible: f64,
    ) -> Seconds {
        let left = |taken: Seconds| (window - taken).max(Seconds::ZERO);
        let late = (self.time - window)
            .max(self.busy.inside - left(taken.inside))
            .max(self.busy.across - left(taken.across))
            .max(Seconds::ZERO);
        late + (self.time - late) * visible
    }
}

#[cfg(test)]
mod tests {
    use super::{CallTime, LinkBusyTime};
    use crate::units::Seconds;

    fn call(time: f64, inside: f64, across: f64) -> CallTime {
        CallTime {
            time: Seconds::from_f64(time),
            busy: LinkBusyTime {
                inside: Seconds::from_f64(inside),
                across: Seconds::from_f64(across),
            },
        }
    }

    #[test]
    fn what_shares_a_link_waits_for_it_and_what_does_not_hides() {
        let seen = |window, taken: CallTime, visible| {
            call(3.0, 1.0, 2.0).exposed_time(Seconds::from_f64(window), &taken.busy, visible).get()
        };
        let idle = call(0.0, 0.0, 0.0);
        assert_eq!(seen(4.0, idle, 0.0), 0.0);
        assert_eq!(seen(4.0, idle, 0.5), 1.5);
        assert_eq!(seen(1.0, idle, 0.0), 2.0);
        // Three of four seconds are taken: one is left for two seconds of bytes.
        assert_eq!(seen(4.0, call(3.0, 0.0, 3.0), 0.0), 1.0);
        assert_eq!(seen(4.0, call(3.0, 3.0, 0.0), 0.0), 0.0);
        // Nothing waits longer than it takes.
        assert_eq!(seen(0.0, call(9.0, 9.0, 9.0), 0.5), 3.0);
    }
}
