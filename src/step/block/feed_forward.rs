//! Dense and expert feed-forward parts, embedding and LM head.

use super::kernel::{BlockPart, KernelInputs, PartKind, Pass};
use super::linear::{Linear, activation_function_bytes, elementwise_of_framework, memory_kernel};
use crate::workload::{Dispatcher, Graphs, Moe, RecomputeModule};

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
    if source.recomputes_operations() && model.gated_ffn {
        // Of gate, value and output, each a product there, the second.
        let again = linear(shape.hidden, width);
        kernels.extend(again.forward_kernels(source).map(|kernel| (Pass::Recompute, kernel)));
    }
    let bytes = elementwise_of_framework(source.framework);
    let function = activation_function_bytes(model.gated_ffn);
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        // Side by side with attention there is one norm and one sum for both.
        let own = if model.parallel_blocks {
            0.0
        } else {
            bytes.residual[index] * shape.shard_elements() + source.regroup_bytes()
        };
        let traffic = own + function[index] * shape.tokens as f64 * width as f64;
        kernels.push((pass, memory_kernel(traffic, bytes.ffn_kernels[index])));
    }
    if source.recomputes_module(RecomputeModule::Mlp) {
        let matrices = [linear(shape.hidden, up), linear(width, shape.hidden)];
        let again = matrices.iter().flat_map(|matrix| matrix.forward_kernels(source));
        kernels.extend(again.map(|kernel| (Pass::Recompute, kernel)));
        let traffic = function[0] * shape.tokens as f64 * width as f64;
        kernels.push((Pass::Recompute, memory_kernel(traffic, 1)));
    }
    if !model.parallel_blocks {
        kernels.extend(source.recomputed_norm_kernel());
    }
    BlockPart { kind: PartKind::FeedForward, kernels, expert_starts: 0 }
}

/// Memory traffic of the router's softmax, top-k and load statistics, bytes per token and
/// expert, each way.
const ROUTER_BYTES: f64 = 12.0;
/// Bytes per element of one permutation of the tokens: read and write. There are two in each
/// direction, before and after the experts.
const PERMUTE_BYTES: f64 = 4.0;
/// Kernel groups started per expert and pass where the experts are not one kernel: two
/// forward, four backward.
const STARTS_PER_EXPERT: u64 = 6;
/// Share of the activation function's traffic that is left when it rides on the grouped
/// multiplications.
const FUSED_ACTIVATION: f64 = 0.6;

/// Biases of the experts' last products, each element's share of its token's weight, are added one
/// expert after the other in 32 bits (Megatron-Core 0.15, `experts.py`): product, sum, join and cast
/// forward; casts, both products and their sums backward. Bytes an element of the result. Where the
/// experts are one kernel, biases are a part of it.
const BIAS_BYTES: [f64; 2] = [28.0, 40.0];
/// Kernel groups that this starts for each expert: one forward, two backward.
const BIAS_STARTS: u64 = 3;

