//! `Terms`: objective, family and limits of a sizing; `Demand`: how fast and how wide a fabric has
//! to be.

use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::hardware::Protocol;
use crate::scenario::{FabricChoice, Limits, Minimize, Pace, Scenario, Workload};
use crate::units::{Seconds, Usd, Watts};

/// What differs from the scenario when a candidate is sized.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terms<'a> {
    pub(crate) minimize: Minimize,
    pub(crate) fabric: FabricChoice,
    pub(crate) limits: &'a Limits,
    /// Of workloads that state none of their own.
    pub(crate) max_slowdown: f64,
    /// What workloads state of their own holds; else `max_slowdown` is that of all.
    pub(crate) own_slowdowns: bool,
    /// How long workloads may take by themselves, by name; the others as they state.
    pub(crate) paces: &'a [(String, Pace)],
    /// Only whether there is a design counts, not why there is none.
    pub(crate) silent: bool,
    pub(crate) protocol: Protocol,
    /// What objectives before this one leave.
    pub(crate) caps: ObjectiveCaps,
    /// Parts are kept for a later stage or from an earlier one, so that none is ruled out by its
    /// price.
    pub(crate) keeps: bool,
    /// Designs that take more than this are of no use, in the units of a design's value: where one
    /// is known already, those need not be made.
    pub(crate) below: Option<f64>,
    /// Share of the time that trains, by which runs have to end in their days; `None` for the most
    /// that machines alone leave.
    pub(crate) trained: Option<f64>,
}

impl<'a> Terms<'a> {
    /// What the scenario says.
    pub(crate) fn from_scenario(scenario: &'a Scenario) -> Self {
        Self {
            minimize: scenario.objective.minimize,
            fabric: match scenario.cluster.fabric {
                // Families that are timed by routing them are designed for one by one.
                FabricChoice::Any => FabricChoice::Auto,
                family => family,
            },
            limits: &scenario.limits,
            max_slowdown: scenario.objective.allowed_slowdown(scenario.objective.minimize),
            own_slowdowns: true,
            paces: &[],
            silent: false,
            protocol: Protocol::default(),
            caps: ObjectiveCaps::default(),
            keeps: false,
            below: None,
            trained: None,
        }
    }

    /// The bandwidth across rails that is asked for where nothing may join them.
    pub(in crate::design) fn cross_rail_bandwidth_without_spine(&self) -> Option<f64> {
        let asked = self.limits.across_rails.filter(|asked| *asked > 0.0)?;
        (self.fabric == FabricChoice::RailOnly).then_some(asked)
    }

    /// These terms, where only designs that take no more than so much are of use: nobody asks
    /// why there is no other.
    pub(crate) fn with_value_limit(self, value: f64) -> Self {
        let below = self.below.map_or(value, |known| known.min(value));
        Self { below: Some(below), silent: true, ..self }
    }
}

/// What a fabric has to give: steps that are short enough, and bandwidth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Demand {
    /// Of every workload, the leading one first, of every scenario after them, and of whole steps
    /// at last.
    pub(in crate::design) each: Vec<Seconds>,
    /// What states each of them.
    pub(in crate::design) names: Vec<&'static str>,
    /// Of all workloads blended: no fabric that meets each is slower.
    pub(in crate::design) blended: Seconds,
    /// Least bandwidth within a rail and across rails, over that of the NICs.
    floor: (f64, f64),
    /// Only fabrics without any bottleneck.
    full_bisection: bool,
}

