//! A plan as programs read it: figures, bill, routing, failures, proof, alternatives.

use super::common::{plan_fabric_json, section_figures, workload_json};
use crate::cost::{BillLine, machine_quotes};
use crate::design::{
    ClusterPlan, Growth, OtherNetworks, Plan, Robustness, RoutingReport, SolverReport,
};
use crate::quantity::FigureSource;
use crate::report::decision::Decision;
use crate::report::list::{
    ALTERNATIVE_COLUMNS, ASSUMPTION_COLUMNS, BINDING_LIMIT_COLUMNS, CALL_COLUMNS, FAULT_COLUMNS,
    IDLE_PARTS_COLUMNS, JsonObject, JsonValue, LINK_LOAD_COLUMNS, ListColumn, NOT_SIZED_COLUMNS,
    PHASE_COLUMNS, PRICE_BAND_COLUMNS, PRIORITY_COLUMNS, QUOTE_COLUMNS, SCENARIO_COLUMNS,
    SKIPPED_COLUMNS, WARNING_COLUMNS, bill_lines_json, json_column, list_json, range_json,
};
use crate::report::sheet::BillSheet;
use crate::units::Usd;

/// All of a design but its schema: `compare` prints several. Under a name of its own.
pub(super) fn plan_json(name: &str, plan: &Plan) -> JsonObject {
    let answer = FigureSource::from_plan(plan);
    let figures = |section| section_figures(section, &answer);
    let workload = |workload_plan| workload_json(workload_plan, plan);
    JsonObject::new()
        .with("name", name.to_owned())
        .with("cluster", figures("cluster"))
        .with("model", figures("model"))
        .with("layout", figures("layout"))
        .with("step", figures("step"))
        .with("phases", list_json(PHASE_COLUMNS, &plan.phases))
        .with("memory", figures("memory"))
        .with("traffic", figures("traffic"))
        .with_known("workloads", JsonValue::from_entries(plan.workloads.iter().map(workload)))
        .with("fabric", plan_fabric_json(plan))
        .with_known("routing", plan.routing.as_ref().map(routing_json))
        .with_known("robust", plan.robust.as_ref().map(robust_json))
        .with("bom", bill_lines_json(&plan.bill))
        .with("cost", cost_json(plan))
        .with_known("racks", plan.racks.as_ref().map(|_| figures("racks")))
        .with_known("networks", plan.networks.as_ref().map(other_networks_json))
        .with_known("installation", bill_lines_json(&plan.installation))
        .with_known("headroom", plan.headroom.map(|_| figures("headroom")))
        .with("all_to_all", figures("all_to_all"))
        .with_all(figures("goodput_share"))
        .with("failures", failures_json(plan))
        .with("solver", solver_json(&plan.solver))
        .with_known("priorities", list_json(PRIORITY_COLUMNS, &plan.priorities))
        .with_known("price_bands", list_json(PRICE_BAND_COLUMNS, &plan.price_bands))
        .with("alternatives", list_json(ALTERNATIVE_COLUMNS, &plan.alternatives))
        .with_known("alternatives_not_sized", list_json(NOT_SIZED_COLUMNS, &plan.not_sized))
        .with("assumptions", list_json(ASSUMPTION_COLUMNS, &plan.assumptions))
        .with("warnings", list_json(WARNING_COLUMNS, &plan.warnings))
        .with_known(
            "parts",
            JsonValue::from_entries(
                plan.part_plans().iter().map(|part| plan_json(&part.name.to_string(), &part.plan)),
            ),
        )
        .with_known("growth", plan.growth.as_ref().map(|growth| growth_json(growth, plan)))
}

/// A cluster that grows in stages; money of stages together is that of today.
fn growth_json(growth: &Growth, plan: &Plan) -> JsonObject {
    let answer = FigureSource { growth: Some(growth), ..FigureSource::default() };
    section_figures("growth", &answer).with("stages", list_json(STAGE_COLUMNS, &plan.clusters))
}

const STAGE_COLUMNS: &[ListColumn<ClusterPlan>] = &[
    json_column("year", |stage| stage.name.start_year().into()),
    json_column("price_ratio", |stage| stage.price.into()),
    json_column("idle", |stage| list_json(IDLE_PARTS_COLUMNS, &stage.idle)),
    json_column("design", |stage| {
        plan_json(&format!("year {}", stage.name.start_year()), &stage.plan).into()
    }),
];

/// How the answer came about.
fn solver_json(solver: &SolverReport) -> JsonObject {
    let answer = FigureSource { solver: Some(solver), ..FigureSource::default() };
    section_figures("solver", &answer)
        .with("binding", list_json(BINDING_LIMIT_COLUMNS, &solver.binding))
}

/// The bill summed up.
fn cost_json(plan: &Plan) -> JsonObject {
    let cost = &plan.cost;
    let whole = cost.whole.as_ref();
    let decision = Decision::from_plan(plan);
    let shares = decision
        .basis_shares
        .iter()
        .map(|(basis, share)| JsonObject::new().with("basis", basis.name()).with("share", *share));
    section_figures("cost", &FigureSource::from_plan(plan))
        .with("unpriced", cost.unpriced.clone())
        .with("not_counted", decision.not_counted)
        .with_list("share_by_basis", shares)
        .with_known("network_capex_range_usd", cost.network_capex_range.map(range_json))
        .with_known("capex_range_usd", cost.capex_range.map(range_json))
        .with_known("quotes", list_json(QUOTE_COLUMNS, &machine_quotes(&plan.bill)))
        .with_known("lead_part", cost.lead.as_ref().map(|(_, part)| part))
        .with_known("networks_capex_usd", whole.map(|total| total.networks))
        .with_known("installation_usd", whole.map(|total| total.installation))
        .with_known("total_unpriced", whole.map(|total| total.unpriced.clone()))
}

/// The networks that were asked for.
fn other_networks_json(networks: &OtherNetworks) -> JsonObject {
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

/// Whether the step time's bandwidth is there. `verified` is false where the step was not
/// routed, or where a link is slower than the step time takes it to be.
fn routing_json(report: &RoutingReport) -> JsonObject {
    let answer = FigureSource { routing: Some(report), ..FigureSource::default() };
    let (calls, loads) = match report {
        RoutingReport::Unverified(_) => (&[][..], &[][..]),
        RoutingReport::Routed(routed) => (&routed.calls[..], &routed.loads[..]),
    };
    section_figures("routing", &answer)
        .with("calls", list_json(CALL_COLUMNS, calls))
        .with("loads", list_json(LINK_LOAD_COLUMNS, loads))
}

/// A year of failures with every kind of fault.
fn failures_json(plan: &Plan) -> JsonObject {
    let answer = FigureSource { failures: Some(&plan.failures), ..FigureSource::default() };
    section_figures("failures", &answer)
        .with("faults", list_json(FAULT_COLUMNS, &plan.failures.year.faults))
}

/// Scenarios of `[robust]`, those that do not exist here, and what they take together.
fn robust_json(robustness: &Robustness) -> JsonObject {
    let answer = FigureSource { robust: Some(robustness), ..FigureSource::default() };
    section_figures("robust", &answer)
        .with("scenarios", list_json(SCENARIO_COLUMNS, &robustness.scenarios))
        .with("left_out", list_json(SKIPPED_COLUMNS, &robustness.left_out))
}
