//! Every number of a plan of one cluster, section by section.

use super::explanation::Explanation;
use super::facts::Facts;
use super::{
    answer, bill, choices, cost, fabric, failures, memory, model, racks, reach, routing, step,
    tiers, traffic,
};
use crate::design::Plan;
use crate::quantity::{Answer, section};
use crate::scenario::Scenario;
use crate::technique::Recipe;

/// Every number of a plan of one cluster.
pub(super) fn explanations(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.on(&plan.nodes.node);
    let step = Recipe::of(&scenario.workload).step(&plan.layout).ok();
    let facts = Facts { scenario, plan, step: step.as_ref() };
    [
        figures(&facts, "cluster", choices::cluster),
        figures(&facts, "model", model::complete),
        figures(&facts, "layout", choices::layout),
        figures(&facts, "step", step::complete),
        figures(&facts, "memory", memory::complete),
        figures(&facts, "traffic", traffic::complete),
        figures(&facts, "fabric", fabric::complete),
        tiers::explanations(&facts),
        figures(&facts, "routing", routing::complete),
        routing::explanations(&facts),
        bill::explanations(&facts),
        figures(&facts, "cost", cost::complete),
        cost::ranges(&facts),
        cost::quotes(&facts),
        figures(&facts, "racks", racks::complete),
        figures(&facts, "headroom", reach::complete),
        figures(&facts, "all_to_all", reach::complete),
        figures(&facts, "goodput_share", failures::complete),
        figures(&facts, "failures", failures::complete),
        failures::explanations(&facts),
        figures(&facts, "solver", |_, of| of),
        answer::explanations(&facts),
    ]
    .concat()
}

/// The figures of a section, numbers, flags and names, each as the table of figures has it, and with what `complete` knows
/// besides: inputs from spec and presets, and what is particular to this plan.
fn figures(
    facts: &Facts<'_>,
    name: &str,
    complete: fn(&Facts<'_>, Explanation) -> Explanation,
) -> Vec<Explanation> {
    let answer = Answer::of(facts.plan);
    section(name)
        .filter_map(|row| Some(complete(facts, Explanation::figure(row, &answer)?)))
        .collect()
}