impl Demand {
    /// What the terms allow a job.
    pub(crate) fn from_terms(job: &Job<'_>, terms: &Terms<'_>) -> Self {
        let scenarios = job
            .scenarios
            .runs
            .iter()
            .map(|robust_run| (robust_run.longest_step, "robust.max_slowdown"));
        let whole = job.phased_runs().map(|run| {
            let own = workload_time_limits(&run.workload, terms);
            let longest = own.longest_step(terms.limits);
            (longest.unwrap_or(Seconds::ENDLESS), STEP_TIME[usize::from(own.step_time.is_some())])
        });
        let machines_alone = || limits_days(job, terms).then(|| job.fleet().goodput_upper_bound());
        let trained = terms.trained.or_else(machines_alone);
        let limits = job
            .one_run_per_workload()
            .map(|run| time_limit(run, &Terms { trained, ..*terms }))
            .chain(scenarios)
            .chain(whole);
        let (each, names): (Vec<Seconds>, Vec<&'static str>) = limits.unzip();
        let blended =
            job.blend_step_times(&each) * if job.runs.len() == 1 { 1.0 } else { ROUNDING };
        Self {
            each,
            names,
            blended,
            floor: required_bandwidth_shares(terms),
            full_bisection: is_full(terms),
        }
    }

    /// So much bandwidth within a rail and across rails, and no less than the terms' limits ask
    /// for, however long a step takes.
    pub(in crate::design) fn with_bandwidth(
        job: &Job<'_>,
        terms: &Terms<'_>,
        within: f64,
        across: f64,
    ) -> Self {
        let (each, names) = job.one_run_per_workload().map(|_| (Seconds::ENDLESS, "")).unzip();
        let least = required_bandwidth_shares(terms);
        let floor = (within.max(least.0), across.max(least.1));
        Self { each, names, blended: Seconds::ENDLESS, floor, full_bisection: false }
    }

    /// A demand that allows any step time.
    pub(in crate::design) fn without_time_limit(job: &Job<'_>, terms: &Terms<'_>) -> Self {
        let (each, names) = job.one_run_per_workload().map(|_| (Seconds::ENDLESS, "")).unzip();
        let blended = Seconds::ENDLESS;
        Self {
            each,
            names,
            blended,
            floor: required_bandwidth_shares(terms),
            full_bisection: is_full(terms),
        }
    }

    /// Everything that it asks for, to be told apart from other demands.
    pub(super) fn identity_bits(&self) -> Vec<u64> {
        let each = self.each.iter().map(|time| time.get());
        let numbers = each.chain([self.blended.get(), self.floor.0, self.floor.1]);
        numbers.map(f64::to_bits).chain([u64::from(self.full_bisection)]).collect()
    }

    /// True where a fabric of that level gives all of it to workloads at these paces.
    pub(super) fn is_met(&self, level: Level, paces: &[Seconds]) -> bool {
        self.has_bandwidth(level) && self.are_fast_enough(paces)
    }

    /// True where a fabric of that level has the bandwidth that is asked for.
    pub(in crate::design) fn has_bandwidth(&self, level: Level) -> bool {
        let free = level.within >= 1.0 && level.across >= 1.0;
        level.within >= self.floor.0
            && level.across >= self.floor.1
            && (free || !self.full_bisection)
    }

    /// True where every workload is as fast as is asked for.
    pub(crate) fn are_fast_enough(&self, paces: &[Seconds]) -> bool {
        paces.iter().zip(&self.each).all(|(pace, limit)| pace <= limit)
    }
}

/// A Clos that is asked for by name never blocks.
fn is_full(terms: &Terms<'_>) -> bool {
    terms.fabric == FabricChoice::Clos
}

fn required_bandwidth_shares(terms: &Terms<'_>) -> (f64, f64) {
    (terms.limits.least_within_rail(), terms.limits.across_rails.unwrap_or(0.0))
}

/// Above 1 by the rounding of a sum: limits that are met each are met by their blend.
const ROUNDING: f64 = 1.0 + 1e-12;

/// True where the terms limit how long a run of a job takes.
pub(in crate::design) fn limits_days(job: &Job<'_>, terms: &Terms<'_>) -> bool {
    job.one_run_per_workload().any(|run| longest_run(run, terms).is_some())
}

/// How long the run of a workload may take, failures included, and the tokens of it; `None` where
/// nothing limits it.
fn longest_run(run: &JobRun<'_>, terms: &Terms<'_>) -> Option<(Seconds, f64)> {
    let own = workload_time_limits(&run.workload, terms);
    own.longest_run(terms.limits).zip(run.workload.training.tokens)
}

/// The slowest pace that a workload may have, in any layout; without a share of the time in the
/// terms, as if nothing failed.
pub(crate) fn max_allowed_step_time(run: &JobRun<'_>, terms: &Terms<'_>) -> Seconds {
    time_limit(run, terms).0
}

/// How long a workload may take by itself.
fn workload_time_limits(workload: &Workload, terms: &Terms<'_>) -> Pace {
    let changed = terms.paces.iter().find(|(name, _)| *name == workload.name);
    changed.map_or(workload.limits, |(_, pace)| *pace)
}

/// Keys of the limit on a step: that of all workloads, that of one.
pub(crate) const STEP_TIME: [&str; 2] = ["limits.step_time", "workload.step_time"];
/// Keys of the limit on a run: that of all workloads, that of one.
pub(crate) const DAYS: [&str; 2] = ["limits.days", "workload.days"];

/// The slowest pace that a workload may have, and the limit that says so.
fn time_limit(run: &JobRun<'_>, terms: &Terms<'_>) -> (Seconds, &'static str) {
    let own = workload_time_limits(&run.workload, terms);
    let mut limit = match own.max_slowdown.filter(|_| terms.own_slowdowns) {
        Some(most) => (run.reference * most, "workload.max_slowdown"),
        None => (run.reference * terms.max_slowdown, "objective.max_slowdown"),
    };
    let mut tighten = |to: Option<Seconds>, name| {
        if let Some(to) = to.filter(|to| *to < limit.0) {
            limit = (to, name);
        }
    };
    // The pace of a run with phases is not its step.
    let step = own.longest_step(terms.limits).filter(|_| run.phases.is_empty());
    tighten(step, STEP_TIME[usize::from(own.step_time.is_some())]);
    let days = longest_run(run, terms);
    let trained = terms.trained.unwrap_or(1.0);
    let steps = |tokens: f64| tokens / run.step.tokens.max(1) as f64;
    let share = run.workload.share;
    let name = DAYS[usize::from(own.run.is_some())];
    tighten(days.map(|(days, tokens)| days * trained * share / steps(tokens)), name);
    limit
}

/// The most of each quantity that a cluster may take; `None` where it was not minimised yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ObjectiveCaps {
    pub(in crate::design) capex: Option<Usd>,
    pub(in crate::design) power: Option<Watts>,
    tco: Option<Usd>,
    /// Dollars times the seconds of a step.
    per_token: Option<f64>,
}

