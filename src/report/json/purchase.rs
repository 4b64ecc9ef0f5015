//! `planner bill` as programs read it: lines and sums have the keys that a design has for them.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::BillSheet;
use super::assumption::Assumption;
use super::bill::{Cost, Line};
use super::networks::Networks;
use crate::cost::BillLine;
use crate::units::Usd;

#[derive(Serialize)]
struct Sheet<'a> {
    schema: &'static str,
    name: &'a str,
    price_book: &'a str,
    bom: Vec<Line>,
    machines_capex_usd: f64,
    spares_usd: f64,
    usd_per_kwh: Option<f64>,
    pue: f64,
    cost: Cost,
    #[serde(skip_serializing_if = "Option::is_none")]
    networks: Option<Networks>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    installation: Vec<Line>,
    assumptions: Vec<Assumption>,
}

pub(in super::super) fn purchase(sheet: &BillSheet<'_>) -> String {
    let plan = sheet.plan;
    let machines = plan.bill.iter().filter(|line| !line.role.is_network());
    let sum = |usd: Usd| exact(usd.get());
    super::write(&Sheet {
        schema: "planner/bill/1",
        name: &plan.name,
        price_book: &plan.inputs.price_book,
        bom: plan.bill.iter().map(Line::new).collect(),
        machines_capex_usd: sum(machines.map(|line| line.total).sum()),
        spares_usd: sum(plan.bill.iter().map(BillLine::of_spares).sum()),
        usd_per_kwh: sheet.kilowatt_hour.map(|price| exact(price.amount.get())),
        pue: exact(sheet.objective.pue),
        cost: Cost::new(plan),
        networks: plan.networks.as_ref().map(Networks::new),
        installation: plan.installation.iter().map(Line::new).collect(),
        assumptions: plan.assumptions.iter().map(Assumption::new).collect(),
    })
}
