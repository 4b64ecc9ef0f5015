//! The matrices that a rank holds, by shape: what is cut into chunks depends on them. Totals are
//! the step's business, and these add up to them.

use super::{BlockKind, PipelineStage, RankShape};
use crate::parallel::Layout;
use crate::workload::{Delta, FeedForward, LatentAttention, Layer, Mamba, Mixer, Model, Moe};

/// So many matrices (or vectors, of one row) of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub rows: u64,
    pub columns: u64,
    pub count: u64,
}

impl Tensor {
    /// Elements of all of them.
    #[must_use]
    pub fn element_count(&self) -> u128 {
        u128::from(self.rows) * u128::from(self.columns) * u128::from(self.count)
    }
}

/// The matrices of one rank of a stage: those of dense parameters, and those of routed experts.
/// Queries, keys and values are one matrix, and so are the two that a gated block starts with, as
/// training stacks fuse them.
#[must_use]
pub fn rank_matrices(model: &Model, layout: &Layout, stage: &PipelineStage) -> [Vec<Tensor>; 2] {
    let kinds = Layer::ALL.map(|kind| (kind, u64::from(stage.block_count(BlockKind::Layer(kind)))));
    let projections = stage.block_count(BlockKind::Projection).into();
    matrices_of_layers(model, layout, &kinds, [vocabulary_matrix_count(model, stage), projections])
}

/// Every shape of [`rank_matrices`] on any stage, once.
pub(crate) fn matrix_shapes(model: &Model, layout: &Layout) -> Vec<Tensor> {
    let kinds: Vec<(Layer, u64)> =
        model.kinds_of_stages().into_iter().map(|kind| (kind, 1)).collect();
    let all = matrices_of_layers(model, layout, &kinds, [1, model.mtp_layers.into()]);
    all.into_iter().flatten().map(|tensor| Tensor { count: 1, ..tensor }).collect()
}

/// Matrices of a block, and how many blocks that have them follow each other.
pub(super) type BlockRun = (Vec<Tensor>, u32);

/// [`rank_matrices`] one block after the other, the last one first: the order in which their
/// gradients come. Inside a layer too, where a stack registers the output of a half before its
/// inputs (Megatron-Core). Of routed experts, or of all else.
pub(super) fn matrices_last_first(
    model: &Model,
    layout: &Layout,
    stage: &PipelineStage,
    of_experts: bool,
) -> Vec<BlockRun> {
    let of_block = |kinds: &[(Layer, u64)], others| {
        let [dense, routed] = matrices_of_layers(model, layout, kinds, others);
        let mut own = if of_experts { routed } else { dense };
        own.reverse();
        own
    };
    let embeds = stage.block_count(BlockKind::Embedding) > 0;
    let heads = vocabulary_matrix_count(model, stage) - u64::from(embeds);
    let mut all = vec![(of_block(&[], [heads, 0]), 1)];
    for (kind, count) in stage.blocks.iter().rev() {
        match kind {
            BlockKind::Layer(layer) => all.push((of_block(&[(*layer, 1)], [0, 0]), *count)),
            BlockKind::Projection => all.push((of_block(&[], [0, 1]), *count)),
            BlockKind::Embedding | BlockKind::Head => {}
        }
    }
    all.push((of_block(&[], [u64::from(embeds), 0]), 1));
    all
}

/// The matrices of so many layers of each kind, and so many of the vocabulary and of projections
/// before layers that predict further tokens.
fn matrices_of_layers(
    model: &Model,
    layout: &Layout,
    kinds: &[(Layer, u64)],
    [vocabularies, projections]: [u64; 2],
) -> [Vec<Tensor>; 2] {
    let tensor = u64::from(layout.tensor);
    let layers = |has: &dyn Fn(Layer) -> bool| -> u64 {
        kinds.iter().filter(|(kind, _)| has(*kind)).map(|(_, count)| count).sum()
    };
    let mixers = |mixer| layers(&|layer| layer.mixer() == Some(mixer));
    let networks = |network| layers(&|layer| layer.network() == Some(network));
    let mut shared = attention_tensors(model, tensor, mixers(Mixer::Attention));
    if let Some(mamba) = &model.mamba {
        shared.extend(mamba_tensors(model, mamba, tensor, mixers(Mixer::Mamba)));
    }
    if let Some(delta) = &model.delta {
        shared.extend(delta_tensors(model, delta, tensor, mixers(Mixer::Delta)));
    }
    shared.extend(norm_tensors(model, tensor, kinds));
    shared.extend(feed_forward(
        model.hidden,
        model,
        model.ffn / tensor,
        networks(FeedForward::Dense),
    ));
    let rows = RankShape::new(model, layout).vocabulary;
    shared.push(Tensor { rows, columns: model.hidden, count: vocabularies });
    let columns = model.hidden / tensor;
    shared.push(Tensor { rows: 2 * model.hidden, columns, count: projections });
    let mut routed = Vec::new();
    if let Some(moe) = &model.moe {
        let sparse = networks(FeedForward::Experts);
        shared.extend(matrices_beside_experts(model, moe, tensor, sparse));
        let experts = moe.experts / u64::from(layout.expert);
        let width = moe.ffn / u64::from(layout.expert_tensor);
        routed = feed_forward(moe.token_width(model.hidden), model, width, experts * sparse);
    }
    [drop_empty_tensors(shared), drop_empty_tensors(routed)]
}

