//! What several results in JSON share: figures, assumptions, phases, workloads, digest.

use serde_json::{Map, Value};

use crate::design::{ClusterName, Plan, WorkloadPlan};
use crate::gate::Digest;
use crate::quantity::{FigureSource, section_quantities};
use crate::report::list::{JsonObject, JsonValue};
use crate::report::sheet::ClusterSheets;

/// The figures of a section of an answer, by the last word of their key. What every design has,
/// and this answer has not, is left out; what some designs have is `null`.
pub(super) fn section_figures(name: &str, answer: &FigureSource<'_>) -> JsonObject {
    let mut object = JsonObject::new();
    // Figures whose keys have a word in common: `null` where none is there.
    let mut group: Option<(&'static str, JsonObject)> = None;
    let close = |object: JsonObject, (word, inner): (&'static str, JsonObject)| {
        object.with(word, if inner.is_all_null() { JsonValue::Null } else { inner.into() })
    };
    for row in section_quantities(name) {
        let value = row.read_from(answer);
        if value.is_none() && row.always {
            continue;
        }
        let key = row.key.split_once('.').map_or(row.key, |(_, word)| word);
        let (shared, word) = key.split_once('.').map_or((None, key), |(a, b)| (Some(a), b));
        if let Some(done) = group.take_if(|(open, _)| Some(*open) != shared) {
            object = close(object, done);
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
        Some(open) => close(object, open),
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
