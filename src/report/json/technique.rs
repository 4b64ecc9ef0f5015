//! `planner compare --with` as programs read it.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::case_name as name_of;
use super::assumption::AssumptionJson;
use super::body::PlanJson;
use super::figures::Figures;
use crate::compare::{
    ClustersCase, FewerNics, Freed, TechniqueCase, TechniqueStudies, TechniqueStudy,
};
use crate::quantity::FigureSource;

#[derive(Serialize)]
struct TechniquesJson {
    schema: &'static str,
    name: String,
    step_limit_s: Option<f64>,
    step_limit_of: Option<&'static str>,
    /// Without the techniques first.
    cases: Vec<CaseSheet>,
    demo: Option<DemoExchange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fewer_nics: Option<Fewer>,
    assumptions: Vec<AssumptionJson>,
}

/// A case: one step on a network that never blocks, and the cheapest design.
#[derive(Serialize)]
struct CaseSheet {
    name: String,
    techniques: Vec<&'static str>,
    pipeline_free: bool,
    /// What of the stated layout is left to the planner.
    freed: &'static str,
    layout: Option<Figures>,
    step: Option<Figures>,
    memory: Option<Figures>,
    traffic: Option<Figures>,
    design: Option<PlanJson>,
    why_no_design: Option<String>,
}

/// What one replica exchanges under DeMo.
#[derive(Serialize)]
struct DemoExchange {
    replicas: u32,
    own_payload_bytes: u128,
    received_bytes: u128,
    ring_all_reduce_bytes: u128,
    break_even_replicas: f64,
}

/// The last case on machines with half of the interfaces.
#[derive(Serialize)]
struct Fewer {
    node: String,
    nics: u32,
    capex_usd: Option<f64>,
    step_s: Option<f64>,
    usd_per_million_tokens: Option<f64>,
    why_no_design: Option<String>,
}

impl Fewer {
    fn new(fewer: &FewerNics) -> Self {
        let plan = fewer.plan.as_ref().ok();
        let tokens = plan.and_then(|plan| plan.cost.usd_per_million_tokens);
        Self {
            node: fewer.node.clone(),
            nics: fewer.nics,
            capex_usd: plan.map(|plan| exact_number(plan.cost.capex.get())),
            step_s: plan.map(|plan| exact_number(plan.step.time.total_time().get())),
            usd_per_million_tokens: tokens.map(|usd| exact_number(usd.get())),
            why_no_design: fewer.plan.as_ref().err().map(ToString::to_string),
        }
    }
}

/// A case of all clusters.
#[derive(Serialize)]
struct JointCase {
    name: String,
    techniques: Vec<&'static str>,
    network_capex_usd: Option<f64>,
    capex_usd: Option<f64>,
    why_no_design: Option<String>,
}

/// The cases of all clusters together as pretty JSON.
pub(in super::super) fn technique_cases_json(studies: &TechniqueStudies) -> String {
    let cases = studies.each.first().map_or(&[][..], |(_, study)| &study.cases);
    let case = |(case, whole): (&TechniqueCase, &ClustersCase)| JointCase {
        name: name_of(case),
        techniques: case.on.iter().map(|technique| technique.key()).collect(),
        network_capex_usd: whole
            .plan
            .as_ref()
            .ok()
            .map(|plan| exact_number(plan.cost.network_capex.get())),
        capex_usd: whole.plan.as_ref().ok().map(|plan| exact_number(plan.cost.capex.get())),
        why_no_design: whole.plan.as_ref().err().map(ToString::to_string),
    };
    super::write(&cases.iter().zip(&studies.whole).map(case).collect::<Vec<_>>())
}

/// The study as pretty JSON.
pub(in super::super) fn technique_study_json(study: &TechniqueStudy) -> String {
    super::write(&TechniquesJson {
        schema: "planner/compare-with/1",
        name: study.name.clone(),
        step_limit_s: study.limit.map(|(limit, _)| exact_number(limit.get())),
        step_limit_of: study.limit.map(|(_, says)| says),
        cases: study.cases.iter().map(CaseSheet::new).collect(),
        demo: study.demo.as_ref().map(|exchange| DemoExchange {
            replicas: exchange.replicas,
            own_payload_bytes: exchange.payload.count(),
            received_bytes: exchange.received.count(),
            ring_all_reduce_bytes: exchange.ring.count(),
            break_even_replicas: exact_number(exchange.break_even),
        }),
        fewer_nics: study.fewer_nics.as_ref().map(Fewer::new),
        assumptions: study.notes.iter().map(AssumptionJson::new).collect(),
    })
}

impl CaseSheet {
    fn new(case: &TechniqueCase) -> Self {
        let answer = case.step.as_ref().map(|step_plan| FigureSource {
            layout: Some(&step_plan.layout),
            micro_batches: Some(step_plan.step.micro_batches),
            time: Some(&step_plan.step.time),
            memory: Some(&step_plan.memory),
            memory_capacity: Some(step_plan.memory_capacity),
            traffic: Some(&step_plan.traffic),
            ..FigureSource::default()
        });
        let figures =
            |section| answer.as_ref().map(|answer| Figures::section_figures(section, answer));
        Self {
            name: name_of(case),
            techniques: case.on.iter().map(|technique| technique.key()).collect(),
            pipeline_free: matches!(case.freed, Freed::Stages | Freed::Memory | Freed::Degrees),
            freed: case.freed.name(),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            design: case
                .plan
                .as_ref()
                .ok()
                .map(|plan| PlanJson::from_named_plan(&name_of(case), plan)),
            why_no_design: case.plan.as_ref().err().map(ToString::to_string),
        }
    }
}
