//! Techniques that train in phases: synthetic intermediate labels, multi-level cycle.
//!
//! Synthetic intermediate labels (SIL, arXiv 2403.11204): every pipeline stage is trained on its
//! own against random labels of its border's width, so that nothing crosses stages; then, if
//! wanted, the whole network on a share of the samples. No source shows it for a transformer:
//! what it saves here is what that traffic and the bubble cost, an upper bound.

use super::recipe::{Phase, Recipe, TechniqueRow, fixed_notes, join_problems, switched_off};
use crate::parallel::{Layout, LayoutProblem, Schedule};
use crate::step::{Collective, Step, TrafficKind};
use crate::workload::{Delta, HandOver, Mamba, Model, Sil, Technique, Techniques};

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
            "the step, its memory and its traffic are those of the whole network, which recovers \
             in the schedule of the spec; stages by themselves are a phase of the run"
                .to_owned(),
        );
        if techniques.has_technique(Technique::MultiLevel) {
            texts.push("every level of the cycle is trained in both phases".to_owned());
        }
    }
    texts
}

/// Its row.
pub(super) const MULTILEVEL_ROW: TechniqueRow = TechniqueRow {
    broken: multilevel_problems,
    ..TechniqueRow::without_effect(Technique::MultiLevel, |_| {
        fixed_notes(&[
            "shown up to 0.34B parameters (arXiv 2404.07999); that the run ends as good as \
         `training.tokens` of ordinary steps is assumed beyond",
            "how many steps the whole model takes afterwards differs between the paper's runs: \
             `after` by default is the middle of 0.59 to 0.66 with two levels, and with three the \
             0.35 of its one such run",
            "the network and the memory are those of the whole model; coalescing takes no time",
        ])
    })
};

/// Share of the ordinary steps that the paper's two-level runs took after the cycle: it follows
/// from the FLOPs that they saved, 24.1 % for GPT-Base, 27.1 % for DeiT-B and 19.0 % for BERT-Base,
/// with 0.05 before and 0.5 at half size. The authors' script has 0.5.
const PUBLISHED_AFTER: [f64; 2] = [0.59, 0.66];

/// Down the levels and up again. Where each level is trained in phases of its own, as with
/// synthetic labels, those stand in its place: a level is a training run of a smaller model, which
/// has to be whole again before it becomes the next.
pub(super) fn multilevel_phases(recipe: &Recipe<'_>) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
    let settings = recipe.techniques.multilevel;
    let techniques = switched_off(recipe.techniques, Technique::MultiLevel);
    let last = settings.levels.saturating_sub(1);
    let alike = (settings.levels, settings.factor) == (2, 2);
    let known = alike.then_some(PUBLISHED_AFTER);
    let down = (0..last).map(|level| (level, settings.before, None));
    let up = (0..last).rev().map(|level| (level, settings.steps_after(), known));
    let mut phases = Vec::new();
    for (level, share, published) in down.chain([(last, settings.small, None)]).chain(up) {
        let divided_by = settings.factor.saturating_pow(level);
        let model = divide_model(recipe.model, divided_by)?;
        let inner = Recipe { model: &model, techniques: &techniques, ..*recipe }.run_phases()?;
        let name = match level {
            0 => "the whole model".to_owned(),
            _ => format!("1/{divided_by} of width and depth"),
        };
        let gpus = settings.gpus.filter(|_| level > 0);
        let by = Technique::MultiLevel;
        if inner.is_empty() {
            let (techniques, is_whole) = (techniques.clone(), level == 0);
            phases.push(Phase { name, share, model, techniques, gpus, is_whole, published, by });
            continue;
        }
        phases.extend(inner.into_iter().map(|phase| Phase {
            name: format!("{name}, {}", phase.name),
            share: share * phase.share,
            gpus,
            is_whole: level == 0 && phase.is_whole,
            by,
            ..phase
        }));
    }
    Ok(phases)
}

/// The model with width and depth divided: heads keep their width. Vocabulary and sequence stay.
///
/// # Errors
/// What does not divide.
pub fn divide_model(model: &Model, divided_by: u64) -> Result<Model, Vec<LayoutProblem>> {
    let mut problems = Vec::new();
    let mut divided = |name, value: u64| {
        if divided_by == 0 || !value.is_multiple_of(divided_by) {
            problems.push(LayoutProblem::Indivisible {
                whole: (name, value),
                part: ("multilevel factor", divided_by),
            });
            return value;
        }
        value / divided_by
    };
    let layers = divided("layers", u64::from(model.layers));
    let smaller = Model {
        layers: u32::try_from(layers).unwrap_or(model.layers),
        hidden: divided("hidden", model.hidden),
        heads: divided("heads", model.heads),
        kv_heads: divided("kv_heads", model.kv_heads),
        ffn: divided("ffn", model.ffn),
        mamba: model.mamba.as_ref().map(|this_mamba| Mamba {
            heads: divided("heads", this_mamba.heads),
            ..this_mamba.clone()
        }),
        delta: model.delta.as_ref().map(|this_delta| Delta {
            key_heads: divided("key_heads", this_delta.key_heads),
            value_heads: divided("value_heads", this_delta.value_heads),
            ..this_delta.clone()
        }),
        ..model.clone()
    };
    if let Some(period) = model.pattern.as_ref().map(|pattern| u64::from(pattern.period()))
        && !layers.is_multiple_of(period)
    {
        let (whole, part) = (("layers", layers), ("layers of the pattern", period));
        problems.push(LayoutProblem::Indivisible { whole, part });
    }
    if problems.is_empty() { Ok(smaller) } else { Err(problems) }
}

/// Every level has to divide, and the run to end with the whole model.
fn multilevel_problems(recipe: &Recipe<'_>, _: &Layout) -> Option<String> {
    if recipe.techniques.multilevel.steps_after() <= 0.0 {
        return Some(
            "with `after` 0 the run would end with a smaller model: state its share".into(),
        );
    }
    recipe.run_phases().err().map(|problems| join_problems(&problems))
}
