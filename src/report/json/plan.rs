//! A plan as programs read it, with its proof and alternatives.

use serde::Serialize;

use super::bill::{BillLineJson, CostJson, Networks};
use super::common::{AssumptionJson, Figures, PhaseJson, WorkloadJson};
use super::fabric::FabricCountsJson;
use super::routing::{FailuresJson, RobustJson, RoutingJson};
use crate::design::{
    self, LimitWorth, Plan, PriceBand, PriceCrossing, Priority, SolverReport, StagePlan,
    StagesReport,
};
use crate::quantity::FigureSource;
use crate::report::words::exact_number;
use crate::report::{amount, warnings};
use crate::units::Usd;

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
        Self { code: warnings::warning_code(warning), text: warnings::warning_text(warning) }
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

/// One of several quantities that were minimised.
#[derive(Serialize)]
pub(super) struct Preference {
    minimize: &'static str,
    given_up_share: f64,
    gained_share: f64,
}

impl Preference {
    pub(super) fn new(priority: &Priority) -> Self {
        Self {
            minimize: priority.quantity.name(),
            given_up_share: exact_number(priority.given_up),
            gained_share: exact_number(priority.gained),
        }
    }
}

/// Prices of a part between which the design stays the best; an end that is absent was not found.
#[derive(Serialize)]
pub(super) struct PriceBandJson {
    part: String,
    price_usd: f64,
    basis: &'static str,
    date: String,
    doubt: Option<&'static str>,
    below_usd: Option<f64>,
    below: Option<String>,
    above_usd: Option<f64>,
    above: Option<String>,
}

impl PriceBandJson {
    pub(super) fn new(band: &PriceBand) -> Self {
        let price = |turn: &PriceCrossing| exact_number(turn.price.get());
        Self {
            part: band.part.clone(),
            price_usd: exact_number(band.price.get()),
            basis: band.basis.name(),
            date: band.date.clone(),
            doubt: band.doubt.map(design::PriceDoubt::name),
            below_usd: band.below.as_ref().map(price),
            below: band.below.as_ref().map(|turn| turn.to.clone()),
            above_usd: band.above.as_ref().map(price),
            above: band.above.as_ref().map(|turn| turn.to.clone()),
        }
    }
}

#[derive(Serialize)]
pub(super) struct SolverJson {
    #[serde(flatten)]
    figures: Figures,
    binding: Vec<BindingLimitJson>,
}

#[derive(Serialize)]
struct BindingLimitJson {
    limit: String,
    worth: String,
    saving_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    saving_usd_per_million_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<String>,
}

impl BindingLimitJson {
    fn new(binding_limit: &design::BindingLimit) -> Self {
        let money = |usd: Usd| exact_number(usd.get());
        let (needs, design) = match &binding_limit.worth {
            LimitWorth::Moved { needs, design, .. } => (needs.as_ref(), Some(design.clone())),
            LimitWorth::Together { design, .. } => (None, Some(design.clone())),
            LimitWorth::Tiers { .. } => (None, None),
        };
        Self {
            limit: binding_limit.limit.clone(),
            worth: amount::limit_worth_text(&binding_limit.worth),
            saving_usd: amount::saved_money(&binding_limit.worth).map(money),
            saving_usd_per_million_tokens: amount::saved_per_token(&binding_limit.worth).map(money),
            needs: needs.map(|amount| exact_number(amount.scalar())),
            design,
        }
    }
}

#[derive(Serialize)]
pub(super) struct AlternativeJson {
    name: String,
    network_capex_change_usd: f64,
    capex_change_usd: f64,
    step_ratio: f64,
    usd_per_token_ratio: Option<f64>,
    standing: &'static str,
    reason: String,
}

/// A product that a bound leaves out.
#[derive(Serialize)]
pub(super) struct NotSizedJson {
    name: String,
    at_least_ratio: f64,
}

impl NotSizedJson {
    pub(super) fn new(sized: &design::NotSized) -> Self {
        Self { name: sized.name.clone(), at_least_ratio: exact_number(sized.at_least) }
    }
}

impl SolverJson {
    pub(super) fn new(solver: &SolverReport) -> Self {
        Self {
            figures: Figures::section_figures(
                "solver",
                &FigureSource { solver: Some(solver), ..FigureSource::default() },
            ),
            binding: solver.binding.iter().map(BindingLimitJson::new).collect(),
        }
    }
}

impl AlternativeJson {
    pub(super) fn new(alternative: &design::Alternative) -> Self {
        Self {
            name: alternative.name.clone(),
            network_capex_change_usd: exact_number(alternative.network_capex_change.get()),
            capex_change_usd: exact_number(alternative.capex_change.get()),
            step_ratio: exact_number(alternative.step_ratio),
            usd_per_token_ratio: alternative.usd_per_token_ratio.map(exact_number),
            standing: alternative.standing.name(),
            reason: alternative.reason.clone(),
        }
    }
}
