//! Explains how large the model is. What a rank holds of it is the step's.

use super::explanation::{Explanation, Input};
use super::facts::{Facts, input};
use super::origin::Origin;
use crate::units::Amount;

/// Adds what a figure of `model` takes.
pub(super) fn complete(facts: &Facts<'_>, of: Explanation) -> Explanation {
    let tables = tables(facts);
    match of.key.as_ref() {
        "model.parameters" => of.from([layers(facts, facts.plan.step.parameters.total)]),
        "model.active_parameters" => of.from([layers(facts, facts.plan.step.parameters.active)]),
        _ => of,
    }
    .from([tables, facts.vocabulary(), facts.hidden()])
}

/// What stands in layers, of so many elements in all.
fn layers(facts: &Facts<'_>, all: u128) -> Input {
    let hidden = u128::from(facts.scenario.workload.model.hidden);
    let elements = Amount::count(all - facts.plan.step.parameters.embedding - hidden);
    input("elements of all layers", elements, Origin::Found("attention, feed-forward, norms"))
}

fn tables(facts: &Facts<'_>) -> Input {
    let tables = if facts.scenario.workload.model.tied_embeddings { 1_u32 } else { 2 };
    facts.model("tables", "tied_embeddings", Amount::count(tables))
}
