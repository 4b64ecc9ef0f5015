//! `planner design`, `--pareto`, `domain`.
//!
//! `planner design` as programs read it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::common::{ExchangeRateJson, Figures, result_digest};
use super::fabric::FabricCountsJson;
use super::plan::{PlanJson, WarningJson};
use crate::design::{Fingerprint, Frontier, Frontiers, Plan, SolverStatus};
use crate::hardware::PricedItem;
use crate::quantity::FigureSource;
use crate::report::sheet::{frontier_axis, frontier_cost, frontier_slowdown};
use crate::report::words::exact_number;
use crate::sweep::{DomainDesign, DomainPoint, DomainSizes};
use crate::units::{Seconds, Usd};

#[derive(Serialize)]
struct DesignJson {
    schema: &'static str,
    #[serde(flatten)]
    body: PlanJson,
    inputs: InputsJson,
    #[serde(skip_serializing_if = "String::is_empty")]
    digest: String,
}

/// What the design was made from, so that a later result can tell why it differs.
#[derive(Serialize)]
struct InputsJson {
    planner: &'static str,
    question: String,
    asked: BTreeMap<String, String>,
    catalogue: String,
    machines: BTreeMap<String, String>,
    price_book: String,
    prices: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    exchange: BTreeMap<String, ExchangeRateJson>,
    gate: Rules,
}

/// Rules that the spec states for `planner check`.
#[derive(Serialize)]
struct Rules {
    fail_on: Vec<String>,
    warn_on: Vec<String>,
}

/// The plan as pretty JSON.
pub(in crate::report) fn design_json(plan: &Plan) -> String {
    let mut design = DesignJson {
        schema: "planner/design/1",
        body: PlanJson::from_named_plan(&plan.name, plan),
        inputs: InputsJson::new(&plan.inputs),
        digest: String::new(),
    };
    design.digest = result_digest(&super::write(&design));
    super::write(&design)
}

impl InputsJson {
    fn new(inputs: &crate::design::Inputs) -> Self {
        let price = |(item, usd): (&PricedItem, &Usd)| (item.to_string(), exact_number(usd.get()));
        Self {
            planner: env!("CARGO_PKG_VERSION"),
            question: inputs.question.to_string(),
            asked: fingerprints_by_name(&inputs.asked),
            catalogue: inputs.catalogue.to_string(),
            machines: fingerprints_by_name(&inputs.machines),
            price_book: inputs.price_book.clone(),
            prices: inputs.prices.iter().map(price).collect(),
            exchange: inputs
                .exchange
                .iter()
                .map(|(item, rate)| (item.to_string(), ExchangeRateJson::new(rate)))
                .collect(),
            gate: Rules {
                fail_on: inputs.rules.fail_on.clone(),
                warn_on: inputs.rules.warn_on.clone(),
            },
        }
    }
}

/// Stand-ins by name.
fn fingerprints_by_name(table: &BTreeMap<String, Fingerprint>) -> BTreeMap<String, String> {
    table.iter().map(|(name, print)| (name.clone(), print.to_string())).collect()
}

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
    /// What designs of layouts that were not sized can't be below, each in both, where no point
    /// beats that.
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
    /// What points are held against each other by: of a run with phases, or of several workloads,
    /// not the step.
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

/// A design of all clusters that nothing beats in both cost and the slowdown of its slowest
/// cluster.
#[derive(Serialize)]
struct JointFrontierPoint {
    slowdown: f64,
    network_capex_usd: f64,
    capex_usd: f64,
    tco_usd: f64,
    power_w: f64,
    present_value_usd: Option<f64>,
    steps_s: Vec<f64>,
    /// By cluster: of a run with phases, or of several workloads, not the step.
    paces_s: Vec<f64>,
}

