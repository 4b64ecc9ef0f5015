//! `planner design` as programs read it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::number::exact;
use super::super::{warning, worth};
use super::bill::{Cost, Line};
use super::digest::digest;
use super::fabric::Fabric;
use super::figures::Figures;
use super::growth::Growth;
use super::routing::Routing;
use super::step::Phase;
use crate::design::{
    self, Fingerprint, Plan, PriceBand, Priority, SolverReport, Turn, WorkloadPlan, Worth,
};
use crate::hardware::Item;
use crate::quantity::Answer;
use crate::units::Usd;

#[derive(Serialize)]
struct Design {
    schema: &'static str,
    #[serde(flatten)]
    body: Body,
    inputs: Inputs,
    #[serde(skip_serializing_if = "String::is_empty")]
    digest: String,
}

/// What the design was made from, so that a later result can tell why it differs.
#[derive(Serialize)]
struct Inputs {
    planner: &'static str,
    question: String,
    asked: BTreeMap<String, String>,
    catalogue: String,
    machines: BTreeMap<String, String>,
    price_book: String,
    prices: BTreeMap<String, f64>,
    gate: Rules,
}

/// Rules that the spec states for `planner check`.
#[derive(Serialize)]
struct Rules {
    fail_on: Vec<String>,
    warn_on: Vec<String>,
}

/// All of a design but its schema: `compare` prints several.
#[derive(Serialize)]
pub(super) struct Body {
    name: String,
    cluster: Figures,
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
    bom: Vec<Line>,
    cost: Cost,
    #[serde(skip_serializing_if = "Option::is_none")]
    racks: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headroom: Option<Figures>,
    all_to_all: Figures,
    #[serde(flatten)]
    goodput: Figures,
    solver: Solver,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    priorities: Vec<Preference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    price_bands: Vec<Band>,
    alternatives: Vec<Alternative>,
    assumptions: Vec<Assumption>,
    warnings: Vec<Warning>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Body>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
}

/// One of several quantities that were minimised.
#[derive(Serialize)]
struct Preference {
    minimize: &'static str,
    given_up_share: f64,
    gained_share: f64,
}

impl Preference {
    fn new(of: &Priority) -> Self {
        Self {
            minimize: of.of.name(),
            given_up_share: exact(of.given_up),
            gained_share: exact(of.gained),
        }
    }
}

/// Prices of a part between which the design stays the best; an end that is absent was not found.
#[derive(Serialize)]
struct Band {
    part: String,
    price_usd: f64,
    below_usd: Option<f64>,
    below: Option<String>,
    above_usd: Option<f64>,
    above: Option<String>,
}

impl Band {
    fn new(of: &PriceBand) -> Self {
        let price = |turn: &Turn| exact(turn.price.get());
        Self {
            part: of.part.clone(),
            price_usd: exact(of.price.get()),
            below_usd: of.below.as_ref().map(price),
            below: of.below.as_ref().map(|turn| turn.to.clone()),
            above_usd: of.above.as_ref().map(price),
            above: of.above.as_ref().map(|turn| turn.to.clone()),
        }
    }
}

/// One of several workloads.
#[derive(Serialize)]
struct Workload {
    name: String,
    share: f64,
    layout: Figures,
    step: Figures,
    memory: Figures,
    traffic: Figures,
    training_days: Option<f64>,
}

impl Workload {
    fn new(of: &WorkloadPlan, plan: &Plan) -> Self {
        let answer = Answer {
            nodes: Some(&plan.nodes),
            layout: Some(&of.layout),
            micro_batches: Some(of.step.micro_batches),
            time: Some(&of.step.time),
            step: Some(&of.step),
            memory: Some(&of.memory),
            memory_capacity: Some(plan.memory_capacity),
            traffic: Some(&of.traffic),
            ..Answer::default()
        };
        let figures = |section| Figures::of(section, &answer);
        Self {
            name: of.name.clone(),
            share: exact(of.share),
            layout: figures("layout"),
            step: figures("step"),
            memory: figures("memory"),
            traffic: figures("traffic"),
            training_days: of.training_days.map(exact),
        }
    }
}

#[derive(Serialize)]
struct Solver {
    #[serde(flatten)]
    figures: Figures,
    binding: Vec<Bound>,
}

