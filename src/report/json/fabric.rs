//! `planner fabric`, `fabric hb`, and `fabric` within other results, as programs read them.

use super::common::section_figures;
use crate::design::Plan;
use crate::fabric::Counts;
use crate::quantity::FigureSource;
use crate::report::list::{
    INSIDE_COLUMNS, JsonObject, TIER_COLUMNS, bill_lines_json, list_json, row_json,
};
use crate::report::sheet::{FabricSheet, HbSheet};

/// The fabric as pretty JSON.
pub(in crate::report) fn fabric_json(sheet: &FabricSheet<'_>) -> String {
    let domains = sheet.domains.iter().map(|domains| {
        JsonObject::new()
            .with("count", domains.count)
            .with("product", domains.product.as_ref())
            .with("nics", domains.nics)
            .with("nics_a_rail", domains.nics_a_rail)
            .with("inside", domains.inside.map(|inside| row_json(INSIDE_COLUMNS, &inside)))
    });
    // Nothing where the graph was not asked for or is too large to look.
    let minimum_cut = sheet.bisection.found.map(|cut| {
        JsonObject::new()
            .with("share", cut.share)
            .with("halves_tried", cut.tried)
            .with("at_least", sheet.bisection.at_least)
            .with("is_exact", sheet.bisection.is_exact())
    });
    super::write(
        &JsonObject::with_schema("planner/fabric/1")
            .with("fabric", fabric_counts_json(sheet.counts))
            // Nothing where the switch is known by its ports alone.
            .with("bom", sheet.bill.map(|(lines, _)| bill_lines_json(lines)))
            .with("network_capex_usd", sheet.bill.map(|(_, total)| total))
            .with_list("domains", domains)
            // `fabric.endpoints` may be more.
            .with("endpoints_asked", sheet.asked)
            .with("minimum_cut", minimum_cut),
    )
}

/// A fabric in numbers, all planes together.
pub(super) fn fabric_counts_json(counts: &Counts) -> JsonObject {
    counts_json(counts, FigureSource::default())
}

/// That of a plan, with what is known of the rules on oversubscription and on regular networks.
pub(super) fn plan_fabric_json(plan: &Plan) -> JsonObject {
    let known = FigureSource {
        oversubscription: plan.oversubscription.as_ref(),
        regularity: plan.regularity.as_ref(),
        regular: plan.regular.as_ref(),
        ..FigureSource::default()
    };
    counts_json(&plan.fabric, known)
}

fn counts_json(counts: &Counts, known: FigureSource<'_>) -> JsonObject {
    let answer = FigureSource { fabric: Some(counts), ..known };
    let (figures, shares) = section_figures("fabric", &answer).split_before_key("bisection_share");
    figures.with("tiers", list_json(TIER_COLUMNS, &counts.tiers)).with_all(shares)
}

/// The domain as pretty JSON.
pub(in crate::report) fn hb_domain(sheet: &HbSheet<'_>) -> String {
    let counts = &sheet.counts;
    super::write(
        &JsonObject::with_schema("planner/hb/1")
            .with("family", sheet.family.map(str::to_owned))
            .with("kind", counts.request.kind.name())
            .with("gpus", counts.request.gpus)
            .with("links_per_gpu", counts.request.links)
            .with("chip_ports", counts.request.ports)
            .with("levels", counts.levels)
            .with("taper", counts.request.taper)
            .with("pod", counts.pod)
            .with("planes", counts.planes)
            .with("lanes", counts.lanes)
            .with("leaf_chips", counts.leaf_chips)
            .with("spine_chips", counts.spine_chips)
            .with("chips", counts.chip_count())
            .with("gpu_links", counts.gpu_links)
            .with("long_links", counts.long_links)
            .with("free_ports", counts.free_ports)
            .with("all_to_all_share", counts.all_to_all)
            .with("neighbours_share", counts.neighbours)
            .with("rate_bytes_per_s", sheet.rate)
            .with("power_w", sheet.power)
            .with("hb_usd", sheet.cost.map(|cost| cost.amount))
            .with("hb_usd_low", sheet.cost.map(|cost| cost.low))
            .with("hb_usd_high", sheet.cost.map(|cost| cost.high)),
    )
}
