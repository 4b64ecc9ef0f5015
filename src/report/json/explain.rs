//! `planner explain` as programs read it: the same shape for one quantity and for all.

use serde::Serialize;

use super::super::sheet::{ExplainSheet, Preset, input_origin_text};
use super::figures::Plain;
use crate::explain::Explanation;
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
pub(in super::super) fn explanations_json(sheet: &ExplainSheet<'_>) -> String {
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
