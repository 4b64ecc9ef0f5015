//! `planner design`, `--pareto` and `domain` as programs read them.

use std::collections::BTreeMap;

use super::common::{fabric_counts_json, result_digest, section_figures};
use super::plan::plan_json;
use crate::design::{Fingerprint, Frontier, Frontiers, Inputs, Plan, SolverStatus};
use crate::quantity::FigureSource;
use crate::report::decision::Decision;
use crate::report::list::{
    DECIDE_COLUMNS, JsonObject, ListColumn, STATED_LIMIT_COLUMNS, WARNING_COLUMNS, exchange_json,
    json_column, list_json, row_json,
};
use crate::report::sheet::{frontier_axis, frontier_cost, frontier_slowdown};
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};
use crate::units::Usd;

/// The plan as pretty JSON.
pub(in crate::report) fn design_json(plan: &Plan) -> String {
    let design = JsonObject::with_schema("planner/design/1")
        .with_all(plan_json(&plan.name, plan))
        .with_all(decision_json(&Decision::from_plan(plan)))
        .with("inputs", inputs_json(&plan.inputs));
    let digest = result_digest(&super::write(&design));
    super::write(&design.with("digest", digest))
}

/// What the screen says of a design, in numbers.
fn decision_json(decision: &Decision<'_>) -> JsonObject {
    let verdict = JsonObject::new()
        .with("form", decision.verdict.form.name())
        .with("text", &decision.verdict.text);
    let reference = decision.reference.as_ref().map(|reference| {
        JsonObject::new()
            .with("name", &reference.name)
            .with("saving_usd", reference.saving)
            .with("network_saving_usd", reference.network_saving)
            .with("network_saving_share", reference.network_share)
            .with("token_saving_share", reference.token_share)
            .with("step_change", reference.step_change)
    });
    JsonObject::new()
        .with("limits", list_json(STATED_LIMIT_COLUMNS, decision.limits))
        .with_known("reference", reference)
        .with("decide", list_json(DECIDE_COLUMNS, &decision.decide))
        .with("verdict", verdict)
}

/// What the design was made from, so that a later result can tell why it differs.
fn inputs_json(inputs: &Inputs) -> JsonObject {
    let prices: BTreeMap<String, Usd> =
        inputs.prices.iter().map(|(item, usd)| (item.to_string(), *usd)).collect();
    let rates: BTreeMap<String, JsonObject> = inputs
        .exchange
        .iter()
        .map(|(item, rate)| (item.to_string(), exchange_json(rate)))
        .collect();
    let gate = JsonObject::new()
        .with("fail_on", inputs.rules.fail_on.clone())
        .with("warn_on", inputs.rules.warn_on.clone());
    JsonObject::new()
        .with("planner", env!("CARGO_PKG_VERSION"))
        .with("question", inputs.question.to_string())
        .with("asked", fingerprints_json(&inputs.asked))
        .with("stated", JsonObject::from_iter(inputs.stated.clone()))
        .with("catalogue", inputs.catalogue.to_string())
        .with("machines", fingerprints_json(&inputs.machines))
        .with("price_book", &inputs.price_book)
        .with("prices", JsonObject::from_iter(prices))
        .with_known("exchange", (!rates.is_empty()).then(|| JsonObject::from_iter(rates)))
        .with("gate", gate)
}

/// Stand-ins by name.
fn fingerprints_json(table: &BTreeMap<String, Fingerprint>) -> JsonObject {
    table.iter().fold(JsonObject::new(), |object, (name, print)| {
        object.with(name.clone(), print.to_string())
    })
}

/// Designs of all clusters that nothing beats in both cost and the slowdown of the slowest
/// cluster. Paces by cluster: of a run with phases, or of several workloads, not the step.
const JOINT_POINT_COLUMNS: &[ListColumn<Plan>] = &[
    json_column("slowdown", |plan| frontier_slowdown(plan).into()),
    json_column("network_capex_usd", |plan| plan.cost.network_capex.into()),
    json_column("capex_usd", |plan| plan.cost.capex.into()),
    json_column("tco_usd", |plan| plan.cost.tco.into()),
    json_column("power_w", |plan| plan.cost.power.into()),
    json_column("present_value_usd", |plan| plan.growth.map(|growth| growth.present_value).into()),
    json_column("steps_s", |plan| {
        let plans = plan.cluster_plans();
        plans.iter().map(|plan| plan.step.time.total_time()).collect::<Vec<_>>().into()
    }),
    json_column("paces_s", |plan| {
        plan.cluster_plans().iter().map(|plan| plan.pace).collect::<Vec<_>>().into()
    }),
];

