//! What each pipeline stage holds: layers by kind, embedding, LM head, parameters.

use super::BlockKind;
use super::shape::VOCABULARY_ROWS;
use crate::parallel::Layout;
use crate::workload::{FeedForward, Framework, Layer, Model};

/// One pipeline stage, all its virtual stages together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineStage {
    /// Position in the pipeline, from 0.
    pub index: u32,
    /// Blocks in the order of the forward pass: a kind, and how many of it follow one another.
    pub blocks: Vec<(BlockKind, u32)>,
    /// Virtual stages v on each GPU.
    pub chunks: u32,
    /// Parameters that one rank holds and shares with the dense data-parallel group.
    pub dense_parameters: u128,
    /// Parameters of routed experts that one rank holds.
    pub expert_parameters: u128,
    /// Embedding elements that one rank holds a copy of besides the one on the other end of
    /// the pipeline, to be kept equal; 0 where neither a head nor a layer that predicts further
    /// tokens has it there.
    pub tied_elements: u128,
}

impl PipelineStage {
    /// Blocks of one kind.
    #[must_use]
    pub fn block_count(&self, kind: BlockKind) -> u32 {
        self.blocks
            .iter()
            .filter(|(block_kind, _)| *block_kind == kind)
            .map(|(_, count)| *count)
            .sum()
    }

    /// Blocks of each kind, by [`BlockKind::index_among_kinds`].
    #[must_use]
    pub fn block_counts(&self) -> [u32; BlockKind::COUNT] {
        let mut counts = [0; BlockKind::COUNT];
        for (kind, count) in &self.blocks {
            counts[kind.index_among_kinds()] += count;
        }
        counts
    }

    /// Blocks that hold parameters: of routed experts, or of all else.
    #[must_use]
    pub fn blocks_with_parameters(&self, of_experts: bool) -> u64 {
        let own = self.blocks.iter().filter(|(kind, _)| kind.has_parameters(of_experts));
        own.map(|(_, count)| u64::from(*count)).sum()
    }

    /// Its first virtual stage, as a stage of its own: what is read first, and as many of its layers
    /// as of each other one, or one more.
    pub(super) fn first_chunk(&self) -> Self {
        let chunks = self.chunks.max(1);
        let mut left = self.layer_count().div_ceil(chunks);
        let mut blocks = self.blocks.clone();
        if chunks > 1 {
            blocks.retain(|(kind, _)| matches!(kind, BlockKind::Embedding | BlockKind::Layer(_)));
            for (kind, count) in &mut blocks {
                *count = if kind.layer().is_some() { left.min(*count) } else { 1 };
                left -= if kind.layer().is_some() { *count } else { 0 };
            }
        }
        Self { blocks, chunks: 1, ..self.clone() }
    }

    /// Its layers in the order of the forward pass: a kind, and how many of it follow one another.
    pub fn layers(&self) -> impl Iterator<Item = (BlockKind, u32)> {
        self.blocks.iter().copied().filter(|(kind, _)| kind.layer().is_some())
    }

    /// Layers of all kinds.
    #[must_use]
    pub fn layer_count(&self) -> u32 {
        self.layers().map(|(_, count)| count).sum()
    }

    /// True where the other stage holds the same, wherever it stands.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.blocks == other.blocks
            && self.dense_parameters == other.dense_parameters
            && self.expert_parameters == other.expert_parameters
            && self.tied_elements == other.tied_elements
    }
}

/// The stages of a layout. Without a pattern dense layers of a mixture-of-experts model come first,
/// as in DeepSeek-V3; layers that predict further tokens stand on the last stage, with an embedding.
pub(super) fn split_into_stages(
    model: &Model,
    framework: &Framework,
    layout: &Layout,
) -> Vec<PipelineStage> {
    let mut first_layer = 0;
    layers_by_stage(model, framework, layout.pipeline)
        .into_iter()
        .enumerate()
        .map(|(index, layers)| {
            let own = layer_runs(model, first_layer, layers);
            first_layer += layers;
            build_stage(model, framework, layout, index as u32, own)
        })
        .collect()
}

/// So many layers from `first` on: a kind, and how many of it follow one another.
fn layer_runs(model: &Model, first: u32, layers: u32) -> Vec<(Layer, u32)> {
    let mut runs: Vec<(Layer, u32)> = Vec::new();
    for index in first..first + layers {
        add(&mut runs, model.layer_kind(index), 1);
    }
    runs
}

fn add(runs: &mut Vec<(Layer, u32)>, kind: Layer, count: u32) {
    match runs.last_mut() {
        Some((last, run)) if *last == kind => *run += count,
        _ if count > 0 => runs.push((kind, count)),
        _ => {}
    }
}

/// Layers of each stage: as many on each, and where they do not divide, the stages with
/// embedding and LM head have fewer, as if each were a layer (Llama 3, arXiv 2407.21783
/// §3.3.2; Megatron-LM's `--account-for-loss-in-pipeline-split`). Whatever is still missing
/// comes off the LM head where the framework balances stages, else off the last stages.
fn layers_by_stage(model: &Model, framework: &Framework, stages: u32) -> Vec<u32> {
    let most = model.layers.div_ceil(stages.max(1));
    let mut layers = vec![most; stages as usize];
    let missing = most * stages - model.layers;
    let head = if framework.balanced_stages { missing } else { 1 + 2 * model.mtp_layers };
    let mut left = missing;
    let mut take = |stage: usize, wanted: u32| {
        let taken = wanted.min(left).min(layers[stage]);
        layers[stage] -= taken;
        left -= taken;
    };
    let last = stages as usize - 1;
    take(last, head);
    take(0, 1);
    for stage in (0..last).rev().chain([last]) {
        take(stage, 1);
    }
    layers
}

