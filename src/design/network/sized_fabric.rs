//! `SizedFabric`: a fabric with its value and proof; which of two is preferred, and why there is
//! none.

use std::sync::Arc;

use crate::cost::OperatingTime;
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::cost_of_machines;
use crate::design::candidate::standby::{
    LEAST_GOODPUT, candidate_goodput_upper_bound, pace_share_left_at_level,
};
use crate::design::columns::cache::SizingCache;
use crate::design::columns::context::{ColumnContext, min_network_cost};
use crate::design::columns::faults::failure_year_on_fabric;
use crate::design::columns::limits::racks_of_machines;
use crate::design::columns::terms::{Demand, Terms, limits_days};
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::fabric::{Blueprint, Counts};
use crate::hardware::Protocol;
use crate::scenario::{Minimize, Scenario, Workload};
use crate::sizing::{BestSoFar, PosedProgram, Program, SizingProblem, Solution, Status};
use crate::units::{Amount, ROUNDING, Seconds, Usd, Watts};

/// A sized fabric for a job.
#[derive(Clone, Debug)]
pub(crate) struct SizedFabric {
    pub(crate) planes: u32,
    pub(crate) protocol: Protocol,
    pub(crate) counts: Counts,
    pub(crate) blueprint: Blueprint,
    pub(crate) level: Level,
    pub(crate) time: Seconds,
    /// What the objective minimises, in dollars (cost per token: dollars times seconds a step, over
    /// the share of the time that trains where that is [known](Self::goodput)).
    pub(crate) value: f64,
    /// No fabric of the candidate takes less, in the same units.
    pub(crate) bound: f64,
    /// The objective counts the time of a step.
    pub(super) weighs_time: bool,
    /// Share of the time that trains, where the objective counts it and it was looked at.
    pub(in crate::design) goodput: Option<f64>,
    /// Share of the time that trains over the most that does on any fabric; 1 where that does not
    /// count.
    pub(crate) of_most: f64,
    /// What the bound leaves open is how much of the time trains on other fabrics: none is cheaper
    /// for its pace.
    pub(crate) only_goodput: bool,
    pub(in crate::design) bisection: f64,
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

    /// True where every workload is as fast as the terms ask, and its run ends in its days with the
    /// failures of a mean year.
    pub(crate) fn is_fast_enough(
        &self,
        job: &Job<'_>,
        terms: &Terms<'_>,
        cache: &mut SizingCache,
    ) -> bool {
        let trained = limits_days(job, terms).then(|| self.goodput(job, cache));
        let demand = Demand::from_terms(job, &Terms { trained, ..*terms });
        demand.are_fast_enough(&job.step_times(self.level))
    }

    /// The fabric by what a token costs that is really trained, where no share of the time is
    /// larger than `most` on any fabric.
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

    /// What a later objective may take of a quantity where no more than a share of this is allowed:
    /// of cost per token as if all of the time trained, as programs count it.
    pub(crate) fn allowed_value(&self, quantity: Minimize, job: &Job<'_>, share: f64) -> f64 {
        cost_of_machines(&job.fleet()).value_with_network(
            quantity,
            &self.solution,
            self.time,
            job.scenario,
        ) * share
    }