impl ObjectiveCaps {
    /// These limits, where a quantity may also be no more than `most`, in the units of a design's
    /// value.
    pub(crate) fn with_cap(self, quantity: Minimize, most: f64) -> Self {
        match quantity {
            Minimize::Capex => Self { capex: Some(Usd::from_f64(most)), ..self },
            Minimize::Power => Self { power: Some(Watts::from_f64(most)), ..self },
            Minimize::Tco => Self { tco: Some(Usd::from_f64(most)), ..self },
            Minimize::UsdPerToken => Self { per_token: Some(most), ..self },
        }
    }

    /// The most of each quantity that is capped whatever a step takes, in the units of a design's
    /// value.
    pub(in crate::design) fn caps_independent_of_step_time(
        &self,
    ) -> impl Iterator<Item = (Minimize, f64)> {
        let capex = self.capex.map(|price| (Minimize::Capex, price.get()));
        let power = self.power.map(|watts| (Minimize::Power, watts.get()));
        let tco = self.tco.map(|price| (Minimize::Tco, price.get()));
        [capex, power, tco].into_iter().flatten()
    }

    /// Cost of ownership that is left to clusters whose step takes no longer than `pace`.
    pub(in crate::design) fn tco_cap_at_step_time(&self, pace: Seconds) -> Option<Usd> {
        let by_pace = self.per_token.map(|most| Usd::from_f64(most / pace.get()));
        self.tco.into_iter().chain(by_pace).min_by(Usd::total_cmp)
    }

    /// The time of a step decides what a cluster may cost.
    pub(in crate::design) const fn depends_on_step_time(&self) -> bool {
        self.per_token.is_some()
    }

    /// Cost of ownership is capped at all.
    pub(super) const fn bound_tco(&self) -> bool {
        self.tco.is_some() || self.per_token.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::ObjectiveCaps;
    use crate::scenario::objective::Minimize;
    use crate::units::quantity::{Seconds, Usd};

    #[test]
    fn the_tighter_of_two_caps_on_money_holds() {
        let owned = ObjectiveCaps::default().with_cap(Minimize::Tco, 100.0);
        let both = owned.with_cap(Minimize::UsdPerToken, 300.0);
        // 300 dollar-seconds are $30 at ten seconds a step, $100 at three and $300 at one.
        let left = |caps: ObjectiveCaps, pace| {
            caps.tco_cap_at_step_time(Seconds::from_f64(pace)).map(Usd::get)
        };
        assert_eq!([10.0, 3.0, 1.0].map(|pace| left(both, pace)), [30.0, 100.0, 100.0].map(Some));
        let timed = ObjectiveCaps::default().with_cap(Minimize::UsdPerToken, 300.0);
        assert_eq!((left(timed, 1.0), left(owned, 1.0)), (Some(300.0), Some(100.0)));
        assert_eq!(left(ObjectiveCaps::default(), 1.0), None);
    }
}
