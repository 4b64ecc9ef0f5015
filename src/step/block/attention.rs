//! The attention part of a layer: projections, scores, what lies between. Ordinary,
//! grouped-query and latent attention (MLA, arXiv 2405.04434 §2.1); stored or fused scores.

use super::kernel::{BlockPart, FusedAttention, Gemm, Kernel, KernelInputs, PartKind, Pass};
use super::linear::{Linear, activation_function_bytes, elementwise_of_framework, memory_kernel};
use crate::units::Flops;
use crate::workload::{LatentAttention, Precision, RecomputeModule, SlidingWindow};

/// Fused attention computes 5 products backward where it computes 2 forward
/// (FlashAttention-2, arXiv 2307.08691 §3.1).
const FUSED_BACKWARD: f64 = 2.5;

/// Norm, projections, attention: to the whole sequence, or `windowed` to the last tokens.
pub(super) fn attention_part(source: &KernelInputs<'_>, windowed: bool) -> BlockPart {
    let shape = source.shape;
    let bytes = elementwise_of_framework(source.framework);
    let mut kernels = Vec::new();
    match &source.model.latent_attention {
        None => add_grouped_attention(source, &mut kernels),
        Some(latent) => multi_latent(source, latent, &mut kernels),
    }
    if source.framework.attention_scores {
        let [query, value] = head_widths(source);
        if source.framework.flash_attention || windowed {
            kernels.extend(fused_scores(source, windowed, query, value));
        } else {
            kernels.extend(stored_scores(source, query, value));
        }
    }
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        let traffic = bytes.residual[index] * shape.shard_elements() + source.regroup_bytes();
        kernels.push((pass, memory_kernel(traffic, bytes.attention_kernels[index])));
    }
    kernels.extend(source.recomputed_norm_kernel());
    BlockPart { kind: PartKind::Attention, kernels, expert_starts: 0 }
}

/// Queries, keys and values in one product (column-parallel), the output in another.
fn add_grouped_attention(source: &KernelInputs<'_>, kernels: &mut Vec<(Pass, Kernel)>) {
    let (shape, model) = (source.shape, source.model);
    let merged = shape.heads * model.head_dim;
    let gate = if model.attention_gate { merged } else { 0 };
    let width = (shape.heads + 2 * shape.kv_heads) * model.head_dim + gate;
    kernels.extend(linear_over_tokens(source, shape.hidden, width).kernels(source));
    kernels.extend(linear_over_tokens(source, merged, shape.hidden).kernels(source));
    // Separate kernels split all of queries, keys and values and merge the output; a fused
    // rotation touches queries and keys only.
    let elements = if source.framework.fused_elementwise {
        (shape.heads + shape.kv_heads) * model.head_dim
    } else {
        width + merged
    };
    add_rotation_kernels(source, elements, kernels);
    if source.recomputes_operations() {
        // Of queries, keys, values and output, each a product there, the second and the fourth.
        let keys = shape.kv_heads * model.head_dim;
        for (inputs, outputs) in [(shape.hidden, keys), (merged, shape.hidden)] {
            let again = linear_over_tokens(source, inputs, outputs);
            kernels.extend(again.forward_kernels(source).map(|kernel| (Pass::Recompute, kernel)));
        }
    }
    add_gate_kernels(source, gate, kernels);
}

/// The output is multiplied by a gate of so many elements a token.
fn add_gate_kernels(source: &KernelInputs<'_>, gate: u64, kernels: &mut Vec<(Pass, Kernel)>) {
    if gate > 0 {
        let tokens = source.shape.tokens as f64;
        let [forward, backward] = activation_function_bytes(true).map(|bytes| bytes * tokens);
        kernels.push((Pass::Forward, memory_kernel(forward * gate as f64, 0)));
        kernels.push((Pass::Backward, memory_kernel(backward * gate as f64, 0)));
    }
}

/// Compressed queries, keys and values: down-projections on every rank, up-projections and
/// output by head.
fn multi_latent(
    source: &KernelInputs<'_>,
    latent: &LatentAttention,
    kernels: &mut Vec<(Pass, Kernel)>,
) {
    let shape = source.shape;
    let up = up_projections(source, latent);
    if latent.q_lora > 0 {
        kernels.extend(shard_linear(source, shape.hidden, latent.q_lora).kernels(source));
    }
    kernels.extend(
        shard_linear(source, shape.hidden, latent.kv_lora + latent.qk_rope).kernels(source),
    );
    for projection in &up {
        kernels.extend(projection.kernels(source));
    }
    let merged = shape.heads * latent.v_dim;
    kernels.extend(linear_over_tokens(source, merged, shape.hidden).kernels(source));
    if source.model.attention_gate {
        kernels.extend(linear_over_tokens(source, shape.hidden, merged).kernels(source));
        add_gate_kernels(source, merged, kernels);
    }
    add_rotation_kernels(source, 2 * shape.heads * (latent.qk_nope + latent.qk_rope), kernels);
    if source.modules.has_module(RecomputeModule::MlaUpProjection) {
        for projection in &up {
            kernels
                .extend(projection.forward_kernels(source).map(|kernel| (Pass::Recompute, kernel)));
        }
    }
}

fn up_projections(source: &KernelInputs<'_>, latent: &LatentAttention) -> [Linear; 2] {
    let shape = source.shape;
    let query_inputs = if latent.q_lora == 0 { shape.hidden } else { latent.q_lora };
    [
        linear_over_tokens(source, query_inputs, shape.heads * (latent.qk_nope + latent.qk_rope)),
        linear_over_tokens(source, latent.kv_lora, shape.heads * (latent.qk_nope + latent.v_dim)),
    ]
}