fn build_stage(
    model: &Model,
    framework: &Framework,
    layout: &Layout,
    index: u32,
    mut layers: Vec<(Layer, u32)>,
) -> PipelineStage {
    let block = |(kind, count): &(Layer, u32)| (BlockKind::Layer(*kind), *count);
    let first = framework.embedding && index == 0;
    let last = framework.embedding && index + 1 == layout.pipeline;
    let further = if last { model.mtp_layers } else { 0 };
    let tensor = u128::from(layout.tensor);
    let embedding = padded_vocabulary(model, layout) * u128::from(model.hidden) / tensor;
    let mut blocks = Vec::with_capacity(layers.len() + 2);
    if first {
        blocks.push((BlockKind::Embedding, 1));
    }
    blocks.extend(layers.iter().map(block));
    if further > 0 {
        let layer = (model.multi_token_layer(), further);
        let joined = [(BlockKind::Embedding, further), (BlockKind::Projection, further)];
        blocks.extend(joined.into_iter().chain([block(&layer)]));
        layers.push(layer);
    }
    if last {
        blocks.push((BlockKind::Head, 1 + further));
    }
    // The ends hold a copy each of what both read.
    let copied = model.tied_embeddings || model.mtp_layers > 0;
    let embedded = first || further > 0;
    let shared = first && last && model.tied_embeddings;
    let vocabularies = (u128::from(embedded) + u128::from(last)).min(if shared { 1 } else { 2 });
    let (dense, expert) = parameters_per_rank(model, layout, &layers);
    PipelineStage {
        index,
        blocks,
        chunks: layout.interleave,
        dense_parameters: dense
            + vocabularies * embedding
            + u128::from(further) * model.projection_parameters() / tensor,
        expert_parameters: expert,
        tied_elements: if copied && (first != last) { embedding } else { 0 },
    }
}

/// Vocabulary padded so that every tensor-parallel rank holds a multiple of 128 rows, as
/// Megatron-LM does.
fn padded_vocabulary(model: &Model, layout: &Layout) -> u128 {
    let multiple = u128::from(VOCABULARY_ROWS) * u128::from(layout.tensor);
    u128::from(model.vocab).div_ceil(multiple) * multiple
}

/// Parameters of layers on one rank: shared by all replicas, and of routed experts.
fn parameters_per_rank(model: &Model, layout: &Layout, layers: &[(Layer, u32)]) -> (u128, u128) {
    let tensor = u128::from(layout.tensor);
    let (mut shared, mut routed) = (0, 0);
    for kind in Layer::ALL {
        let of_kind = layers.iter().filter(|(layer, _)| *layer == kind);
        let count: u128 = of_kind.map(|(_, count)| u128::from(*count)).sum();
        if count == 0 {
            continue;
        }
        let whole = model.replicated_parameters(kind);
        let split = model.layer_parameters(kind, 0) - whole;
        shared += count * whole;
        match (kind.network(), &model.moe) {
            (Some(FeedForward::Experts), Some(moe)) => {
                shared += count * (split / tensor);
                let ranks = u128::from(layout.expert) * u128::from(layout.expert_tensor);
                routed += count * (model.routed_parameters(moe) * u128::from(moe.experts) / ranks);
            }
            _ => shared += count * split / tensor,
        }
    }
    (shared, routed)
}

#[cfg(test)]
mod tests {
    use super::layers_by_stage;
    use crate::workload::{Framework, Model};

    fn split(layers: u32, mtp_layers: u32, stages: u32) -> Vec<u32> {
        let model = Model {
            name: String::new(),
            layers,
            hidden: 8,
            heads: 1,
            kv_heads: 1,
            head_dim: 8,
            ffn: 32,
            gated_ffn: false,
            vocab: 128,
            sequence: 8,
            tied_embeddings: true,
            pattern: None,
            attention_gate: false,
            mamba: None,
            delta: None,
            moe: None,
            latent_attention: None,
            window: None,
            attention_sinks: false,
            parallel_blocks: false,
            mtp_layers,
        };
        let framework = Framework::new_without_features("");
        layers_by_stage(&model, &framework, stages)
    }

    #[test]
    fn published_splits_come_out() {
        assert_eq!(split(96, 0, 8), [12; 8]);
        // Llama 3 405B: 126 layers on 16 stages, one less on the first and on the last.
        let llama = split(126, 0, 16);
        assert_eq!((llama[0], llama[1], llama[15]), (7, 8, 7));
        // DeepSeek-V3 in Megatron-Bridge: 16, 16, 16 and 13 with the layer that predicts ahead.
        assert_eq!(split(61, 1, 4), [16, 16, 16, 13]);
        for (layers, stages) in [(1, 1), (5, 3), (7, 7), (61, 16), (70, 12)] {
            assert_eq!(split(layers, 0, stages).iter().sum::<u32>(), layers);
        }
    }
}