/// Norms of so many layers: with a pattern one a block, that scales.
fn norm_tensors(model: &Model, tensor: u64, kinds: &[(Layer, u64)]) -> Vec<Tensor> {
    let each = |layer: Layer| match &model.pattern {
        Some(_) => u64::from(layer.residual_blocks()),
        None if model.gated_ffn => 2,
        None => 4,
    };
    let count = kinds.iter().map(|(layer, count)| each(*layer) * count).sum();
    vec![Tensor { rows: 1, columns: model.hidden / tensor, count }]
}

/// Matrices of the scan's mixer, its convolution, and its vectors as one.
fn mamba_tensors(model: &Model, mamba: &Mamba, tensor: u64, count: u64) -> Vec<Tensor> {
    let vectors = mamba.convolved_channels() + 3 * mamba.heads + mamba.inner_channels();
    vec![
        Tensor { rows: model.hidden, columns: mamba.projected_width() / tensor, count },
        Tensor { rows: mamba.inner_channels() / tensor, columns: model.hidden, count },
        Tensor { rows: mamba.convolved_channels() / tensor, columns: mamba.conv, count },
        Tensor { rows: 1, columns: vectors / tensor, count },
    ]
}

/// As `mamba_tensors`, of the gated delta rule.
fn delta_tensors(model: &Model, delta: &Delta, tensor: u64, count: u64) -> Vec<Tensor> {
    let vectors = 2 * delta.value_heads + delta.value_dim;
    vec![
        Tensor { rows: model.hidden, columns: delta.projection_columns() / tensor, count },
        Tensor { rows: delta.value_channels() / tensor, columns: model.hidden, count },
        Tensor { rows: delta.convolution_channels() / tensor, columns: delta.conv, count },
        Tensor { rows: 1, columns: vectors / tensor, count },
    ]
}

fn drop_empty_tensors(mut tensors: Vec<Tensor>) -> Vec<Tensor> {
    tensors.retain(|tensor| tensor.element_count() > 0);
    tensors
}

/// Embedding and LM head on the stage; one matrix where they are tied and both of the model's are here.
fn vocabulary_matrix_count(model: &Model, stage: &PipelineStage) -> u64 {
    let [embeddings, projections, heads] =
        [BlockKind::Embedding, BlockKind::Projection, BlockKind::Head]
            .map(|kind| stage.block_count(kind));
    let shared = model.tied_embeddings && embeddings > projections;
    (u64::from(embeddings > 0) + u64::from(heads > 0)).min(if shared { 1 } else { 2 })
}

fn attention_tensors(model: &Model, tensor: u64, count: u64) -> Vec<Tensor> {
    let h = model.hidden;
    let matrix = |rows, columns| Tensor { rows, columns, count };
    let Some(LatentAttention { q_lora, kv_lora, qk_nope, qk_rope, v_dim }) = model.latent_attention
    else {
        let gate = if model.attention_gate { model.heads } else { 0 };
        let joint = (model.heads + gate + 2 * model.kv_heads) * model.head_dim;
        let inner = model.heads * model.head_dim;
        return vec![matrix(inner / tensor, h), matrix(h, joint / tensor)];
    };
    let queries = model.heads * (qk_nope + qk_rope) / tensor;
    let mut all = if q_lora == 0 {
        vec![matrix(h, queries)]
    } else {
        vec![matrix(h, q_lora), matrix(q_lora, queries)]
    };
    all.push(matrix(h, kv_lora + qk_rope));
    all.push(matrix(kv_lora, model.heads * (qk_nope + v_dim) / tensor));
    all.push(matrix(model.heads * v_dim / tensor, h));
    if model.attention_gate {
        all.push(matrix(h, model.heads * v_dim / tensor));
    }
    all
}

/// Feed-forward blocks between tokens of some width.
fn feed_forward(token: u64, model: &Model, width: u64, count: u64) -> Vec<Tensor> {
    let into = if model.gated_ffn { 2 } else { 1 };
    vec![
        Tensor { rows: token, columns: into * width, count },
        Tensor { rows: width, columns: token, count },
    ]
}

/// Router, shared experts, and the projections around routed ones.
fn matrices_beside_experts(model: &Model, moe: &Moe, tensor: u64, count: u64) -> Vec<Tensor> {
    let h = model.hidden;
    let mut all = vec![Tensor { rows: h / tensor, columns: moe.experts, count }];
    let width = moe.shared_ffn.unwrap_or(moe.ffn) / tensor;
    all.extend(feed_forward(h, model, width, count * moe.shared_experts));
    if let Some(latent) = moe.latent {
        all.push(Tensor { rows: h / tensor, columns: latent, count: 2 * count });
    }
    all
}
