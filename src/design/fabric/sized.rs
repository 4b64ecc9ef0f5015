//! A sized fabric of a candidate, and which of two is better. Sizes none.

use std::sync::Arc;

use super::cache::SizingCache;
use super::faults::failure_year_on_fabric;
use crate::design::candidate::faults::{
    LEAST_GOODPUT, candidate_goodput_upper_bound, pace_share_left_at_level,
};
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::money::cost_of_machines;
use crate::fabric::{Blueprint, Counts};
use crate::hardware::Protocol;
use crate::scenario::Minimize;
use crate::sizing::{PosedProgram, Program, SizingProblem, Solution};
use crate::units::{Seconds, Usd};

/// A sized fabric for a job.
#[derive(Clone, Debug)]
pub(crate) struct SizedFabric {
    pub(crate) planes: u32,
    pub(crate) protocol: Protocol,
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
    pub(crate) level: Level,
    pub(crate) time: Seconds,
    /// What the objective minimises, in dollars (cost per token: dollars times seconds a step, over the share
    /// of the time that trains where that is [known](Self::goodput)).
    pub(crate) value: f64,
    /// No fabric of the candidate takes less, in the same units.
    pub(crate) bound: f64,
    /// The objective counts the time of a step.
    pub(super) weighs_time: bool,
    /// Share of the time that trains, where the objective counts it and it was looked at.
    pub(super) goodput: Option<f64>,
    /// Share of the time that trains over the most that does on any fabric; 1 where that does not count.
    pub(crate) of_most: f64,
    /// What the bound leaves open is how much of the time trains on other fabrics: none is cheaper for its
    /// pace.
    pub(crate) only_goodput: bool,
    pub(super) bisection: f64,
    pub(crate) solution: Solution,
    /// The program that it is the answer of.
    pub(crate) program: Arc<SizingProblem>,
}

impl SizedFabric {
    /// The answer with what is proven of all others: no network costs less, in dollars.
    pub(super) fn with_bound(self, bound: Usd) -> Self {
        let open = (self.solution.cost - bound).get().max(0.0);
        let pace = if self.weighs_time { self.time.get() } else { 1.0 };
        let solution = Solution { bound, ..self.solution };
        Self { bound: self.value - open * pace, solution, ..self }
    }
}

impl SizedFabric {
    /// Share of the time that trains on it.
    pub(crate) fn goodput(&self, job: &Job<'_>, cache: &mut SizingCache) -> f64 {
        self.goodput.unwrap_or_else(|| {
            let losses = cache.losses_left(job, &self.counts, self.level, &self.blueprint);
            failure_year_on_fabric(job, self.level, &losses).goodput.max(LEAST_GOODPUT)
        })
    }

    /// The fabric by what a token costs that is really trained, where no share of the time is larger than
    /// `most` on any fabric.
    pub(super) fn with_trained_value(
        self,
        job: &Job<'_>,
        most: f64,
        cache: &mut SizingCache,
    ) -> Self {
        let goodput = self.goodput(job, cache);
        let closed = self.bound >= self.value * (1.0 - ROUNDING);
        Self {
            value: self.value / goodput,
            // Rounding must not put a bound above what it is of.
            bound: (self.bound / most).min(self.value / goodput),
            only_goodput: closed,
            of_most: (goodput / most).min(1.0),
            goodput: Some(goodput),
            ..self
        }
    }

    /// What a later objective may take of a quantity where no more than a share of this is allowed: of cost
    /// per token as if all of the time trained, as programs count it.
    pub(crate) fn allowed_value(&self, quantity: Minimize, job: &Job<'_>, share: f64) -> f64 {
        cost_of_machines(&job.fleet()).value_with_network(
            quantity,
            &self.solution,
            self.time,
            job.scenario,
        ) * share
    }

    /// What it takes of a quantity; of cost per token if the most of the time trained that does on any fabric.
    pub(crate) fn pace_value(&self, quantity: Minimize, job: &Job<'_>) -> f64 {
        let most = match quantity {
            Minimize::UsdPerToken => candidate_goodput_upper_bound(
                &job.fleet(),
                self.planes,
                self.kept_without_a_port(job),
            ),
            Minimize::Capex | Minimize::Tco | Minimize::Power => 1.0,
        };
        self.allowed_value(quantity, job, 1.0) / most
    }

    /// The most that it keeps of its pace where a NIC has a port less.
    fn kept_without_a_port(&self, job: &Job<'_>) -> f64 {
        pace_share_left_at_level(job, self.planes, self.time, self.level)
    }

    /// The program that it is the answer of, with that.
    pub(crate) fn posed_program(&self) -> PosedProgram {
        PosedProgram {
            program: Program::One(Arc::clone(&self.program)),
            copies: vec![self.solution.copies.clone()],
            cost: self.solution.cost,
            firmness: self.solution.proof_status(),
        }
    }

    /// The fabric where a step of a job takes that long on it; nothing is proven of others.
    pub(crate) fn with_step_time(
        self,
        quantity: Minimize,
        job: &Job<'_>,
        time: Seconds,
        cache: &mut SizingCache,
    ) -> Self {
        let goodput = (quantity == Minimize::UsdPerToken)
            .then(|| Self { time, goodput: None, ..self.clone() }.goodput(job, cache));
        let timed = Self { time, goodput, ..self };
        let value = value_of(quantity, job, &timed, cache);
        Self { value, ..timed }
    }
}

/// What a cluster takes of a quantity, in the units of a design's value.
pub(crate) fn value_of(
    quantity: Minimize,
    job: &Job<'_>,
    sized: &SizedFabric,
    cache: &mut SizingCache,
) -> f64 {
    let time = match quantity {
        Minimize::UsdPerToken => sized.time / sized.goodput(job, cache),
        Minimize::Capex | Minimize::Tco | Minimize::Power => sized.time,
    };
    cost_of_machines(&job.fleet()).value_with_network(quantity, &sized.solution, time, job.scenario)
}

/// Relative rounding of sums of money.
pub(crate) const ROUNDING: f64 = 1e-9;

/// True where the first answer is better: value, then bisection, then step time.
pub(crate) fn is_preferred(one: &SizedFabric, other: &SizedFabric) -> bool {
    let differ = |a: f64, b: f64| (a - b).abs() > ROUNDING * a.abs().max(b.abs());
    if differ(one.value, other.value) {
        return one.value < other.value;
    }
    if differ(one.bisection, other.bisection) {
        return one.bisection > other.bisection;
    }
    differ(one.time.get(), other.time.get()) && one.time < other.time
}
