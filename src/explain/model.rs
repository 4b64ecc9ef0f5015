//! Explains how large the model is. What a rank holds of it is the step's.

use super::explanation::{ExplainedInput, Explanation};
use super::facts::{Facts, explained_input};
use super::origin::InputOrigin;
use crate::units::Amount;

/// Adds what a figure of `model` takes.
pub(super) fn explain_model(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let tables = embedding_tables_input(facts);
    match explanation.key.as_ref() {
        "model.parameters" => {
            explanation.with_inputs([layer_elements_input(facts, facts.plan.step.parameters.total)])
        }
        "model.active_parameters" => explanation
            .with_inputs([layer_elements_input(facts, facts.plan.step.parameters.active)]),
        _ => explanation,
    }
    .with_inputs([tables, facts.vocabulary(), facts.hidden_width()])
}

/// What stands in layers, of so many elements in all.
fn layer_elements_input(facts: &Facts<'_>, all: u128) -> ExplainedInput {
    let hidden = u128::from(facts.scenario.workload.model.hidden);
    let elements = Amount::from_count(all - facts.plan.step.parameters.embedding - hidden);
    explained_input(
        "elements of all layers",
        elements,
        InputOrigin::Found("attention, feed-forward, norms"),
    )
}

fn embedding_tables_input(facts: &Facts<'_>) -> ExplainedInput {
    let tables = if facts.scenario.workload.model.tied_embeddings { 1_u32 } else { 2 };
    facts.model_entry("tables", "tied_embeddings", Amount::from_count(tables))
}
