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
use super::shared_limits::{RedesignFn, binding};
use crate::design::answer::alternative::{Alternative, AlternativeKind};
use crate::design::answer::assemble::solver_report;
use crate::design::answer::plan::{Plan, SolverReport};
use crate::design::answer::programs::Programs;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::fabric::terms::Terms;
use crate::design::study::alternatives::{reason, standing};
use crate::design::study::limit::ClusterUse;
use answered::best_routed_choice;
use choice::{PartChoice, choices, kinds};
use enough::limit_that_suffices;
use program::{PartsProgram, solve};

use crate::scenario::Scenario;
use crate::sizing::Options;

/// Other choices of products that a report shows.
const SHOWN: usize = 6;

/// The best design of a scenario whose workloads have parts of the cluster each.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(crate) fn design(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let reason = match with(scenario, options) {
        Ok(plan) => return Ok(plan),
        Err(reason) => reason,
    };
    Err(limit_that_suffices(scenario, reason, |free| with(free, options).ok()))
}

/// Likewise, where a limit that all parts share is told by what machines take of it, or one part.
fn with(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let parts: Vec<Scenario> = scenario.parts();
    best_routed_choice(scenario, &parts, options, |all, solved| {
        planned(scenario, all, &solved, options)
    })?
}

/// The plan of the best choice.
fn planned(
    scenario: &Scenario,
    all: &[Vec<ReadyCandidate<'_>>],
    solved: &ChoiceResult<PartChoice<'_, '_>, PartsProgram>,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let terms = Terms::from_scenario(scenario);
    let size = |choice: &PartChoice<'_, '_>| solve(choice, &terms, options);
    let (choice, joint) = (&solved.choice, &solved.joint);
    let pace = joint.pace(choice);
    let beside = |choice: &PartChoice<'_, '_>, other: &PartsProgram| Alternative {
        differs: AlternativeKind::Products,
        name: choice.words(),
        network_capex_change: other.solution.capex - joint.solution.capex,
        capex_change: other.capex - joint.capex,
        step_ratio: other.pace(choice).get() / pace.get(),
        usd_per_token_ratio: None,
        standing: standing(other.value, joint.value),
        reason: reason(terms.minimize),
    };
    let of_kind = |kind: &Vec<&str>| {
        let on = |(part, product): (_, &&str)| -> Vec<&ReadyCandidate<'_>> {
            let part: &Vec<ReadyCandidate<'_>> = part;
            part.iter().filter(|ready| ready.product() == *product).collect()
        };
        choices(all.iter().zip(kind).map(on).collect())
    };
    let chosen = choice.products();
    let kinds = kinds(all).filter(|kind| *kind != chosen);
    let kinds = kinds.take_while(|_| !options.watch.is_stopped());
    let alternatives = other_choices(kinds, of_kind, size, beside, SHOWN);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding(scenario, joint.value, |scenario| {
        best_routed_choice(scenario, &scenario.parts(), options, |_, solved| anew(&solved)).ok()
    });
    let programs = Programs::from_answer(joint.parts_program_posed(), solved.work, options);
    let solver = solver_report(solved.firmness(), candidates, bounds, programs, options);
    let built = joint.built(choice);
    let plan = plan_in_sequence(scenario, |place, part| -> Result<Plan, Infeasible> {
        Ok(choice.ready[place].plan(part, &built[place], &solver))
    })?;
    let plan = plan.ok_or(Infeasible::Unknown)?;
    let solver = SolverReport { binding: solver.binding, ..plan.solver };
    Ok(Plan { solver, alternatives, ..plan })
}

/// What a choice takes of what its parts share.
fn anew(solved: &ChoiceResult<PartChoice<'_, '_>, PartsProgram>) -> RedesignFn {
    let (choice, PartsProgram { value, capex, power, .. }) = (&solved.choice, &solved.joint);
    let each = choice.ready.iter().zip(solved.joint.built(choice));
    let jobs = each.map(|(ready, built)| (&ready.candidate.job, built.level));
    let takes = ClusterUse::from_jobs((*capex, *power), jobs);
    RedesignFn { value: *value, bound: solved.bound(), takes, words: choice.words() }
}