/// A product over all tokens of the tensor-parallel group.
fn linear_over_tokens(source: &KernelInputs<'_>, inputs: u64, outputs: u64) -> Linear {
    let rows = source.shape.tokens;
    Linear { rows, inputs, outputs, count: 1, precision: source.precision }
}

/// A product that every rank computes for its own tokens.
fn shard_linear(source: &KernelInputs<'_>, inputs: u64, outputs: u64) -> Linear {
    let rows = source.shape.shard_tokens.ceil() as u64;
    Linear { rows, inputs, outputs, count: 1, precision: source.precision }
}

fn add_rotation_kernels(
    source: &KernelInputs<'_>,
    elements: u64,
    kernels: &mut Vec<(Pass, Kernel)>,
) {
    let bytes = elementwise_of_framework(source.framework).heads;
    let elements = source.shape.tokens as f64 * elements as f64;
    kernels.push((Pass::Forward, memory_kernel(bytes[0] * elements, 0)));
    kernels.push((Pass::Backward, memory_kernel(bytes[1] * elements, 0)));
}

/// Widths of a query head and of a value head.
fn head_widths(source: &KernelInputs<'_>) -> [u64; 2] {
    match &source.model.latent_attention {
        None => [source.model.head_dim; 2],
        Some(latent) => [latent.qk_nope + latent.qk_rope, latent.v_dim],
    }
}

/// Scores that never reach memory; windows need such kernels where others store their scores.
fn fused_scores(
    source: &KernelInputs<'_>,
    windowed: bool,
    query: u64,
    value: u64,
) -> Vec<(Pass, Kernel)> {
    let shape = source.shape;
    let sequences = shape.sequences as f64 / shape.context as f64;
    let queries = sequences * shape.sequence as f64;
    let per_pair = 2.0 * (query + value) as f64 * shape.heads as f64;
    let flops = Flops::from_f64(per_pair * fused_pairs(source, windowed) * sequences);
    let flops_of_key = Flops::from_f64(per_pair * queries / 2.0);
    let (head_dim, precision) = (value, attention_precision(source));
    let forward = FusedAttention { flops, flops_of_key, head_dim, precision, sink_gradients: 0.0 };
    let sinks = if source.model.attention_sinks { shape.heads as f64 } else { 0.0 };
    let backward = FusedAttention {
        flops: flops * FUSED_BACKWARD,
        flops_of_key: flops_of_key * FUSED_BACKWARD,
        sink_gradients: sinks * queries,
        ..forward.clone()
    };
    let forward = Kernel::Attention(forward);
    let mut kernels =
        vec![(Pass::Forward, forward.clone()), (Pass::Backward, Kernel::Attention(backward))];
    // What that would free is never stored.
    if source.recomputes_module(RecomputeModule::CoreAttention) {
        kernels.push((Pass::Recompute, forward));
    }
    kernels
}

/// Number format of fused attention: that of a step in 32 bits, 8 bits where the framework has such
/// kernels and the step is in few bits, else 16.
const fn attention_precision(source: &KernelInputs<'_>) -> Precision {
    let few = matches!(source.precision, Precision::Fp8 | Precision::Mxfp8 | Precision::Nvfp4);
    if few && source.framework.fp8_attention {
        Precision::Fp8
    } else {
        source.precision.wide_format()
    }
}

/// Query-key pairs of one sequence and head that fused kernels compute.
fn fused_pairs(source: &KernelInputs<'_>, windowed: bool) -> f64 {
    let sequence = source.shape.sequence;
    let s = sequence as f64;
    let causal = source.framework.causal_attention;
    let whole = if causal { s * s / 2.0 } else { s * s };
    let Some(window) = source.model.window.as_ref().filter(|_| windowed) else { return whole };
    if causal {
        SlidingWindow::mean_keys_seen(window.tokens, sequence) * s
    } else {
        whole.min(s * window.tokens as f64)
    }
}

/// Scores as matrices in memory: two batched products of the full square forward, four
/// backward, and softmax with dropout between them (arXiv 2104.04473, appendix).
fn stored_scores(source: &KernelInputs<'_>, query: u64, value: u64) -> Vec<(Pass, Kernel)> {
    let shape = source.shape;
    let bytes = elementwise_of_framework(source.framework).scores;
    let (rows, columns) = (shape.sequence / shape.context, shape.sequence);
    let batch = (shape.sequences * shape.heads).max(1);
    let scores = batch as f64 * rows as f64 * columns as f64;
    let product = |m, n, k| {
        Kernel::Gemm(Gemm {
            m,
            n,
            k,
            count: batch,
            precision: source.precision.wide_format(),
            result_bytes: 2.0,
            weight_gradient: false,
        })
    };
    let forward = [
        product(rows, columns, query),
        product(rows, value, columns),
        memory_kernel(bytes[0] * scores, 0),
    ];
    let backward = [
        product(rows, columns, value),
        product(columns, value, rows),
        product(rows, query, columns),
        product(columns, query, rows),
        memory_kernel(bytes[1] * scores, 0),
    ];
    let mut kernels = Vec::new();
    if source.modules.has_module(RecomputeModule::CoreAttention) {
        kernels.extend(forward.iter().cloned().map(|kernel| (Pass::Recompute, kernel)));
    }
    kernels.extend(forward.into_iter().map(|kernel| (Pass::Forward, kernel)));
    kernels.extend(backward.into_iter().map(|kernel| (Pass::Backward, kernel)));
    kernels
}
