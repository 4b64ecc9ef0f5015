//! Ranges of the sizes that the tables of a model state.

use crate::keys::Kind;

/// Largest count of layers: three times ten thousand is beyond any published model, and stage
/// lists are as long as this.
pub(super) const LAYERS: Kind = Kind::Count { min: 1, max: 10_000 };
/// Widths of matrices, heads, experts: bounded so that products of a few stay exact.
pub(super) const WIDTH: Kind = Kind::Count { min: 1, max: 10_000_000 };
/// Ranks of compressed forms.
pub(super) const RANK_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000_000 };
/// Heads of a mixer.
pub(super) const HEADS: Kind = Kind::Count { min: 1, max: 100_000 };
/// Experts of a layer.
pub(super) const EXPERTS: Kind = Kind::Count { min: 1, max: 100_000 };
/// Loads of experts in any unit.
pub(super) const LOADS: Kind = Kind::Some(&Kind::Number { min: 0.0, max: 1e18 });
/// Tokens of a sequence or a window.
pub(super) const TOKENS: Kind = Kind::Count { min: 1, max: 1_000_000_000 };
/// Tokens that a convolution sees.
pub(super) const TAPS: Kind = Kind::Count { min: 1, max: 1024 };
