//! Bytes that a block keeps from its forward to its backward pass, for one micro-batch on one
//! rank, and what it holds only while it works.
//!
//! Stored scores: Korthikanti 2022 (arXiv 2205.05198 §4, eq. 1 to 4), taken apart so that
//! grouped-query and gated layers follow. Fused attention: the same count without dropout masks
//! and scores, with the rotated copies that fused kernels keep. Below 16 bits, what a matrix
//! multiplication keeps of its input is the quantised operand (Megatron Core user guide,
//! low-precision training: activations are stored in 8 or 4 bits); all else stays in 16 bits.

mod networks;

use super::{BlockKind, PipelineStage, RankShape};
use crate::parallel::Layout;
use crate::workload::{
    Delta, FeedForward, Framework, LatentAttention, Layer, Mamba, Mixer, Model, Precision,
    Recompute, RecomputeModule, RecomputeModules, Training,
};

/// Bytes per score that attention with stored scores keeps: softmax output 2, dropout output 2,
/// dropout mask 1.
const SCORE_BYTES: f64 = 5.0;
/// Bytes per element of the residual stream that such a layer keeps besides matrix inputs: two
/// dropout masks. (Two norm inputs and two norm outputs, 2 bytes each, are counted as elements.)
const DROPOUT_MASKS: f64 = 2.0;
/// Bytes per query and head of the statistics that fused attention keeps (log-sum-exp, fp32).
const STATISTICS: f64 = 4.0;
/// Bytes per logit that the loss keeps: a 16-bit logit, its fp32 form, its gradient in place.
const LOGIT_BYTES: f64 = 8.0;
/// Bytes of a logit where one kernel turns 16-bit ones into their gradient in place (Transformer
/// Engine's cross entropy).
const FUSED_LOGIT_BYTES: f64 = 2.0;
/// Tokens of a chunk of the gated delta rule.
const DELTA_CHUNK: u64 = 64;
/// Those where the loss is several operations of PyTorch: a 16-bit logit, its fp32 form, its logarithm,
/// the gradients of both.
const SEPARATE_LOGIT_BYTES: f64 = 16.0;
/// Bytes per element of the head's input: the last norm's input and output.
const HEAD_INPUT: f64 = 4.0;

/// What the blocks of a layout keep for one micro-batch, in bytes. Follows from all that a
/// micro-batch depends on, but not from the pipeline or data degree.
#[derive(Clone, Debug, PartialEq)]
pub struct Activations {
    /// Kept by a block of each kind until its backward pass, by the place of the kind.
    pub kept: [f64; BlockKind::COUNT],
    /// Held while a block of each kind works backward.
    pub transient: [f64; BlockKind::COUNT],
    /// Held by loss and head.
    pub head: f64,
    /// Layers of a stage whose activations wait in host memory.
    pub offload_layers: u32,
    /// Share of what all other layers keep that waits there too.
    pub swapped: f64,
}

impl Activations {
    /// What a layout keeps.
    #[must_use]
    pub fn new(model: &Model, training: &Training, framework: &Framework, layout: &Layout) -> Self {
        let source = ActivationInputs {
            model,
            framework,
            shape: &RankShape::new(model, layout),
            recompute: layout.recompute,
            modules: RecomputeModules::for_step(
                layout.recompute,
                training.recompute_modules,
                model,
                framework.flash_attention,
            ),
            precision: training.precision,
            expert: layout.expert,
            expert_tensor: u64::from(layout.expert_tensor.max(1)),
        };
        let (mut kept, mut transient) = ([0.0; BlockKind::COUNT], [0.0; BlockKind::COUNT]);
        for kind in model.kinds_of_stages() {
            let place = BlockKind::Layer(kind).index_among_kinds();
            kept[place] = source.kept_layer_bytes(kind);
            transient[place] = source.transient_layer_bytes(kind);
        }
        // Input and output of two norms.
        kept[BlockKind::Projection.index_among_kinds()] = 2.0 * source.norm_bytes();
        Self {
            kept,
            transient,
            head: source.head_bytes(),
            offload_layers: training.offload_layers,
            swapped: 0.0,
        }
    }

