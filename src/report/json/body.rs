//! All that a design says of a plan, as programs read it: of parts and stages each by itself too. It
//! knows neither what the plan was made from nor which command prints it.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::warning;
use super::assumption::AssumptionJson;
use super::bill::{BillLineJson, CostJson};
use super::fabric::FabricCountsJson;
use super::failures::FailuresJson;
use super::figures::Figures;
use super::networks::Networks;
use super::phase::PhaseJson;
use super::robust::RobustJson;
use super::routing::RoutingJson;
use super::study::{AlternativeJson, NotSizedJson, Preference, PriceBandJson, SolverJson};
use super::workload::WorkloadJson;
use crate::design::{self, Plan, StagePlan, StagesReport};
use crate::quantity::FigureSource;

/// All of a design but its schema: `compare` prints several.
#[derive(Serialize)]
pub(super) struct PlanJson {
    name: String,
    cluster: Figures,
    model: Figures,
    layout: Figures,
    step: Figures,
    phases: Vec<PhaseJson>,
    memory: Figures,
    traffic: Figures,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workloads: Vec<WorkloadJson>,
    fabric: FabricCountsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    routing: Option<RoutingJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<RobustJson>,
    bom: Vec<BillLineJson>,
    cost: CostJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    racks: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    networks: Option<Networks>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    installation: Vec<BillLineJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headroom: Option<Figures>,
    all_to_all: Figures,
    #[serde(flatten)]
    goodput: Figures,
    failures: FailuresJson,
    solver: SolverJson,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    priorities: Vec<Preference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    price_bands: Vec<PriceBandJson>,
    alternatives: Vec<AlternativeJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives_not_sized: Vec<NotSizedJson>,
    assumptions: Vec<AssumptionJson>,
    warnings: Vec<WarningJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PlanJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<StagesJson>,
}

impl PlanJson {
    /// The plan under a name of its own.
    pub(super) fn from_named_plan(name: &str, plan: &Plan) -> Self {
        let answer = FigureSource::from_plan(plan);
        let figures = |section| Figures::section_figures(section, &answer);
        Self {
            name: name.to_owned(),
            cluster: figures("cluster"),
            model: figures("model"),
            layout: figures("layout"),
            step: figures("step"),
            phases: plan.phases.iter().map(PhaseJson::new).collect(),
            memory: figures("memory"),
            traffic: figures("traffic"),
            workloads: plan
                .workloads
                .iter()
                .map(|workload_plan| WorkloadJson::new(workload_plan, plan))
                .collect(),
            fabric: FabricCountsJson::from_plan(plan),
            routing: plan.routing.as_ref().map(RoutingJson::new),
            robust: plan.robust.as_ref().map(RobustJson::new),
            bom: plan.bill.iter().map(BillLineJson::new).collect(),
            cost: CostJson::new(plan),
            racks: plan.racks.as_ref().map(|_| figures("racks")),
            networks: plan.networks.as_ref().map(Networks::new),
            installation: plan.installation.iter().map(BillLineJson::new).collect(),
            headroom: plan.headroom.map(|_| figures("headroom")),
            all_to_all: figures("all_to_all"),
            goodput: figures("goodput_share"),
            failures: FailuresJson::new(plan),
            solver: SolverJson::new(&plan.solver),
            priorities: plan.priorities.iter().map(Preference::new).collect(),
            price_bands: plan.price_bands.iter().map(PriceBandJson::new).collect(),
            alternatives: plan.alternatives.iter().map(AlternativeJson::new).collect(),
            alternatives_not_sized: plan.not_sized.iter().map(NotSizedJson::new).collect(),
            assumptions: plan.assumptions.iter().map(AssumptionJson::new).collect(),
            warnings: plan.warnings.iter().map(WarningJson::new).collect(),
            parts: plan
                .parts()
                .iter()
                .map(|part| Self::from_named_plan(&part.name, &part.plan))
                .collect(),
            growth: plan.stages_report().map(StagesJson::new),
        }
    }
}

#[derive(Serialize)]
pub(super) struct WarningJson {
    code: &'static str,
    text: String,
}

impl WarningJson {
    pub(super) fn new(warning: &crate::design::Warning) -> Self {
        Self { code: warning::warning_code(warning), text: warning::warning_text(warning) }
    }
}

/// A cluster that grows in stages; money of stages together is that of today.
#[derive(Serialize)]
struct StagesJson {
    #[serde(flatten)]
    figures: Figures,
    stages: Vec<StageJson>,
}

/// One of its stages.
#[derive(Serialize)]
struct StageJson {
    year: f64,
    price_ratio: f64,
    idle: Vec<IdlePartsJson>,
    design: PlanJson,
}

/// Parts in hand that a stage does not use.
#[derive(Serialize)]
struct IdlePartsJson {
    part: String,
    count: u64,
}

impl StagesJson {
    fn new(report: &StagesReport) -> Self {
        Self {
            figures: Figures::section_figures(
                "growth",
                &FigureSource { growth: Some(report), ..FigureSource::default() },
            ),
            stages: report.stages.iter().map(StageJson::new).collect(),
        }
    }
}

impl StageJson {
    fn new(plan: &StagePlan) -> Self {
        let idle = |parts: &design::IdleParts| IdlePartsJson {
            part: parts.part.clone(),
            count: parts.count,
        };
        Self {
            year: exact_number(plan.year),
            price_ratio: exact_number(plan.price),
            idle: plan.idle.iter().map(idle).collect(),
            design: PlanJson::from_named_plan(&format!("year {}", plan.year), &plan.plan),
        }
    }
}
