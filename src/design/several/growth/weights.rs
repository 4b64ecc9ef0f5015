//! What a candidate of one stage adds to the cost of all at least, whatever the others are: what
//! choices are ordered by before any is made. Sizes nothing.

use crate::cost::least_weights;
use crate::design::candidate::money::cost_of_machines;
use crate::design::several::ready::ReadyCandidate;
use crate::scenario::{Minimize, Scenario, Stage};

/// How much a dollar of one stage counts at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StageWeights {
    /// Of what is bought: [`least_weights`].
    bought: f64,
    /// Of energy, which every stage pays for itself: its value today.
    paid: f64,
}

impl StageWeights {
    /// Of every stage.
    pub(super) fn weights_of_all_stages(scenario: &Scenario, stages: &[Stage]) -> Vec<Self> {
        let present: Vec<f64> =
            stages.iter().map(|stage| scenario.objective.present_value(stage.year)).collect();
        let prices = stages.iter().zip(&present).map(|(stage, present)| stage.price * present);
        let bought = least_weights(&prices.collect::<Vec<f64>>());
        bought.into_iter().zip(present).map(|(bought, paid)| Self { bought, paid }).collect()
    }

    /// What a candidate adds at least, in today's money.
    pub(super) fn least_cost_added(&self, ready: &ReadyCandidate<'_>) -> f64 {
        let job = &ready.candidate.job;
        let machines = cost_of_machines(&job.fleet());
        let energy = match job.scenario.objective.minimize {
            Minimize::Tco => (machines.tco - machines.capex).get(),
            Minimize::Capex | Minimize::UsdPerToken | Minimize::Power => 0.0,
        };
        self.bought * ready.least + (self.paid - self.bought).max(0.0) * energy
    }
}
