//! `bom`, `cost`, other networks and `planner bill` as programs read them.

use super::common::section_figures;
use crate::cost::{BillLine, machine_quotes};
use crate::design::{OtherNetworks, Plan};
use crate::quantity::FigureSource;
use crate::report::list::{
    ASSUMPTION_COLUMNS, JsonObject, QUOTE_COLUMNS, bill_lines_json, list_json, range_json,
};
use crate::report::sheet::BillSheet;
use crate::units::Usd;

/// The bill summed up.
pub(super) fn cost_json(plan: &Plan) -> JsonObject {
    let cost = &plan.cost;
    let whole = cost.whole.as_ref();
    section_figures("cost", &FigureSource::from_plan(plan))
        .with("unpriced", cost.unpriced.clone())
        .with_known("network_capex_range_usd", cost.network_capex_range.map(range_json))
        .with_known("capex_range_usd", cost.capex_range.map(range_json))
        .with_known("quotes", list_json(QUOTE_COLUMNS, &machine_quotes(&plan.bill)))
        .with_known("lead_part", cost.lead.as_ref().map(|(_, part)| part))
        .with_known("networks_capex_usd", whole.map(|total| total.networks))
        .with_known("installation_usd", whole.map(|total| total.installation))
        .with_known("total_unpriced", whole.map(|total| total.unpriced.clone()))
}

/// The networks that were asked for.
pub(super) fn other_networks_json(networks: &OtherNetworks) -> JsonObject {
    let storage = networks.storage.as_ref().map(|(switch, counts)| {
        JsonObject::new()
            .with("switch", switch)
            .with("switches", counts.switch_count())
            .with("node_leafs", counts.node_leafs)
            .with("storage_leafs", counts.storage_leafs)
            .with("spines", counts.spines)
            .with("node_links", counts.node_links)
            .with("storage_links", counts.storage_links)
            .with("uplinks", counts.uplinks)
    });
    let in_band = networks.in_band.as_ref().map(|(switch, counts)| {
        JsonObject::new()
            .with("switch", switch)
            .with("switches", counts.switch_count())
            .with("leafs", counts.leafs)
            .with("cores", counts.cores)
            .with("host_links", counts.host_links)
            .with("uplinks", counts.uplinks)
            .with("peer_links", counts.peer_links)
            .with("outside_links", counts.outside)
    });
    let out_of_band = networks.out_of_band.as_ref().map(|(switch, counts)| {
        JsonObject::new()
            .with("switch", switch)
            .with("switches", counts.switches)
            .with("host_links", counts.host_links)
            .with("uplinks", counts.uplinks)
    });
    let racks = networks.racks.map(|(machines, others)| {
        JsonObject::new().with("machines", machines).with("switches_and_servers", others)
    });
    JsonObject::new()
        .with_known("storage", storage)
        .with_known("in_band", in_band)
        .with_known("out_of_band", out_of_band)
        .with("managers", networks.managers)
        .with("servers", networks.servers)
        .with_known("racks", racks)
        .with("bom", bill_lines_json(&networks.bill))
        .with("capex_usd", networks.capex)
        .with("power_w", networks.power)
        .with("rack_units", networks.rack_units)
        .with("impossible", networks.impossible.clone())
}

pub(in crate::report) fn bill_json(sheet: &BillSheet<'_>) -> String {
    let plan = sheet.plan;
    let machines = plan.bill.iter().filter(|line| !line.role.is_network());
    super::write(
        &JsonObject::with_schema("planner/bill/1")
            .with("name", &plan.name)
            .with("price_book", &plan.inputs.price_book)
            .with("bom", bill_lines_json(&plan.bill))
            .with("machines_capex_usd", machines.map(|line| line.total).sum::<Usd>())
            .with("spares_usd", plan.bill.iter().map(BillLine::spares_cost).sum::<Usd>())
            .with("usd_per_kwh", sheet.kilowatt_hour.map(|price| price.amount))
            .with("pue", sheet.objective.pue)
            .with("cost", cost_json(plan))
            .with_known("networks", plan.networks.as_ref().map(other_networks_json))
            .with_known("installation", bill_lines_json(&plan.installation))
            .with("assumptions", list_json(ASSUMPTION_COLUMNS, &plan.assumptions)),
    )
}
