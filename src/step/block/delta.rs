//! The mixer with the gated delta rule: projections, convolution, and the rule as products of chunks
//! (arXiv 2412.06464 §3.3, arXiv 2406.06484 §3.2).

use super::nouns::{BlockPart, PartKind};
use super::recurrence::{Recurrence, recurrence_part};
use super::source::KernelInputs;
use crate::workload::Delta;

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

/// FLOPs of a token and value head, forward, with keys of width k and values of width v. Of its chunk:
/// products of keys (C·k), the inverse of their triangle (C²/2), that times keys (C·k) and values (C·v),
/// products of queries and keys (C·k), and those times the new values (C·v). Of the state: what is
/// stored under the keys, what the queries read, what the keys store (k·v each). A multiply-add is two.
fn delta_rule_token_flops(delta: &Delta) -> f64 {
    let [heads, key, value] =
        [delta.value_heads, delta.key_dim, delta.value_dim].map(|size| size as f64);
    let chunk = DELTA_CHUNK as f64;
    let inside = chunk * (3.0 * key + 2.0 * value) + chunk * chunk / 2.0;
    2.0 * heads * (inside + 3.0 * key * value)
}
