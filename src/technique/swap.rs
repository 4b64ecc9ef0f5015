//! Activations or weights that wait on the host (KARMA, arXiv 2008.11421): what a layer keeps goes
//! out beside its forward pass and comes back beside the backward pass; weights come for every
//! pass, and go back once, updated. The update itself stays where it is: putting it on the host
//! is `offload`'s business.

use super::recipe::Recipe;
use crate::step::{Activations, Step, Upkeep};
use crate::workload::Technique;

/// What layers send out and fetch again, and what is kept on the GPU no more.
pub(super) fn swap(mut step: Step, recipe: &Recipe<'_>) -> Step {
    step.upkeep = upkeep(step.upkeep, recipe);
    step.activations = activations(step.activations, recipe);
    step
}

/// A share of what layers keep waits on the host.
pub(super) fn activations(activations: Activations, recipe: &Recipe<'_>) -> Activations {
    if !recipe.techniques.has(Technique::Swap) {
        return activations;
    }
    Activations { swapped: recipe.techniques.swap.activations(), ..activations }
}

/// What stays of a parameter on the GPU, what is on the host, and what travels between them.
pub(super) fn upkeep(upkeep: Upkeep, recipe: &Recipe<'_>) -> Upkeep {
    let techniques = recipe.techniques;
    if !techniques.has(Technique::Swap) || !techniques.swap.parameters() {
        return upkeep;
    }
    Upkeep {
        streamed: upkeep.weight,
        to_host: upkeep.to_host + upkeep.weight,
        weight: 0.0,
        ..upkeep
    }
}
