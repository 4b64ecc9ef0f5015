//! What surrounds a design, as programs read it: proof, limits that bind, alternatives, ranges of
//! prices, objectives that were put first.

use serde::Serialize;

use super::super::number::exact;
use super::super::worth;
use super::figures::Figures;
use crate::design::{self, PriceBand, Priority, SolverReport, Turn, Worth};
use crate::quantity::Answer;
use crate::units::Usd;

/// One of several quantities that were minimised.
#[derive(Serialize)]
pub(super) struct Preference {
    minimize: &'static str,
    given_up_share: f64,
    gained_share: f64,
}

impl Preference {
    pub(super) fn new(of: &Priority) -> Self {
        Self {
            minimize: of.of.name(),
            given_up_share: exact(of.given_up),
            gained_share: exact(of.gained),
        }
    }
}

/// Prices of a part between which the design stays the best; an end that is absent was not found.
#[derive(Serialize)]
pub(super) struct Band {
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

impl Band {
    pub(super) fn new(of: &PriceBand) -> Self {
        let price = |turn: &Turn| exact(turn.price.get());
        Self {
            part: of.part.clone(),
            price_usd: exact(of.price.get()),
            basis: of.basis.name(),
            date: of.date.clone(),
            doubt: of.doubt.map(design::Doubt::name),
            below_usd: of.below.as_ref().map(price),
            below: of.below.as_ref().map(|turn| turn.to.clone()),
            above_usd: of.above.as_ref().map(price),
            above: of.above.as_ref().map(|turn| turn.to.clone()),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Solver {
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
            Worth::Together { design, .. } => (None, Some(design.clone())),
            Worth::Tiers { .. } => (None, None),
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
pub(super) struct Alternative {
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
pub(super) struct NotSized {
    name: String,
    at_least_ratio: f64,
}

impl NotSized {
    pub(super) fn new(of: &design::NotSized) -> Self {
        Self { name: of.name.clone(), at_least_ratio: exact(of.at_least) }
    }
}

impl Solver {
    pub(super) fn new(solver: &SolverReport) -> Self {
        Self {
            figures: Figures::of("solver", &Answer { solver: Some(solver), ..Answer::default() }),
            binding: solver.binding.iter().map(Bound::new).collect(),
        }
    }
}

impl Alternative {
    pub(super) fn new(of: &design::Alternative) -> Self {
        Self {
            name: of.name.clone(),
            network_capex_change_usd: exact(of.network_capex_change.get()),
            capex_change_usd: exact(of.capex_change.get()),
            step_ratio: exact(of.step_ratio),
            usd_per_token_ratio: of.usd_per_token_ratio.map(exact),
            standing: of.standing.name(),
            reason: of.reason.clone(),
        }
    }
}
