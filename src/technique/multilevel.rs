//! The multi-level cycle (arXiv 2404.07999): the whole model for some steps, a model of half
//! width and half depth made of it for most, the whole model again at the end. It shortens a run
//! and shrinks no network: the whole model still has to be trained on it.

use super::recipe::Recipe;
use super::row::{Row, said};
use super::schedule::switched_off;
use crate::parallel::{Layout, LayoutProblem};
use crate::step::Step;
use crate::workload::{Delta, Mamba, Model, Technique};

/// Its row.
pub(super) const ROW: Row = Row {
    broken,
    ..Row::of(Technique::MultiLevel, |_| {
        said(&[
            "shown up to 0.34B parameters (arXiv 2404.07999); that the run ends as good as \
         `training.tokens` of ordinary steps is taken for granted beyond",
            "the network and the memory are those of the whole model; coalescing takes no time",
        ])
    })
};

/// A part of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What it is, for reports.
    pub name: String,
    /// Its steps over those of the run without the technique.
    pub share: f64,
    /// Its step.
    pub step: Step,
    /// What it trains.
    pub model: Model,
}

/// Down the levels and up again. Where each level is trained in phases of its own, as with
/// synthetic labels, those stand in its place: a level is a training run of a smaller model, which
/// has to be whole again before it becomes the next.
pub(super) fn phases(
    recipe: &Recipe<'_>,
    layout: &Layout,
) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
    let settings = recipe.techniques.multilevel;
    let techniques = switched_off(recipe.techniques, Technique::MultiLevel);
    let last = settings.levels.saturating_sub(1);
    let down = (0..last).map(|level| (level, settings.before));
    let up = (0..last).rev().map(|level| (level, settings.after));
    let mut phases = Vec::new();
    for (level, share) in down.chain([(last, settings.small)]).chain(up) {
        let divided_by = settings.factor.saturating_pow(level);
        let model = smaller(recipe.model, divided_by)?;
        let plain = Recipe { model: &model, techniques: &techniques, ..*recipe };
        let layout = if level == 0 { layout.clone() } else { fewer(layout, settings.gpus)? };
        let name = match level {
            0 => "the whole model".to_owned(),
            _ => format!("1/{divided_by} of width and depth"),
        };
        let inner = plain.phases(&layout)?;
        if inner.is_empty() {
            let step = plain.step(&layout)?;
            phases.push(Phase { name, share, step, model });
            continue;
        }
        phases.extend(inner.into_iter().map(|of| Phase {
            name: format!("{name}, {}", of.name),
            share: share * of.share,
            ..of
        }));
    }
    Ok(phases)
}

/// The layout on so many GPUs: as many replicas as they hold.
fn fewer(layout: &Layout, gpus: Option<u32>) -> Result<Layout, Vec<LayoutProblem>> {
    let Some(gpus) = gpus else { return Ok(layout.clone()) };
    let replica = layout.gpus() / u64::from(layout.data.max(1));
    if u64::from(gpus) > layout.gpus() || !u64::from(gpus).is_multiple_of(replica) {
        return Err(vec![LayoutProblem::Technique {
            technique: Technique::MultiLevel,
            reason: format!(
                "`technique.multilevel.gpus` is {gpus}, and has to be a multiple of the {replica} of \
                 a replica, no more than {}",
                layout.gpus()
            ),
        }]);
    }
    let data = u32::try_from(u64::from(gpus) / replica).unwrap_or(layout.data);
    Ok(Layout { data, ..layout.clone() })
}

/// The model with width and depth divided: heads keep their width. Vocabulary and sequence stay.
///
/// # Errors
/// What does not divide.
pub fn smaller(model: &Model, divided_by: u64) -> Result<Model, Vec<LayoutProblem>> {
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
        mamba: model
            .mamba
            .as_ref()
            .map(|of| Mamba { heads: divided("heads", of.heads), ..of.clone() }),
        delta: model.delta.as_ref().map(|of| Delta {
            key_heads: divided("key_heads", of.key_heads),
            value_heads: divided("value_heads", of.value_heads),
            ..of.clone()
        }),
        ..model.clone()
    };
    if let Some(period) = model.pattern.as_ref().map(|of| u64::from(of.period()))
        && !layers.is_multiple_of(period)
    {
        let (whole, part) = (("layers", layers), ("layers of the pattern", period));
        problems.push(LayoutProblem::Indivisible { whole, part });
    }
    if problems.is_empty() { Ok(smaller) } else { Err(problems) }
}

/// Every level has to divide.
fn broken(recipe: &Recipe<'_>, _: &Layout) -> Option<String> {
    let settings = &recipe.techniques.multilevel;
    let levels = settings.levels.saturating_sub(1);
    let problems = smaller(recipe.model, settings.factor.saturating_pow(levels)).err()?;
    let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Some(reasons.join(", "))
}
