//! Messages between pipeline stages in 8 bits (SWARM, arXiv 2301.11913 §3.4): half the bytes of
//! 16-bit activations and their gradients. Scales of blocks are below a thousandth and left out;
//! the conversion takes no time here.

use super::recipe::Recipe;
use super::row::{TechniqueRow, fixed_notes};
use crate::step::{Cadence, Element, Step, TrafficKind};
use crate::workload::{Precision, Technique};

/// Its row.
pub(super) const NARROW_PIPELINE_ROW: TechniqueRow = TechniqueRow {
    change: narrow_pipeline,
    broken: |recipe, _| {
        (recipe.training.precision.activation_bytes() > 2)
            .then(|| "messages of 32 bits become 8 only in mixed precision".to_owned())
    },
    ..TechniqueRow::without_effect(Technique::NarrowPipeline, |_| {
        fixed_notes(&[
            "8-bit messages between stages, shown up to 1B parameters (arXiv 2301.11913); \
         conversion takes no time here",
        ])
    })
};

/// Everything that crosses a border of stages, and the gathers that put messages together.
fn narrow_pipeline(mut step: Step, recipe: &Recipe<'_>) -> Step {
    let width = u128::from(recipe.training.precision.activation_bytes());
    let stages = step.stages.len();
    let moved =
        |cadence| matches!(cadence, Cadence::PerBoundary { .. } | Cadence::PerArrival { .. });
    step.communications = step
        .communications
        .into_iter()
        .map(|communication| {
            if communication.kind != TrafficKind::Pipeline || !moved(communication.cadence) {
                return communication;
            }
            let payload =
                (0..stages).map(|stage| communication.payload(stage).equal_share(width)).collect();
            communication.with_payload(payload).with_element(Element::Float(Precision::Fp8))
        })
        .collect();
    step
}
