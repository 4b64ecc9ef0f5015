//! The integer program over all parts: a class of rails for each, one stock, one supply, one power,
//! one budget, one number of racks. Chooses no candidate.

use std::sync::Arc;

use super::choice::PartChoice;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::{MachineCost, bill_of_materials, energy_price};
use crate::design::fabric::instance::AssembledNetwork;
use crate::design::fabric::limits::limits_left_to_network;
use crate::design::fabric::program::{check_machine_limits, clashing_limits};
use crate::design::fabric::terms::Terms;
use crate::design::several::choices::{ChoiceBound, SizedChoice};
use crate::design::several::pool::SharedParts;
use crate::design::several::stock::StockInHand;
use crate::scenario::Minimize;
use crate::sizing::{
    self, LinkEndCounts, Options, PosedProgram, Program, ProofStatus, SizingProblem, Solution,
    Status, Work,
};
use crate::units::{Seconds, Usd, Watts};

/// Parts that are sized together.
pub(super) struct PartsProgram {
    pub(super) solution: Solution,
    /// The program that it is the answer of.
    program: Arc<SizingProblem>,
    /// What the objective makes of the whole.
    pub(super) value: f64,
    /// Money for the whole.
    pub(super) capex: Usd,
    /// Power of the whole.
    pub(super) power: Watts,
}

impl ChoiceBound for PartsProgram {
    fn objective_value(&self) -> f64 {
        self.value
    }
}

impl SizedChoice for PartsProgram {
    fn proof_status(&self) -> ProofStatus {
        self.solution.proof_status()
    }

    fn solver_work(&self) -> Work {
        self.solution.work
    }
}

impl PartsProgram {
    /// The program that it is the answer of, with that.
    pub(super) fn parts_program_posed(&self) -> PosedProgram {
        PosedProgram {
            program: Program::One(Arc::clone(&self.program)),
            copies: vec![self.solution.copies.clone()],
            cost: self.solution.cost,
            firmness: self.solution.proof_status(),
        }
    }

    /// The fabric of each part of the choice.
    pub(super) fn part_fabrics(&self, choice: &PartChoice<'_, '_>) -> Vec<AssembledNetwork> {
        let parts = choice.ready.iter().zip(&self.solution.copies);
        parts.map(|(ready, copies)| ready.assemble_network(copies)).collect()
    }

    /// Time of a step of the first part.
    pub(super) fn first_part_step_time(&self, choice: &PartChoice<'_, '_>) -> Seconds {
        self.part_fabrics(choice).first().map_or(Seconds::ZERO, |built| built.time)
    }
}

/// Sizes the parts of a choice together.
///
/// # Errors
/// What they need more of than there is.
pub(super) fn size_parts(
    choice: &PartChoice<'_, '_>,
    terms: &Terms<'_>,
    options: &Options,
) -> Result<PartsProgram, Infeasible> {
    let machines = parts_machine_cost(choice);
    check_machine_limits(&machines, terms)?;
    let pool = SharedParts::from_candidates(&choice.ready, terms.limits);
    let scenario = choice.ready[0].candidate.job.scenario;
    let jobs = choice.ready.iter().map(|ready| &ready.candidate.job);
    let problem = SizingProblem {
        classes: choice.ready.iter().map(|ready| pool.rail_class(ready)).collect(),
        models: pool.offers.clone(),
        ends: LinkEndCounts::NONE,
        limits: limits_left_to_network(
            terms,
            scenario,
            &machines,
            jobs,
            (Seconds::ZERO, &pool.per_rack),
        )?,
        counts_money: terms.minimize != Minimize::Power,
        energy_per_watt: energy_price(scenario, terms.minimize),
    };
    let solution =
        sizing::solve_sizing_problem(&problem, options).map_err(|failed| match failed {
            sizing::SizingInfeasible::Clash { needs } => clashing_limits(needs, &machines, terms),
            _ => Infeasible::Unknown,
        })?;
    let solution = match choice.ready.iter().any(|ready| ready.is_open) {
        true => Solution { status: Status::Incumbent, bound: Usd::ZERO, ..solution },
        false => solution,
    };
    // Nothing is minimised here that counts the time of a step.
    let value = machines.value_with_network(terms.minimize, &solution, Seconds::ZERO, scenario);
    let capex = machines.capex + solution.capex;
    let power = machines.power + solution.power;
    Ok(PartsProgram { solution, program: Arc::new(problem), value, capex, power })
}

/// Machines of all parts, each of which takes what those before it leave of what is owned.
fn parts_machine_cost(choice: &PartChoice<'_, '_>) -> MachineCost {
    let mut inventory = StockInHand::from_scenario(choice.ready[0].candidate.job.scenario);
    let each = choice.ready.iter().map(|ready| {
        let stocked = inventory.scenario_with_stock(ready.candidate.job.scenario);
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        let lines = bill_of_materials(&job, None);
        inventory.use_up(&lines);
        MachineCost::from_bill(&stocked, &lines)
    });
    each.sum()
}
