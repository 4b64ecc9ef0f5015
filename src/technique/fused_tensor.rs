//! Tensor-parallel communication fused into the matrix multiplications around it (FLUX, arXiv
//! 2406.06858): the bytes stay, the time hides.

use super::recipe::Recipe;
use crate::step::{Cadence, Hiding, Step, TrafficKind};
use crate::workload::Technique;

/// Communication inside layers; embedding, head and loss have no multiplication to hide in.
pub(super) fn fused_tensor(mut step: Step, recipe: &Recipe<'_>) -> Step {
    use crate::step::BlockKind::{Dense, Moe};
    if !recipe.techniques.has(Technique::FusedTensor) {
        return step;
    }
    for communication in &mut step.communications {
        let layer = matches!(communication.cadence, Cadence::PerBlock { block: Dense | Moe, .. });
        if communication.kind == TrafficKind::Tensor && layer {
            communication.hiding = Hiding::Fused;
        }
    }
    step
}
