//! All that a design says of a plan, as programs read it: of parts and stages each by itself too. It
//! knows neither what the plan was made from nor which command prints it.

use serde::Serialize;

use super::super::number::exact;
use super::super::warning;
use super::assumption::Assumption;
use super::bill::{Cost, Line};
use super::fabric::Fabric;
use super::failures::Failures;
use super::figures::Figures;
use super::networks::Networks;
use super::phase::Phase;
use super::robust::Robust;
use super::routing::Routing;
use super::study::{Alternative, Band, NotSized, Preference, Solver};
use super::workload::Workload;
use crate::design::{self, GrowthReport, Plan, StagePlan};
use crate::quantity::Answer;

/// All of a design but its schema: `compare` prints several.
#[derive(Serialize)]
pub(super) struct Body {
    name: String,
    cluster: Figures,
    model: Figures,
    layout: Figures,
    step: Figures,
    phases: Vec<Phase>,
    memory: Figures,
    traffic: Figures,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workloads: Vec<Workload>,
    fabric: Fabric,
    #[serde(skip_serializing_if = "Option::is_none")]
    routing: Option<Routing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robust: Option<Robust>,
    bom: Vec<Line>,
    cost: Cost,
    #[serde(skip_serializing_if = "Option::is_none")]
    racks: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    networks: Option<Networks>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    installation: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headroom: Option<Figures>,
    all_to_all: Figures,
    #[serde(flatten)]
    goodput: Figures,
    failures: Failures,
    solver: Solver,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    priorities: Vec<Preference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    price_bands: Vec<Band>,
    alternatives: Vec<Alternative>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives_not_sized: Vec<NotSized>,
    assumptions: Vec<Assumption>,
    warnings: Vec<Warning>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Body>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
}

impl Body {
    /// The plan under a name of its own.
    pub(super) fn named(name: &str, plan: &Plan) -> Self {
        let answer = Answer::of(plan);
        let figures = |section| Figures::of(section, &answer);
        Self {
            name: name.to_owned(),
            cluster: figures("cluster"),
            model: figures("model"),
            layout: figures("layout"),
            step: figures("step"),
            phases: plan.phases.iter().map(Phase::new).collect(),
            memory: figures("memory"),
            traffic: figures("traffic"),
            workloads: plan.workloads.iter().map(|of| Workload::new(of, plan)).collect(),
            fabric: Fabric::of_plan(plan),
            routing: plan.routing.as_ref().map(Routing::new),
            robust: plan.robust.as_ref().map(Robust::new),
            bom: plan.bill.iter().map(Line::new).collect(),
            cost: Cost::new(plan),
            racks: plan.racks.as_ref().map(|_| figures("racks")),
            networks: plan.networks.as_ref().map(Networks::new),
            installation: plan.installation.iter().map(Line::new).collect(),
            headroom: plan.headroom.map(|_| figures("headroom")),
            all_to_all: figures("all_to_all"),
            goodput: figures("goodput_share"),
            failures: Failures::new(plan),
            solver: Solver::new(&plan.solver),
            priorities: plan.priorities.iter().map(Preference::new).collect(),
            price_bands: plan.price_bands.iter().map(Band::new).collect(),
            alternatives: plan.alternatives.iter().map(Alternative::new).collect(),
            alternatives_not_sized: plan.not_sized.iter().map(NotSized::new).collect(),
            assumptions: plan.assumptions.iter().map(Assumption::new).collect(),
            warnings: plan.warnings.iter().map(Warning::new).collect(),
            parts: plan.parts().iter().map(|part| Self::named(&part.name, &part.plan)).collect(),
            growth: plan.growth().map(Growth::new),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Warning {
    code: &'static str,
    text: String,
}

impl Warning {
    pub(super) fn new(of: &crate::design::Warning) -> Self {
        Self { code: warning::code(of), text: warning::text(of) }
    }
}

/// A cluster that grows in stages; money of stages together is that of today.
#[derive(Serialize)]
struct Growth {
    #[serde(flatten)]
    figures: Figures,
    stages: Vec<Stage>,
}

/// One of its stages.
#[derive(Serialize)]
struct Stage {
    year: f64,
    price_ratio: f64,
    idle: Vec<Idle>,
    design: Body,
}

/// Parts in hand that a stage does not use.
#[derive(Serialize)]
struct Idle {
    part: String,
    count: u64,
}

impl Growth {
    fn new(of: &GrowthReport) -> Self {
        Self {
            figures: Figures::of("growth", &Answer { growth: Some(of), ..Answer::default() }),
            stages: of.stages.iter().map(Stage::new).collect(),
        }
    }
}

impl Stage {
    fn new(of: &StagePlan) -> Self {
        let idle = |of: &design::Idle| Idle { part: of.part.clone(), count: of.count };
        Self {
            year: exact(of.year),
            price_ratio: exact(of.price),
            idle: of.idle.iter().map(idle).collect(),
            design: Body::named(&format!("year {}", of.year), &of.plan),
        }
    }
}
