//! Synthetic intermediate labels (SIL, arXiv 2403.11204): every pipeline stage is trained on its
//! own against random labels of its border's width, so that nothing crosses stages; then, if
//! wanted, the whole network on a share of the samples. No source shows it for a transformer:
//! what it saves here is what that traffic and the bubble cost, an upper bound.

use super::phase::Phase;
use super::recipe::Recipe;
use super::row::TechniqueRow;
use super::schedule::switched_off;
use crate::parallel::{Layout, Schedule};
use crate::step::{Collective, Step, TrafficKind};
use crate::workload::{HandOver, Sil, Technique, Techniques};

/// Its row.
pub(super) const SIL_ROW: TechniqueRow = TechniqueRow {
    change: apply_sil,
    broken: sil_problems,
    ..TechniqueRow::without_effect(Technique::Sil, sil_notes)
};

/// No message between stages; the tied embedding is no longer one matrix. Where the left part
/// feeds the right one, its activations still travel, once. With a share of the samples for the
/// whole network the step is that network's, unchanged: it asks most, and the stages by themselves
/// are a phase of the run.
fn apply_sil(mut step: Step, recipe: &Recipe<'_>) -> Step {
    if recipe.techniques.sil.recovery > 0.0 {
        return step;
    }
    let fed = recipe.techniques.sil.hand_over == HandOver::Activations;
    step.communications.retain(|communication| {
        communication.kind != TrafficKind::Pipeline
            || fed && communication.collective == Collective::ShiftUp
    });
    step
}

/// True where some samples see the whole network.
pub(super) fn has_phases(techniques: &Techniques) -> bool {
    techniques.has_technique(Technique::Sil) && techniques.sil.recovery > 0.0
}

/// The stages by themselves on most samples, the whole network on the rest. None where no sample
/// sees the whole network.
pub(super) fn sil_phases(recipe: &Recipe<'_>) -> Vec<Phase> {
    if !has_phases(recipe.techniques) {
        return Vec::new();
    }
    let share = recipe.techniques.sil.recovery;
    let to_the_end = Sil { recovery: 0.0, ..recipe.techniques.sil };
    let by_themselves = Phase {
        name: "stages by themselves".to_owned(),
        share: 1.0 - share,
        model: recipe.model.clone(),
        techniques: Techniques { sil: to_the_end, ..recipe.techniques.clone() },
        gpus: None,
        is_whole: false,
        published: None,
        by: Technique::Sil,
    };
    let whole = Phase {
        name: "the whole network".to_owned(),
        share,
        techniques: switched_off(recipe.techniques, Technique::Sil),
        is_whole: true,
        ..by_themselves.clone()
    };
    vec![by_themselves, whole]
}

/// Its rules on layouts.
fn sil_problems(recipe: &Recipe<'_>, layout: &Layout) -> Option<String> {
    if !recipe.techniques.sil.accept_unverified {
        return Some(
            "no source shows it for a transformer, and what it saves is an upper bound: accept \
             that with `technique.sil.accept_unverified = true`"
                .to_owned(),
        );
    }
    if layout.pipeline < 2 {
        return Some("its parts are pipeline stages, and there is one: set more".to_owned());
    }
    let alone = matches!(layout.schedule, Schedule::Independent | Schedule::InTurn);
    (alone == (recipe.techniques.sil.recovery > 0.0)).then(|| {
        "stages that train by themselves follow no pipeline schedule, and a network that recovers \
         follows one"
            .to_owned()
    })
}

/// Where it was shown.
fn sil_notes(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "quality unverified: tested on networks of six fully connected layers only (arXiv \
         2403.11204), on no transformer"
            .to_owned(),
        "an upper bound: what pipeline messages and the bubble cost, if nothing else changed"
            .to_owned(),
    ];
    if techniques.sil.recovery > 0.0 {
        texts.push(
            "the step, its memory and its traffic are those of the whole network, which recovers in \
             the schedule of the spec; stages by themselves are a phase of the run"
                .to_owned(),
        );
        if techniques.has_technique(Technique::MultiLevel) {
            texts.push("every level of the cycle is trained in both phases".to_owned());
        }
    }
    texts
}