/// The designs of all clusters as pretty JSON, cheapest first.
pub(in crate::report) fn frontier_of_clusters(frontiers: &Frontiers) -> String {
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
pub(in crate::report) fn frontier_json(frontier: &Frontier) -> String {
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

#[derive(Serialize)]
struct DomainsJson<'a> {
    schema: &'static str,
    name: &'a str,
    answers: Vec<BestDomainSize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningJson>,
    points: Vec<DomainPointJson<'a>>,
}

/// The best size of a cluster.
#[derive(Serialize)]
struct BestDomainSize {
    gpus: u32,
    cheapest_domain_gpus: Option<u32>,
    usd_per_million_tokens: Option<f64>,
    knee_domain_gpus: Option<u32>,
}

#[derive(Serialize)]
struct DomainPointJson<'a> {
    gpus: u32,
    domain_gpus: u32,
    node: &'a str,
    gpus_lost: u32,
    chips: Option<u32>,
    hb_usd_per_gpu: Option<f64>,
    hb_usd_per_gpu_low: Option<f64>,
    hb_usd_per_gpu_high: Option<f64>,
    worth_usd_per_gpu: Option<f64>,
    #[serde(flatten)]
    design: Option<DomainDesignJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<&'a str>,
}

#[derive(Serialize)]
struct DomainDesignJson {
    tensor: u32,
    pipeline: u32,
    data: u32,
    step_s: f64,
    goodput_share: Option<f64>,
    stranded_share: Option<f64>,
    machine_usd_per_gpu: Option<f64>,
    network_usd_per_gpu: f64,
    usd_per_million_tokens: Option<f64>,
}

impl From<&DomainDesign> for DomainDesignJson {
    fn from(design: &DomainDesign) -> Self {
        let [tensor, pipeline, data] = design.layout;
        let money = |amount: Option<Usd>| amount.map(|amount| exact_number(amount.get()));
        Self {
            tensor,
            pipeline,
            data,
            step_s: exact_number(design.step.get()),
            goodput_share: design.goodput.map(exact_number),
            stranded_share: design.stranded.map(exact_number),
            machine_usd_per_gpu: money(design.machine),
            network_usd_per_gpu: exact_number(design.network.get()),
            usd_per_million_tokens: money(design.per_token),
        }
    }
}

/// The sizes as pretty JSON.
pub(in crate::report) fn domain_sizes_json(sizes: &DomainSizes) -> String {
    let answers = sizes.cluster_sizes().into_iter().map(|gpus| BestDomainSize {
        gpus,
        cheapest_domain_gpus: sizes.cheapest_point(gpus).map(|(point, _)| point.domain),
        usd_per_million_tokens: sizes
            .cheapest_point(gpus)
            .map(|(_, cost)| exact_number(cost.get())),
        knee_domain_gpus: sizes.knee_point(gpus).map(|point| point.domain),
    });
    super::write(&DomainsJson {
        schema: "planner/domain/1",
        name: &sizes.name,
        answers: answers.collect(),
        warnings: sizes.warnings.iter().map(WarningJson::new).collect(),
        points: sizes.points.iter().map(|point| self::domain_point_json(sizes, point)).collect(),
    })
}

fn domain_point_json<'a>(all: &DomainSizes, point: &'a DomainPoint) -> DomainPointJson<'a> {
    let each = |amount: Usd| exact_number(amount.get() / f64::from(point.domain.max(1)));
    DomainPointJson {
        gpus: point.gpus,
        domain_gpus: point.domain,
        node: &point.node,
        gpus_lost: point.lost,
        chips: point.chips,
        hb_usd_per_gpu: point.hb.map(|cost| each(cost.amount)),
        hb_usd_per_gpu_low: point.hb.map(|cost| each(cost.low)),
        hb_usd_per_gpu_high: point.hb.map(|cost| each(cost.high)),
        worth_usd_per_gpu: all.break_even(point).map(|worth| exact_number(worth.get())),
        design: point.outcome.as_ref().ok().map(Into::into),
        impossible: point.outcome.as_ref().err().map(String::as_str),
    }
}
