//! Work of mixers with a state: Mamba-2 and gated delta.

use super::kernel::{BlockPart, Kernel, KernelInputs, PartKind, Pass};
use super::linear::{Linear, elementwise_of_framework, memory_kernel};
use crate::workload::{Delta, Mamba};

/// Convolution with its activation, bytes per channel and token: read and write; backward the
/// gradient and the input read, the gradient of the input written.
const CONVOLUTION: [f64; 2] = [4.0, 6.0];
/// Norm and gate, bytes per channel and token: result and gate read, product written; backward its
/// gradient, result and gate read, two gradients written.
const GATED_NORM: [f64; 2] = [6.0, 10.0];
/// Work of the backward pass of the recurrence over that of the forward pass: each product has two
/// gradients.
const BACKWARD: f64 = 2.0;

/// The widths of such a mixer on one rank, and the work of its recurrence.
pub(super) struct Recurrence {
    pub(super) kind: PartKind,
    /// Columns of the first matrix.
    projected: u64,
    /// Channels that the convolution sees.
    convolved: u64,
    /// Rows of the last matrix.
    inner: u64,
    /// FLOPs of the recurrence per token, forward.
    pub(super) flops: f64,
}

/// Norm, first matrix (column-parallel), convolution, recurrence, gated norm, last matrix
/// (row-parallel): heads are divided over the tensor group (Megatron-Core, `mamba_mixer.py`).
fn recurrence_part(source: &KernelInputs<'_>, recurrence: &Recurrence) -> BlockPart {
    let shape = source.shape;
    let tokens = shape.tokens as f64;
    let linear = |inputs, outputs| Linear {
        rows: shape.tokens,
        inputs,
        outputs,
        count: 1,
        precision: source.precision,
    };
    let mut kernels = linear(shape.hidden, recurrence.projected).kernels(source);
    kernels.extend(linear(recurrence.inner, shape.hidden).kernels(source));
    let bytes = elementwise_of_framework(source.framework);
    for (index, pass) in [Pass::Forward, Pass::Backward].into_iter().enumerate() {
        let work = if index == 0 { 1.0 } else { BACKWARD };
        let precision = source.precision.wide_format();
        kernels.push((pass, Kernel::Scan { flops: recurrence.flops * tokens * work, precision }));
        let traffic = bytes.residual[index] * shape.shard_elements()
            + CONVOLUTION[index] * tokens * recurrence.convolved as f64
            + GATED_NORM[index] * tokens * recurrence.inner as f64;
        kernels.push((pass, memory_kernel(traffic, bytes.attention_kernels[index])));
    }
    BlockPart { kind: recurrence.kind, kernels, expert_starts: 0 }
}

/// Tokens Q of a chunk (Megatron-Core, `chunk_size` of `mamba_mixer.py`).
const MAMBA_CHUNK: u64 = 128;

/// Norm, projections, scan.
pub(super) fn mamba_part(source: &KernelInputs<'_>, mamba: &Mamba) -> BlockPart {
    let tensor = source.shape.tensor;
    let share = |width: u64| width.div_ceil(tensor);
    let recurrence = Recurrence {
        kind: PartKind::Mamba,
        projected: share(mamba.projected_width()),
        convolved: share(mamba.convolved_channels()),
        inner: share(mamba.inner_channels()),
        flops: scan_token_flops(mamba) / tensor as f64,
    };
    recurrence_part(source, &recurrence)
}

/// FLOPs of a token, forward: Q·N for the scores of its chunk in each group, and in each head Q·P
/// for their product with the inputs, N·P to make the chunk's state and N·P to read it; a
/// multiply-add is two.
fn scan_token_flops(mamba: &Mamba) -> f64 {
    let [heads, width, state, groups] =
        [mamba.heads, mamba.head_dim, mamba.state, mamba.groups].map(|size| size as f64);
    let chunk = MAMBA_CHUNK as f64;
    2.0 * (groups * chunk * state + heads * (chunk * width + 2.0 * state * width))
}

/// Tokens C of a chunk (flash-linear-attention, `chunk_gated_delta_rule`).
const DELTA_CHUNK: u64 = 64;

/// Norm, projections, rule.
pub(super) fn delta_part(source: &KernelInputs<'_>, delta: &Delta) -> BlockPart {
    let tensor = source.shape.tensor;
    let share = |width: u64| width.div_ceil(tensor);
    let recurrence = Recurrence {
        kind: PartKind::Delta,
        projected: share(delta.projection_columns()),
        convolved: share(delta.convolution_channels()),
        inner: share(delta.value_channels()),
        flops: delta_rule_token_flops(delta) / tensor as f64,
    };
    recurrence_part(source, &recurrence)
}

/// FLOPs of a token and value head, forward, with keys of width k and values of width v. Of its
/// chunk: products of keys (C·k), the inverse of their triangle (C²/2), that times keys (C·k) and
/// values (C·v), products of queries and keys (C·k), and those times the new values (C·v). Of the
/// state: what is stored under the keys, what the queries read, what the keys store (k·v each). A
/// multiply-add is two.
fn delta_rule_token_flops(delta: &Delta) -> f64 {
    let [heads, key, value] =
        [delta.value_heads, delta.key_dim, delta.value_dim].map(|size| size as f64);
    let chunk = DELTA_CHUNK as f64;
    let inside = chunk * (3.0 * key + 2.0 * value) + chunk * chunk / 2.0;
    2.0 * heads * (inside + 3.0 * key * value)
}