    /// What it takes of a quantity; of cost per token if the most of the time trained that does on
    /// any fabric.
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

/// True where the machines of a candidate alone exceed what is allowed of money or power, whatever
/// layouts run, or one of them what a rack offers: no network makes a design of it.
pub(crate) fn machines_exceed_limits(candidate: &Candidate<'_>, terms: &Terms<'_>) -> bool {
    let alone =
        |minimize| candidate.lower_bound_for_any_layout(&Terms { minimize, ..*terms }, None);
    let exceeds = |most: f64, quantity| alone(quantity) > most * (1.0 + ROUNDING);
    let limits = terms.limits;
    limits.budget.is_some_and(|most| exceeds(most.get(), Minimize::Capex))
        || limits.power.is_some_and(|most| exceeds(most.get(), Minimize::Power))
        || (limits.bound_racks() && racks_of_machines(&candidate.job, terms).is_err())
}

/// What is too slow.
enum MissedLimit<'a> {
    Workload(&'a Workload),
    Scenario(&'a str),
}

/// Why steps as long as these are too slow: by the workload or scenario that misses its limit by
/// most.
pub(super) fn too_slow_reason(context: &ColumnContext<'_>, paces: Vec<Seconds>) -> Infeasible {
    let limits = context.demand.each.iter().zip(&context.demand.names);
    let workloads =
        context.job.one_run_per_workload().map(|run| MissedLimit::Workload(&run.workload));
    let scenarios =
        context.job.scenarios.runs.iter().map(|robust_run| MissedLimit::Scenario(&robust_run.name));
    let whole = context.job.phased_runs().map(|run| MissedLimit::Workload(&run.workload));
    let missed = workloads.chain(scenarios).chain(whole).zip(paces).zip(limits);
    let worst =
        missed.max_by(|((_, a), (x, _)), ((_, b), (y, _))| (*a / **x).total_cmp(&(*b / **y)));
    worst.map_or(Infeasible::Unknown, |((whose, best), (has, limit))| {
        let slow = Infeasible::Slow { limit, has: *has, best };
        match whose {
            MissedLimit::Workload(workload) => slow.for_workload(context.job.scenario, workload),
            MissedLimit::Scenario(name) => {
                Infeasible::Scenario { name: name.to_owned(), reason: Box::new(slow) }
            }
        }
    })
}

impl Candidate<'_> {
    /// The best design so far, on this candidate; value and bound are in the units of a design's
    /// value.
    pub(crate) fn best_so_far(&self, quantity: Minimize, value: f64, bound: f64) -> BestSoFar {
        let bound = bound.min(value);
        let scenario = self.job.scenario;
        let machine = self.job.machine;
        let planes = if self.planes == 1 { "plane" } else { "planes" };
        BestSoFar {
            value: value_as_amount(scenario, quantity, value),
            bound: value_as_amount(scenario, quantity, bound),
            gap: if value > 0.0 { 1.0 - bound / value } else { 0.0 },
            text: objective_suffix(quantity),
            words: format!(
                "{} with {}, {} {planes}",
                machine.node.name, machine.nic.name, self.planes
            ),
        }
    }
}

/// A value of a design as an amount.
fn value_as_amount(scenario: &Scenario, quantity: Minimize, value: f64) -> Amount {
    match quantity {
        Minimize::Power => Amount::Power(Watts::from_f64(value)),
        Minimize::Capex | Minimize::Tco => Amount::Money(Usd::from_f64(value)),
        Minimize::UsdPerToken => {
            let each = OperatingTime::from_step_time(scenario, Seconds::from_f64(1.0), 1.0)
                .per_million_tokens();
            Amount::Money(Usd::from_f64(value * each))
        }
    }
}

/// What is minimised, in words behind an amount.
const fn objective_suffix(quantity: Minimize) -> &'static str {
    match quantity {
        Minimize::Capex => "to buy",
        Minimize::Tco => "to own",
        Minimize::UsdPerToken => "per million tokens",
        Minimize::Power => "",
    }
}

/// An answer beside which builds were left out, where it is known already that no network costs
/// less than so much.
pub(super) fn sized_with_open_bound(
    sized: SizedFabric,
    context: &ColumnContext<'_>,
    known: Usd,
) -> SizedFabric {
    let cost = sized.solution.cost;
    let bound = known.get().max(min_network_cost(context).get()).min(cost.get());
    if bound >= cost.get() {
        return sized;
    }
    let solution = Solution { status: Status::Incumbent, ..sized.solution };
    SizedFabric { solution, ..sized }.with_bound(Usd::from_f64(bound))
}
