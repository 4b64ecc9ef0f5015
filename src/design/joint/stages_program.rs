//! The integer program over all stages: the rails of each, and what one bought the next ones have.
//! Chooses no candidate.

use std::sync::Arc;

use super::choice_search::{ChoiceBound, SizedChoice};
use super::ready_candidates::{ReadyCandidate, SharedParts};
use super::stage_choices::StageChoice;
use crate::design::candidate::machine_cost::{MachineCost, energy_price};
use crate::design::columns::limits::limits_left_to_network;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::network::program::AssembledNetwork;
use crate::scenario::{ClusterQuestion, Scenario};
use crate::sizing::{
    self, LimitNeed, LinkEndOffer, Offer, Options, PosedProgram, Program, ProofStatus,
    SizingProblem, StagesProblem, StagesSolution, Status, Work, solve_stages,
};
use crate::units::{Seconds, Usd, Watts};

/// Stages that are sized together.
pub(super) struct StagesProgram {
    pub(super) grown: StagesSolution,
    /// The program that it is the answer of.
    program: Arc<StagesProblem>,
    /// What the objective makes of all stages, in today's money.
    value: f64,
    /// What is paid for all that is bought.
    pub(super) paid: Usd,
}

impl ChoiceBound for StagesProgram {
    fn objective_value(&self) -> f64 {
        self.value
    }
}

impl SizedChoice for StagesProgram {
    fn proof_status(&self) -> ProofStatus {
        self.grown.proof_status()
    }

    fn solver_work(&self) -> Work {
        self.grown.work
    }
}

impl StagesProgram {
    /// The program that it is the answer of, with that.
    pub(super) fn stages_program_posed(&self) -> PosedProgram {
        PosedProgram {
            program: Program::Stages(Arc::clone(&self.program)),
            copies: self.grown.copies.clone(),
            cost: self.grown.cost,
            firmness: self.grown.proof_status(),
        }
    }

    /// The fabric of each stage of the choice.
    pub(super) fn stage_fabrics(&self, choice: &StageChoice<'_, '_>) -> Vec<AssembledNetwork> {
        let stages = choice.ready.iter().zip(&self.grown.copies);
        stages.map(|(ready, copies)| ready.assemble_network(&copies[0])).collect()
    }
}

/// Sizes the stages of a choice together.
///
/// # Errors
/// What they need more of than there is.
pub(super) fn size_stages(
    choice: &StageChoice<'_, '_>,
    scenario: &Scenario,
    stages: &[ClusterQuestion],
    options: &Options,
) -> Result<StagesProgram, Infeasible> {
    let (fleet, budget) = (&choice.fleet, scenario.limits.budget);
    let short = |needs| {
        let budget = budget.map(|has| (has, needs));
        Infeasible::Limits { budget, power: None, network: Vec::new() }
    };
    if budget.is_some_and(|most| fleet.paid > most) {
        return Err(short(fleet.paid));
    }
    let pool = SharedParts::from_candidates(&choice.ready, &scenario.limits);
    let each = choice.ready.iter().zip(stages).zip(&fleet.power);
    let problems = each
        .map(|((ready, stage), power)| stage_sizing_problem(&pool, ready, stage, *power, scenario));
    let growth = StagesProblem {
        stages: problems.collect::<Result<_, _>>()?,
        paid: stages
            .iter()
            .map(|stage| 1.0 / scenario.objective.present_value(stage.name.start_year()))
            .collect(),
        budget: budget.map(|most| most - fleet.paid),
    };
    let grown = solve_stages(&growth, options).map_err(|failed| match failed {
        sizing::SizingInfeasible::Clash { needs } => match needs.as_slice() {
            [LimitNeed::Budget { needs, .. }] => short(fleet.paid + *needs),
            _ => Infeasible::Limits { budget: None, power: None, network: needs },
        },
        _ => Infeasible::Unknown,
    })?;
    let grown = if choice.ready.iter().any(|ready| ready.is_open) {
        StagesSolution { status: Status::Incumbent, bound: Usd::ZERO, ..grown }
    } else {
        grown
    };
    let value = (fleet.value + grown.cost).get();
    let paid = fleet.paid + grown.paid;
    Ok(StagesProgram { grown, program: Arc::new(growth), value, paid })
}

/// One stage, its prices and its energy in today's money.
fn stage_sizing_problem(
    pool: &SharedParts,
    ready: &ReadyCandidate<'_>,
    stage: &ClusterQuestion,
    machines: Watts,
    scenario: &Scenario,
) -> Result<SizingProblem, Infeasible> {
    let (terms, job) = (Terms::from_scenario(&stage.scenario), &ready.candidate.job);
    // What is paid for machines is a matter of all stages.
    let machines = MachineCost { capex: Usd::ZERO, power: machines, tco: Usd::ZERO };
    let per_rack = (Seconds::ZERO, &pool.per_rack[..]);
    let limits = limits_left_to_network(
        &terms,
        &stage.scenario,
        &machines,
        std::iter::once(job),
        per_rack.0,
        per_rack.1,
    )?;
    let present = scenario.objective.present_value(stage.name.start_year());
    let priced =
        |offer: &Offer| Offer { price: offer.price * (stage.price * present), ..offer.clone() };
    Ok(SizingProblem {
        classes: vec![pool.rail_class(ready)],
        offers: pool.offers.iter().map(priced).collect(),
        ends: LinkEndOffer::NONE,
        limits,
        counts_money: true,
        energy_per_watt: energy_price(&stage.scenario, stage.scenario.objective.minimize) * present,
    })
}
