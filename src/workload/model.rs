//! The shape of a language model. What follows from the shape alone is in `elements`.

use super::layer_pattern::{FeedForward, Layer, Mixer, Pattern};
use super::moe::{HEADS, LAYERS, Moe, RANK_OR_NONE, TOKENS, WIDTH};
use super::recurrent::{Delta, Mamba};
use crate::keys::{DATE, Kind, LAYERS_OR_NONE, NOTE, SOURCE, key, table};

table! {
    /// A decoder-only language model: one entry per number that its published configuration states.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Model,
        "a decoder-only transformer: a preset, its shape, or a preset with keys that override it"
    {
        layers: u32, in LAYERS, "transformer layers".required;
        /// The kind of each layer; `None` for attention and a feed-forward block or experts in all.
        pattern: Option<Pattern>, in Kind::Text,
            "kinds of the layers, repeated to `layers`: `*` attention, `M` Mamba-2, `G` gated \
             delta rule, `-` feed-forward, `E` experts; a letter a layer, or words between spaces"
            or "attention and a feed-forward block or experts in each" => inner.pattern;
        hidden: u64, in WIDTH, "hidden width".required;
        heads: u64, in HEADS, "attention heads".required;
        /// Key and value heads; fewer than `heads` in grouped-query attention.
        kv_heads: u64, in HEADS, "key and value heads" or "heads" else heads;
        head_dim: u64, in WIDTH, "width of one \
                                  head" or "hidden / heads" else (hidden / heads).max(1);
        /// Width f of the dense feed-forward block.
        ffn: u64, in WIDTH, "width of the feed-forward block" or "4 * hidden" else 4 * hidden;
        /// Three feed-forward matrices (SwiGLU) instead of two.
        gated_ffn: bool = false, "three feed-forward matrices (SwiGLU)";
        /// Attention and feed-forward block read one norm's output, and their sums are reduced
        /// together.
        parallel_blocks: bool = false,
            "attention and feed-forward block run side by side on one norm's output (PaLM)";
        /// Vocabulary V, unpadded.
        vocab: u64, in WIDTH, "vocabulary".required;
        /// Sequence length s in tokens.
        sequence: u64, in TOKENS, "sequence length in tokens".required;
        /// What attention gives is multiplied by a gate as wide as the queries.
        attention_gate: bool = false, "attention's output is multiplied by a gate as wide as the \
                                       queries";
        /// The softmax of each head has one more, learned entry (GPT-OSS).
        attention_sinks: bool = false, "the softmax of each head has one more, learned entry";
        /// The embedding and the LM head share one matrix.
        tied_embeddings: bool = true, "embedding and output layer share a matrix";
        /// Mixture of experts; `None` for a dense model.
        moe: Option<Moe>, in Kind::Table(&Moe::SECTION), "mixture of experts" or "dense"
            => experts(ffn);
        /// Latent attention (MLA); `None` for ordinary attention.
        latent_attention: Option<LatentAttention>, in Kind::Table(&LatentAttention::SECTION),
            "multi-head latent attention" or "ordinary attention" => inner.latent;
        /// Sliding-window attention on some layers; `None` where every layer sees the whole
        /// sequence.
        window: Option<SlidingWindow>, in Kind::Table(&SlidingWindow::SECTION),
            "sliding-window attention" or "none" => inner.window;
        /// The mixer of Mamba-2 layers; `None` where there are none.
        mamba: Option<Mamba>, in Kind::Table(&Mamba::SECTION), "Mamba-2 \
                                                                mixer" or "none" => inner.mamba;
        /// The mixer with the gated delta rule; `None` where no layer has it.
        delta: Option<Delta>, in Kind::Table(&Delta::SECTION),
            "mixer with the gated delta rule" or "none" => inner.delta;
        /// Extra layers that predict further tokens (MTP), each with its own pass of the LM head.
        mtp_layers: u32 = 0, in LAYERS_OR_NONE, "extra layers that predict further tokens";
    } besides {
        name: String,
    } given {
        experts: impl FnOnce(u64) -> Option<Moe>,
        inner: InnerTables,
    }
    first [key("preset", Kind::Name, "a model that ships; `planner presets list` names them")]
    last [SOURCE, DATE, NOTE]
}

table! {
    /// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434).
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LatentAttention, "multi-head latent attention (arXiv 2405.04434)" {
        /// Rank of the compressed query; 0 where queries are not compressed.
        q_lora: u64 = 0, in RANK_OR_NONE, "rank of the compressed query; 0: not compressed";
        /// Rank of the compressed keys and values.
        kv_lora: u64, in WIDTH, "rank of the compressed keys and values".required;
        /// Width of a head's part without position.
        qk_nope: u64, in WIDTH, "width of a head's part without position".required;
        /// Width of a head's rotary part.
        qk_rope: u64, in WIDTH, "width of a head's rotary part".required;
        /// Width of a value head.
        v_dim: u64, in WIDTH, "width of a value head".required;
    }
}

table! {
    /// Attention that sees only the last tokens, on some of the layers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SlidingWindow, "attention that sees only the last tokens, on some of the layers" {
        tokens: u64, in TOKENS, "tokens seen".required;
        /// Layers that are so limited.
        layers: u32, in LAYERS, "layers that are so limited".required;
        /// Every so-many-th layer with attention sees the whole sequence; `None` where those that
        /// do are spread evenly, each as the last of its share.
        every: Option<u32>, in LAYERS,
            "every so-many-th layer with attention sees the whole sequence"
            or "those that see it are spread evenly";
    }
}

