//! `bom`, `cost`, other networks, `planner bill`.
//!
//! `bom` and `cost` as programs read them.

use serde::Serialize;

use super::common::{AssumptionJson, ExchangeRateJson, Figures};
use crate::cost::{BillLine, MachineQuote, machine_quotes};
use crate::design::{OtherNetworks, Plan};
use crate::quantity::FigureSource;
use crate::report::sheet::BillSheet;
use crate::report::words::exact_number;
use crate::units::{Usd, UsdRange};

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

/// A quote that machines are bought at, and everything bought where it alone moves within its
/// range.
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
pub(super) fn range_ends(range: UsdRange) -> [f64; 2] {
    [range.low, range.high].map(|end| exact_number(end.get()))
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

/// The networks that were asked for.
#[derive(Serialize)]
pub(super) struct Networks {
    #[serde(skip_serializing_if = "Option::is_none")]
    storage: Option<Storage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_band: Option<InBand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out_of_band: Option<OutOfBand>,
    managers: u64,
    servers: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    racks: Option<Racks>,
    bom: Vec<BillLineJson>,
    capex_usd: f64,
    power_w: f64,
    rack_units: u64,
    impossible: Vec<&'static str>,
}

#[derive(Serialize)]
struct Storage {
    switch: String,
    switches: u64,
    node_leafs: u64,
    storage_leafs: u64,
    spines: u64,
    node_links: u64,
    storage_links: u64,
    uplinks: u64,
}

#[derive(Serialize)]
struct InBand {
    switch: String,
    switches: u64,
    leafs: u64,
    cores: u64,
    host_links: u64,
    uplinks: u64,
    peer_links: u64,
    outside_links: u64,
}

#[derive(Serialize)]
struct OutOfBand {
    switch: String,
    switches: u64,
    host_links: u64,
    uplinks: u64,
}

#[derive(Serialize)]
struct Racks {
    machines: u64,
    switches_and_servers: u64,
}

impl Networks {
    pub(super) fn new(networks: &OtherNetworks) -> Self {
        Self {
            storage: networks.storage.as_ref().map(|(switch, counts)| Storage {
                switch: switch.clone(),
                switches: counts.switch_count(),
                node_leafs: counts.node_leafs,
                storage_leafs: counts.storage_leafs,
                spines: counts.spines,
                node_links: counts.node_links,
                storage_links: counts.storage_links,
                uplinks: counts.uplinks,
            }),
            in_band: networks.in_band.as_ref().map(|(switch, counts)| InBand {
                switch: switch.clone(),
                switches: counts.switch_count(),
                leafs: counts.leafs,
                cores: counts.cores,
                host_links: counts.host_links,
                uplinks: counts.uplinks,
                peer_links: counts.peer_links,
                outside_links: counts.outside,
            }),
            out_of_band: networks.out_of_band.as_ref().map(|(switch, counts)| OutOfBand {
                switch: switch.clone(),
                switches: counts.switches,
                host_links: counts.host_links,
                uplinks: counts.uplinks,
            }),
            managers: networks.managers,
            servers: networks.servers,
            racks: networks
                .racks
                .map(|(machines, switches_and_servers)| Racks { machines, switches_and_servers }),
            bom: networks.bill.iter().map(BillLineJson::new).collect(),
            capex_usd: exact_number(networks.capex.get()),
            power_w: exact_number(networks.power.get()),
            rack_units: networks.rack_units,
            impossible: networks.impossible.clone(),
        }
    }
}

#[derive(Serialize)]
struct BillJson<'a> {
    schema: &'static str,
    name: &'a str,
    price_book: &'a str,
    bom: Vec<BillLineJson>,
    machines_capex_usd: f64,
    spares_usd: f64,
    usd_per_kwh: Option<f64>,
    pue: f64,
    cost: CostJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    networks: Option<Networks>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    installation: Vec<BillLineJson>,
    assumptions: Vec<AssumptionJson>,
}

pub(in crate::report) fn bill_json(sheet: &BillSheet<'_>) -> String {
    let plan = sheet.plan;
    let machines = plan.bill.iter().filter(|line| !line.role.is_network());
    let sum = |usd: Usd| exact_number(usd.get());
    super::write(&BillJson {
        schema: "planner/bill/1",
        name: &plan.name,
        price_book: &plan.inputs.price_book,
        bom: plan.bill.iter().map(BillLineJson::new).collect(),
        machines_capex_usd: sum(machines.map(|line| line.total).sum()),
        spares_usd: sum(plan.bill.iter().map(BillLine::spares_cost).sum()),
        usd_per_kwh: sheet.kilowatt_hour.map(|price| exact_number(price.amount.get())),
        pue: exact_number(sheet.objective.pue),
        cost: CostJson::new(plan),
        networks: plan.networks.as_ref().map(Networks::new),
        installation: plan.installation.iter().map(BillLineJson::new).collect(),
        assumptions: plan.assumptions.iter().map(AssumptionJson::new).collect(),
    })
}
