//! The shape of a transformer language model, and what follows from the shape alone.

/// A decoder-only transformer: one entry per number that its published configuration states.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name for reports.
    pub name: String,
    /// Transformer layers L.
    pub layers: u32,
    /// Hidden width h.
    pub hidden: u64,
    /// Attention heads a.
    pub heads: u64,
    /// Key and value heads; fewer than `heads` in grouped-query attention.
    pub kv_heads: u64,
    /// Width of one head.
    pub head_dim: u64,
    /// Width f of the dense feed-forward block.
    pub ffn: u64,
    /// Three feed-forward matrices (SwiGLU) instead of two.
    pub gated_ffn: bool,
    /// Vocabulary V, unpadded.
    pub vocab: u64,
    /// Sequence length s in tokens.
    pub sequence: u64,
    /// The embedding and the LM head share one matrix.
    pub tied_embeddings: bool,
    /// Mixture of experts; `None` for a dense model.
    pub moe: Option<Moe>,
    /// Latent attention (MLA); `None` for ordinary attention.
    pub latent_attention: Option<LatentAttention>,
    /// Sliding-window attention on some layers; `None` where every layer sees the whole sequence.
    pub window: Option<SlidingWindow>,
    /// Extra layers that predict further tokens (MTP), each with its own pass of the LM head.
    pub mtp_layers: u32,
}

/// Mixture-of-experts feed-forward blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Moe {
    /// Routed experts E of a layer.
    pub experts: u64,
    /// Experts that each token visits.
    pub top_k: u64,
    /// Experts that every token visits.
    pub shared_experts: u64,
    /// Width of one expert.
    pub ffn: u64,
    /// Layers at the bottom that stay dense, with the model's own `ffn`.
    pub dense_layers: u32,
    /// Tokens that the fullest rank receives, over the even share; 1 where the load is even.
    pub capacity_factor: f64,
    /// Groups of experts of which a token visits only some; `None` where it may visit all.
    pub limit: Option<GroupLimit>,
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

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatentAttention {
    /// Rank of the compressed query; 0 where queries are not compressed.
    pub q_lora: u64,
    /// Rank of the compressed keys and values.
    pub kv_lora: u64,
    /// Width of a head's part without position.
    pub qk_nope: u64,
    /// Width of a head's rotary part.
    pub qk_rope: u64,
    /// Width of a value head.
    pub v_dim: u64,
}

/// Attention that sees only the last tokens, on some of the layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlidingWindow {
    /// Tokens seen.
    pub tokens: u64,
    /// Layers that are so limited.
    pub layers: u32,
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

    /// Two norms a layer: scale, and a shift where the block is not gated (LayerNorm).
    fn norm_parameters(&self) -> u128 {
        let vectors = if self.gated_ffn { 1 } else { 2 };
        2 * vectors * u128::from(self.hidden)
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
            mtp_layers: 0,
        };
        let billions = gpt3.parameters() as f64 / 1e9;
        assert!((billions - 174.6).abs() < 0.1, "{billions}");
    }
}
