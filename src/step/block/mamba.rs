//! The Mamba-2 mixer: projections, convolution, and the scan as products of chunks (arXiv 2405.21060
//! §6).

use super::nouns::{BlockPart, PartKind};
use super::recurrence::{Recurrence, recurrence_part};
use super::source::KernelInputs;
use crate::workload::Mamba;

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

/// FLOPs of a token, forward: Q·N for the scores of its chunk in each group, and in each head Q·P for
/// their product with the inputs, N·P to make the chunk's state and N·P to read it; a multiply-add is
/// two.
fn scan_token_flops(mamba: &Mamba) -> f64 {
    let [heads, width, state, groups] =
        [mamba.heads, mamba.head_dim, mamba.state, mamba.groups].map(|size| size as f64);
    let chunk = MAMBA_CHUNK as f64;
    2.0 * (groups * chunk * state + heads * (chunk * width + 2.0 * state * width))
}
