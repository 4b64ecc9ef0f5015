//! What several results in JSON share: figures, fabric, assumptions, workloads, digest, clusters.

use serde_json::{Map, Value};

use crate::design::{Plan, WorkloadPlan};
use crate::fabric::Counts;
use crate::gate::Digest;
use crate::quantity::{FigureSource, section_quantities};
use crate::report::list::{
    INSIDE_COLUMNS, JsonObject, JsonValue, TIER_COLUMNS, bill_lines_json, list_json, row_json,
};
use crate::report::sheet::{ClusterSheets, FabricSheet, HbSheet};
use crate::scenario::ClusterName;

/// The figures of a section of an answer, by the last word of their key. What every design has,
/// and this answer has not, is left out; what some designs have is `null`.
pub(super) fn section_figures(name: &str, answer: &FigureSource<'_>) -> JsonObject {
    let mut object = JsonObject::new();
    // Figures whose keys have a word in common: `null` where none is there.
    let mut group: Option<(&'static str, JsonObject)> = None;
    let close = |object: JsonObject, word: &'static str, inner: JsonObject| {
        object.with(word, if inner.is_all_null() { JsonValue::Null } else { inner.into() })
    };
    for row in section_quantities(name) {
        let value = row.read_from(answer);
        if value.is_none() && row.always {
            continue;
        }
        let key = row.key.split_once('.').map_or(row.key, |(_, word)| word);
        let (shared, word) = key.split_once('.').map_or((None, key), |(a, b)| (Some(a), b));
        if let Some((open, inner)) = group.take_if(|(open, _)| Some(*open) != shared) {
            object = close(object, open, inner);
        }
        match shared {
            None => object = object.with(word, value),
            Some(shared) => {
                let (_, inner) = group.take().unwrap_or((shared, JsonObject::new()));
                group = Some((shared, inner.with(word, value)));
            }
        }
    }
    match group {
        Some((open, inner)) => close(object, open, inner),
        None => object,
    }
}

/// One of several workloads of a plan.
pub(super) fn workload_json(workload_plan: &WorkloadPlan, plan: &Plan) -> JsonObject {
    let answer = FigureSource::from_workload(workload_plan, plan);
    let object =
        JsonObject::new().with("name", &workload_plan.name).with("share", workload_plan.share);
    ["model", "layout", "step", "memory", "traffic"]
        .into_iter()
        .fold(object, |object, name| object.with(name, section_figures(name, &answer)))
        .with("training_days", workload_plan.training_days)
        .with(
            "training_days_with_failures",
            plan.cost.days_extended_by_failures(workload_plan.training_days),
        )
        .with("usd_per_million_tokens", plan.usd_per_million_tokens_of(workload_plan))
}

/// The digest of a result that has none yet.
pub(super) fn result_digest(text: &str) -> String {
    // What was just written is a JSON object.
    let result: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    Digest::digest_json(&result, None).to_string()
}

/// An object with a list of what `json` writes of each: `parts`, each with the `workload` that has
/// it, or `stages`, each with its `stage` and `year`; before it `whole`, a value of all, where
/// there is one.
pub(in crate::report) fn clusters_json<T>(
    sheets: &ClusterSheets<'_, T>,
    json: impl Fn(&T) -> String,
    whole: Option<&str>,
) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let entry = |(name, sheet): &(&ClusterName, T)| {
        let name = match name {
            ClusterName::Whole => String::new(),
            ClusterName::Part(workload) => format!("\"workload\": {}, ", text(workload)),
            ClusterName::Stage { number, year } => {
                format!(
                    "\"stage\": {number}, \"year\": {}, ",
                    crate::report::words::exact_number(*year)
                )
            }
        };
        // Texts of JSON hold no line breaks, so that lines can be moved as they are.
        format!("    {{{name}\"result\": {}}}", json(sheet).trim_end().replace('\n', "\n    "))
    };
    let each: Vec<String> = sheets.each.iter().map(entry).collect();
    let list = if sheets.is_staged() { "stages" } else { "parts" };
    let name = text(sheets.name);
    let each = each.join(",\n");
    let moved = |value: &str| value.trim_end().replace('\n', "\n  ");
    let whole = whole.map_or_else(String::new, |word| format!("  \"whole\": {},\n", moved(word)));
    format!(
        "{{\n  \"schema\": \"planner/clusters/1\",\n  \"name\": {name},\n{whole}  \"{list}\": [\n{each}\n  \
         ]\n}}\n"
    )
}

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
