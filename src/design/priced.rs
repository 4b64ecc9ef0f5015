//! The step of the layout that a design has: what a job on that cluster is started with. Sizes and times
//! nothing itself.

use super::answer::plan::Plan;
use super::candidate::infeasible::Infeasible;
use super::solve::design_with_house_rule;
use super::step::{StepPlan, plan_step, step_as_data};
use crate::scenario::Scenario;
use crate::sizing::Options;
use crate::step::Step;
use crate::traffic::TrafficMatrix;

/// [`step_as_data`] of the layout that a design has, which may be another one than the fastest; of the
/// fastest where there is no design.
///
/// # Errors
/// As [`step_as_data`].
pub fn step_of_design(scenario: &Scenario) -> Result<(StepPlan, TrafficMatrix, Step), Infeasible> {
    let request = &scenario.workload.layout;
    if scenario.is_several() || !request.is_open() && request.order.is_some() {
        return step_as_data(scenario);
    }
    match design_with_house_rule(scenario, &Options::default()) {
        Ok(plan) => step_as_data(&scenario_with_plan_layout(scenario, &plan)),
        Err(_) => step_as_data(scenario),
    }
}

/// One step of the layout of a plan on its machines, on a network that never blocks.
///
/// # Errors
/// As [`step_as_data`].
pub fn step_of_plan(scenario: &Scenario, plan: &Plan) -> Result<StepPlan, Infeasible> {
    plan_step(&scenario_with_plan_layout(scenario, plan))
}

/// A scenario that states the machines and the layout of a plan.
fn scenario_with_plan_layout(scenario: &Scenario, plan: &Plan) -> Scenario {
    let mut asked = scenario.clone();
    asked.cluster.nodes = vec![plan.nodes.node.clone()];
    asked.cluster.nics = vec![plan.nodes.nic.clone()];
    asked.workload = asked.workload.map_products(|mut workload| {
        workload.layout = workload.layout.from_layout(&plan.layout);
        workload
    });
    asked
}
