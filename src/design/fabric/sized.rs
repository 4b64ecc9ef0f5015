//! A sized fabric of a candidate, and which of two is better. Sizes none.

use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::machines;
use crate::fabric::{Blueprint, Counts};
use crate::hardware::Protocol;
use crate::scenario::Minimize;
use crate::sizing::Solution;
use crate::units::{Seconds, Usd};

/// A sized fabric for a job.
#[derive(Clone, Debug)]
pub(crate) struct Sized {
    pub(crate) planes: u32,
    pub(crate) protocol: Protocol,
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
    pub(crate) level: Level,
    pub(crate) time: Seconds,
    /// What the objective minimises, in dollars (cost per token: dollars times seconds a step).
    pub(crate) value: f64,
    /// No fabric of the candidate takes less, in the same units.
    pub(crate) bound: f64,
    /// The objective counts the time of a step.
    pub(super) weighs_time: bool,
    pub(super) bisection: f64,
    pub(crate) solution: Solution,
}

impl Sized {
    /// The answer with what is proven of all others: no network costs less, in dollars.
    pub(super) fn proven(self, bound: Usd) -> Self {
        let open = (self.solution.cost - bound).get().max(0.0);
        let pace = if self.weighs_time { self.time.get() } else { 1.0 };
        let solution = Solution { bound, ..self.solution };
        Self { bound: self.value - open * pace, solution, ..self }
    }
}

impl Sized {
    /// The fabric where a step of a job takes that long on it; nothing is proven of others.
    pub(crate) fn timed(self, quantity: Minimize, job: &Job<'_>, time: Seconds) -> Self {
        let timed = Self { time, ..self };
        let value = value_of(quantity, job, &timed);
        Self { value, ..timed }
    }
}

/// What a cluster takes of a quantity, in the units of a design's value.
pub(crate) fn value_of(quantity: Minimize, job: &Job<'_>, sized: &Sized) -> f64 {
    machines(job).value(quantity, &sized.solution, sized.time, job.scenario)
}

/// Relative rounding of sums of money.
pub(super) const ROUNDING: f64 = 1e-9;

/// True where the first answer is better: value, then bisection, then step time.
pub(crate) fn preferred(one: &Sized, other: &Sized) -> bool {
    let differ = |a: f64, b: f64| (a - b).abs() > ROUNDING * a.abs().max(b.abs());
    if differ(one.value, other.value) {
        return one.value < other.value;
    }
    if differ(one.bisection, other.bisection) {
        return one.bisection > other.bisection;
    }
    differ(one.time.get(), other.time.get()) && one.time < other.time
}
