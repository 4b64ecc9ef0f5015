//! A cluster in parts: each workload has GPUs of its own, on a product of its own choice, behind
//! rails of its own. What the parts share is stock, supply, power, money and racks, so one program
//! sizes them together. Designs no part by itself.

mod answered;
mod choice;
mod enough;
mod in_turn;
mod program;

use super::choices::{ChoiceResult, other_choices};
use super::clusters::plan_in_sequence;
use super::ready::ReadyCandidate;
use super::shared_limits::{RedesignFn, binding_shared_limits};
use crate::design::answer::alternative::{Alternative, AlternativeKind};
use crate::design::answer::assemble::solver_report;
use crate::design::answer::plan::{Plan, SolverReport};
use crate::design::answer::programs::Programs;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::fabric::terms::Terms;
use crate::design::study::alternatives::{alternative_standing, reason_not_chosen};
use crate::design::study::limit::ClusterUse;
use answered::best_routed_choice;
use choice::{PartChoice, part_choices, product_combinations};
use enough::limit_that_suffices;
use program::{PartsProgram, size_parts};

use crate::scenario::Scenario;
use crate::sizing::Options;

/// Other choices of products that a report shows.
const SHOWN: usize = 6;

/// The best design of a scenario whose workloads have parts of the cluster each.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(crate) fn design_parts(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let reason = match try_design_parts(scenario, options) {
        Ok(plan) => return Ok(plan),
        Err(reason) => reason,
    };
    Err(limit_that_suffices(scenario, reason, |free| try_design_parts(free, options).ok()))
}

/// Likewise, where a limit that all parts share is told by what machines take of it, or one part.
fn try_design_parts(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let parts: Vec<Scenario> = scenario.split_into_parts();
    best_routed_choice(scenario, &parts, options, |all, solved| {
        plan_of_part_choice(scenario, all, &solved, options)
    })?
}

/// The plan of the best choice.
fn plan_of_part_choice(
    scenario: &Scenario,
    all: &[Vec<ReadyCandidate<'_>>],
    solved: &ChoiceResult<PartChoice<'_, '_>, PartsProgram>,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let terms = Terms::from_scenario(scenario);
    let size = |choice: &PartChoice<'_, '_>| size_parts(choice, &terms, options);
    let (choice, joint) = (&solved.choice, &solved.joint);
    let pace = joint.first_part_step_time(choice);
    let beside = |choice: &PartChoice<'_, '_>, other: &PartsProgram| Alternative {
        differs: AlternativeKind::Products,
        name: choice.describe_choice(),
        network_capex_change: other.solution.capex - joint.solution.capex,
        capex_change: other.capex - joint.capex,
        step_ratio: other.first_part_step_time(choice).get() / pace.get(),
        usd_per_token_ratio: None,
        standing: alternative_standing(other.value, joint.value),
        reason: reason_not_chosen(terms.minimize),
    };
    let of_kind = |kind: &Vec<&str>| {
        let on = |(part, product): (_, &&str)| -> Vec<&ReadyCandidate<'_>> {
            let part: &Vec<ReadyCandidate<'_>> = part;
            part.iter().filter(|ready| ready.product() == *product).collect()
        };
        part_choices(all.iter().zip(kind).map(on).collect())
    };
    let chosen = choice.product_names();
    let kinds = product_combinations(all).filter(|kind| *kind != chosen);
    let kinds = kinds.take_while(|_| !options.watch.is_stopped());
    let alternatives = other_choices(kinds, of_kind, size, beside, SHOWN);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding_shared_limits(scenario, joint.value, |scenario| {
        best_routed_choice(scenario, &scenario.split_into_parts(), options, |_, solved| {
            redesign_of_parts(&solved)
        })
        .ok()
    });
    let programs = Programs::from_answer(joint.parts_program_posed(), solved.work, options);
    let solver =
        solver_report(solved.overall_proof_status(), candidates, bounds, programs, options);
    let built = joint.part_fabrics(choice);
    let plan = plan_in_sequence(scenario, |place, part| -> Result<Plan, Infeasible> {
        Ok(choice.ready[place].plan_of_network(part, &built[place], &solver))
    })?;
    let plan = plan.ok_or(Infeasible::Unknown)?;
    let solver = SolverReport { binding: solver.binding, ..plan.solver };
    Ok(Plan { solver, alternatives, ..plan })
}

/// What a choice takes of what its parts share.
fn redesign_of_parts(solved: &ChoiceResult<PartChoice<'_, '_>, PartsProgram>) -> RedesignFn {
    let (choice, PartsProgram { value, capex, power, .. }) = (&solved.choice, &solved.joint);
    let each = choice.ready.iter().zip(solved.joint.part_fabrics(choice));
    let jobs = each.map(|(ready, built)| (&ready.candidate.job, built.level));
    let takes = ClusterUse::from_jobs((*capex, *power), jobs);
    RedesignFn {
        value: *value,
        bound: solved.objective_lower_bound(),
        takes,
        words: choice.describe_choice(),
    }
}
