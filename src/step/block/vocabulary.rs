//! The ends of the model: token embedding, and last norm, LM head and loss. Neither is ever
//! recomputed, and both stay in 16 bits where layers are narrower.

use super::elementwise::elementwise_of_framework;
use super::linear::{Linear, memory_kernel};
use super::nouns::{BlockPart, PartKind, Pass};
use super::source::KernelInputs;

/// Embedding look-up and dropout forward, scatter-add of the gradient backward: bytes per
/// element of the residual stream and direction.
const EMBEDDING_BYTES: f64 = 8.0;

/// Look-up of the micro-batch's tokens.
pub(super) fn embedding_part(source: &KernelInputs<'_>) -> BlockPart {
    let traffic = EMBEDDING_BYTES * source.shape.tokens as f64 * source.shape.hidden as f64;
    let kernels =
        [Pass::Forward, Pass::Backward].map(|pass| (pass, memory_kernel(traffic, 1))).to_vec();
    BlockPart { kind: PartKind::Embedding, kernels, expert_starts: 0 }
}

/// Product with the vocabulary and its loss: a vocabulary-parallel cross-entropy.
pub(super) fn head_part(source: &KernelInputs<'_>) -> BlockPart {
    let shape = source.shape;
    let bytes = elementwise_of_framework(source.framework);
    let linear = Linear {
        rows: shape.tokens,
        inputs: shape.hidden,
        outputs: shape.vocabulary,
        count: 1,
        precision: source.precision.wide_format(),
    };
    let mut kernels = linear.kernels(source);
    let logits = shape.tokens as f64 * shape.vocabulary as f64;
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        let traffic = bytes.loss[index] * logits;
        kernels.push((pass, memory_kernel(traffic, bytes.loss_kernels[index])));
    }
    BlockPart { kind: PartKind::Head, kernels, expert_starts: 0 }
}
