//! The shape of a transformer language model, and what follows from the shape alone.

use crate::keys::{DATE, Field, Key, Kind, LAYERS_OR_NONE, NOTE, SOURCE, Values, key, table};

/// Largest count of layers: three times ten thousand is beyond any published model, and stage
/// lists are as long as this.
const LAYERS: Kind = Kind::Count { min: 1, max: 10_000 };
/// Widths of matrices, heads, experts: bounded so that products of a few stay exact.
const WIDTH: Kind = Kind::Count { min: 1, max: 10_000_000 };
const RANK_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000_000 };
const HEADS: Kind = Kind::Count { min: 1, max: 100_000 };
const EXPERTS: Kind = Kind::Count { min: 1, max: 100_000 };
/// Loads of experts in any unit.
const LOADS: Kind = Kind::Some(&Kind::Number { min: 0.0, max: 1e18 });
const TOKENS: Kind = Kind::Count { min: 1, max: 1_000_000_000 };

table! {
    /// A decoder-only transformer: one entry per number that its published configuration states.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Model,
        "a decoder-only transformer: a preset, its shape, or a preset with keys that override it"
    {
        /// Transformer layers L.
        layers: u32, in LAYERS, "transformer layers".required;
        /// Hidden width h.
        hidden: u64, in WIDTH, "hidden width".required;
        /// Attention heads a.
        heads: u64, in HEADS, "attention heads".required;
        /// Key and value heads; fewer than `heads` in grouped-query attention.
        kv_heads: u64, in HEADS, "key and value heads" or "heads" else heads;
        /// Width of one head.
        head_dim: u64, in WIDTH, "width of one head" or "hidden / heads" else (hidden / heads).max(1);
        /// Width f of the dense feed-forward block.
        ffn: u64, in WIDTH, "width of the feed-forward block" or "4 * hidden" else 4 * hidden;
        /// Three feed-forward matrices (SwiGLU) instead of two.
        gated_ffn: bool = false, "three feed-forward matrices (SwiGLU)";
        /// Attention and feed-forward block read one norm's output, and their sums are reduced together.
        parallel_blocks: bool = false,
            "attention and feed-forward block run side by side on one norm's output (PaLM)";
        /// Vocabulary V, unpadded.
        vocab: u64, in WIDTH, "vocabulary".required;
        /// Sequence length s in tokens.
        sequence: u64, in TOKENS, "sequence length in tokens".required;
        /// The embedding and the LM head share one matrix.
        tied_embeddings: bool = true, "embedding and LM head share a matrix";
        /// Mixture of experts; `None` for a dense model.
        moe: Option<Moe>, in Kind::Table(&Moe::SECTION), "mixture of experts" or "dense"
            => experts(ffn);
        /// Latent attention (MLA); `None` for ordinary attention.
        latent_attention: Option<LatentAttention>, in Kind::Table(&LatentAttention::SECTION),
            "multi-head latent attention" or "ordinary attention" => latent;
        /// Sliding-window attention on some layers; `None` where every layer sees the whole sequence.
        window: Option<SlidingWindow>, in Kind::Table(&SlidingWindow::SECTION),
            "sliding-window attention" or "none" => sliding;
        /// Extra layers that predict further tokens (MTP), each with its own pass of the LM head.
        mtp_layers: u32 = 0, in LAYERS_OR_NONE, "extra layers that predict further tokens";
    } besides {
        /// Name for reports.
        name: String,
    } given {
        experts: impl FnOnce(u64) -> Option<Moe>,
        latent: Option<LatentAttention>,
        sliding: Option<SlidingWindow>,
    }
    first [key("preset", Kind::Name, "a model that ships; `planner presets list` names them")]
    last [SOURCE, DATE, NOTE]
}

