//! Designs a cluster that grows in stages, each with the parts of those before it.

use super::choice_search::{
    ChoiceBound, ChoiceBudget, ChoiceResult, cheapest_choice, other_choices,
};
use super::clusters::{StockInHand, plan_in_sequence, scenario_of_day};
use super::ready_candidates::{
    ReadyCandidate, any_slower_when_routed, ready_candidates, retime_candidates,
};
use super::shared_limits::{RedesignFn, binding_shared_limits};
use super::stage_choices::{StageCandidates, StageChoice, machines_stay};
use super::stages_program::{StagesProgram, size_stages};
use crate::design::assemble::assemble::solver_report;
use crate::design::assemble::routing_check::RoutingRound;
use crate::design::candidate::candidates::Candidate;
use crate::design::candidate::machine_cost::{bill_of_materials, total_cost};
use crate::design::columns::terms::Terms;
use crate::design::job::infeasible::Infeasible;
use crate::design::job::job::Job;
use crate::design::network::best_network::size_network_by_step_time;
use crate::design::network::program::{AssembledNetwork, SizingTools};
use crate::design::network::sized_fabric::{SizedFabric, is_preferred};
use crate::design::plan::alternatives::{Alternative, AlternativeKind};
use crate::design::plan::plan::{Growth, Plan};
use crate::design::plan::proof::Programs;
use crate::design::study::alternatives::alternative_standing;
use crate::design::study::limit::ClusterUse;
use crate::scenario::{ClusterQuestion, Minimize, Scenario};
use crate::sizing::Options;
use crate::units::{Seconds, Usd, Watts};

/// Other products that a report shows.
const SHOWN: usize = 6;

/// The best way through all stages of a scenario.
///
/// # Errors
/// Why a stage has no design, or what all of them need together.
pub(crate) fn design_stages(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let stages = scenario.cluster_questions();
    best_routed_stage_choice(scenario, &stages, options, |all, solved| {
        plan_of_stage_choice(scenario, &stages, all, &solved, options)
    })?
}

