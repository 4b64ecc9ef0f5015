//! On which layouts a technique does not apply, and why. Checks nothing that the layout's own
//! rules check.

use super::multilevel::smaller;
use super::recipe::Recipe;
use crate::parallel::{Layout, LayoutProblem, Schedule, Zero};
use crate::workload::{Scope, Technique};

/// Every rule of the techniques that are on which the layout breaks.
pub(super) fn problems(recipe: &Recipe<'_>, layout: &Layout) -> Vec<LayoutProblem> {
    let techniques = recipe.techniques;
    let mut all = Vec::new();
    for technique in &techniques.on {
        let broken = match technique {
            Technique::Demo => demo(recipe, layout.zero),
            Technique::Offload => offload(layout.zero),
            Technique::Swap => swap(recipe, layout.zero),
            Technique::Sil => sil(recipe, layout),
            Technique::MultiLevel => multilevel(recipe),
            Technique::NarrowPipeline => (recipe.training.precision.activation_bytes() > 2)
                .then(|| "messages of 32 bits become 8 only in mixed precision".to_owned()),
            Technique::MessageDriven | Technique::FusedTensor => None,
        };
        all.extend(broken.map(|reason| LayoutProblem::Technique { technique: *technique, reason }));
    }
    all
}

/// Whether a setting of ZeRO breaks no rule of the techniques.
pub(super) fn permits(recipe: &Recipe<'_>, zero: Zero) -> bool {
    let has = |technique| recipe.techniques.has(technique);
    !(has(Technique::Demo) && demo(recipe, zero).is_some()
        || has(Technique::Offload) && offload(zero).is_some()
        || has(Technique::Swap) && swap(recipe, zero).is_some())
}

fn demo(recipe: &Recipe<'_>, sharded: Zero) -> Option<String> {
    let settings = &recipe.techniques.demo;
    let zero = sharded.stage();
    match settings.scope {
        Scope::Replicas if sharded != Zero::None => Some(format!(
            "every replica keeps a momentum of its own, so ZeRO {zero} has nothing equal to shard: \
             set `parallelism.zero = 0`, or `technique.demo.scope = \"domains\"`"
        )),
        Scope::Domains if sharded != Zero::None && settings.shards.is_none() => Some(format!(
            "with ZeRO {zero} across domains only, `technique.demo.shards` has to say how many \
             ranks of a domain share the states"
        )),
        _ => None,
    }
}

fn offload(sharded: Zero) -> Option<String> {
    let zero = sharded.stage();
    (sharded != Zero::None).then(|| {
        format!(
            "its pieces are all-reduced, which ZeRO {zero} does not do: set `parallelism.zero = 0`"
        )
    })
}

fn swap(recipe: &Recipe<'_>, sharded: Zero) -> Option<String> {
    let settings = &recipe.techniques.swap;
    if settings.activations() == 0.0 && !settings.parameters() {
        return Some("a share of 0 swaps nothing: set `technique.swap.share` above 0".to_owned());
    }
    (settings.parameters() && sharded >= Zero::Parameters).then(|| {
        "weights that ZeRO 3 gathers from other ranks can't wait on the host as well: set \
         `parallelism.zero = 2`, or `technique.swap.what = \"activations\"`"
            .to_owned()
    })
}

fn sil(recipe: &Recipe<'_>, layout: &Layout) -> Option<String> {
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

/// Every level has to divide.
fn multilevel(recipe: &Recipe<'_>) -> Option<String> {
    let settings = &recipe.techniques.multilevel;
    let levels = settings.levels.saturating_sub(1);
    let problems = smaller(recipe.model, settings.factor.saturating_pow(levels)).err()?;
    let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Some(reasons.join(", "))
}
