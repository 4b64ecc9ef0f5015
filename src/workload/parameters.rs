//! Parameter counts of a model and of each layer.

use super::layer_pattern::{FeedForward, Layer, Mixer};
use super::moe::Moe;
use super::recurrent::{Delta, Mamba};
use super::{LatentAttention, Model};

/// Elements of a model (docs/equations.md §1.4). Layers that predict further tokens are not among
/// them, as in the published totals; nor is the padding of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub total: u128,
    /// Those that one token passes through; all of them in a dense model.
    pub active: u128,
    /// Those of the embedding and, where it has its own, the LM head.
    pub embedding: u128,
}

impl Parameters {
    /// The elements of a model.
    #[must_use]
    pub fn count_parameters(model: &Model) -> Self {
        let tables = if model.tied_embeddings { 1 } else { 2 };
        Self {
            total: model.parameters(),
            active: model.active_parameters(),
            embedding: tables * model.embedding_parameters(),
        }
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
                let gate = if self.attention_gate { heads } else { 0 };
                h * u128::from(self.head_dim) * (2 * (heads + kv) + gate)
            }
            Some(mla) => {
                let [q, kv, nope, rope, v] =
                    [mla.q_lora, mla.kv_lora, mla.qk_nope, mla.qk_rope, mla.v_dim].map(u128::from);
                let query = if q == 0 {
                    h * heads * (nope + rope)
                } else {
                    h * q + q * heads * (nope + rope)
                };
                let outputs = if self.attention_gate { 2 } else { 1 };
                query + h * (kv + rope) + kv * heads * (nope + v) + outputs * heads * v * h
            }
        }
    }

    /// Elements of the matrices of a layer that every rank of a tensor-parallel group holds whole:
    /// those that compress queries, keys and values (Megatron-Core, `multi_latent_attention.py`).
    #[must_use]
    pub fn replicated_parameters(&self, layer: Layer) -> u128 {
        let attends = layer.mixer() == Some(Mixer::Attention);
        let latent = self.latent_attention.as_ref().filter(|_| attends);
        let width = latent.map_or(0, LatentAttention::compressed_width);
        u128::from(self.hidden) * u128::from(width)
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

    /// Elements of the matrix before a layer that predicts further tokens: it joins the embedding of
    /// a token and the layers' output.
    #[must_use]
    pub fn projection_parameters(&self) -> u128 {
        2 * u128::from(self.hidden) * u128::from(self.hidden)
    }

    /// Elements of the matrices of a mixer.
    fn mixer_parameters(&self, mixer: Mixer) -> u128 {
        match mixer {
            Mixer::Attention => self.attention_parameters(),
            Mixer::Mamba => {
                self.mamba.as_ref().map_or(0, |mamba| mamba.matrix_elements(self.hidden))
            }
            Mixer::Delta => {
                self.delta.as_ref().map_or(0, |delta| delta.matrix_elements(self.hidden))
            }
        }
    }

    /// Elements of a block of experts of which so many routed ones count: router, shared experts,
    /// the projections around routed ones, and those.
    fn experts_parameters(&self, moe: &Moe, experts: u64) -> u128 {
        let h = u128::from(self.hidden);
        let projections = moe.latent.map_or(0, |latent| 2 * h * u128::from(latent));
        self.routed_parameters(moe) * u128::from(experts)
            + self.ffn_parameters(moe.shared_width())
            + h * u128::from(moe.experts)
            + projections
    }

    /// Elements of one routed expert.
    #[must_use]
    pub fn routed_parameters(&self, moe: &Moe) -> u128 {
        let width = u128::from(moe.token_width(self.hidden));
        u128::from(self.ffn_matrices()) * width * u128::from(moe.ffn)
    }

    /// Elements of one layer with `experts` routed experts counted, norms included.
    #[must_use]
    pub fn layer_parameters(&self, layer: Layer, experts: u64) -> u128 {
        let mixer = layer.mixer().map_or(0, |mixer| self.mixer_parameters(mixer));
        let network = match (layer.network(), &self.moe) {
            (Some(FeedForward::Experts), Some(moe)) => self.experts_parameters(moe, experts),
            (Some(FeedForward::Dense), _) => self.ffn_parameters(self.ffn),
            _ => 0,
        };
        mixer + network + self.vector_elements(layer)
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
        let experts = self.moe.as_ref().map_or(0, experts);
        let layers: u128 = self
            .layer_kinds()
            .into_iter()
            .map(|(layer, count)| u128::from(count) * self.layer_parameters(layer, experts))
            .sum();
        layers + heads * self.embedding_parameters() + u128::from(self.hidden)
    }

    /// Elements of all norms and of the vectors of mixers: they scale and shift, and multiply no
    /// matrix.
    #[must_use]
    pub fn norm_elements(&self) -> u128 {
        let further = [(self.multi_token_layer(), self.mtp_layers)];
        let layers: u128 = self
            .layer_kinds()
            .into_iter()
            .chain(further)
            .map(|(layer, count)| u128::from(count) * self.vector_elements(layer))
            .sum();
        layers + u128::from(self.hidden)
    }

    /// Norms of a layer and vectors of its mixer. Two norms a layer, one where its blocks are side
    /// by side: scale, and a shift where the block is not gated (LayerNorm). With a pattern each
    /// residual block has one that scales (RMSNorm, as in every published hybrid).
    fn vector_elements(&self, layer: Layer) -> u128 {
        let hidden = u128::from(self.hidden);
        if self.pattern.is_none() {
            let norms = if self.parallel_blocks { 1 } else { 2 };
            let vectors = if self.gated_ffn { 1 } else { 2 };
            return norms * vectors * hidden;
        }
        let mixer = match layer.mixer() {
            Some(Mixer::Mamba) => self.mamba.as_ref().map_or(0, Mamba::vector_elements),
            Some(Mixer::Delta) => self.delta.as_ref().map_or(0, Delta::vector_elements),
            _ => 0,
        };
        u128::from(layer.residual_blocks()) * hidden + mixer
    }
}