/// Norm, router, experts. The fullest rank is shown.
pub(super) fn expert_part(source: &KernelInputs<'_>, moe: &Moe) -> BlockPart {
    let (shape, model) = (source.shape, source.model);
    let grouped_kernel = source.framework.cuda_graphs == Graphs::Full;
    let local = moe.experts.div_ceil(u64::from(source.layout.expert)).max(1);
    let shards = u64::from(source.layout.expert_tensor);
    let load = moe.max_over_mean_load(source.layout.expert);
    let visits = shape.routed_tokens * moe.top_k as f64 * load * shards as f64;
    let rows = (visits / local as f64).ceil().max(1.0) as u64;
    let width = moe.ffn.div_ceil(shards);
    let grouped = |inputs, outputs| Linear {
        rows,
        inputs,
        outputs,
        count: local,
        precision: source.precision,
    };
    let matrices = model.ffn_matrices() - 1;
    let token = moe.token_width(shape.hidden);
    let mut kernels = grouped(token, matrices * width).kernels(source);
    kernels.extend(grouped(width, token).kernels(source));
    kernels.extend(router_linear(source, moe).kernels(source));
    if let Some(latent) = moe.latent {
        let rows = shape.routed_tokens.ceil() as u64;
        for (inputs, outputs) in [(shape.hidden, latent), (latent, shape.hidden)] {
            let precision = source.precision;
            kernels.extend(Linear { rows, inputs, outputs, count: 1, precision }.kernels(source));
        }
    }
    if moe.shared_experts > 0 {
        let shared = moe.shared_width().div_ceil(shape.tensor);
        let again = source.recomputes_module(RecomputeModule::SharedExperts);
        for (inputs, outputs) in [(shape.hidden, matrices * shared), (shared, shape.hidden)] {
            let (rows, precision) = (shape.tokens, source.precision);
            let linear = Linear { rows, inputs, outputs, count: 1, precision };
            kernels.extend(linear.kernels(source));
            let forward = linear.forward_kernels(source).filter(|_| again);
            kernels.extend(forward.map(|kernel| (Pass::Recompute, kernel)));
        }
    }
    let bytes = elementwise_of_framework(source.framework);
    let function = activation_function_bytes(model.gated_ffn);
    let function_share = if grouped_kernel { FUSED_ACTIVATION } else { 1.0 };
    let shared_width = moe.shared_width() as f64 / shape.tensor as f64;
    let biases_apart = moe.biases && !grouped_kernel;
    let passes = if source.framework.dispatcher == Dispatcher::AllToAll { 2.0 } else { 1.0 };
    let permuted = 2.0 * PERMUTE_BYTES * passes * visits * token as f64;
    let routed = ROUTER_BYTES * shape.routed_tokens * moe.experts as f64;
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        let traffic = bytes.residual[index] * shape.shard_elements()
            + function[index] * function_share * visits * width as f64
            + function[index] * shape.tokens as f64 * shared_width
            + if biases_apart { BIAS_BYTES[index] * visits * token as f64 } else { 0.0 }
            + permuted
            + routed;
        kernels.push((pass, memory_kernel(traffic, bytes.ffn_kernels[index])));
    }
    let [of_routed, of_shared] =
        [visits * width as f64 * function_share, shape.tokens as f64 * shared_width];
    let function_again =
        [(RecomputeModule::MoeActivation, of_routed), (RecomputeModule::SharedExperts, of_shared)];
    for (module, elements) in function_again {
        if source.recomputes_module(module) && elements > 0.0 {
            kernels.push((Pass::Recompute, memory_kernel(function[0] * elements, 1)));
        }
    }
    if source.recomputes_module(RecomputeModule::Moe) {
        kernels.retain(|(pass, _)| *pass != Pass::Recompute);
        let forward = kernels.iter().filter(|(pass, _)| *pass == Pass::Forward);
        let again: Vec<_> = forward.map(|(_, kernel)| (Pass::Recompute, kernel.clone())).collect();
        kernels.extend(again);
    }
    kernels.extend(source.recomputed_norm_kernel());
    let starts = STARTS_PER_EXPERT + if biases_apart { BIAS_STARTS } else { 0 };
    let expert_starts = if grouped_kernel { 0 } else { starts * local };
    BlockPart { kind: PartKind::Experts, kernels, expert_starts }
}

/// The router runs in 16 bits on the rank's own tokens.
fn router_linear(source: &KernelInputs<'_>, moe: &Moe) -> Linear {
    Linear {
        rows: source.shape.routed_tokens.ceil() as u64,
        inputs: source.shape.hidden,
        outputs: moe.experts,
        count: 1,
        precision: source.precision.wide_format(),
    }
}

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

/// Norms of a token's embedding and of the layers' output, and the product of both.
pub(super) fn projection_part(source: &KernelInputs<'_>) -> BlockPart {
    let (shape, precision) = (source.shape, source.precision);
    let (inputs, outputs) = (2 * shape.hidden, shape.hidden.div_ceil(shape.tensor));
    let linear = Linear { rows: shape.tokens, inputs, outputs, count: 1, precision };
    let mut kernels = linear.kernels(source);
    let bytes = elementwise_of_framework(source.framework).residual;
    for (pass, bytes) in [Pass::Forward, Pass::Backward].into_iter().zip(bytes) {
        kernels.push((pass, memory_kernel(2.0 * bytes * shape.shard_elements(), 2)));
    }
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
