//! `bom` and `cost` as programs read them.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::role;
use super::exchange::Exchange;
use super::figures::Figures;
use crate::cost::BillLine;
use crate::design::Plan;
use crate::quantity::Answer;
use crate::units::Usd;

/// One line of the bill; what has no price has `null` for it.
#[derive(Serialize)]
pub(super) struct Line {
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
    exchange: Option<Exchange>,
}

/// The bill summed up.
#[derive(Serialize)]
pub(super) struct Cost {
    #[serde(flatten)]
    figures: Figures,
    unpriced: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    network_capex_range_usd: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capex_range_usd: Option<[f64; 2]>,
}

/// Lowest and highest.
fn ends((low, high): (Usd, Usd)) -> [f64; 2] {
    [exact(low.get()), exact(high.get())]
}

impl Line {
    pub(super) fn new(line: &BillLine) -> Self {
        let price = line.unit.as_ref();
        Self {
            part: line.part.clone(),
            role: role(line.role),
            count: line.count,
            owned: line.owned,
            spares: line.spares,
            unit_usd: price.map(|price| exact(price.amount.get())),
            price_not_found: price.is_none(),
            total_usd: exact(line.total.get()),
            power_w: exact(line.power.get()),
            basis: price.map(|price| price.basis.name()),
            date: price.map(|price| price.date.clone()),
            source: price.map(|price| price.source.clone()),
            exchange: price.and_then(|price| price.exchange.as_ref()).map(Exchange::new),
        }
    }
}

impl Cost {
    pub(super) fn new(plan: &Plan) -> Self {
        let cost = &plan.cost;
        Self {
            figures: Figures::of("cost", &Answer::of(plan)),
            unpriced: cost.unpriced.clone(),
            network_capex_range_usd: cost.network_capex_range.map(ends),
            capex_range_usd: cost.capex_range.map(ends),
        }
    }
}
