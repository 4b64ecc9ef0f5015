//! What surrounds a design, as programs read it: proof, limits that bind, alternatives, ranges of
//! prices, objectives that were put first.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::worth;
use super::figures::Figures;
use crate::design::{self, LimitWorth, PriceBand, PriceCrossing, Priority, SolverReport};
use crate::quantity::FigureSource;
use crate::units::Usd;

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
            worth: worth::limit_worth_text(&binding_limit.worth),
            saving_usd: worth::saved_money(&binding_limit.worth).map(money),
            saving_usd_per_million_tokens: worth::saved_per_token(&binding_limit.worth).map(money),
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
