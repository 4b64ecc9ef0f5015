//! Optimizer states on the host (AxoNN, arXiv 2110.13005 §IV-C): the GPU keeps weights,
//! gradients and one bucket of states; each step fetches and returns all of them. The
//! gradients of one piece are reduced while the piece before is updated.

use super::recipe::Recipe;
use crate::step::{Hiding, Step, TrafficKind, Upkeep};
use crate::workload::Technique;

/// Bytes of a parameter in the bucket at work: master weight, gradient in fp32, two moments.
const IN_BUCKET: f64 = 16.0;

/// States on the host; the reduction of gradients runs beside the update, not the backward pass.
pub(super) fn offload(mut step: Step, recipe: &Recipe<'_>) -> Step {
    if !recipe.techniques.has(Technique::Offload) {
        return step;
    }
    step.upkeep = upkeep(step.upkeep, recipe);
    for communication in &mut step.communications {
        if communication.kind == TrafficKind::Data && communication.hiding == Hiding::LastBackward {
            communication.hiding = Hiding::Exposed;
        }
    }
    step
}

/// What stays on the GPU, what is on the host, and what travels between them.
pub(super) fn upkeep(upkeep: Upkeep, recipe: &Recipe<'_>) -> Upkeep {
    if !recipe.techniques.has(Technique::Offload) {
        return upkeep;
    }
    let settings = &recipe.techniques.offload;
    // A copy of the gradient is made of the one on the GPU, for the bucket at work only.
    let moved = upkeep.state - recipe.framework.gradient_copy_bytes as f64;
    Upkeep {
        state: 0.0,
        host: upkeep.host + moved,
        from_host: moved,
        to_host: moved,
        buffer: upkeep.buffer + IN_BUCKET * settings.bucket as f64,
        piece: Some(settings.bucket * settings.coalescing),
        ..upkeep
    }
}
