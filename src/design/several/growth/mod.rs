//! A cluster that grows in stages: what one buys, the later ones have. One program sizes all of
//! them, so that what is bought first is what the last can still use. Designs no stage by itself.

mod apart;
mod choice;
mod fleet;
mod program;
mod weights;

use apart::{at_once, one_by_one};
use choice::{Choice, Field};
use program::{Joint, solve};

use super::choices::{Budget, Solved, Value, cheapest, others};
use super::clusters::one_after_another;
use super::ready::{Ready, all_ready, any_corrected, retimed};
use super::shared_limits::{Anew, binding};
use crate::design::answer::alternative::{Alternative, Differs};
use crate::design::answer::assemble::solver_report;
use crate::design::answer::plan::{GrowthReport, Plan, Together};
use crate::design::answer::programs::Programs;
use crate::design::answer::rounds::Round;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::job::Job;
use crate::design::candidate::money::{bill_of, cost_of};
use crate::design::fabric::instance::Built;
use crate::design::fabric::instance::Tools;
use crate::design::study::alternatives::{reason, standing};
use crate::design::study::limit::Takes;
use crate::scenario::{Scenario, Stage};
use crate::sizing::Options;
use crate::units::{Seconds, Watts};

/// Other products that a report shows.
const SHOWN: usize = 6;

/// The best way through all stages of a scenario.
///
/// # Errors
/// Why a stage has no design, or what all of them need together.
pub(crate) fn design(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let stages = scenario.every_stage();
    answered(scenario, &stages, options, |all, solved| {
        planned(scenario, &stages, all, &solved, options)
    })?
}

/// What `tell` makes of the best way through all stages, once routing them no longer finds a step
/// longer than it was timed; it also gets all candidates, stage by stage.
///
/// # Errors
/// Why a stage has no design, or what all of them need together.
fn answered<T>(
    scenario: &Scenario,
    stages: &[Stage],
    options: &Options,
    tell: impl FnOnce(&[Vec<Ready<'_>>], Solved<Choice<'_, '_>, Joint>) -> T,
) -> Result<T, Infeasible> {
    let mut tools = Tools::watched(options);
    let clusters = stages.iter().map(|stage| &stage.scenario);
    let mut all =
        all_ready(clusters, true, &mut tools).map_err(|(place, reason)| match *reason {
            Infeasible::Interrupted => Infeasible::Interrupted,
            reason => Infeasible::Stage { year: stages[place].year, reason: Box::new(reason) },
        })?;
    let size = |choice: &Choice<'_, '_>| solve(choice, scenario, stages, options);
    let mut round = Round::default();
    let mut floor = f64::INFINITY;
    loop {
        let field = Field::new(scenario, stages, &all);
        let solved = cheapest(field.choices(), (Budget::of(stages.len()), &options.watch), size)?;
        let built = solved.joint.built(&solved.choice);
        let refuted = any_corrected(&solved.choice.ready, &built, round);
        if refuted && tools.is_stopped() {
            return Err(Infeasible::Interrupted);
        }
        let Some(next) = round.next().filter(|_| refuted) else {
            return Ok(tell(&all, solved.beside(floor)));
        };
        floor = floor.min(solved.bound());
        all = retimed(all, true, &mut tools);
        round = next;
    }
}

/// What a choice takes of what its stages share.
fn anew(solved: &Solved<Choice<'_, '_>, Joint>) -> Anew {
    let (choice, joint) = (&solved.choice, &solved.joint);
    let each: Vec<(&Job<'_>, Built)> =
        choice.ready.iter().map(|ready| &ready.candidate.job).zip(joint.built(choice)).collect();
    let drawn = |(job, built): &(&Job<'_>, Built)| {
        cost_of(job, &bill_of(job, Some(&built.fabric.counts)), Seconds::ZERO, 1.0).power
    };
    let most = |most: Watts, of: Watts| if of > most { of } else { most };
    let power = each.iter().map(drawn).fold(Watts::ZERO, most);
    let takes = Takes::of((joint.paid, power), each.iter().map(|(job, built)| (*job, built.level)));
    Anew { value: Value::value(joint), bound: solved.bound(), takes, words: choice.words() }
}

/// The plan of the best way.
fn planned(
    scenario: &Scenario,
    stages: &[Stage],
    all: &[Vec<Ready<'_>>],
    solved: &Solved<Choice<'_, '_>, Joint>,
    options: &Options,
) -> Result<Plan, Infeasible> {
    let size = |choice: &Choice<'_, '_>| solve(choice, scenario, stages, options);
    let field = Field::new(scenario, stages, all);
    let (choice, joint) = (&solved.choice, &solved.joint);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding(scenario, Value::value(joint), |scenario| {
        let stages = scenario.every_stage();
        answered(scenario, &stages, options, |_, solved| anew(&solved)).ok()
    });
    let programs = Programs::of(joint.posed(), solved.work, options);
    let solver = solver_report(solved.firmness(), candidates, bounds, programs, options);
    let built = joint.built(choice);
    let plan = one_after_another(scenario, |place, stage| -> Result<Plan, Infeasible> {
        Ok(choice.ready[place].plan(stage, &built[place], &solver))
    })?;
    let pace = |choice: &Choice<'_, '_>, joint: &Joint| {
        joint.built(choice).last().map_or(0.0, |built| built.time.get())
    };
    let known = pace(choice, joint);
    let beside = |choice: &Choice<'_, '_>, other: &Joint| Alternative {
        differs: Differs::Products,
        name: choice.words(),
        network_capex_change: other.grown.paid - joint.grown.paid,
        capex_change: other.paid - joint.paid,
        step_ratio: pace(choice, other) / known,
        usd_per_token_ratio: None,
        standing: standing(Value::value(other), Value::value(joint)),
        reason: reason(scenario.objective.minimize),
    };
    let chosen = choice.kind();
    let kinds = field.kinds().into_iter().filter(|kind| *kind != chosen);
    let kinds = kinds.take_while(|_| !options.watch.is_stopped());
    let alternatives = others(kinds, |kind| field.of_kind(*kind), size, beside, SHOWN);
    let plan = plan.ok_or(Infeasible::Unknown)?;
    let together = match plan.together {
        Together::Stages(report) => Together::Stages(GrowthReport {
            one_by_one: one_by_one(scenario, stages, all, &mut Tools::new(options)),
            at_once: at_once(all, scenario),
            ..report
        }),
        other => other,
    };
    Ok(Plan { alternatives, together, ..plan })
}
