//! What feed-forward networks keep from their forward to their backward pass, dense ones and those
//! of experts.

use super::{ActivationInputs, DROPOUT_MASKS};
use crate::workload::{Dispatcher, Moe, RecomputeModule};

/// Bytes per token and expert that a router keeps: logits and probabilities in fp32.
const ROUTER_BYTES: f64 = 8.0;

impl ActivationInputs<'_> {
    pub(super) fn feed_forward(&self) -> f64 {
        let width = self.model.ffn as f64 / self.shape.tensor as f64;
        let masks = if self.framework.flash_attention { 0.0 } else { DROPOUT_MASKS / 2.0 };
        // Side by side with attention the block reads the output of attention's norm.
        let norm = if self.model.parallel_blocks { 0.0 } else { self.layer_norm_bytes() };
        let inside = if self.modules.has_module(RecomputeModule::Mlp) {
            0.0
        } else {
            self.shape.tokens as f64 * self.ffn_token_bytes(width)
        };
        norm + inside + masks * self.residual_elements()
    }

    /// Bytes of a token inside a feed-forward network of that width: what goes into the
    /// non-linearity, one tensor or two with a gate, and what comes out into a multiplication.
    fn ffn_token_bytes(&self, width: f64) -> f64 {
        self.ffn_input_bytes(width) + width * self.operand_element_bytes()
    }

    /// Of these what goes into the non-linearity.
    fn ffn_input_bytes(&self, width: f64) -> f64 {
        let into = if self.model.gated_ffn { 2.0 } else { 1.0 };
        width * into * self.stored_element_bytes()
    }

    /// Norm, router, the shared experts, and the routed tokens on their way in and out with their
    /// inner widths.
    pub(super) fn expert_bytes(&self, moe: &Moe) -> f64 {
        let shape = self.shape;
        let again = |module| self.modules.has_module(module);
        let output = if again(RecomputeModule::LayerNorm) { 0.0 } else { self.norm_input_bytes() };
        let norm = self.norm_input_bytes() + output;
        if again(RecomputeModule::Moe) {
            return norm;
        }
        let shared = moe.shared_width() as f64 / shape.tensor as f64;
        let routed = moe.ffn as f64 / self.expert_tensor as f64;
        let copies = (self.operand_element_bytes() + self.stored_element_bytes())
            * moe.token_width(shape.hidden) as f64;
        // What the projections around routed experts read: the norm's output is kept above.
        let projected = moe.latent.map_or(0.0, |latent| {
            (self.second_copy() * shape.hidden as f64
                + self.operand_element_bytes() * latent as f64)
                * shape.routed_tokens
        });
        let shared = if again(RecomputeModule::SharedExperts) {
            0.0
        } else {
            shape.tokens as f64 * self.ffn_token_bytes(shared)
        };
        let inner = if again(RecomputeModule::MoeActivation) {
            self.ffn_input_bytes(routed)
        } else {
            self.ffn_token_bytes(routed)
        };
        norm + projected
            + shared
            + self.fullest_rank_visits(moe) * (copies + inner)
            + ROUTER_BYTES * shape.routed_tokens * moe.experts as f64
    }

    /// Tokens of other ranks that a rank gathers before it takes those of its experts.
    pub(super) fn gathered_tokens(&self) -> f64 {
        let ranks = f64::from(self.expert) * self.expert_tensor as f64;
        if self.framework.dispatcher == Dispatcher::AllGather && ranks > 1.0 {
            self.shape.routed_tokens * ranks
        } else {
            0.0
        }
    }

    /// Tokens times experts that the fullest rank works on.
    pub(super) fn fullest_rank_visits(&self, moe: &Moe) -> f64 {
        let each = moe.top_k as f64 * moe.max_over_mean_load(self.expert);
        self.shape.routed_tokens * each * self.expert_tensor as f64
    }
}
