//! The dense feed-forward part of a layer: two matrices, or three where gated.

use super::elementwise::{activation_function_bytes, elementwise_of_framework};
use super::linear::{Linear, memory_kernel};
use super::nouns::{BlockPart, PartKind, Pass};
use super::source::KernelInputs;

/// Norm and feed-forward block; the gate shares the first product, as Megatron-LM fuses it.
pub(super) fn feed_forward(source: &KernelInputs<'_>) -> BlockPart {
    let (shape, model) = (source.shape, source.model);
    let width = model.ffn.div_ceil(shape.tensor);
    let up = width * (model.ffn_matrices() - 1);
    let linear = |inputs, outputs| Linear {
        rows: shape.tokens,
        inputs,
        outputs,
        count: 1,
        precision: source.precision,
    };
    let mut kernels = linear(shape.hidden, up).kernels(source);
    kernels.extend(linear(width, shape.hidden).kernels(source));
    let bytes = elementwise_of_framework(source.framework);
    let function = activation_function_bytes(model.gated_ffn);
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        // Side by side with attention there is one norm and one sum for both.
        let residual = if model.parallel_blocks { 0.0 } else { bytes.residual[index] };
        let traffic = residual * shape.shard_elements()
            + function[index] * shape.tokens as f64 * width as f64;
        kernels.push((pass, memory_kernel(traffic, bytes.ffn_kernels[index])));
    }
    BlockPart { kind: PartKind::FeedForward, kernels, expert_starts: 0 }
}