impl LatentAttention {
    /// Elements of a compressed token: queries, keys and values, and the rotary part of keys.
    #[must_use]
    pub const fn compressed_width(&self) -> u64 {
        self.q_lora + self.kv_lora + self.qk_rope
    }
}

impl SlidingWindow {
    /// Whether the layer is limited that is the `index`-th of `all` with attention, from 0.
    #[must_use]
    pub fn is_limited(&self, index: u32, all: u32) -> bool {
        if let Some(every) = self.every {
            return !(index + 1).is_multiple_of(every.max(1));
        }
        let whole = u64::from(all.saturating_sub(self.layers));
        let until = |count: u32| u64::from(count) * whole / u64::from(all.max(1));
        until(index + 1) == until(index)
    }

    /// Layers that are limited of so many with attention.
    #[must_use]
    pub fn limited_layers(&self, all: u32) -> u32 {
        self.every.map_or(self.layers.min(all), |every| all - all / every.max(1))
    }

    /// Keys that a query of a sequence sees, causally and on average, where a window of so many
    /// tokens limits it: Σ min(i, w) / s, as an area. A window beyond the sequence limits nothing.
    #[must_use]
    pub fn mean_keys_seen(tokens: u64, sequence: u64) -> f64 {
        let (w, s) = (tokens.min(sequence) as f64, sequence.max(1) as f64);
        w - w * w / (2.0 * s)
    }
}

/// What stands in tables of its own below a model, as read from them.
#[derive(Clone, Debug)]
pub(crate) struct InnerTables {
    pub(crate) pattern: Option<Pattern>,
    pub(crate) latent: Option<LatentAttention>,
    pub(crate) window: Option<SlidingWindow>,
    pub(crate) mamba: Option<Mamba>,
    pub(crate) delta: Option<Delta>,
}

impl Model {
    /// The kind of a layer, from 0. Without a pattern attention is in all, and experts are in those
    /// above the dense ones at the bottom.
    #[must_use]
    pub fn layer_kind(&self, index: u32) -> Layer {
        let plain = self.layer_without_window(index);
        let Some(window) = self.window.as_ref().filter(|_| has_attention(plain)) else {
            return plain;
        };
        let (place, all) = match &self.pattern {
            None => (index, self.layers),
            Some(_) => (self.attention_layers(index), self.attention_layers(self.layers)),
        };
        if window.is_limited(place, all) { plain.with_window() } else { plain }
    }

    /// The kind of a layer, as if it saw the whole sequence.
    fn layer_without_window(&self, index: u32) -> Layer {
        match (&self.pattern, &self.moe) {
            (Some(pattern), _) => pattern.layer_kind(index),
            (None, Some(moe)) if index >= moe.dense_layers => Layer::Moe,
            (None, _) => Layer::Dense,
        }
    }

    /// Of so many layers from the bottom on those with attention.
    fn attention_layers(&self, layers: u32) -> u32 {
        (0..layers).filter(|index| has_attention(self.layer_without_window(*index))).count() as u32
    }

    /// Layers of each kind that the model has.
    #[must_use]
    pub fn layer_kinds(&self) -> Vec<(Layer, u32)> {
        let plain = self.pattern.is_none() && self.window.is_none();
        let count = |kind| match kind {
            _ if !plain => {
                (0..self.layers).filter(|index| self.layer_kind(*index) == kind).count() as u32
            }
            Layer::Moe => self.layers - self.dense_layers(),
            Layer::Dense => self.dense_layers(),
            _ => 0,
        };
        let counted = Layer::ALL.into_iter().map(|kind| (kind, count(kind)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// Layers of the kinds that hold for one.
    #[must_use]
    pub fn layers_that(&self, hold: impl Fn(Layer) -> bool) -> u32 {
        self.layer_kinds().into_iter().filter(|(kind, _)| hold(*kind)).map(|(_, count)| count).sum()
    }

    /// The kind of the layers that predict further tokens: with attention, and experts where there
    /// are any.
    #[must_use]
    pub const fn multi_token_layer(&self) -> Layer {
        if self.moe.is_some() { Layer::Moe } else { Layer::Dense }
    }

    /// Kinds of layer that a stage may hold: the model's, and that of layers that predict further
    /// tokens.
    #[must_use]
    pub fn kinds_of_stages(&self) -> Vec<Layer> {
        let mut kinds: Vec<Layer> = self.layer_kinds().into_iter().map(|(kind, _)| kind).collect();
        // Without a pattern experts count as a kind though all layers are dense.
        let further = self.mtp_layers > 0 || self.pattern.is_none();
        if further && !kinds.contains(&self.multi_token_layer()) {
            kinds.push(self.multi_token_layer());
        }
        kinds
    }

    /// True where some layer has a feed-forward block of width `ffn`, as far as the model says.
    #[must_use]
    pub fn is_partly_dense(&self) -> bool {
        let dense = |layer: Layer| layer.network() == Some(FeedForward::Dense);
        self.pattern.as_ref().is_none_or(|pattern| pattern.has_layer(dense))
    }

    /// Layers at the bottom without experts, of a model without a pattern.
    fn dense_layers(&self) -> u32 {
        self.moe.as_ref().map_or(self.layers, |moe| moe.dense_layers.min(self.layers))
    }
}

/// Whether tokens attend to one another in a layer.
fn has_attention(layer: Layer) -> bool {
    layer.mixer() == Some(Mixer::Attention)
}