table! {
    /// Mixture-of-experts feed-forward blocks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Moe, "mixture-of-experts feed-forward blocks" {
        /// Routed experts E of a layer.
        experts: u64, in EXPERTS, "routed experts of a layer".required;
        /// Experts that each token visits.
        top_k: u64, in EXPERTS, "experts that each token visits".required;
        /// Experts that every token visits.
        shared_experts: u64 = 0, in Kind::Count { min: 0, max: 100_000 }, "experts of every token";
        /// Width of one expert.
        ffn: u64, in WIDTH, "width of one expert" or "the model's ffn" else dense;
        /// Layers at the bottom that stay dense, with the model's own `ffn`.
        dense_layers: u32 = 0, in LAYERS_OR_NONE, "layers at the bottom that stay dense";
        /// Tokens that the fullest rank receives, over the even share; 1 where the load is even.
        capacity_factor: f64 = 1.0, in Kind::Number { min: 1.0, max: 1000.0 },
            "tokens of the fullest rank over the even share";
        /// Tokens that each expert receives, in any unit, in the order of the experts; empty where
        /// that is not known.
        loads: Vec<f64>, in LOADS,
            "tokens that each expert receives, in any unit, in the order of the experts" or "even"
            => by_expert;
        /// Standard deviation of the load of an expert over the mean load, where loads are not known.
        load_deviation: f64 = 0.0, in Kind::Number { min: 0.0, max: 100.0 },
            "standard deviation of the experts' loads over their mean, where `loads` are not known";
        /// Groups of experts of which a token visits only some; `None` where it may visit all.
        limit: Option<GroupLimit> as "groups" = 1, in EXPERTS,
            "equal groups of experts, of which a token visits only some";
    } given { dense: u64, by_expert: Vec<f64> }
    last [GROUPS_PER_TOKEN]
}

/// The second key of a limit on groups.
const GROUPS_PER_TOKEN: Key =
    key("groups_per_token", EXPERTS, "groups that a token visits at most").or("all");

/// Read at the key of the groups; one group is no limit. Those that a token visits stand beside them.
impl Field for GroupLimit {
    const KIND: Kind = EXPERTS;

    fn read(values: &impl Values, key: &Key) -> Option<Self> {
        let groups = u32::read(values, key).filter(|groups| *groups > 1)?;
        Some(Self { groups, most: u32::read(values, &GROUPS_PER_TOKEN).unwrap_or(groups) })
    }
}

/// A limit on the places that the experts of one token lie in: experts are in equal groups, one
/// after the other, and a token visits experts of the best groups only (DeepSeek-V2's
/// device-limited and DeepSeek-V3's node-limited routing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupLimit {
    /// Groups of a layer's experts; they divide the experts.
    pub groups: u32,
    /// Groups that a token visits at most.
    pub most: u32,
}

/// What decides how many places the experts of a token lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Routing {
    /// Routed experts of a layer.
    pub experts: u32,
    /// Different experts that each token visits.
    pub top_k: u32,
    /// Groups of which it visits only some.
    pub limit: Option<GroupLimit>,
}

impl Moe {
    /// How a token's experts are drawn.
    #[must_use]
    pub fn routing(&self) -> Routing {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Routing { experts: small(self.experts), top_k: small(self.top_k), limit: self.limit }
    }
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
        /// Tokens seen.
        tokens: u64, in TOKENS, "tokens seen".required;
        /// Layers that are so limited.
        layers: u32, in LAYERS, "layers that are so limited".required;
    }
}

impl Model {
    /// Elements of the attention matrices of one layer (docs/equations.md §1.1).
    #[must_use]
    pub fn attention_parameters(&self) -> u128 {
        let h = u128::from(self.hidden);
        let heads = u128::from(self.heads);
        match &self.latent_attention {
            None => {
                let kv = u128::from(self.kv_heads);
                2 * h * u128::from(self.head_dim) * (heads + kv)
            }
            Some(mla) => {
                let [q, kv, nope, rope, v] =
                    [mla.q_lora, mla.kv_lora, mla.qk_nope, mla.qk_rope, mla.v_dim].map(u128::from);
                let query = if q == 0 {
                    h * heads * (nope + rope)
                } else {
                    h * q + q * heads * (nope + rope)
                };
                query + h * (kv + rope) + kv * heads * (nope + v) + heads * v * h
            }
        }
    }

