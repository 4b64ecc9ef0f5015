//! `explain`, `presets`, `audit`.
//!
//! `planner explain` as programs read it: the same shape for one quantity and for all.

use serde::Serialize;

use super::common::Plain;
use crate::explain::Explanation;
use crate::report::sheet::{Doubtful, ExplainSheet, Preset, input_origin_text};
use crate::units::Amount;

#[derive(Serialize)]
struct ExplainJson<'a> {
    schema: &'static str,
    name: &'a str,
    quantities: Vec<ExplainedQuantity<'a>>,
}

#[derive(Serialize)]
struct ExplainedQuantity<'a> {
    key: &'a str,
    meaning: &'a str,
    formula: &'a str,
    equations: Vec<Equation>,
    inputs: Vec<ExplainedInput<'a>>,
    parts: Vec<ExplainedPart<'a>>,
    result: Valued<'a>,
}

#[derive(Serialize)]
struct Equation {
    section: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct ExplainedInput<'a> {
    name: &'a str,
    #[serde(flatten)]
    value: Valued<'a>,
    origin: String,
}

#[derive(Serialize)]
struct ExplainedPart<'a> {
    name: &'a str,
    #[serde(flatten)]
    value: Valued<'a>,
}

/// A value beside its unit; the unit is empty for plain numbers and names.
#[derive(Serialize)]
struct Valued<'a> {
    value: Plain<'a>,
    unit: &'static str,
}

/// The explanations as pretty JSON.
pub(in crate::report) fn explanations_json(sheet: &ExplainSheet<'_>) -> String {
    super::write(&ExplainJson {
        schema: "planner/explain/1",
        name: sheet.name,
        quantities: sheet
            .explanations
            .iter()
            .map(|explanation| explained_quantity(explanation, sheet.presets))
            .collect(),
    })
}

fn explained_quantity<'a>(
    explanation: &'a Explanation,
    presets: &[Preset],
) -> ExplainedQuantity<'a> {
    ExplainedQuantity {
        key: &explanation.key,
        meaning: &explanation.meaning,
        formula: explanation.formula,
        equations: explanation
            .equations
            .iter()
            .map(|equation| Equation { section: equation.section, source: equation.source })
            .collect(),
        inputs: explanation
            .inputs
            .iter()
            .map(|input| ExplainedInput {
                name: &input.name,
                value: value_with_unit(&input.value),
                origin: input_origin_text(&input.origin, presets),
            })
            .collect(),
        parts: explanation
            .parts
            .iter()
            .map(|part| ExplainedPart { name: &part.name, value: value_with_unit(&part.value) })
            .collect(),
        result: value_with_unit(&explanation.result),
    }
}

const fn value_with_unit(amount: &Amount) -> Valued<'_> {
    Valued { value: Plain(amount), unit: amount.unit().name() }
}

#[derive(Serialize)]
struct PresetsJson<'a> {
    schema: &'static str,
    presets: Vec<PresetJson<'a>>,
}

#[derive(Serialize)]
struct PresetJson<'a> {
    kind: &'a str,
    name: &'a str,
    date: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding_parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// The presets as pretty JSON, with their texts where wanted.
pub(in crate::report) fn presets_json(
    presets: &[crate::report::sheet::Preset],
    texts: bool,
) -> String {
    super::write(&PresetsJson {
        schema: "planner/presets/1",
        presets: presets
            .iter()
            .map(|preset| PresetJson {
                kind: preset.kind,
                name: &preset.name,
                date: &preset.date,
                source: &preset.source,
                parameters: preset.parameters.map(|this_parameters| this_parameters.total),
                active_parameters: preset.parameters.map(|this_parameters| this_parameters.active),
                embedding_parameters: preset
                    .parameters
                    .map(|this_parameters| this_parameters.embedding),
                text: texts.then_some(preset.text.as_str()),
            })
            .collect(),
    })
}

#[derive(Serialize)]
struct AuditJson<'a> {
    schema: &'static str,
    as_of: &'a str,
    entries: Vec<AuditEntry<'a>>,
}

#[derive(Serialize)]
struct AuditEntry<'a> {
    kind: &'a str,
    name: &'a str,
    doubts: &'a [&'static str],
    date: &'a str,
    note: &'a str,
}

/// The list as pretty JSON.
pub(in crate::report) fn audit_json(found: &[Doubtful], as_of: &str) -> String {
    let entries = found.iter().map(|doubtful| {
        let Doubtful { kind, name, doubts, date, note } = doubtful;
        AuditEntry { kind, name, doubts, date, note }
    });
    let entries = entries.collect();
    super::write(&AuditJson { schema: "planner/audit/1", as_of, entries })
}
