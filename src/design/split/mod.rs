//! A cluster in parts: each workload has GPUs of its own, on a product of its own choice, behind
//! rails of its own. What the parts share is stock, supply, power, money and racks, so one program
//! sizes them together. Designs no part by itself.

mod binding;
mod choice;
mod in_turn;
mod program;

use binding::binding;
use choice::{Choice, choices, kinds};
use in_turn::in_turn;
use program::{Joint, solve};

use super::alternatives::{reason, standing};
use super::assemble::solver_report;
use super::choices::{Budget, Solved, cheapest, others};
use super::choose::Tools;
use super::infeasible::Infeasible;
use super::plan::{Alternative, Plan, SolverReport};
use super::ready::{Ready, all_ready, any_corrected, retimed};
use super::rounds::Round;
use super::several::one_after_another;
use super::terms::Terms;
use crate::scenario::Scenario;
use crate::sizing::Options;

/// Other choices of products that a report shows.
const SHOWN: usize = 6;

/// The best design of a scenario whose workloads have parts of the cluster each.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(super) fn design(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let parts: Vec<Scenario> = scenario.parts();
    answered(scenario, &parts, options, |all, solved| planned(scenario, all, &solved, options))?
}

/// What `tell` makes of the best choice of candidates, once routing its parts no longer finds a step
/// longer than it was timed; it also gets all candidates, part by part.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
fn answered<T>(
    scenario: &Scenario,
    parts: &[Scenario],
    options: &Options,
    tell: impl FnOnce(&[Vec<Ready<'_>>], Solved<Choice<'_, '_>, Joint>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = Tools::new(options);
    let mut all = all_ready(parts.iter(), false, &mut tools).map_err(|(place, reason)| {
        let workload = scenario.workloads().nth(place);
        workload.map_or(Infeasible::Unknown, |workload| reason.of(scenario, workload))
    })?;
    let terms = Terms::of(scenario);
    let mut round = Round::default();
    let mut floor = f64::INFINITY;
    loop {
        let solved = best(scenario, parts, &all, &terms, &mut tools)?;
        let built = solved.joint.built(&solved.choice);
        let refuted = any_corrected(&solved.choice.ready, &built, round);
        let Some(next) = round.next().filter(|_| refuted) else {
            return Ok(tell(&all, solved.beside(floor)));
        };
        floor = floor.min(solved.bound());
        all = retimed(all, false, &mut tools);
        round = next;
    }
}

/// The plan of the best choice.
fn planned(
    scenario: &Scenario,
    all: &[Vec<Ready<'_>>],
    solved: &Solved<Choice<'_, '_>, Joint>,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let terms = Terms::of(scenario);
    let size = |choice: &Choice<'_, '_>| solve(choice, &terms, options);
    let (choice, joint) = (&solved.choice, &solved.joint);
    let pace = joint.pace(choice);
    let beside = |choice: &Choice<'_, '_>, other: &Joint| Alternative {
        family: None,
        name: choice.words(),
        network_capex_change: other.solution.capex - joint.solution.capex,
        capex_change: other.capex - joint.capex,
        step_ratio: other.pace(choice).get() / pace.get(),
        usd_per_token_ratio: None,
        standing: standing(other.value, joint.value),
        reason: reason(terms.minimize),
    };
    let of_kind = |kind: &Vec<&str>| {
        let on = |(part, product): (_, &&str)| -> Vec<&Ready<'_>> {
            let part: &Vec<Ready<'_>> = part;
            part.iter().filter(|ready| ready.product() == *product).collect()
        };
        choices(all.iter().zip(kind).map(on).collect())
    };
    let chosen = choice.products();
    let kinds = kinds(all).filter(|kind| *kind != chosen);
    let alternatives = others(kinds, of_kind, size, beside, SHOWN);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding(scenario, joint.value, &terms, options);
    let solver = solver_report(solved.firmness(), candidates, bounds, options);
    let built = joint.built(choice);
    let plan = one_after_another(scenario, |place, part| -> Result<Plan, Infeasible> {
        Ok(choice.ready[place].plan(part, &built[place], &solver))
    })?;
    let plan = plan.ok_or(Infeasible::Unknown)?;
    let solver = SolverReport { binding: solver.binding, ..plan.solver };
    Ok(Plan { solver, alternatives, ..plan })
}

/// The best choice of candidates by the times that are known.
fn best<'r, 'a>(
    scenario: &Scenario,
    parts: &[Scenario],
    all: &'r [Vec<Ready<'a>>],
    terms: &Terms<'_>,
    tools: &mut Tools<'_>,
) -> Result<Solved<Choice<'r, 'a>, Joint>, Infeasible> {
    let any = all.iter().map(|part| part.iter().collect()).collect();
    let mut any = choices(any).peekable();
    let least = any.peek().map_or(0.0, |(least, _)| *least);
    let guess = in_turn(scenario, parts, all, tools);
    let guess = guess.into_iter().map(|choice| (least, Some(choice)));
    let options = tools.options;
    cheapest(guess.chain(any), Budget::of(all.len()), |choice| solve(choice, terms, options))
}
