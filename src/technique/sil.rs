//! Synthetic intermediate labels (SIL, arXiv 2403.11204): every pipeline stage is trained on its
//! own against random labels of its border's width, so that nothing crosses stages; then, if
//! wanted, the whole network on a share of the samples. No source shows it for a transformer:
//! what it saves here is what that traffic and the bubble cost, an upper bound.

use super::multilevel::Phase;
use super::recipe::{Recipe, alone, switched_off};
use crate::parallel::{Layout, LayoutProblem};
use crate::step::{Collective, Step, TrafficKind};
use crate::workload::{HandOver, Sil, Technique, Techniques};

/// No message between stages; the tied embedding is no longer one matrix. Where the left part
/// feeds the right one, its activations still travel, once. With a share of the samples for the
/// whole network the step is that network's, unchanged: it asks most, and the stages by themselves
/// are a phase of the run.
pub(super) fn sil(mut step: Step, recipe: &Recipe<'_>) -> Step {
    if !recipe.techniques.has(Technique::Sil) || recipe.techniques.sil.recovery > 0.0 {
        return step;
    }
    let fed = recipe.techniques.sil.hand_over == HandOver::Activations;
    step.communications.retain(|of| {
        of.kind != TrafficKind::Pipeline || fed && of.collective == Collective::ShiftUp
    });
    step
}

/// The stages by themselves on most samples, the whole network on the rest. None where no sample
/// sees the whole network.
pub(super) fn phases(
    recipe: &Recipe<'_>,
    layout: &Layout,
) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
    let share = recipe.techniques.sil.recovery;
    if !recipe.techniques.has(Technique::Sil) || share <= 0.0 {
        return Ok(Vec::new());
    }
    let to_the_end = Sil { recovery: 0.0, ..recipe.techniques.sil };
    let own = Techniques { sil: to_the_end, ..recipe.techniques.clone() };
    let by_itself = Layout { schedule: alone(&own), interleave: 1, ..layout.clone() };
    let techniques = switched_off(recipe.techniques, Technique::Sil);
    let model = recipe.model.clone();
    Ok(vec![
        Phase {
            name: "stages by themselves".to_owned(),
            share: 1.0 - share,
            step: Recipe { techniques: &own, ..*recipe }.step(&by_itself)?,
            model: model.clone(),
        },
        Phase {
            name: "the whole network".to_owned(),
            share,
            step: Recipe { techniques: &techniques, ..*recipe }.step(layout)?,
            model,
        },
    ])
}
