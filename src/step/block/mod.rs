//! The work of the blocks that stages are made of, kernel by kernel, for one micro-batch on
//! one rank. Counts operations and bytes of memory traffic; knows no rate and no link.

mod attention;
mod feed_forward;
mod kernel;
mod linear;
mod recurrent;

pub use kernel::{Block, BlockKind, BlockPart, FusedAttention, Gemm, Kernel, PartKind, Pass};

use super::RankShape;
use crate::parallel::Layout;
use crate::workload::{
    FeedForward, Framework, Layer, Mixer, Model, Recompute, RecomputeModules, Training,
};
use kernel::KernelInputs;

/// The blocks that a layout's stages are made of, those that no stage holds left out.
pub(super) fn layout_blocks(
    model: &Model,
    training: &Training,
    framework: &Framework,
    layout: &Layout,
) -> Vec<Block> {
    let shape = RankShape::new(model, layout);
    let source = KernelInputs {
        model,
        framework,
        layout,
        shape: &shape,
        precision: training.precision,
        recompute: layout.recompute,
        modules: RecomputeModules::for_step(
            layout.recompute,
            training.recompute_modules,
            model,
            framework.flash_attention,
        ),
    };
    let mut blocks = Vec::new();
    if framework.embedding {
        blocks.push(Block {
            kind: BlockKind::Embedding,
            parts: vec![feed_forward::embedding_part(&source)],
        });
    }
    for kind in model.kinds_of_stages() {
        let parts = with_recomputation(layer_parts(&source, kind), &source);
        blocks.push(Block { kind: BlockKind::Layer(kind), parts });
    }
    if framework.embedding {
        if model.mtp_layers > 0 {
            let parts = vec![feed_forward::projection_part(&source)];
            blocks.push(Block { kind: BlockKind::Projection, parts });
        }
        blocks.push(Block { kind: BlockKind::Head, parts: vec![feed_forward::head_part(&source)] });
    }
    blocks
}

/// The parts of a layer: its mixer, then what works on each token.
fn layer_parts(source: &KernelInputs<'_>, layer: Layer) -> Vec<BlockPart> {
    let model = source.model;
    let mixer = match layer.mixer() {
        Some(Mixer::Attention) => Some(attention::attention_part(source, layer.has_window())),
        Some(Mixer::Mamba) => {
            model.mamba.as_ref().map(|mamba| recurrent::mamba_part(source, mamba))
        }
        Some(Mixer::Delta) => {
            model.delta.as_ref().map(|delta| recurrent::delta_part(source, delta))
        }
        None => None,
    };
    let network = match layer.network() {
        Some(FeedForward::Dense) => Some(feed_forward::feed_forward(source)),
        Some(FeedForward::Experts) => {
            model.moe.as_ref().map(|moe| feed_forward::expert_part(source, moe))
        }
        None => None,
    };
    mixer.into_iter().chain(network).collect()
}

/// With full recomputation a layer's forward pass runs again before its backward pass; with that of
/// operations what memory bounds does.
fn with_recomputation(mut parts: Vec<BlockPart>, source: &KernelInputs<'_>) -> Vec<BlockPart> {
    let full = source.recompute == Recompute::Full;
    let runs_again =
        |kernel: &Kernel| full || source.recomputes_operations() && kernel.is_memory_bound();
    for part in &mut parts {
        let again = part.kernels_of_pass(Pass::Forward).filter(|kernel| runs_again(kernel));
        let again: Vec<Kernel> = again.cloned().collect();
        part.kernels.extend(again.into_iter().map(|kernel| (Pass::Recompute, kernel)));
    }
    parts
}