    /// Feed-forward matrices per block: 3 where gated, else 2.
    #[must_use]
    pub const fn ffn_matrices(&self) -> u64 {
        if self.gated_ffn { 3 } else { 2 }
    }

    /// Elements of a feed-forward block of width `ffn`.
    #[must_use]
    pub fn ffn_parameters(&self, ffn: u64) -> u128 {
        u128::from(self.ffn_matrices()) * u128::from(self.hidden) * u128::from(ffn)
    }

    /// Elements of the embedding matrix (and of the LM head), unpadded.
    #[must_use]
    pub fn embedding_parameters(&self) -> u128 {
        u128::from(self.vocab) * u128::from(self.hidden)
    }

    /// Layers whose feed-forward block is a mixture of experts.
    #[must_use]
    pub fn moe_layers(&self) -> u32 {
        self.moe.as_ref().map_or(0, |moe| self.layers.saturating_sub(moe.dense_layers))
    }

    /// Elements of one dense layer: attention and feed-forward matrices and two norms.
    #[must_use]
    pub fn dense_layer_parameters(&self) -> u128 {
        self.attention_parameters() + self.ffn_parameters(self.ffn) + self.norm_parameters()
    }

    /// Elements of one mixture-of-experts layer with `experts` routed experts counted.
    #[must_use]
    pub fn moe_layer_parameters(&self, moe: &Moe, experts: u64) -> u128 {
        self.attention_parameters()
            + self.ffn_parameters(moe.ffn) * u128::from(experts + moe.shared_experts)
            + u128::from(self.hidden) * u128::from(moe.experts)
            + self.norm_parameters()
    }

    /// All elements of the model: layers, embedding, LM head where untied, last norm.
    #[must_use]
    pub fn parameters(&self) -> u128 {
        self.parameters_with(|moe| moe.experts)
    }

    /// Elements that one token passes through: as [`Model::parameters`], with `top_k` experts.
    #[must_use]
    pub fn active_parameters(&self) -> u128 {
        self.parameters_with(|moe| moe.top_k)
    }

    fn parameters_with(&self, experts: impl Fn(&Moe) -> u64) -> u128 {
        let heads = if self.tied_embeddings { 1 } else { 2 };
        let moe_layers = self.moe_layers();
        let dense = u128::from(self.layers - moe_layers) * self.dense_layer_parameters();
        let sparse = self
            .moe
            .as_ref()
            .map_or(0, |moe| u128::from(moe_layers) * self.moe_layer_parameters(moe, experts(moe)));
        dense + sparse + heads * self.embedding_parameters() + u128::from(self.hidden)
    }

    /// Elements of all norms: they scale and shift, and multiply no matrix.
    #[must_use]
    pub fn norms(&self) -> u128 {
        u128::from(self.layers + self.mtp_layers) * self.norm_parameters() + u128::from(self.hidden)
    }

    /// Two norms a layer, one where its blocks are side by side: scale, and a shift where the block is
    /// not gated (LayerNorm).
    fn norm_parameters(&self) -> u128 {
        let norms = if self.parallel_blocks { 1 } else { 2 };
        let vectors = if self.gated_ffn { 1 } else { 2 };
        norms * vectors * u128::from(self.hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::Model;

    #[test]
    fn gpt3_has_175_billion_parameters() {
        let gpt3 = Model {
            name: "gpt3".into(),
            layers: 96,
            hidden: 12_288,
            heads: 96,
            kv_heads: 96,
            head_dim: 128,
            ffn: 49_152,
            gated_ffn: false,
            vocab: 51_200,
            sequence: 2048,
            tied_embeddings: true,
            moe: None,
            latent_attention: None,
            window: None,
            parallel_blocks: false,
            mtp_layers: 0,
        };
        let billions = gpt3.parameters() as f64 / 1e9;
        assert!((billions - 174.6).abs() < 0.1, "{billions}");
    }
}
