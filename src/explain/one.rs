//! Every number of a plan of one cluster, section by section.

use super::explanation::Explanation;
use super::facts::Facts;
use super::{
    answer, bill, choices, cost, fabric, failures, memory, model, racks, reach, routing, step,
    tiers, traffic,
};
use crate::design::Plan;
use crate::quantity::{FigureSource, section_quantities};
use crate::scenario::Scenario;
use crate::technique::Recipe;

/// Every number of a plan of one cluster.
pub(super) fn explain_cluster(scenario: &Scenario, plan: &Plan) -> Vec<Explanation> {
    let scenario = &scenario.for_product(&plan.nodes.node);
    let step = Recipe::from_workload(&scenario.workload).heaviest_step(&plan.layout).ok();
    let facts = Facts { scenario, plan, step: step.as_ref() };
    [
        explain_section(&facts, "cluster", choices::explain_cluster_figure),
        explain_section(&facts, "model", model::explain_model),
        explain_section(&facts, "layout", choices::explain_layout_figure),
        explain_section(&facts, "step", step::explain_step_time),
        explain_section(&facts, "memory", memory::explain_memory),
        explain_section(&facts, "traffic", traffic::explain_traffic),
        explain_section(&facts, "fabric", fabric::explain_fabric),
        tiers::tier_explanations(&facts),
        explain_section(&facts, "routing", routing::explain_routing),
        routing::routing_explanations(&facts),
        bill::bill_explanations(&facts),
        explain_section(&facts, "cost", cost::explain_cost),
        cost::explain_cost_ranges(&facts),
        cost::explain_quotes(&facts),
        explain_section(&facts, "racks", racks::explain_racks),
        explain_section(&facts, "headroom", reach::explain_headroom),
        explain_section(&facts, "all_to_all", reach::explain_headroom),
        explain_section(&facts, "goodput_share", failures::explain_failures),
        explain_section(&facts, "failures", failures::explain_failures),
        failures::fault_explanations(&facts),
        explain_section(&facts, "solver", |_, explanation| explanation),
        answer::answer_explanations(&facts),
    ]
    .concat()
}

/// The figures of a section, numbers, flags and names, each as the table of figures has it, and with what `complete` knows
/// besides: inputs from spec and presets, and what is particular to this plan.
fn explain_section(
    facts: &Facts<'_>,
    name: &str,
    complete: fn(&Facts<'_>, Explanation) -> Explanation,
) -> Vec<Explanation> {
    let answer = FigureSource::from_plan(facts.plan);
    section_quantities(name)
        .filter_map(|row| Some(complete(facts, Explanation::from_figure(row, &answer)?)))
        .collect()
}
