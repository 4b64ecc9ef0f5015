//! Activations or weights that wait on the host (KARMA, arXiv 2008.11421): what a layer keeps goes
//! out beside its forward pass and comes back beside the backward pass; weights come for every
//! pass, and go back once, updated. The update itself stays where it is: putting it on the host
//! is `offload`'s business.

use super::recipe::Recipe;
use super::row::TechniqueRow;
use crate::parallel::{Layout, Zero};
use crate::step::{Activations, ParameterUpkeep};
use crate::workload::{Technique, Techniques};

/// Its row.
pub(super) const SWAP_ROW: TechniqueRow = TechniqueRow {
    activations: swap_activations,
    upkeep: swap_upkeep,
    sharded: swap_is_sharded,
    frees_memory: true,
    ..TechniqueRow::without_effect(Technique::Swap, swap_notes)
};

/// A share of what layers keep waits on the host.
fn swap_activations(activations: Activations, recipe: &Recipe<'_>) -> Activations {
    Activations { swapped: recipe.techniques.swap.swapped_activation_share(), ..activations }
}

/// What stays of a parameter on the GPU, what is on the host, and what travels between them.
fn swap_upkeep(upkeep: ParameterUpkeep, recipe: &Recipe<'_>, _: &Layout) -> ParameterUpkeep {
    if !recipe.techniques.swap.has_swapped_parameters() {
        return upkeep;
    }
    ParameterUpkeep {
        streamed: upkeep.weight,
        to_host: upkeep.to_host + upkeep.weight,
        weight: 0.0,
        ..upkeep
    }
}

/// Its rules on ZeRO, and that it swaps something.
fn swap_is_sharded(recipe: &Recipe<'_>, zero: Zero) -> Option<String> {
    let settings = &recipe.techniques.swap;
    if settings.swapped_activation_share() == 0.0 && !settings.has_swapped_parameters() {
        return Some("a share of 0 swaps nothing: set `technique.swap.share` above 0".to_owned());
    }
    (settings.has_swapped_parameters() && zero >= Zero::Parameters).then(|| {
        "weights that ZeRO 3 gathers from other ranks can't wait on the host as well: set \
         `parallelism.zero = 2`, or `technique.swap.what = \"activations\"`"
            .to_owned()
    })
}

/// Where it was shown.
fn swap_notes(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "shown for models of the size of Megatron-LM and Turing-NLG under data parallelism alone, \
         on V100 (arXiv 2008.11421); nothing is rounded, so training is the same"
            .to_owned(),
        "what layers keep goes to the host beside the forward pass and comes back beside the \
         backward pass, one layer's is on its way at a time; only what outlasts a pass is seen, and \
         no other GPU's traffic is on the link"
            .to_owned(),
    ];
    if techniques.swap.has_swapped_parameters() {
        texts.push(
            "weights come for the forward and for the backward pass of every micro-batch and go \
             back once, updated; the update stays on the GPU (the paper's is on the host)"
                .to_owned(),
        );
    }
    texts
}
