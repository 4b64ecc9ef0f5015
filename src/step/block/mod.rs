//! The work of the blocks that stages are made of, kernel by kernel, for one micro-batch on
//! one rank. Counts operations and bytes of memory traffic; knows no rate and no link.

mod attention;
mod elementwise;
mod experts;
mod feed_forward;
mod kernel;
mod linear;
mod vocabulary;

pub use kernel::{Gemm, Kernel};

use super::Shape;
use crate::parallel::Layout;
use crate::workload::{Framework, Model, Precision, Recompute, Training};

/// What a stage is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// Token embedding, on the first stage.
    Embedding,
    /// Transformer layer with a dense feed-forward block.
    Dense,
    /// Transformer layer with routed experts.
    Moe,
    /// Last norm, LM head and loss, on the last stage.
    Head,
}

impl BlockKind {
    /// All of them, in the order of the forward pass.
    pub const ALL: [Self; 4] = [Self::Embedding, Self::Dense, Self::Moe, Self::Head];
}

/// A direction through the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// From tokens to loss.
    Forward,
    /// Forward once more, to have activations that were not kept.
    Recompute,
    /// From loss to gradients.
    Backward,
}

/// One kind of block and its work for one micro-batch on one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Which.
    pub kind: BlockKind,
    /// Its parts in the order of the forward pass.
    pub parts: Vec<Part>,
}

/// What the host launches as one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// Token embedding.
    Embedding,
    /// Norm, projections and attention.
    Attention,
    /// Norm and dense feed-forward block.
    FeedForward,
    /// Norm, router, experts.
    Experts,
    /// Last norm, LM head and loss.
    Head,
}

/// A part of a block and its kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Which.
    pub kind: PartKind,
    /// Kernels of each pass.
    pub kernels: Vec<(Pass, Kernel)>,
    /// Groups of kernels that are started once for every expert of this rank, all passes
    /// together; 0 where the experts run as one kernel.
    pub expert_starts: u64,
}

impl Part {
    /// Kernels of one pass.
    pub fn pass(&self, pass: Pass) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter().filter(move |(of, _)| *of == pass).map(|(_, kernel)| kernel)
    }
}

impl Block {
    /// Floating-point operations of a pass.
    #[must_use]
    pub fn flops(&self, pass: Pass) -> f64 {
        self.parts.iter().flat_map(|part| part.pass(pass)).map(Kernel::flops).sum()
    }
}

/// What the kernels of a block follow from.
#[derive(Clone, Copy)]
struct Source<'a> {
    model: &'a Model,
    framework: &'a Framework,
    layout: &'a Layout,
    shape: &'a Shape,
    precision: Precision,
    recompute: Recompute,
}

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
