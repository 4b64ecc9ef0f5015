//! How each number of a plan came about: formula, source, inputs with their origin, parts. It
//! restates what lower floors computed; it computes no plan and knows neither words of a report
//! nor sources of presets beyond their names.

mod answer;
mod bill;
mod choices;
mod cost;
mod efficiency;
mod explanation;
mod fabric;
mod facts;
mod failures;
mod ledger;
mod memory;
mod model;
mod one;
mod origin;
mod racks;
mod reach;
mod routing;
mod several;
mod step;
mod tiers;
mod traffic;

pub use explanation::{ExplainedInput, ExplainedPart, Explanation};
pub use origin::InputOrigin;

use crate::design::Plan;
use crate::scenario::Scenario;

/// Every number of a plan that can be explained, in the order in which a design states them: of several
/// clusters those of all, then those of each.
#[must_use]
pub fn explain_plan(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    match plan.part_or_stage_plans().is_empty() {
        true => one::explain_cluster(scenario, plan),
        false => several::explain_clusters(scenario, plan),
    }
}
