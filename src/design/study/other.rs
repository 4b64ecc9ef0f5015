//! A plan's machines and layout on another fabric: what comparisons are made of. Sizes nothing.

use super::baseline::BaselineFabric;
use super::job_of::job_of_plan;
use crate::cost::BillLine;
use crate::design::answer::assemble::assemble_plan;
use crate::design::answer::finding::PlanInputs;
use crate::design::answer::links::bill_of_network;
use crate::design::answer::plan::{Plan, SolverReport};
use crate::design::answer::programs::Programs;
use crate::design::answer::rounds::RoutingRound;
use crate::design::answer::solver_status::SolverStatus;
use crate::design::answer::verify::{correct_clock_by_routing, route_and_report};
use crate::design::candidate::money::bill_of_materials;
use crate::scenario::Scenario;
use crate::search::NoLayout;
use crate::traffic::TrafficMatrix;
use crate::units::Usd;

/// The plan of the same machines and layout on another fabric, routed where it is known how that is
/// wired. Slowdown is against the same reference.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn plan_on_fabric(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Plan, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let finding = PlanInputs::new_without_study(SolverReport {
        name: "counted".to_owned(),
        status: SolverStatus::Optimal,
        gap: 0.0,
        rival: None,
        candidates: 1,
        settled: None,
        products_excluded: 0,
        fixed: Vec::new(),
        chosen_first: Vec::new(),
        layouts: None,
        binding: Vec::new(),
        programs: Programs::default(),
    });
    let level = fabric.level;
    let Some(blueprint) = &fabric.blueprint else {
        return Ok(assemble_plan(&job, &fabric.counts, level, None, finding));
    };
    // Where a link is slower than the clock has it, the step is timed by what routing found.
    correct_clock_by_routing(&job, level, blueprint, RoutingRound::default());
    Ok(route_and_report(&job, &fabric.counts, level, blueprint, finding))
}

/// Price of the switches, transceivers and cables of a fabric on top of what is owned, as the bill of a plan
/// on it has them.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn network_capex(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Usd, NoLayout> {
    Ok(network_bill(scenario, plan, fabric)?.iter().map(|line| line.total).sum())
}

/// The switches, transceivers and cables of a fabric as they are bought.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn network_bill(
    scenario: &Scenario,
    plan: &Plan,
    fabric: &BaselineFabric,
) -> Result<Vec<BillLine>, NoLayout> {
    let job = job_of_plan(scenario, plan)?;
    let mut lines = match &fabric.blueprint {
        Some(blueprint) => bill_of_network(&job, &fabric.counts, blueprint),
        None => bill_of_materials(&job, Some(&fabric.counts)),
    };
    lines.retain(|line| line.role.is_network());
    Ok(lines)
}

/// The traffic of a plan's step, pair by pair; of several workloads that of the first.
///
/// # Errors
/// As [`plan_on_fabric`].
pub fn traffic_matrix(scenario: &Scenario, plan: &Plan) -> Result<TrafficMatrix, NoLayout> {
    let lead = job_of_plan(scenario, plan)?.lead;
    Ok(TrafficMatrix::new(&lead.step, lead.placement()))
}