/// What `tell` makes of the best way through all stages, once routing them no longer finds a step
/// longer than it was timed; it also gets all candidates, stage by stage.
///
/// # Errors
/// Why a stage has no design, or what all of them need together.
fn best_routed_stage_choice<T>(
    scenario: &Scenario,
    stages: &[ClusterQuestion],
    options: &Options,
    tell: impl FnOnce(&[Vec<ReadyCandidate<'_>>], ChoiceResult<StageChoice<'_, '_>, StagesProgram>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = SizingTools::with_watch(options);
    let mut all = ready_candidates(stages, true, &mut tools)?;
    let size = |choice: &StageChoice<'_, '_>| size_stages(choice, scenario, stages, options);
    let mut round = RoutingRound::default();
    let mut floor = f64::INFINITY;
    loop {
        let field = StageCandidates::new(scenario, stages, &all);
        let solved = cheapest_choice(
            field.choices_of_all_kinds(),
            ChoiceBudget::for_clusters(stages.len()),
            &options.watch,
            size,
        )?;
        let built = solved.joint.stage_fabrics(&solved.choice);
        let refuted = any_slower_when_routed(&solved.choice.ready, &built, round);
        if refuted && tools.is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let Some(next) = round.next_round().filter(|_| refuted) else {
            return Ok(tell(&all, solved.with_other_bound(floor)));
        };
        floor = floor.min(solved.objective_lower_bound());
        all = retime_candidates(all, true, &mut tools);
        round = next;
    }
}

/// What a choice takes of what its stages share.
fn redesign_of_stages(solved: &ChoiceResult<StageChoice<'_, '_>, StagesProgram>) -> RedesignFn {
    let (choice, joint) = (&solved.choice, &solved.joint);
    let each: Vec<(&Job<'_>, AssembledNetwork)> = choice
        .ready
        .iter()
        .map(|ready| &ready.candidate.job)
        .zip(joint.stage_fabrics(choice))
        .collect();
    let drawn = |(job, built): &(&Job<'_>, AssembledNetwork)| {
        total_cost(job, &bill_of_materials(job, Some(&built.fabric.counts)), Seconds::ZERO, 1.0)
            .power
    };
    let most = |most: Watts, watts: Watts| if watts > most { watts } else { most };
    let power = each.iter().map(drawn).fold(Watts::ZERO, most);
    let takes = ClusterUse::from_jobs(
        joint.paid,
        power,
        each.iter().map(|(job, built)| (*job, built.level)),
    );
    RedesignFn {
        value: ChoiceBound::objective_value(joint),
        bound: solved.objective_lower_bound(),
        takes,
        words: choice.describe_choice(),
    }
}

/// The plan of the best way.
fn plan_of_stage_choice(
    scenario: &Scenario,
    stages: &[ClusterQuestion],
    all: &[Vec<ReadyCandidate<'_>>],
    solved: &ChoiceResult<StageChoice<'_, '_>, StagesProgram>,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let size = |choice: &StageChoice<'_, '_>| size_stages(choice, scenario, stages, options);
    let field = StageCandidates::new(scenario, stages, all);
    let (choice, joint) = (&solved.choice, &solved.joint);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding_shared_limits(scenario, ChoiceBound::objective_value(joint), |scenario| {
        let stages = scenario.cluster_questions();
        best_routed_stage_choice(scenario, &stages, options, |_, solved| {
            redesign_of_stages(&solved)
        })
        .ok()
    });
    let programs = Programs::from_answer(joint.stages_program_posed(), solved.work, options);
    let solver =
        solver_report(solved.overall_proof_status(), candidates, bounds, programs, options);
    let built = joint.stage_fabrics(choice);
    let plan = plan_in_sequence(scenario, |place, stage| -> Result<Plan, Infeasible> {
        Ok(choice.ready[place].plan_of_network(stage, &built[place], &solver))
    })?;
    let pace = |choice: &StageChoice<'_, '_>, joint: &StagesProgram| {
        joint.stage_fabrics(choice).last().map_or(0.0, |built| built.time.get())
    };
    let known = pace(choice, joint);
    let beside = |choice: &StageChoice<'_, '_>, other: &StagesProgram| Alternative {
        differs: AlternativeKind::Products,
        name: choice.describe_choice(),
        network_capex_change: other.grown.paid - joint.grown.paid,
        capex_change: other.paid - joint.paid,
        step_ratio: pace(choice, other) / known,
        usd_per_token_ratio: None,
        standing: alternative_standing(
            ChoiceBound::objective_value(other),
            ChoiceBound::objective_value(joint),
        ),
        reason: String::new(),
        breaks: Vec::new(),
    };
    let chosen = choice.machine_kind();
    let kinds = field.machine_kinds().into_iter().filter(|kind| *kind != chosen);
    let kinds = kinds.take_while(|_| !options.watch.is_stopped());
    let alternatives =
        other_choices(kinds, |kind| field.choices_of_kind(*kind), size, beside, SHOWN);
    let plan = plan.ok_or(Infeasible::Unknown)?;
    let tools = &mut SizingTools::new(options);
    let growth = plan.growth.map(|growth| Growth {
        one_by_one: cost_without_planning_ahead(scenario, stages, all, tools),
        at_once: cost_of_buying_last_stage_first(all, scenario),
        ..growth
    });
    Ok(Plan { alternatives, growth, ..plan })
}

/// Each stage designed as if it were the last, with what the ones before it bought; in today's
/// money. `None` where one has no design, or money runs out on the way.
fn cost_without_planning_ahead(
    scenario: &Scenario,
    stages: &[ClusterQuestion],
    all: &[Vec<ReadyCandidate<'_>>],
    tools: &mut SizingTools<'_>,
) -> Option<Usd> {
    let mut inventory = StockInHand::from_scenario(scenario);
    let (mut sum, mut paid) = (Usd::ZERO, Usd::ZERO);
    let mut before: Option<&Job<'_>> = None;
    for (stage, ready) in stages.iter().zip(all) {
        let stocked = inventory.scenario_with_stock(&scenario_of_day(stage));
        let mut best: Option<(&Job<'_>, SizedFabric)> = None;
        for Candidate { job, planes, protocol } in ready.iter().map(|ready| &ready.candidate) {
            if !before.is_none_or(|before| machines_stay(before, job)) {
                continue;
            }
            let terms =
                Terms { protocol: *protocol, silent: true, ..Terms::from_scenario(&stocked) };
            let with_stock = Job { scenario: &stocked, ..job.clone() };
            let Ok(sized) = size_network_by_step_time(&with_stock, *planes, &terms, tools) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, known)| is_preferred(&sized, known)) {
                best = Some((job, sized));
            }
        }
        let (job, sized) = best?;
        let lines =
            bill_of_materials(&Job { scenario: &stocked, ..job.clone() }, Some(&sized.counts));
        sum +=
            Usd::from_f64(sized.value * scenario.objective.present_value(stage.name.start_year()));
        paid += lines.iter().map(|line| line.total).sum();
        inventory.use_up(&lines);
        before = Some(job);
    }
    let affordable = scenario.limits.budget.is_none_or(|most| paid <= most);
    affordable.then_some(sum)
}

/// The last stage bought at the start, where nothing but what is bought counts.
fn cost_of_buying_last_stage_first(
    all: &[Vec<ReadyCandidate<'_>>],
    scenario: &Scenario,
) -> Option<Usd> {
    if scenario.objective.minimize != Minimize::Capex {
        return None;
    }
    let least = all.last()?.iter().map(|ready| ready.value_alone).min_by(f64::total_cmp)?;
    Some(Usd::from_f64(least))
}