#[derive(Serialize)]
struct Bound {
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

impl Bound {
    fn new(of: &design::Bound) -> Self {
        let money = |usd: Usd| exact(usd.get());
        let (needs, design) = match &of.worth {
            Worth::Moved { needs, design, .. } => (needs.as_ref(), Some(design.clone())),
            _ => (None, None),
        };
        Self {
            limit: of.limit.clone(),
            worth: worth::text(&of.worth),
            saving_usd: worth::saved(&of.worth).map(money),
            saving_usd_per_million_tokens: worth::saved_per_token(&of.worth).map(money),
            needs: needs.map(|amount| exact(amount.scalar())),
            design,
        }
    }
}

#[derive(Serialize)]
struct Alternative {
    name: String,
    network_capex_change_usd: f64,
    capex_change_usd: f64,
    step_ratio: f64,
    usd_per_token_ratio: Option<f64>,
    standing: &'static str,
    reason: String,
}

/// Something taken for granted.
#[derive(Serialize)]
pub(super) struct Assumption {
    topic: String,
    text: String,
}

#[derive(Serialize)]
struct Warning {
    code: &'static str,
    text: String,
}

/// The plan as pretty JSON.
pub(in super::super) fn design(plan: &Plan) -> String {
    let mut design = Design {
        schema: "planner/design/1",
        body: Body::named(&plan.name, plan),
        inputs: Inputs::new(&plan.inputs),
        digest: String::new(),
    };
    design.digest = digest(&super::write(&design));
    super::write(&design)
}

impl Inputs {
    fn new(inputs: &crate::design::Inputs) -> Self {
        let price = |(item, usd): (&Item, &Usd)| (item.to_string(), exact(usd.get()));
        Self {
            planner: env!("CARGO_PKG_VERSION"),
            question: inputs.question.to_string(),
            asked: prints(&inputs.asked),
            catalogue: inputs.catalogue.to_string(),
            machines: prints(&inputs.machines),
            price_book: inputs.price_book.clone(),
            prices: inputs.prices.iter().map(price).collect(),
            gate: Rules {
                fail_on: inputs.rules.fail_on.clone(),
                warn_on: inputs.rules.warn_on.clone(),
            },
        }
    }
}

/// Stand-ins by name.
fn prints(of: &BTreeMap<String, Fingerprint>) -> BTreeMap<String, String> {
    of.iter().map(|(name, print)| (name.clone(), print.to_string())).collect()
}

impl Body {
    /// The plan under a name of its own.
    pub(super) fn named(name: &str, plan: &Plan) -> Self {
        let answer = Answer::of(plan);
        let figures = |section| Figures::of(section, &answer);
        Self {
            name: name.to_owned(),
            cluster: figures("cluster"),
            layout: figures("layout"),
            step: figures("step"),
            phases: plan.phases.iter().map(Phase::new).collect(),
            memory: figures("memory"),
            traffic: figures("traffic"),
            workloads: plan.workloads.iter().map(|of| Workload::new(of, plan)).collect(),
            fabric: Fabric::new(&plan.fabric),
            routing: plan.routing.as_ref().map(Routing::new),
            bom: plan.bill.iter().map(Line::new).collect(),
            cost: Cost::new(&plan.cost),
            racks: plan.racks.as_ref().map(|_| figures("racks")),
            headroom: plan.headroom.map(|_| figures("headroom")),
            all_to_all: figures("all_to_all"),
            goodput: figures("goodput_share"),
            solver: Solver::new(&plan.solver),
            priorities: plan.priorities.iter().map(Preference::new).collect(),
            price_bands: plan.price_bands.iter().map(Band::new).collect(),
            alternatives: plan
                .alternatives
                .iter()
                .map(|other| Alternative {
                    name: other.name.clone(),
                    network_capex_change_usd: exact(other.network_capex_change.get()),
                    capex_change_usd: exact(other.capex_change.get()),
                    step_ratio: exact(other.step_ratio),
                    usd_per_token_ratio: other.usd_per_token_ratio.map(exact),
                    standing: other.standing.name(),
                    reason: other.reason.clone(),
                })
                .collect(),
            assumptions: plan.assumptions.iter().map(Assumption::new).collect(),
            warnings: plan
                .warnings
                .iter()
                .map(|of| Warning { code: warning::code(of), text: warning::text(of) })
                .collect(),
            parts: plan.parts.iter().map(|part| Self::named(&part.name, &part.plan)).collect(),
            growth: plan.growth.as_ref().map(Growth::new),
        }
    }
}

impl Assumption {
    pub(super) fn new(of: &crate::scenario::Assumption) -> Self {
        Self { topic: of.topic.clone(), text: of.text.clone() }
    }
}

impl Solver {
    fn new(solver: &SolverReport) -> Self {
        Self {
            figures: Figures::of("solver", &Answer { solver: Some(solver), ..Answer::default() }),
            binding: solver.binding.iter().map(Bound::new).collect(),
        }
    }
}
