//! Designs a cluster in parts, which share stock and limits.

use super::choice_search::{ChoiceBudget, ChoiceResult, cheapest_choice, other_choices};
use super::clusters::plan_in_sequence;
use super::parts_program::{
    PartChoice, PartsProgram, part_choices, product_combinations, size_parts,
    size_parts_one_after_another,
};
use super::ready_candidates::{
    ReadyCandidate, any_slower_when_routed, ready_candidates, retime_candidates,
};
use super::shared_limits::{RedesignFn, binding_shared_limits};
use crate::design::assemble::assemble::solver_report;
use crate::design::assemble::routing_check::RoutingRound;
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::network::program::SizingTools;
use crate::design::plan::alternatives::{Alternative, AlternativeKind};
use crate::design::plan::plan::{Plan, SolverReport};
use crate::design::plan::proof::Programs;
use crate::design::study::alternatives::alternative_standing;
use crate::design::study::limit::{ClusterUse, Limit, is_shared};
use crate::design::study::limit_row::LimitState;
use crate::scenario::{ClusterQuestion, Minimize, Scenario};
use crate::sizing::{LimitNeed, Options};

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

/// As `design_parts`, where a limit that all parts share is told by what machines take of it, or
/// one part.
fn try_design_parts(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let parts = scenario.cluster_questions();
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
        reason: String::new(),
        breaks: Vec::new(),
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
        best_routed_choice(scenario, &scenario.cluster_questions(), options, |_, solved| {
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
    let takes = ClusterUse::from_jobs(*capex, *power, jobs);
    RedesignFn {
        value: *value,
        bound: solved.objective_lower_bound(),
        takes,
        words: choice.describe_choice(),
    }
}

/// What `tell` makes of the best choice of candidates, once routing its parts no longer finds a
/// step longer than it was timed; it also gets all candidates, part by part.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
fn best_routed_choice<T>(
    scenario: &Scenario,
    parts: &[ClusterQuestion],
    options: &Options,
    tell: impl FnOnce(&[Vec<ReadyCandidate<'_>>], ChoiceResult<PartChoice<'_, '_>, PartsProgram>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = SizingTools::with_watch(options);
    let mut all = ready_candidates(parts, false, &mut tools)?;
    let terms = Terms::from_scenario(scenario);
    let mut round = RoutingRound::default();
    let mut floor = f64::INFINITY;
    loop {
        let solved = best_part_choice(scenario, parts, &all, &terms, &mut tools)?;
        let built = solved.joint.part_fabrics(&solved.choice);
        let refuted = any_slower_when_routed(&solved.choice.ready, &built, round);
        if refuted && tools.is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let Some(next) = round.next_round().filter(|_| refuted) else {
            return Ok(tell(&all, solved.with_other_bound(floor)));
        };
        floor = floor.min(solved.objective_lower_bound());
        all = retime_candidates(all, false, &mut tools);
        round = next;
    }
}

/// The best choice of candidates by the times that are known.
fn best_part_choice<'r, 'a>(
    scenario: &Scenario,
    parts: &[ClusterQuestion],
    all: &'r [Vec<ReadyCandidate<'a>>],
    terms: &Terms<'_>,
    tools: &mut SizingTools<'_>,
) -> Result<ChoiceResult<PartChoice<'r, 'a>, PartsProgram>, Infeasible> {
    let any = all.iter().map(|part| part.iter().collect()).collect();
    let mut any = part_choices(any).peekable();
    let least = any.peek().map_or(0.0, |(least, _)| *least);
    let guess = size_parts_one_after_another(scenario, parts, all, tools);
    let guess = guess.into_iter().map(|choice| (least, Some(choice)));
    let options = tools.options;
    let budget = ChoiceBudget::for_clusters(all.len());
    let size = |choice: &PartChoice<'_, '_>| size_parts(choice, terms, options);
    cheapest_choice(guess.chain(any), budget, &options.watch, size)
}

/// A reason with what is enough; the same reason where it is about something else, or where nothing
/// is enough while the other limits hold. Of racks fewer may do as well.
fn limit_that_suffices(
    scenario: &Scenario,
    reason: Infeasible,
    design: impl Fn(&Scenario) -> Option<Plan>,
) -> Infeasible {
    let state = LimitState::from_scenario(scenario, &Terms::from_scenario(scenario));
    let moved = |limit: &Limit| {
        let mut free = scenario.clone();
        state.with_limit_lifted(limit).apply_to(&mut free);
        free.objective.minimize = limit.least_of().unwrap_or(Minimize::Capex);
        free.objective.then = Vec::new();
        limit.broken_by(&state, scenario, &design(&free)?)
    };
    let stated = state.movable_limits();
    let limit = blocking_shared_limit(&reason)
        .and_then(|key| stated.iter().find(|this_limit| this_limit.spec_key() == key));
    limit.and_then(moved).map_or(reason, |limit_move| Infeasible::Clash(vec![limit_move]))
}

/// Key of the shared limit that alone is in the way of a part, or of all of them.
fn blocking_shared_limit(reason: &Infeasible) -> Option<&str> {
    const RACKS: &str = "limits.racks";
    match reason {
        Infeasible::Workload { reason, .. } => blocking_shared_limit(reason),
        Infeasible::Racks { .. } => Some(RACKS),
        Infeasible::Limits { budget, power, network } => {
            match (budget, power, network.as_slice()) {
                (Some(_), None, []) => Some("limits.budget"),
                (None, Some(_), []) => Some("limits.power"),
                (None, None, [LimitNeed::Racks { .. }]) => Some(RACKS),
                _ => None,
            }
        }
        Infeasible::Clash(moves) => match moves.as_slice() {
            [limit_move] if is_shared(&limit_move.limit) => Some(&limit_move.limit),
            _ => None,
        },
        _ => None,
    }
}
