//! `planner bill` as programs read it: lines and sums have the keys that a design has for them.

use serde::Serialize;

use super::super::number::exact_number;
use super::super::sheet::BillSheet;
use super::assumption::AssumptionJson;
use super::bill::{BillLineJson, CostJson};
use super::networks::Networks;
use crate::cost::BillLine;
use crate::units::Usd;

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

pub(in super::super) fn bill_json(sheet: &BillSheet<'_>) -> String {
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
