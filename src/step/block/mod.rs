//! The work of the blocks that stages are made of, kernel by kernel, for one micro-batch on
//! one rank. Counts operations and bytes of memory traffic; knows no rate and no link.

mod attention;
mod elementwise;
mod experts;
mod feed_forward;
mod kernel;
mod linear;
mod nouns;
mod source;
mod vocabulary;

pub use kernel::{Gemm, Kernel};
pub use nouns::{Block, BlockKind, Part, PartKind, Pass};

use super::Shape;
use crate::parallel::Layout;
use crate::workload::{Framework, Model, Recompute, Training};
use source::Source;

/// The blocks that a layout's stages are made of, those that no stage holds left out.
pub(super) fn blocks(
    model: &Model,
    training: &Training,
    framework: &Framework,
    layout: &Layout,
) -> Vec<Block> {
    let shape = Shape::new(model, layout);
    let source = Source {
        model,
        framework,
        layout,
        shape: &shape,
        precision: training.precision,
        recompute: layout.recompute,
    };
    let mut blocks = Vec::new();
    if framework.embedding {
        blocks.push(Block {
            kind: BlockKind::Embedding,
            parts: vec![vocabulary::embedding(&source)],
        });
    }
    if model.moe_layers() < model.layers {
        let parts = vec![attention::attention(&source), feed_forward::feed_forward(&source)];
        blocks.push(Block { kind: BlockKind::Dense, parts: recomputed(parts, source.recompute) });
    }
    if let Some(moe) = &model.moe {
        let parts = vec![attention::attention(&source), experts::experts(&source, moe)];
        blocks.push(Block { kind: BlockKind::Moe, parts: recomputed(parts, source.recompute) });
    }
    if framework.embedding {
        blocks.push(Block { kind: BlockKind::Head, parts: vec![vocabulary::head(&source)] });
    }
    blocks
}

/// With full recomputation a layer's forward pass runs again before its backward pass.
fn recomputed(mut parts: Vec<Part>, recompute: Recompute) -> Vec<Part> {
    if recompute == Recompute::Full {
        for part in &mut parts {
            let again = part.pass(Pass::Forward).cloned().collect::<Vec<_>>();
            part.kernels.extend(again.into_iter().map(|kernel| (Pass::Recompute, kernel)));
        }
    }
    parts
}
