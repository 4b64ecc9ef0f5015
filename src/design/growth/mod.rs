//! A cluster that grows in stages: what one buys, the later ones have. One program sizes all of
//! them, so that what is bought first is what the last can still use. Designs no stage by itself.

mod apart;
mod choice;
mod hand;
mod program;
mod written;

use apart::{at_once, one_by_one};
use choice::{Choice, choices};
pub(super) use hand::as_asked;
use program::{Joint, solve};
use written::{staged, written};

use super::alternatives::reason;
use super::assemble::solver_report;
use super::choices::{Value, cheapest};
use super::choose::Tools;
use super::infeasible::Infeasible;
use super::plan::{Alternative, GrowthReport, Plan};
use super::ready::all_ready;
use super::yard::Yard;
use crate::scenario::Scenario;
use crate::sizing::Options;
use crate::units::Usd;

/// Other products that a report shows.
const SHOWN: usize = 6;

/// The best way through all stages of a scenario.
///
/// # Errors
/// Why a stage has no design, or what all of them need together.
pub(super) fn design(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let stages = scenario.every_stage();
    let mut tools = Tools { options, yard: Yard::default() };
    let clusters = stages.iter().map(|stage| &stage.scenario);
    let all = all_ready(clusters, true, &mut tools).map_err(|(place, reason)| {
        Infeasible::Stage { year: stages[place].year, reason: Box::new(reason) }
    })?;
    let order = choices(scenario, &stages, &all);
    let size = |choice: &Choice<'_, '_>| solve(choice, scenario, &stages, options);
    let solved = cheapest(&order, size)?;
    let (choice, joint) = solved.best(&order);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let solver = solver_report(joint.grown.firmness(), candidates, Vec::new(), options);
    let all_stages = staged(scenario, &stages, (choice, joint), &solver);
    let pace = |choice: &Choice<'_, '_>, joint: &Joint| {
        joint.built(choice).last().map_or(0.0, |built| built.time.get())
    };
    let known = pace(choice, joint);
    let beside = |choice: &Choice<'_, '_>, other: &Joint| Alternative {
        name: choice.words(),
        network_capex_change: other.grown.paid - joint.grown.paid,
        capex_change: other.paid - joint.paid,
        step_ratio: pace(choice, other) / known,
        usd_per_token_ratio: None,
        reason: reason(scenario.objective.minimize),
    };
    let alternatives = solved.others(&order, Choice::words, size, beside, SHOWN);
    let report = GrowthReport {
        present_value: Usd::of(joint.value()),
        one_by_one: one_by_one(scenario, &stages, &all, &mut tools),
        at_once: at_once(&all, scenario),
        stages: all_stages,
    };
    let last = report.stages.last().map(|stage| stage.plan.clone());
    let last = last.ok_or(Infeasible::Unknown)?;
    Ok(written(scenario, report, Plan { alternatives, ..last }))
}
