//! Synthetic intermediate labels (SIL, arXiv 2403.11204): every pipeline stage is trained on its
//! own against random labels of its border's width, so that nothing crosses stages; then, if
//! wanted, the whole network on a share of the samples. No source shows it for a transformer:
//! what it saves here is what that traffic and the bubble cost, an upper bound.

use super::multilevel::Phase;
use super::recipe::{Recipe, switched_off};
use crate::parallel::{Layout, LayoutProblem, Schedule};
use crate::step::{Collective, Step, TrafficKind};
use crate::workload::{HandOver, Technique};

/// No message between stages; the tied embedding is no longer one matrix. Where the left part
/// feeds the right one, its activations still travel, once.
pub(super) fn sil(mut step: Step, recipe: &Recipe<'_>) -> Step {
    if !recipe.techniques.has(Technique::Sil) {
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
    let techniques = switched_off(recipe.techniques, Technique::Sil);
    let whole = Layout { schedule: Schedule::OneFOneB, ..layout.clone() };
    let model = recipe.model.clone();
    Ok(vec![
        Phase {
            name: "stages by themselves".to_owned(),
            share: 1.0 - share,
            step: recipe.step(layout)?,
            model: model.clone(),
        },
        Phase {
            name: "the whole network".to_owned(),
            share,
            step: Recipe { techniques: &techniques, ..*recipe }.step(&whole)?,
            model,
        },
    ])
}
