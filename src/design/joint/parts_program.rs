//! The integer program over the parts of a cluster.

use std::sync::Arc;

use super::choice_search::{ChoiceBound, SizedChoice};
use super::clusters::StockInHand;
use super::combinations::Combinations;
use super::ready_candidates::{ReadyCandidate, SharedParts};
use crate::design::candidate::machine_cost::{MachineCost, bill_of_materials, energy_price};
use crate::design::columns::limits::limits_left_to_network;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::network::best_network::size_network_by_step_time;
use crate::design::network::program::{
    AssembledNetwork, SizingTools, check_machine_limits, clashing_limits,
};
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::scenario::{ClusterQuestion, Minimize, Scenario};
use crate::sizing::{
    self, LinkEndOffer, Options, PosedProgram, Program, ProofStatus, SizingProblem, Solution,
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
    pub(super) capex: Usd,
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
        offers: pool.offers.clone(),
        ends: LinkEndOffer::NONE,
        limits: limits_left_to_network(
            terms,
            scenario,
            &machines,
            jobs,
            Seconds::ZERO,
            &pool.per_rack,
        )?,
        counts_money: terms.minimize != Minimize::Power,
        energy_per_watt: energy_price(scenario, terms.minimize),
    };
    let solution =
        sizing::solve_sizing_problem(&problem, options).map_err(|failed| match failed {
            sizing::SizingInfeasible::Clash { needs } => clashing_limits(needs, &machines, terms),
            _ => Infeasible::Unknown,
        })?;
    let solution = if choice.ready.iter().any(|ready| ready.is_open) {
        Solution { status: Status::Incumbent, bound: Usd::ZERO, ..solution }
    } else {
        solution
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

/// One candidate for each part.
pub(super) struct PartChoice<'r, 'a> {
    pub(super) ready: Vec<&'r ReadyCandidate<'a>>,
    lower_bound: f64,
}

impl ChoiceBound for PartChoice<'_, '_> {
    fn objective_value(&self) -> f64 {
        self.lower_bound
    }
}

impl<'r, 'a> PartChoice<'r, 'a> {
    /// The choice of these candidates, in the order of the parts.
    pub(super) fn from_candidates(ready: Vec<&'r ReadyCandidate<'a>>) -> Self {
        let least = ready.iter().map(|ready| ready.lower_bound).sum();
        Self { ready, lower_bound: least }
    }

    /// Names of the products, part by part.
    pub(super) fn product_names(&self) -> Vec<&str> {
        self.ready.iter().map(|ready| ready.product()).collect()
    }

    /// `dense on dgx-h100, experts on gb200-nvl72`.
    pub(super) fn describe_choice(&self) -> String {
        let each = self.ready.iter().map(|ready| {
            format!("{} on {}", ready.candidate.job.lead_run().workload.name, ready.product())
        });
        each.collect::<Vec<String>>().join(", ")
    }
}

/// The choices among candidates of each part, those that take least first: each with what it takes
/// at least, which is what its candidates take alone.
pub(super) fn part_choices<'r, 'a: 'r>(
    all: Vec<Vec<&'r ReadyCandidate<'a>>>,
) -> impl Iterator<Item = (f64, Option<PartChoice<'r, 'a>>)> {
    let least =
        |part: &Vec<&ReadyCandidate<'_>>| part.iter().map(|ready| ready.lower_bound).collect();
    let ways = Combinations::new(all.iter().map(least).collect::<Vec<Vec<f64>>>());
    ways.map(move |(least, places)| {
        let ready = all.iter().zip(places).map(|(part, place)| part[place]).collect();
        (least, Some(PartChoice { ready, lower_bound: least }))
    })
}

/// Products part by part, those that take least first.
pub(super) fn product_combinations<'r>(
    all: &'r [Vec<ReadyCandidate<'_>>],
) -> impl Iterator<Item = Vec<&'r str>> {
    let products = |part: &'r Vec<ReadyCandidate<'_>>| {
        let mut known: Vec<(&str, f64)> = Vec::new();
        for ready in part {
            match known.iter_mut().find(|(name, _)| *name == ready.product()) {
                Some((_, least)) => *least = least.min(ready.lower_bound),
                None => known.push((ready.product(), ready.lower_bound)),
            }
        }
        known
    };
    let each: Vec<Vec<(&str, f64)>> = all.iter().map(products).collect();
    let bounds = |pairs: &Vec<(&str, f64)>| pairs.iter().map(|(_, least)| *least).collect();
    let ways = Combinations::new(each.iter().map(bounds).collect::<Vec<Vec<f64>>>());
    ways.map(move |(_, places)| each.iter().zip(places).map(|(pairs, at)| pairs[at].0).collect())
}

/// The choice of those candidates: no dearer than all parts without any stock. `None` where nothing
/// is in stock, as then the cheapest candidates alone are such a choice, and where a part is left
/// without a design.
pub(super) fn size_parts_one_after_another<'r, 'a>(
    scenario: &Scenario,
    parts: &[ClusterQuestion],
    all: &'r [Vec<ReadyCandidate<'a>>],
    tools: &mut SizingTools<'_>,
) -> Option<PartChoice<'r, 'a>> {
    if scenario.inventory.is_empty() {
        return None;
    }
    let mut inventory = StockInHand::from_scenario(scenario);
    let mut chosen = Vec::new();
    for (part, candidates) in parts.iter().zip(all) {
        let stocked = inventory.scenario_with_stock(&part.scenario);
        let mut best: Option<(&ReadyCandidate<'_>, SizedFabric)> = None;
        for ready in candidates {
            // What it takes with all the stock it takes with less of it too.
            if best.as_ref().is_some_and(|(_, known)| ready.lower_bound > known.value) {
                continue;
            }
            let protocol = ready.candidate.protocol;
            let terms = Terms { protocol, silent: true, ..Terms::from_scenario(&stocked) };
            let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
            let Ok(sized) = size_network_by_step_time(&job, ready.candidate.planes, &terms, tools)
            else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
                best = Some((ready, sized));
            }
        }
        let (ready, sized) = best?;
        let job = Job { scenario: &stocked, ..ready.candidate.job.clone() };
        inventory.use_up(&bill_of_materials(&job, Some(&sized.counts)));
        chosen.push(ready);
    }
    Some(PartChoice::from_candidates(chosen))
}
