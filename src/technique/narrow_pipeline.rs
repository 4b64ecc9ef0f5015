//! Messages between pipeline stages in 8 bits (SWARM, arXiv 2301.11913 §3.4): half the bytes of
//! 16-bit activations and their gradients. Scales of blocks are below a thousandth and left out;
//! the conversion takes no time here.

use super::recipe::Recipe;
use crate::step::{Cadence, Step, TrafficKind};
use crate::workload::Technique;

/// Everything that crosses a border of stages, and the gathers that put messages together.
pub(super) fn narrow_pipeline(mut step: Step, recipe: &Recipe<'_>) -> Step {
    if !recipe.techniques.has(Technique::NarrowPipeline) {
        return step;
    }
    let width = u128::from(recipe.training.precision.activation_bytes());
    let stages = step.stages.len();
    let moved =
        |cadence| matches!(cadence, Cadence::PerBoundary { .. } | Cadence::PerArrival { .. });
    step.communications = step
        .communications
        .into_iter()
        .map(|of| {
            if of.kind != TrafficKind::Pipeline || !moved(of.cadence) {
                return of;
            }
            let payload = (0..stages).map(|stage| of.payload(stage).share(width)).collect();
            of.with_payload(payload)
        })
        .collect();
    step
}
