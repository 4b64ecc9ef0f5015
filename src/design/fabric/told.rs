//! How far the choice of a design is, in the units that people read. Chooses nothing.

use crate::cost::OperatingTime;
use crate::design::candidate::list::Candidate;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::BestSoFar;
use crate::units::{Amount, Seconds, Usd, Watts};

impl Candidate<'_> {
    /// The best design so far, on this candidate; value and bound are in the units of a design's value.
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
        Minimize::UsdPerToken => "a million tokens",
        Minimize::Power => "",
    }
}
