//! What mixers with a state have in common: two projections around a convolution, a recurrence and a
//! gated norm. The recurrence itself is each mixer's own.

use super::elementwise::elementwise_of_framework;
use super::kernel::Kernel;
use super::linear::{Linear, memory_kernel};
use super::nouns::{BlockPart, PartKind, Pass};
use super::source::KernelInputs;

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
    /// Which part it is.
    pub(super) kind: PartKind,
    /// Columns of the first matrix.
    pub(super) projected: u64,
    /// Channels that the convolution sees.
    pub(super) convolved: u64,
    /// Rows of the last matrix.
    pub(super) inner: u64,
    /// FLOPs of the recurrence per token, forward.
    pub(super) flops: f64,
}

/// Norm, first matrix (column-parallel), convolution, recurrence, gated norm, last matrix
/// (row-parallel): heads are divided over the tensor group (Megatron-Core, `mamba_mixer.py`).
pub(super) fn recurrence_part(source: &KernelInputs<'_>, recurrence: &Recurrence) -> BlockPart {
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
