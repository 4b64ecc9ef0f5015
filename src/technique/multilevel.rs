//! The multi-level cycle (arXiv 2404.07999): the whole model for some steps, a model of half
//! width and half depth made of it for most, the whole model again at the end. It shortens a run
//! and shrinks no network: the whole model still has to be trained on it.

use super::phase::{Phase, join_problems};
use super::recipe::Recipe;
use super::row::{TechniqueRow, fixed_notes};
use super::schedule::switched_off;
use crate::parallel::{Layout, LayoutProblem};
use crate::workload::{Delta, Mamba, Model, Technique};

/// Its row.
pub(super) const MULTILEVEL_ROW: TechniqueRow = TechniqueRow {
    broken: multilevel_problems,
    ..TechniqueRow::without_effect(Technique::MultiLevel, |_| {
        fixed_notes(&[
            "shown up to 0.34B parameters (arXiv 2404.07999); that the run ends as good as \
         `training.tokens` of ordinary steps is taken for granted beyond",
            "how many steps the whole model takes afterwards differs between the paper's runs: `after` by default \
             is the middle of 0.59 to 0.66 with two levels, and with three the 0.35 of its one such run",
            "the network and the memory are those of the whole model; coalescing takes no time",
        ])
    })
};

/// Share of the ordinary steps that the paper's two-level runs took after the cycle: it follows from the FLOPs
/// that they saved, 24.1 % for GPT-Base, 27.1 % for DeiT-B and 19.0 % for BERT-Base, with 0.05 before and 0.5 at
/// half size. The authors' script has 0.5.
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
