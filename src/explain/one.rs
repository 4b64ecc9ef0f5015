//! Every number of a plan of one cluster, section by section.

use super::explanation::Explanation;
use super::facts::Facts;
use super::{
    answer, bill, choices, cost, fabric, failures, memory, model, racks, reach, routing, step,
    tiers, traffic,
};
use crate::design::Plan;
use crate::quantity::{FigureSource, section};
use crate::scenario::Scenario;
use crate::technique::Recipe;

/// Every number of a plan of one cluster.
pub(super) fn explain_cluster(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.for_product(&plan.nodes.node);
    let step = Recipe::from_workload(&scenario.workload).step(&plan.layout).ok();
    let facts = Facts { scenario, plan, step: step.as_ref() };
    [
        figures(&facts, "cluster", choices::cluster),
        figures(&facts, "model", model::explain_model),
        figures(&facts, "layout", choices::layout),
        figures(&facts, "step", step::explain_step_time),
        figures(&facts, "memory", memory::explain_memory),
        figures(&facts, "traffic", traffic::explain_traffic),
        figures(&facts, "fabric", fabric::explain_fabric),
        tiers::explanations(&facts),
        figures(&facts, "routing", routing::explain_routing),
        routing::explanations(&facts),
        bill::explanations(&facts),
        figures(&facts, "cost", cost::explain_cost),
        cost::ranges(&facts),
        cost::quotes(&facts),
        figures(&facts, "racks", racks::explain_racks),
        figures(&facts, "headroom", reach::explain_headroom),
        figures(&facts, "all_to_all", reach::explain_headroom),
        figures(&facts, "goodput_share", failures::explain_failures),
        figures(&facts, "failures", failures::explain_failures),
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
    let answer = FigureSource::from_plan(facts.plan);
    section(name)
        .filter_map(|row| Some(complete(facts, Explanation::figure(row, &answer)?)))
        .collect()
}
