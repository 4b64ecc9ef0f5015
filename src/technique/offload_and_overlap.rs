//! States, activations or weights on the host; techniques of one rule: fused tensor calls,
//! message-driven stages, 8-bit pipeline messages.

use super::recipe::{Recipe, TechniqueRow, fixed_notes};
use crate::parallel::{Group, Layout, Zero};
use crate::step::{
    Activations, BlockKind, Cadence, Element, Hiding, ParameterUpkeep, Step, TrafficKind,
    UpdatePieces,
};
use crate::workload::{Precision, Technique, Techniques};

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
         besides, and no other GPU's traffic; every message of gradients starts anew, every bucket \
         21 copies and kernels",
            "what has room on that link hides; in the paper's own run 0.45 of 1.73 s of update did \
             (figure 8), and no source says what held up the rest",
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
                u64::try_from(held.div_ceil(piece)).unwrap_or(u64::MAX).max(1)
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

// Activations or weights that wait on the host (KARMA, arXiv 2008.11421): what a layer keeps goes
// out beside its forward pass and comes back beside the backward pass; weights come for every
// pass, and go back once, updated. The update itself stays where it is: putting it on the host
// is `offload`'s business.

/// Its row.
pub(super) const SWAP_ROW: TechniqueRow = TechniqueRow {
    activations: swap_activations,
    upkeep: swap_upkeep,
    sharded: swap_is_sharded,
    frees_memory: true,
    ..TechniqueRow::without_effect(Technique::Swap, swap_notes)
};

/// A share of what layers keep waits on the host.
fn swap_activations(activations: Activations, recipe: &Recipe<'_>) -> Activations {
    Activations { swapped: recipe.techniques.swap.swapped_activation_share(), ..activations }
}

/// What stays of a parameter on the GPU, what is on the host, and what travels between them.
fn swap_upkeep(upkeep: ParameterUpkeep, recipe: &Recipe<'_>, _: &Layout) -> ParameterUpkeep {
    if !recipe.techniques.swap.has_swapped_parameters() {
        return upkeep;
    }
    ParameterUpkeep {
        streamed: upkeep.weight,
        to_host: upkeep.to_host + upkeep.weight,
        weight: 0.0,
        ..upkeep
    }
}

/// Its rules on ZeRO, and that it swaps something.
fn swap_is_sharded(recipe: &Recipe<'_>, zero: Zero) -> Option<String> {
    let settings = &recipe.techniques.swap;
    if settings.swapped_activation_share() == 0.0 && !settings.has_swapped_parameters() {
        return Some("a share of 0 swaps nothing: set `technique.swap.share` above 0".to_owned());
    }
    (settings.has_swapped_parameters() && zero >= Zero::Parameters).then(|| {
        "weights that ZeRO 3 gathers from other ranks can't wait on the host as well: set \
         `parallelism.zero = 2`, or `technique.swap.what = \"activations\"`"
            .to_owned()
    })
}

/// Where it was shown.
fn swap_notes(techniques: &Techniques) -> Vec<String> {
    let mut texts = vec![
        "shown for models of the size of Megatron-LM and Turing-NLG under data parallelism alone, \
         on V100 (arXiv 2008.11421); nothing is rounded, so training is the same"
            .to_owned(),
        "what layers keep goes to the host beside the forward pass and comes back beside the \
         backward pass, one layer's is on its way at a time; only what outlasts a pass is seen, \
         and no other GPU's traffic is on the link"
            .to_owned(),
    ];
    if techniques.swap.has_swapped_parameters() {
        texts.push(
            "weights come for the forward and for the backward pass of every micro-batch and go \
             back once, updated; the update stays on the GPU (the paper's is on the host)"
                .to_owned(),
        );
    }
    texts
}

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

/// Its row.
pub(super) const MESSAGE_DRIVEN_ROW: TechniqueRow =
    TechniqueRow::without_effect(Technique::MessageDriven, |_| {
        fixed_notes(&[
            "shown up to 100B parameters on 384 V100 (arXiv 2110.13005); a stage runs whatever has \
         arrived, with as many micro-batches in flight as stages, and the bubble stays that of \
         1F1B",
        ])
    });

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
