//! The modules that a step recomputes, by what the spec says and by what it leaves out.

use super::{Framework, Model, Recompute, RecomputeModule, RecomputeModules, Training};

/// The modules that a step recomputes; none but where its recomputation is selective.
#[must_use]
pub fn recomputed_modules(
    recompute: Recompute,
    model: &Model,
    training: &Training,
    framework: &Framework,
) -> RecomputeModules {
    match (recompute, training.recompute_modules) {
        (Recompute::Selective, Some(modules)) => modules,
        (Recompute::Selective, None) => usual_modules(model, framework),
        (Recompute::None | Recompute::Full, _) => RecomputeModules::default(),
    }
}

/// Those of a spec that names none: the up-projections of latent attention, and scores where they
/// are stored or nothing else is to recompute.
fn usual_modules(model: &Model, framework: &Framework) -> RecomputeModules {
    let up = RecomputeModule::MlaUpProjection;
    let scores = RecomputeModule::CoreAttention;
    match (&model.latent_attention, framework.flash_attention) {
        (None, _) => RecomputeModules::from_list(&[scores]),
        (Some(_), true) => RecomputeModules::from_list(&[up]),
        (Some(_), false) => RecomputeModules::from_list(&[scores, up]),
    }
}