    /// Of the layers of a stage, as many layers' worth of each kind as is kept in host memory: all
    /// of the first ones, a share of the others.
    #[must_use]
    pub fn offloaded_layers(&self, stage: &PipelineStage) -> [f64; BlockKind::COUNT] {
        let mut left = self.offload_layers;
        let mut away = [0.0; BlockKind::COUNT];
        for (kind, count) in stage.layers() {
            let whole = left.min(count);
            left -= whole;
            away[kind.index_among_kinds()] +=
                f64::from(whole) + self.swapped * f64::from(count - whole);
        }
        away
    }
}

/// What the counts follow from.
struct ActivationInputs<'a> {
    model: &'a Model,
    framework: &'a Framework,
    shape: &'a RankShape,
    recompute: Recompute,
    modules: RecomputeModules,
    precision: Precision,
    expert: u32,
    expert_tensor: u64,
}

impl ActivationInputs<'_> {
    /// Bytes of one stored element.
    fn stored_element_bytes(&self) -> f64 {
        self.precision.activation_bytes() as f64
    }

    /// Bytes of one element of what a matrix multiplication keeps of its input.
    fn operand_element_bytes(&self) -> f64 {
        self.precision.operand_bytes()
    }

    /// Bytes of an operand where something else keeps that tensor as well: nothing more in 16
    /// bits, as both keep one.
    fn second_copy(&self) -> f64 {
        if self.operand_element_bytes() < self.stored_element_bytes() {
            self.operand_element_bytes()
        } else {
            0.0
        }
    }

    /// Bytes of a norm's input and of its output, which feeds a matrix multiplication.
    fn norm_bytes(&self) -> f64 {
        self.norm_input_bytes() + self.operand_element_bytes() * self.kept_input_elements()
    }

    fn norm_input_bytes(&self) -> f64 {
        self.stored_element_bytes() * self.residual_elements()
    }

    /// As `norm_bytes`, of the norms of attention and feed-forward blocks, which may be computed
    /// again.
    fn layer_norm_bytes(&self) -> f64 {
        if self.modules.has_module(RecomputeModule::LayerNorm) {
            self.norm_input_bytes()
        } else {
            self.norm_bytes()
        }
    }

    /// Elements of what feeds a matrix multiplication, as kept: by DTensor as it was gathered.
    fn kept_input_elements(&self) -> f64 {
        let gathered = self.shape.tokens as f64 * self.shape.hidden as f64;
        if self.framework.native_pytorch { gathered } else { self.residual_elements() }
    }

    /// Elements of the residual stream on this rank.
    fn residual_elements(&self) -> f64 {
        self.shape.shard_elements()
    }

    /// Kept by one layer; with full recomputation its input only.
    fn kept_layer_bytes(&self, layer: Layer) -> f64 {
        match self.recompute {
            Recompute::Full => self.stored_element_bytes() * self.residual_elements(),
            Recompute::Selective if self.framework.native_pytorch => {
                self.saved_products(layer).unwrap_or_else(|| self.whole_layer(layer))
            }
            _ => self.whole_layer(layer),
        }
    }

    /// What selective recomputation of operations keeps of a layer of ordinary attention and a
    /// dense network: its input, queries, values, the attention's output and statistics, the gate
    /// and the network's output; without a gate the network's inner width.
    fn saved_products(&self, layer: Layer) -> Option<f64> {
        let ordinary = layer.mixer() == Some(Mixer::Attention)
            && self.model.latent_attention.is_none()
            && layer.network() == Some(FeedForward::Dense);
        if !ordinary {
            return None;
        }
        let shape = self.shape;
        let tokens = shape.tokens as f64;
        let heads = (2 * shape.heads + shape.kv_heads) as f64 * self.model.head_dim as f64;
        let inner = self.model.ffn as f64 / shape.tensor as f64;
        let streams = if self.model.gated_ffn { 2.0 } else { 1.0 };
        let elements = streams * self.residual_elements() + tokens * (heads + inner);
        Some(self.stored_element_bytes() * elements + STATISTICS * tokens * shape.heads as f64)
    }

    /// Held while one layer works backward: the gradients of its widest tensors, and with full
    /// recomputation all that its forward pass made again.
    fn transient_layer_bytes(&self, layer: Layer) -> f64 {
        let network = match (layer.network(), &self.model.moe) {
            (Some(FeedForward::Experts), Some(moe)) => {
                let width = 3.0 * moe.ffn as f64 / self.expert_tensor as f64;
                let token = moe.token_width(self.shape.hidden) as f64;
                let visits = self.fullest_rank_visits(moe) * (token + width);
                self.stored_element_bytes() * (visits + self.gathered_tokens() * token)
            }
            (Some(FeedForward::Dense), _) => {
                let matrices = (2 * self.model.ffn_matrices() - 3) as f64;
                let width = self.model.ffn as f64 / self.shape.tensor as f64;
                self.stored_element_bytes() * self.shape.tokens as f64 * matrices * width
            }
            _ => 0.0,
        };
        let by_operation = self.framework.native_pytorch && self.recompute == Recompute::Selective;
        let again = if self.recompute == Recompute::Full || by_operation {
            self.whole_layer(layer)
        } else {
            let kept = ActivationInputs { modules: self.modules.piecewise_modules(), ..*self };
            kept.whole_layer(layer) - self.whole_layer(layer)
        };
        network.max(self.transient_of_mixer(layer)) + again
    }

    /// Gradients of what the first matrix of a mixer makes and the last one reads, where they can
    /// be the widest: without scores, or without a network beside it.
    fn transient_of_mixer(&self, layer: Layer) -> f64 {
        let model = self.model;
        let [projected, inner] = match layer.mixer() {
            Some(Mixer::Mamba) => model
                .mamba
                .as_ref()
                .map_or([0, 0], |mamba| [mamba.projected_width(), mamba.inner_channels()]),
            Some(Mixer::Delta) => model
                .delta
                .as_ref()
                .map_or([0, 0], |delta| [delta.projection_columns(), delta.value_channels()]),
            Some(Mixer::Attention) if layer.network().is_none() => {
                let heads = model.heads * model.head_dim;
                [heads + 2 * model.kv_heads * model.head_dim, heads]
            }
            _ => [0, 0],
        };
        let width = (projected + inner) as f64 / self.shape.tensor as f64;
        self.stored_element_bytes() * self.shape.tokens as f64 * width
    }

    /// Held by loss and head on the last stage.
    fn head_bytes(&self) -> f64 {
        let tokens = self.shape.tokens as f64;
        let logit = match (self.framework.fused_loss, self.framework.native_pytorch) {
            (true, _) => FUSED_LOGIT_BYTES,
            (_, true) => SEPARATE_LOGIT_BYTES,
            _ => LOGIT_BYTES,
        };
        let inputs = self.residual_elements() + self.kept_input_elements();
        logit * tokens * self.shape.vocabulary as f64 + HEAD_INPUT / 2.0 * inputs
    }

    fn whole_layer(&self, layer: Layer) -> f64 {
        let model = self.model;
        let mixer = match layer.mixer() {
            Some(Mixer::Attention) => match &model.latent_attention {
                None => self.grouped_attention(layer.has_window()),
                Some(latent) => self.latent_attention(latent),
            },
            Some(Mixer::Mamba) => model.mamba.as_ref().map_or(0.0, |mamba| self.mamba_bytes(mamba)),
            Some(Mixer::Delta) => model.delta.as_ref().map_or(0.0, |delta| self.delta_bytes(delta)),
            None => 0.0,
        };
        let network = match (layer.network(), &model.moe) {
            (Some(FeedForward::Experts), Some(moe)) => self.expert_bytes(moe),
            (Some(FeedForward::Dense), _) => self.feed_forward(),
            _ => 0.0,
        };
        mixer + network
    }

    /// Norm, what the first matrix makes, the scan's result and the gated norm's output. The
    /// convolution's output and the states of chunks are made again backward (`state-spaces/mamba`,
    /// `mamba_split_conv1d_scan_combined`).
    fn mamba_bytes(&self, mamba: &Mamba) -> f64 {
        let widths = (mamba.projected_width() + mamba.inner_channels()) as f64;
        self.norm_bytes()
            + self.divide_over_tensor_group(
                self.stored_element_bytes() * widths
                    + self.operand_element_bytes() * mamba.inner_channels() as f64,
            )
    }

    /// Norm, what the first matrices make, the convolution's output, the inverse of each chunk's
    /// triangle, the rule's result and the gated norm's output (flash-linear-attention,
    /// `chunk_gated_delta_rule`).
    fn delta_bytes(&self, delta: &Delta) -> f64 {
        let chunks = delta.value_heads * DELTA_CHUNK;
        let widths = (delta.projection_columns()
            + delta.convolution_channels()
            + chunks
            + delta.value_channels()) as f64;
        self.norm_bytes()
            + self.divide_over_tensor_group(
                self.stored_element_bytes() * widths
                    + self.operand_element_bytes() * delta.value_channels() as f64,
            )
    }

    /// So many bytes of a token, divided over the tensor group, for all tokens.
    fn divide_over_tensor_group(&self, bytes: f64) -> f64 {
        self.shape.tokens as f64 * bytes / self.shape.tensor as f64
    }

    /// Norm input and output, joint queries, keys and values, and the output's input; stored
    /// scores, or the rotated queries and keys and the statistics. Windows need kernels that store
    /// none.
    fn grouped_attention(&self, windowed: bool) -> f64 {
        let shape = self.shape;
        let tokens = shape.tokens as f64;
        let (heads, kv) = (shape.heads as f64, shape.kv_heads as f64);
        let d = self.model.head_dim as f64;
        let gate = if self.model.attention_gate { heads * d } else { 0.0 };
        let joint = (heads + 2.0 * kv) * d + gate;
        let output = tokens * heads * d;
        if !self.framework.attention_scores {
            return self.layer_norm_bytes()
                + self.stored_element_bytes() * tokens * joint
                + self.operand_element_bytes() * output;
        }
        if self.framework.flash_attention || windowed {
            let rotated = (heads + kv) * d;
            let kept = self.stored_element_bytes() * (tokens * (joint + rotated) + output);
            let projection = self.second_copy() * output;
            return self.layer_norm_bytes() + kept + projection + STATISTICS * tokens * heads;
        }
        let kept =
            self.stored_element_bytes() * tokens * joint + self.operand_element_bytes() * output;
        let again = self.modules.has_module(RecomputeModule::CoreAttention);
        let scores = if again { 0.0 } else { self.score_bytes() };
        self.layer_norm_bytes() + kept + self.residual_elements() * DROPOUT_MASKS / 2.0 + scores
    }

    fn score_bytes(&self) -> f64 {
        let shape = self.shape;
        SCORE_BYTES * shape.tokens as f64 * shape.heads as f64 * shape.sequence as f64
    }

    /// Compressed forms and their norms of the rank's own tokens, rotary keys of all; heads split
    /// (DeepSeek-V2, arXiv 2405.04434 §2.1). Recomputing the up-projections keeps the attention's
    /// output only.
    fn latent_attention(&self, latent: &LatentAttention) -> f64 {
        let shape = self.shape;
        let tokens = shape.tokens as f64;
        let heads = shape.heads as f64;
        let query = (latent.qk_nope + latent.qk_rope) as f64;
        let value = latent.v_dim as f64;
        let own = shape.shard_tokens * (2 * latent.q_lora + 2 * latent.kv_lora) as f64;
        let compressed = own + tokens * latent.qk_rope as f64;
        let up = if self.modules.has_module(RecomputeModule::MlaUpProjection) {
            0.0
        } else {
            heads * (3.0 * query + latent.qk_nope as f64 + value)
        };
        let output = tokens * heads * value;
        let gate = if self.model.attention_gate { output } else { 0.0 };
        let kept = self.stored_element_bytes() * (compressed + tokens * up + output + gate);
        self.layer_norm_bytes() + kept + self.second_copy() * output + STATISTICS * tokens * heads
    }
}
