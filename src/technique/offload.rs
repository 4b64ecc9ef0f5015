//! Optimizer states on the host (AxoNN, arXiv 2110.13005 §IV-C): the GPU keeps weights,
//! gradients and one bucket of states; each step fetches and returns all of them. The
//! gradients of one piece are reduced while the piece before is updated.

use super::recipe::Recipe;
use super::row::{TechniqueRow, fixed_notes};
use crate::parallel::{Group, Layout, Zero};
use crate::step::{Cadence, Hiding, ParameterUpkeep, Step, TrafficKind, UpdatePieces};
use crate::workload::Technique;

/// Its row.
pub(super) const OFFLOAD_ROW: TechniqueRow = TechniqueRow {
    change: apply_offload,
    upkeep: offload_upkeep,
    sharded: offload_is_sharded,
    frees_memory: true,
    ..TechniqueRow::without_effect(Technique::Offload, |_| {
        fixed_notes(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); synchronous, so training \
         is that of Adam",
            "the host link carries copies in one direction at a time, the reduction of gradients \
         besides, and no other GPU's traffic; every message of gradients starts anew, every bucket 21 copies and \
         kernels",
            "what has room on that link hides; in the paper's own run 0.45 of 1.73 s of update did (figure 8), and \
         no source says what held up the rest",
        ])
    })
};

/// Bytes of a parameter in the bucket at work: master weight, gradient in fp32, two moments.
const IN_BUCKET: f64 = 16.0;
/// What starts for one bucket in the authors' code (`optim.py` of axonn): three copies in, three
/// out and one to the weights in 16 bits, a copy of the gradient, its scaling and its check (two
/// kernels), and ten kernels of Adam.
const STARTS: u32 = 3 + 3 + 1 + 1 + 1 + 2 + 10;

/// States on the host; the reduction of gradients runs beside the update, not the backward pass.
fn apply_offload(mut step: Step, recipe: &Recipe<'_>) -> Step {
    let piece = u128::from(parameters_per_message(recipe));
    let stages = &step.stages;
    step.communications = std::mem::take(&mut step.communications)
        .into_iter()
        .map(|mut communication| {
            if communication.kind != TrafficKind::Data || communication.cadence != Cadence::PerStep
            {
                return communication;
            }
            if communication.hiding == Hiding::LastBackward {
                communication.hiding = Hiding::Exposed;
            }
            let in_pieces = |stage: usize| {
                let held = match communication.group {
                    Group::ExpertData => stages[stage].expert_parameters,
                    _ => stages[stage].dense_parameters,
                };
                let pieces = u64::try_from(held.div_ceil(piece)).unwrap_or(u64::MAX);
                communication.messages_per_call(stage).max(pieces)
            };
            let messages = (0..stages.len()).map(in_pieces).collect();
            communication.split_into_messages(messages)
        })
        .collect();
    step
}

/// Parameters whose gradients are reduced in one message; at least one.
fn parameters_per_message(recipe: &Recipe<'_>) -> u64 {
    let settings = &recipe.techniques.offload;
    settings.bucket.saturating_mul(settings.coalescing).max(1)
}

/// What stays on the GPU, what is on the host, and what travels between them.
fn offload_upkeep(upkeep: ParameterUpkeep, recipe: &Recipe<'_>, _: &Layout) -> ParameterUpkeep {
    let settings = &recipe.techniques.offload;
    // A copy of the gradient is made of the one on the GPU, for the bucket at work only.
    let moved = upkeep.state - recipe.framework.gradient_copy_bytes as f64;
    ParameterUpkeep {
        state: 0.0,
        host: upkeep.host + moved,
        from_host: moved,
        to_host: moved,
        buffer: upkeep.buffer + IN_BUCKET * settings.bucket as f64,
        pieces: Some(UpdatePieces {
            reduced: parameters_per_message(recipe),
            updated: settings.bucket.max(1),
            starts: STARTS,
        }),
        ..upkeep
    }
}

/// Its rule on ZeRO.
fn offload_is_sharded(_: &Recipe<'_>, zero: Zero) -> Option<String> {
    let stage = zero.stage_number();
    (zero != Zero::None).then(|| {
        format!(
            "its pieces are all-reduced, which ZeRO {stage} does not do: set `parallelism.zero = 0`"
        )
    })
}