/// The designs of all clusters as pretty JSON, cheapest first.
pub(in crate::report) fn frontier_of_clusters(frontiers: &Frontiers) -> String {
    super::write(&list_json(JOINT_POINT_COLUMNS, &frontiers.whole))
}

/// A design that nothing beats in both cost and step time. What points are held against each
/// other by is, of a run with phases or of several workloads, not the step but the pace.
fn frontier_point_json(frontier: &Frontier, plan: &Plan) -> JsonObject {
    let answer = FigureSource::from_plan(plan);
    JsonObject::new()
        .with("step_s", plan.step.time.total_time())
        .with("pace_s", plan.pace)
        .with("slowdown", plan.step.slowdown)
        .with("cost_usd", frontier_cost(frontier, plan))
        .with("network_capex_usd", plan.cost.network_capex)
        .with("capex_usd", plan.cost.capex)
        .with("tco_usd", plan.cost.tco)
        .with("power_w", plan.cost.power)
        .with("usd_per_million_tokens", plan.cost.usd_per_million_tokens)
        .with("cluster", section_figures("cluster", &answer))
        .with("layout", section_figures("layout", &answer))
        .with("fabric", fabric_counts_json(&plan.fabric))
        .with("proven", plan.solver.status == SolverStatus::Optimal)
        .with("gap", plan.solver.gap)
}

/// The frontier as pretty JSON, cheapest first. `open` is what designs of layouts that were not
/// sized can't be below, each in both, where no point beats that.
pub(in crate::report) fn frontier_json(frontier: &Frontier) -> String {
    let points = frontier.plans.iter().map(|plan| frontier_point_json(frontier, plan));
    let open = frontier.open.iter().map(|(cost, step)| {
        JsonObject::new().with("least_cost_usd", *cost).with("least_step_s", *step)
    });
    super::write(
        &JsonObject::with_schema("planner/frontier/1")
            .with("name", &frontier.name)
            .with("cost", frontier_axis(frontier))
            .with("candidates", frontier.candidates)
            // Layouts that break no rule, on all machines; none where the spec leaves none open.
            .with("layouts_looked_at", frontier.layouts)
            .with_list("points", points)
            .with_list("open", open),
    )
}

/// The sizes as pretty JSON.
pub(in crate::report) fn domain_sizes_json(sizes: &DomainSizes) -> String {
    let answer = |gpus: u32| {
        let cheapest = sizes.cheapest_point(gpus);
        JsonObject::new()
            .with("gpus", gpus)
            .with("cheapest_domain_gpus", cheapest.map(|(point, _)| point.domain))
            .with("usd_per_million_tokens", cheapest.map(|(_, cost)| cost))
            .with("knee_domain_gpus", sizes.knee_point(gpus).map(|point| point.domain))
    };
    let points = sizes.points.iter().map(|point| domain_point_json(sizes, point));
    super::write(
        &JsonObject::with_schema("planner/domain/1")
            .with("name", &sizes.name)
            .with_list("answers", sizes.cluster_sizes().into_iter().map(answer))
            .with_known("warnings", list_json(WARNING_COLUMNS, &sizes.warnings))
            .with_list("points", points),
    )
}

fn domain_point_json(all: &DomainSizes, point: &DomainPoint) -> JsonObject {
    let each = |amount: Usd| amount / f64::from(point.domain.max(1));
    let object = JsonObject::new()
        .with("gpus", point.gpus)
        .with("domain_gpus", point.domain)
        .with("node", &point.node)
        .with("gpus_lost", point.lost)
        .with("chips", point.chips)
        .with("hb_usd_per_gpu", point.hb.map(|cost| each(cost.amount)))
        .with("hb_usd_per_gpu_low", point.hb.map(|cost| each(cost.low)))
        .with("hb_usd_per_gpu_high", point.hb.map(|cost| each(cost.high)))
        .with("worth_usd_per_gpu", all.break_even(point));
    match &point.outcome {
        Ok(design) => object.with_all(row_json(DOMAIN_DESIGN_COLUMNS, design)),
        Err(reason) => object.with("impossible", reason),
    }
}

const DOMAIN_DESIGN_COLUMNS: &[ListColumn<DomainDesign>] = &[
    json_column("tensor", |design| design.layout[0].into()),
    json_column("pipeline", |design| design.layout[1].into()),
    json_column("data", |design| design.layout[2].into()),
    json_column("step_s", |design| design.step.into()),
    json_column("goodput_share", |design| design.goodput.into()),
    json_column("stranded_share", |design| design.stranded.into()),
    json_column("machine_usd_per_gpu", |design| design.machine.into()),
    json_column("network_usd_per_gpu", |design| design.network.into()),
    json_column("usd_per_million_tokens", |design| design.per_token.into()),
];