#[cfg(test)]
mod tests {
    use super::Parameters;
    use crate::workload::{Model, Moe};

    #[test]
    fn of_a_small_model_counted_by_hand() {
        let mut model = Model {
            name: "small".into(),
            layers: 2,
            hidden: 4,
            heads: 2,
            kv_heads: 1,
            head_dim: 2,
            ffn: 6,
            gated_ffn: true,
            vocab: 10,
            sequence: 8,
            tied_embeddings: false,
            moe: None,
            latent_attention: None,
            window: None,
            mtp_layers: 0,
            attention_sinks: false,
            parallel_blocks: false,
            pattern: None,
            attention_gate: false,
            mamba: None,
            delta: None,
        };
        // Attention 16 + 8 + 8 + 16, feed-forward 3 · 24, norms 8: 128 a layer.
        let dense = Parameters { total: 256 + 80 + 4, active: 256 + 80 + 4, embedding: 80 };
        assert_eq!(Parameters::count_parameters(&model), dense);
        model.tied_embeddings = true;
        model.moe = Some(Moe {
            experts: 4,
            top_k: 1,
            shared_experts: 0,
            ffn: 1,
            dense_layers: 1,
            capacity_factor: 1.0,
            loads: Vec::new(),
            biases: false,
            load_deviation: 0.0,
            shared_ffn: None,
            latent: None,
            limit: None,
        });
        // The second layer: 48 + 8 + a router of 16 + an expert of 12 each.
        let sparse = Parameters { total: 128 + 120 + 44, active: 128 + 84 + 44, embedding: 40 };
        assert_eq!(Parameters::count_parameters(&model), sparse);
    }

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
            pattern: None,
            attention_gate: false,
            mamba: None,
            delta: None,
            moe: None,
            latent_attention: None,
            window: None,
            attention_sinks: false,
            parallel_blocks: false,
            mtp_layers: 0,
        };
        let billions = gpt3.parameters() as f64 / 1e9;
        assert!((billions - 174.6).abs() < 0.1, "{billions}");
    }
}
