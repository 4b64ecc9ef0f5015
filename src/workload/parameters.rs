//! How many elements a model has, as its publishers count them. What a rank holds of them is not
//! said here: padding and further-token layers are the step's.

use super::Model;

/// Elements of a model (docs/equations.md §1.4). Layers that predict further tokens are not among
/// them, as in the published totals; nor is the padding of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// All elements.
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
            load_deviation: 0.0,
            shared_ffn: None,
            latent: None,
            limit: None,
        });
        // The second layer: 48 + 8 + a router of 16 + an expert of 12 each.
        let sparse = Parameters { total: 128 + 120 + 44, active: 128 + 84 + 44, embedding: 40 };
        assert_eq!(Parameters::count_parameters(&model), sparse);
    }
}
