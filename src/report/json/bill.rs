//! `bom` and `cost` as programs read them.

use serde::Serialize;

use super::super::number::exact_number;
use super::exchange::ExchangeRateJson;
use super::figures::Figures;
use crate::cost::{BillLine, MachineQuote, machine_quotes};
use crate::design::Plan;
use crate::quantity::FigureSource;
use crate::units::Usd;

/// One line of the bill; what has no price has `null` for it.
#[derive(Serialize)]
pub(super) struct BillLineJson {
    part: String,
    role: &'static str,
    count: u64,
    owned: u64,
    spares: u64,
    unit_usd: Option<f64>,
    price_not_found: bool,
    total_usd: f64,
    power_w: f64,
    basis: Option<&'static str>,
    date: Option<String>,
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<ExchangeRateJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_days: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<PriceTier>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    includes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alone_usd: Option<f64>,
}

/// A price from so many pieces on.
#[derive(Serialize)]
struct PriceTier {
    from: u64,
    unit_usd: f64,
}

/// The bill summed up.
#[derive(Serialize)]
pub(super) struct CostJson {
    #[serde(flatten)]
    figures: Figures,
    unpriced: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_capex_range_usd: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capex_range_usd: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quotes: Vec<QuoteRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_part: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    networks_capex_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    installation_usd: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    total_unpriced: Vec<String>,
}

/// A quote that machines are bought at, and everything bought where it alone moves within its range.
#[derive(Serialize)]
struct QuoteRow {
    parts: Vec<String>,
    share_of_capex: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    capex_range_usd: Option<[f64; 2]>,
}

impl QuoteRow {
    fn new(quote: &MachineQuote) -> Self {
        Self {
            parts: quote.parts.clone(),
            share_of_capex: exact_number(quote.share),
            capex_range_usd: quote.capex.map(range_ends),
        }
    }
}

/// Lowest and highest.
fn range_ends((low, high): (Usd, Usd)) -> [f64; 2] {
    [exact_number(low.get()), exact_number(high.get())]
}

impl BillLineJson {
    pub(super) fn new(line: &BillLine) -> Self {
        let price = line.unit.as_ref();
        Self {
            part: line.part.clone(),
            role: line.role.name(),
            count: line.count,
            owned: line.owned,
            spares: line.spares,
            unit_usd: price.map(|price| exact_number(price.amount.get())),
            price_not_found: price.is_none(),
            total_usd: exact_number(line.total.get()),
            power_w: exact_number(line.power.get()),
            basis: price.map(|price| price.basis.name()),
            date: price.map(|price| price.date.clone()),
            source: price.map(|price| price.source.clone()),
            exchange: price.and_then(|price| price.exchange.as_ref()).map(ExchangeRateJson::new),
            valid_until: price.and_then(|price| price.quote.valid_until.clone()),
            lead_days: price.and_then(|price| price.quote.lead_days),
            includes: price.map_or_else(Vec::new, |price| {
                price.quote.includes.iter().map(|included| included.name()).collect()
            }),
            level: price.and_then(|price| price.quote.level).map(|level| level.name()),
            alone_usd: price.and_then(|price| price.quote.alone).map(|usd| exact_number(usd.get())),
            tiers: price.map_or_else(Vec::new, |price| {
                let tier = |this_tier: &crate::hardware::Tier| PriceTier {
                    from: this_tier.from,
                    unit_usd: exact_number(this_tier.amount.get()),
                };
                price.quote.tiers.iter().map(tier).collect()
            }),
        }
    }
}

impl CostJson {
    pub(super) fn new(plan: &Plan) -> Self {
        let cost = &plan.cost;
        Self {
            quotes: machine_quotes(&plan.bill).iter().map(QuoteRow::new).collect(),
            figures: Figures::section_figures("cost", &FigureSource::from_plan(plan)),
            unpriced: cost.unpriced.clone(),
            network_capex_range_usd: cost.network_capex_range.map(range_ends),
            capex_range_usd: cost.capex_range.map(range_ends),
            lead_part: cost.lead.as_ref().map(|(_, part)| part.clone()),
            networks_capex_usd: cost.whole.as_ref().map(|total| exact_number(total.networks.get())),
            installation_usd: cost
                .whole
                .as_ref()
                .map(|total| exact_number(total.installation.get())),
            total_unpriced: cost
                .whole
                .as_ref()
                .map_or_else(Vec::new, |total| total.unpriced.clone()),
        }
    }
}
