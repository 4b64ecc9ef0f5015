//! `planner explain`, the same shape for one quantity and for all; `presets` and its audit.

use crate::explain::Explanation;
use crate::report::list::{JsonObject, JsonValue, ListColumn, json_column, list_json};
use crate::report::sheet::{Doubtful, ExplainSheet, Preset, input_origin_text};
use crate::units::Amount;

/// The explanations as pretty JSON.
pub(in crate::report) fn explanations_json(sheet: &ExplainSheet<'_>) -> String {
    let explained =
        sheet.explanations.iter().map(|explanation| explained_json(explanation, sheet.presets));
    super::write(
        &JsonObject::with_schema("planner/explain/1")
            .with("name", sheet.name.to_owned())
            .with_list("quantities", explained),
    )
}

fn explained_json(explanation: &Explanation, presets: &[Preset]) -> JsonObject {
    let equations = explanation.equations.iter().map(|equation| {
        JsonObject::new().with("section", equation.section).with("source", equation.source)
    });
    let inputs = explanation.inputs.iter().map(|input| {
        JsonObject::new()
            .with("name", &input.name)
            .with_all(value_with_unit(&input.value))
            .with("origin", input_origin_text(&input.origin, presets))
    });
    let parts = explanation.parts.iter().map(|part| {
        JsonObject::new().with("name", &part.name).with_all(value_with_unit(&part.value))
    });
    JsonObject::new()
        .with("key", explanation.key.to_string())
        .with("meaning", explanation.meaning.to_string())
        .with("formula", explanation.formula)
        .with_list("equations", equations)
        .with_list("inputs", inputs)
        .with_list("parts", parts)
        .with("result", value_with_unit(&explanation.result))
}

/// A value beside its unit; the unit is empty for plain numbers and names.
fn value_with_unit(amount: &Amount) -> JsonObject {
    JsonObject::new().with("value", amount.clone()).with("unit", amount.unit().name())
}

/// The presets as pretty JSON, with their texts where wanted.
pub(in crate::report) fn presets_json(presets: &[Preset], texts: bool) -> String {
    let preset = |preset: &Preset| {
        JsonObject::new()
            .with("kind", preset.kind)
            .with("name", &preset.name)
            .with("date", &preset.date)
            .with("source", &preset.source)
            .with_known("parameters", preset.parameters.map(|count| count.total))
            .with_known("active_parameters", preset.parameters.map(|count| count.active))
            .with_known("embedding_parameters", preset.parameters.map(|count| count.embedding))
            .with_known("text", texts.then_some(&preset.text))
    };
    super::write(
        &JsonObject::with_schema("planner/presets/1")
            .with_list("presets", presets.iter().map(preset)),
    )
}

const DOUBTFUL_COLUMNS: &[ListColumn<Doubtful>] = &[
    json_column("kind", |entry| (&entry.kind).into()),
    json_column("name", |entry| (&entry.name).into()),
    json_column("doubts", |entry| JsonValue::from(entry.doubts.clone())),
    json_column("date", |entry| (&entry.date).into()),
    json_column("note", |entry| (&entry.note).into()),
];

/// The list as pretty JSON.
pub(in crate::report) fn audit_json(found: &[Doubtful], as_of: &str) -> String {
    super::write(
        &JsonObject::with_schema("planner/audit/1")
            .with("as_of", as_of.to_owned())
            .with("entries", list_json(DOUBTFUL_COLUMNS, found)),
    )
}
