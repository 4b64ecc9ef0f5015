//! How each number of a plan came about: formula, source, inputs with their origin, parts. It
//! restates what lower floors computed; it computes no plan and knows neither words of a report
//! nor sources of presets beyond their names.

mod bill;
mod clusters;
mod cost;
mod explanation;
mod formulas;
mod found_inputs;
mod input_lists;
mod inputs;
mod named_inputs;
mod network;
mod proof;
mod stated_inputs;
mod step_inputs;

pub use explanation::{ExplainedInput, ExplainedPart, Explanation, InputOrigin};

use super::design::Plan;
use super::scenario::Scenario;

/// Every number of a plan that can be explained, in the order in which a design states them: of
/// several clusters those of all, then those of each.
#[must_use]
pub fn explain_plan(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    if plan.clusters.is_empty() {
        clusters::explain_cluster(scenario, plan)
    } else {
        clusters::explain_clusters(scenario, plan)
    }
}
