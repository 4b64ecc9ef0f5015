//! The matrices that a rank holds, by shape: what is cut into chunks depends on them. Totals are
//! the step's business, and these add up to them.

use crate::parallel::Layout;
use crate::step::{BlockKind, Shape, Stage};
use crate::workload::{LatentAttention, Model, Moe};

/// So many matrices (or vectors, of one row) of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
    /// How many.
    pub count: u64,
}

impl Tensor {
    /// Elements of all of them.
    #[must_use]
    pub fn elements(&self) -> u128 {
        u128::from(self.rows) * u128::from(self.columns) * u128::from(self.count)
    }
}

/// The matrices of one rank of a stage: those of dense parameters, and those of routed experts.
/// Queries, keys and values are one matrix, and so are the two that a gated block starts with, as
/// training stacks fuse them.
#[must_use]
pub fn matrices(model: &Model, layout: &Layout, stage: &Stage) -> [Vec<Tensor>; 2] {
    let [dense, sparse] =
        [BlockKind::Dense, BlockKind::Moe].map(|kind| u64::from(stage.count(kind)));
    of_layers(model, layout, [dense, sparse], vocabularies(model, stage))
}

/// Every shape of [`matrices`] on any stage, once.
pub(super) fn shapes(model: &Model, layout: &Layout) -> Vec<Tensor> {
    let sparse = u64::from(model.moe.is_some());
    let dense = u64::from(model.moe.as_ref().is_none_or(|moe| moe.dense_layers > 0));
    let all = of_layers(model, layout, [dense, sparse], 1);
    all.into_iter().flatten().map(|tensor| Tensor { count: 1, ..tensor }).collect()
}

/// The matrices of so many layers, without and with experts, and of so many of the vocabulary.
fn of_layers(
    model: &Model,
    layout: &Layout,
    [dense, sparse]: [u64; 2],
    vocabularies: u64,
) -> [Vec<Tensor>; 2] {
    let tensor = u64::from(layout.tensor);
    let mut shared = attention(model, tensor, dense + sparse);
    shared.extend(feed_forward(model, model.ffn / tensor, dense));
    let norms = if model.gated_ffn { 2 } else { 4 };
    shared.push(Tensor {
        rows: 1,
        columns: model.hidden / tensor,
        count: norms * (dense + sparse),
    });
    let rows = Shape::new(model, layout).vocabulary;
    shared.push(Tensor { rows, columns: model.hidden, count: vocabularies });
    let mut routed = Vec::new();
    if let Some(moe) = &model.moe {
        shared.extend(beside_experts(model, moe, tensor, sparse));
        let experts = moe.experts / u64::from(layout.expert);
        let width = moe.ffn / u64::from(layout.expert_tensor);
        routed = feed_forward(model, width, experts * sparse);
    }
    [held(shared), held(routed)]
}

fn held(mut tensors: Vec<Tensor>) -> Vec<Tensor> {
    tensors.retain(|tensor| tensor.elements() > 0);
    tensors
}

/// Embedding and LM head on the stage; one matrix where they are tied and both here.
fn vocabularies(model: &Model, stage: &Stage) -> u64 {
    let [first, last] = [BlockKind::Embedding, BlockKind::Head].map(|kind| stage.count(kind) > 0);
    let both = if model.tied_embeddings { 1 } else { 2 };
    (u64::from(first) + u64::from(last)).min(both)
}

fn attention(model: &Model, tensor: u64, count: u64) -> Vec<Tensor> {
    let h = model.hidden;
    let matrix = |rows, columns| Tensor { rows, columns, count };
    let Some(LatentAttention { q_lora, kv_lora, qk_nope, qk_rope, v_dim }) = model.latent_attention
    else {
        let joint = (model.heads + 2 * model.kv_heads) * model.head_dim;
        let inner = model.heads * model.head_dim;
        return vec![matrix(h, joint / tensor), matrix(inner / tensor, h)];
    };
    let queries = model.heads * (qk_nope + qk_rope) / tensor;
    let mut all = if q_lora == 0 {
        vec![matrix(h, queries)]
    } else {
        vec![matrix(h / tensor, q_lora), matrix(q_lora, queries)]
    };
    all.push(matrix(h / tensor, kv_lora + qk_rope));
    all.push(matrix(kv_lora, model.heads * (qk_nope + v_dim) / tensor));
    all.push(matrix(model.heads * v_dim / tensor, h));
    all
}

fn feed_forward(model: &Model, width: u64, count: u64) -> Vec<Tensor> {
    let into = if model.gated_ffn { 2 } else { 1 };
    vec![
        Tensor { rows: model.hidden, columns: into * width, count },
        Tensor { rows: width, columns: model.hidden, count },
    ]
}

/// Router and shared experts.
fn beside_experts(model: &Model, moe: &Moe, tensor: u64, count: u64) -> Vec<Tensor> {
    let mut all = vec![Tensor { rows: model.hidden / tensor, columns: moe.experts, count }];
    all.extend(feed_forward(model, moe.ffn / tensor, count * moe.shared_experts));
    all
}
