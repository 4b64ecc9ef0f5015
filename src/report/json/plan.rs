//! A plan as programs read it, with its proof and alternatives.

use super::bill::{cost_json, other_networks_json};
use super::common::{section_figures, workload_json};
use super::fabric::plan_fabric_json;
use super::routing::{failures_json, robust_json, routing_json};
use crate::design::{Plan, SolverReport, StagePlan, StagesReport};
use crate::quantity::FigureSource;
use crate::report::list::{
    ALTERNATIVE_COLUMNS, ASSUMPTION_COLUMNS, BINDING_LIMIT_COLUMNS, IDLE_PARTS_COLUMNS, JsonObject,
    JsonValue, ListColumn, NOT_SIZED_COLUMNS, PHASE_COLUMNS, PRICE_BAND_COLUMNS, PRIORITY_COLUMNS,
    WARNING_COLUMNS, bill_lines_json, json_column, list_json,
};

/// All of a design but its schema: `compare` prints several. Under a name of its own.
pub(super) fn plan_json(name: &str, plan: &Plan) -> JsonObject {
    let answer = FigureSource::from_plan(plan);
    let figures = |section| section_figures(section, &answer);
    let workload = |workload_plan| workload_json(workload_plan, plan);
    JsonObject::new()
        .with("name", name.to_owned())
        .with("cluster", figures("cluster"))
        .with("model", figures("model"))
        .with("layout", figures("layout"))
        .with("step", figures("step"))
        .with("phases", list_json(PHASE_COLUMNS, &plan.phases))
        .with("memory", figures("memory"))
        .with("traffic", figures("traffic"))
        .with_known("workloads", JsonValue::from_entries(plan.workloads.iter().map(workload)))
        .with("fabric", plan_fabric_json(plan))
        .with_known("routing", plan.routing.as_ref().map(routing_json))
        .with_known("robust", plan.robust.as_ref().map(robust_json))
        .with("bom", bill_lines_json(&plan.bill))
        .with("cost", cost_json(plan))
        .with_known("racks", plan.racks.as_ref().map(|_| figures("racks")))
        .with_known("networks", plan.networks.as_ref().map(other_networks_json))
        .with_known("installation", bill_lines_json(&plan.installation))
        .with_known("headroom", plan.headroom.map(|_| figures("headroom")))
        .with("all_to_all", figures("all_to_all"))
        .with_all(figures("goodput_share"))
        .with("failures", failures_json(plan))
        .with("solver", solver_json(&plan.solver))
        .with_known("priorities", list_json(PRIORITY_COLUMNS, &plan.priorities))
        .with_known("price_bands", list_json(PRICE_BAND_COLUMNS, &plan.price_bands))
        .with("alternatives", list_json(ALTERNATIVE_COLUMNS, &plan.alternatives))
        .with_known("alternatives_not_sized", list_json(NOT_SIZED_COLUMNS, &plan.not_sized))
        .with("assumptions", list_json(ASSUMPTION_COLUMNS, &plan.assumptions))
        .with("warnings", list_json(WARNING_COLUMNS, &plan.warnings))
        .with_known(
            "parts",
            JsonValue::from_entries(
                plan.parts().iter().map(|part| plan_json(&part.name, &part.plan)),
            ),
        )
        .with_known("growth", plan.stages_report().map(growth_json))
}

/// A cluster that grows in stages; money of stages together is that of today.
fn growth_json(report: &StagesReport) -> JsonObject {
    let answer = FigureSource { growth: Some(report), ..FigureSource::default() };
    section_figures("growth", &answer).with("stages", list_json(STAGE_COLUMNS, &report.stages))
}

const STAGE_COLUMNS: &[ListColumn<StagePlan>] = &[
    json_column("year", |stage| stage.year.into()),
    json_column("price_ratio", |stage| stage.price.into()),
    json_column("idle", |stage| list_json(IDLE_PARTS_COLUMNS, &stage.idle)),
    json_column("design", |stage| plan_json(&format!("year {}", stage.year), &stage.plan).into()),
];

/// How the answer came about.
pub(super) fn solver_json(solver: &SolverReport) -> JsonObject {
    let answer = FigureSource { solver: Some(solver), ..FigureSource::default() };
    section_figures("solver", &answer)
        .with("binding", list_json(BINDING_LIMIT_COLUMNS, &solver.binding))
}
