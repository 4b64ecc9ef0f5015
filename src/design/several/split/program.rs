//! The integer program over all parts: a class of rails for each, one stock, one supply, one power,
//! one budget, one number of racks. Chooses no candidate.

use std::sync::Arc;

use super::choice::Choice;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::{Machines, bill_of, energy_price};
use crate::design::fabric::instance::Built;
use crate::design::fabric::limits::of_network;
use crate::design::fabric::program::{clashing, exceeded};
use crate::design::fabric::terms::Terms;
use crate::design::several::choices::{Sized, Value};
use crate::design::several::pool::Pool;
use crate::design::several::stock::Inventory;
use crate::scenario::Minimize;
use crate::sizing::{
    self, Ends, Firmness, Options, Posed, Problem, Program, Solution, Status, Work,
};
use crate::units::{Seconds, Usd, Watts};

/// Parts that are sized together.
pub(super) struct Joint {
    pub(super) solution: Solution,
    /// The program that it is the answer of.
    program: Arc<Problem>,
    /// What the objective makes of the whole.
    pub(super) value: f64,
    /// Money for the whole.
    pub(super) capex: Usd,
    /// Power of the whole.
    pub(super) power: Watts,
}

impl Value for Joint {
    fn value(&self) -> f64 {
        self.value
    }
}

impl Sized for Joint {
    fn firmness(&self) -> Firmness {
        self.solution.firmness()
    }

    fn work(&self) -> Work {
        self.solution.work
    }
}

impl Joint {
    /// The program that it is the answer of, with that.
    pub(super) fn posed(&self) -> Posed {
        Posed {
            program: Program::One(Arc::clone(&self.program)),
            copies: vec![self.solution.copies.clone()],
            cost: self.solution.cost,
            firmness: self.solution.firmness(),
        }
    }

    /// The fabric of each part of the choice.
    pub(super) fn built(&self, choice: &Choice<'_, '_>) -> Vec<Built> {
        let parts = choice.ready.iter().zip(&self.solution.copies);
        parts.map(|(ready, copies)| ready.built(copies)).collect()
    }

    /// Time of a step of the first part.
    pub(super) fn pace(&self, choice: &Choice<'_, '_>) -> Seconds {
        self.built(choice).first().map_or(Seconds::ZERO, |built| built.time)
    }
}

/// Sizes the parts of a choice together.
///
/// # Errors
/// What they need more of than there is.
pub(super) fn solve(
    choice: &Choice<'_, '_>,
    terms: &Terms<'_>,
    options: &Options,
) -> Result<Joint, Infeasible> {
    let machines = machines(choice);
    exceeded(&machines, terms)?;
    let pool = Pool::of(&choice.ready, terms.limits);
    let scenario = choice.ready[0].candidate.job.scenario;
    let jobs = choice.ready.iter().map(|ready| &ready.candidate.job);
    let problem = Problem {
        classes: choice.ready.iter().map(|ready| pool.class(ready)).collect(),
        models: pool.offers.clone(),
        ends: Ends::NONE,
        limits: of_network(terms, scenario, &machines, jobs, (Seconds::ZERO, &pool.per_rack))?,
        counts_money: terms.minimize != Minimize::Power,
        energy_per_watt: energy_price(scenario, terms.minimize),
    };
    let solution = sizing::solve(&problem, options).map_err(|failed| match failed {
        sizing::Infeasible::Clash { needs } => clashing(needs, &machines, terms),
        _ => Infeasible::Unknown,
    })?;
    let solution = match choice.ready.iter().any(|ready| ready.is_open) {
        true => Solution { status: Status::Incumbent, bound: Usd::ZERO, ..solution },
        false => solution,
    };
    // Nothing is minimised here that counts the time of a step.
    let value = machines.value(terms.minimize, &solution, Seconds::ZERO, scenario);
    let capex = machines.capex + solution.capex;
    let power = machines.power + solution.power;
    Ok(Joint { solution, program: Arc::new(problem), value, capex, power })
}

/// Machines of all parts, each of which takes what those before it leave of what is owned.
fn machines(choice: &Choice<'_, '_>) -> Machines {
    let mut inventory = Inventory::of(choice.ready[0].candidate.job.scenario);
    let each = choice.ready.iter().map(|ready| {
        let stocked = inventory.deal(ready.candidate.job.scenario);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of(&job, None);
        inventory.take(&lines);
        Machines::billed(&stocked, &lines)
    });
    each.sum()
}
