//! `planner design --pareto` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::{frontier_axis, frontier_cost, frontier_slowdown};
use super::fabric::FabricCountsJson;
use super::figures::Figures;
use crate::design::{Frontier, Frontiers, SolverStatus};
use crate::quantity::FigureSource;
use crate::units::{Seconds, Usd};

#[derive(Serialize)]
struct FrontierJson {
    schema: &'static str,
    name: String,
    /// `capex` or `TCO`.
    cost: &'static str,
    candidates: u64,
    /// Layouts that break no rule, on all machines; none where the spec leaves none open.
    layouts_looked_at: Option<u64>,
    /// Cheapest first.
    points: Vec<FrontierPoint>,
    /// What designs of layouts that were not sized can't be below, each in both, where no point beats that.
    open: Vec<MissingDesigns>,
}

/// Designs that may be missing.
#[derive(Serialize)]
struct MissingDesigns {
    least_cost_usd: f64,
    least_step_s: f64,
}

/// A design that nothing beats in both cost and step time.
#[derive(Serialize)]
struct FrontierPoint {
    step_s: f64,
    /// What points are held against each other by: of a run with phases, or of several workloads, not the step.
    pace_s: f64,
    slowdown: f64,
    cost_usd: f64,
    network_capex_usd: f64,
    capex_usd: f64,
    tco_usd: f64,
    power_w: f64,
    usd_per_million_tokens: Option<f64>,
    cluster: Figures,
    layout: Figures,
    fabric: FabricCountsJson,
    proven: bool,
    gap: f64,
}

/// A design of all clusters that nothing beats in both cost and the slowdown of its slowest cluster.
#[derive(Serialize)]
struct JointFrontierPoint {
    slowdown: f64,
    network_capex_usd: f64,
    capex_usd: f64,
    tco_usd: f64,
    power_w: f64,
    present_value_usd: Option<f64>,
    /// By cluster.
    steps_s: Vec<f64>,
    /// By cluster: of a run with phases, or of several workloads, not the step.
    paces_s: Vec<f64>,
}

/// The designs of all clusters as pretty JSON, cheapest first.
pub(in super::super) fn frontier_of_clusters(frontiers: &Frontiers) -> String {
    let point = |plan: &crate::design::Plan| JointFrontierPoint {
        slowdown: exact_number(frontier_slowdown(plan)),
        network_capex_usd: exact_number(plan.cost.network_capex.get()),
        capex_usd: exact_number(plan.cost.capex.get()),
        tco_usd: exact_number(plan.cost.tco.get()),
        power_w: exact_number(plan.cost.power.get()),
        present_value_usd: plan
            .stages_report()
            .map(|report| exact_number(report.present_value.get())),
        steps_s: plan
            .cluster_plans()
            .iter()
            .map(|cluster_plan| exact_number(cluster_plan.step.time.total_time().get()))
            .collect(),
        paces_s: plan
            .cluster_plans()
            .iter()
            .map(|cluster_plan| exact_number(cluster_plan.pace.get()))
            .collect(),
    };
    super::write(&frontiers.whole.iter().map(point).collect::<Vec<_>>())
}

/// The frontier as pretty JSON.
pub(in super::super) fn frontier_json(frontier: &Frontier) -> String {
    let point = |plan: &crate::design::Plan| FrontierPoint {
        step_s: exact_number(plan.step.time.total_time().get()),
        pace_s: exact_number(plan.pace.get()),
        slowdown: exact_number(plan.step.slowdown),
        cost_usd: exact_number(frontier_cost(frontier, plan).get()),
        network_capex_usd: exact_number(plan.cost.network_capex.get()),
        capex_usd: exact_number(plan.cost.capex.get()),
        tco_usd: exact_number(plan.cost.tco.get()),
        power_w: exact_number(plan.cost.power.get()),
        usd_per_million_tokens: plan.cost.usd_per_million_tokens.map(Usd::get).map(exact_number),
        cluster: Figures::section_figures("cluster", &FigureSource::from_plan(plan)),
        layout: Figures::section_figures("layout", &FigureSource::from_plan(plan)),
        fabric: FabricCountsJson::new(&plan.fabric),
        proven: plan.solver.status == SolverStatus::Optimal,
        gap: exact_number(plan.solver.gap),
    };
    let open = |(cost, step): &(Usd, Seconds)| MissingDesigns {
        least_cost_usd: exact_number(cost.get()),
        least_step_s: exact_number(step.get()),
    };
    super::write(&FrontierJson {
        schema: "planner/frontier/1",
        name: frontier.name.clone(),
        cost: frontier_axis(frontier),
        candidates: frontier.candidates,
        layouts_looked_at: frontier.layouts,
        points: frontier.plans.iter().map(point).collect(),
        open: frontier.open.iter().map(open).collect(),
    })
}
