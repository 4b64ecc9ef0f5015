//! Tensor-parallel communication fused into the matrix multiplications around it (FLUX, arXiv
//! 2406.06858): the bytes stay, the time hides.

use super::recipe::Recipe;
use super::row::{TechniqueRow, fixed_notes};
use crate::step::{BlockKind, Cadence, Hiding, Step, TrafficKind};
use crate::workload::Technique;

/// Its row.
pub(super) const FUSED_TENSOR_ROW: TechniqueRow = TechniqueRow {
    change: fused_tensor,
    ..TechniqueRow::without_effect(Technique::FusedTensor, |_| {
        fixed_notes(&[
            "up to 96 % of tensor-parallel communication hides in the multiplications around it \
         (arXiv 2406.06858, on A100 and H800); the bytes stay",
        ])
    })
};

/// Communication inside layers; embedding, head and loss have no multiplication to hide in.
fn fused_tensor(mut step: Step, _: &Recipe<'_>) -> Step {
    for communication in &mut step.communications {
        let layer =
            matches!(communication.cadence, Cadence::PerBlock { block: BlockKind::Layer(_), .. });
        if communication.kind == TrafficKind::Tensor && layer {
            communication.hiding = Hiding::Fused;
        }
    }
    step
}
