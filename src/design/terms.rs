//! What a fabric is sized by: objective, family, limits. The scenario's own, or one of them
//! changed to see what it is worth.

use super::job::Job;
use crate::cost::{electricity, energy_of_one_watt};
use crate::hardware::Protocol;
use crate::scenario::{FabricChoice, Limits, Minimize, Scenario};
use crate::units::{Seconds, Usd};

/// What differs from the scenario when a candidate is sized.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms<'a> {
    pub(super) minimize: Minimize,
    pub(super) fabric: FabricChoice,
    pub(super) limits: &'a Limits,
    pub(super) max_slowdown: f64,
    /// Look at trees of one model only: quick, and a good guess where no more is asked for.
    pub(super) trees_only: bool,
    /// What the switches speak.
    pub(super) protocol: Protocol,
}

impl<'a> Terms<'a> {
    /// What the scenario says.
    pub(super) fn of(scenario: &'a Scenario) -> Self {
        Self {
            minimize: scenario.objective.minimize,
            fabric: scenario.cluster.fabric,
            limits: &scenario.limits,
            max_slowdown: scenario.objective.max_slowdown,
            trees_only: false,
            protocol: Protocol::default(),
        }
    }
}

/// The longest step that a scenario allows, and the limit that says so.
pub(super) fn time_limit(job: &Job<'_>, terms: &Terms<'_>) -> (Seconds, &'static str) {
    let mut limit = (job.reference * terms.max_slowdown, "objective.max_slowdown");
    let mut tighten = |to: Option<Seconds>, name| {
        if let Some(to) = to.filter(|to| *to < limit.0) {
            limit = (to, name);
        }
    };
    tighten(terms.limits.step_time, "limits.step_time");
    let days = terms.limits.run.zip(job.scenario.workload.training.tokens);
    let steps = |tokens: f64| tokens / job.step.tokens.max(1) as f64;
    tighten(days.map(|(run, tokens)| run / steps(tokens)), "limits.days");
    limit
}

/// Cost of drawing a watt over the years, where the objective counts energy.
pub(super) fn energy_price(scenario: &Scenario, minimize: Minimize) -> Usd {
    match minimize {
        Minimize::Capex => Usd::ZERO,
        Minimize::Tco | Minimize::UsdPerToken => energy_of_one_watt(
            scenario.objective.years,
            scenario.objective.pue,
            electricity(&scenario.prices).map(|price| price.amount),
        ),
    }
}
