//! Mixers with a state in the place of scores: their sizes, and their elements. No work, no bytes.

use super::moe::{HEADS, TAPS, WIDTH};
use crate::keys::table;

table! {
    /// The Mamba-2 mixer (arXiv 2405.21060 §7.1).
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Mamba, "mixer of Mamba-2 layers, `M` in the pattern (arXiv 2405.21060)" {
        heads: u64, in HEADS, "heads".required;
        /// Width P of a head.
        head_dim: u64 = 64, in WIDTH, "width of a head";
        /// Size N of the state of each channel.
        state: u64 = 128, in WIDTH, "size of the state of a channel";
        /// Groups of heads that share what goes into the state and what is read of it.
        groups: u64 = 1, in HEADS, "groups of heads that share input and output of the state";
        /// Tokens that the convolution before the scan sees.
        conv: u64 = 4, in TAPS, "tokens that the convolution before the scan sees";
    }
}

table! {
    /// The mixer with the gated delta rule (arXiv 2412.06464).
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Delta,
        "mixer of layers with the gated delta rule, `G` in the pattern (arXiv 2412.06464)"
    {
        /// Heads of queries and of keys.
        key_heads: u64, in HEADS, "heads of queries and keys".required;
        /// Heads of values; each has a state of its own.
        value_heads: u64, in HEADS, "heads of values; each has a state" or "key_heads"
            else key_heads;
        /// Width of a query or key head.
        key_dim: u64 = 128, in WIDTH, "width of a query or key head";
        /// Width of a value head.
        value_dim: u64 = 128, in WIDTH, "width of a value head";
        /// Tokens that the convolution before the rule sees.
        conv: u64 = 4, in TAPS, "tokens that the convolution before the rule sees";
    }
}

/// FLOPs per channel and element of its state that a token takes in a recurrence: decay, input and
/// output, as Megatron-LM counts a model's FLOPs.
const SCAN_FLOPS: f64 = 7.0;
/// FLOPs per element of a state that a token takes by the delta rule: what is stored under its key
/// is read, the difference is stored, and its query is answered, each a multiply-add.
const RULE_FLOPS: f64 = 6.0;

impl Mamba {
    /// Channels d = H·P.
    #[must_use]
    pub const fn inner_channels(&self) -> u64 {
        self.heads * self.head_dim
    }

    /// Channels of the convolution: x, and B and C of each group.
    #[must_use]
    pub const fn convolved_channels(&self) -> u64 {
        self.inner_channels() + 2 * self.groups * self.state
    }

    /// Columns of the first matrix: gate z, what is convolved, and a step size for each head.
    #[must_use]
    pub const fn projected_width(&self) -> u64 {
        self.inner_channels() + self.convolved_channels() + self.heads
    }

    /// Elements of the matrices on a model of width `hidden`.
    #[must_use]
    pub fn matrix_elements(&self, hidden: u64) -> u128 {
        u128::from(hidden) * u128::from(self.projected_width() + self.inner_channels())
            + u128::from(self.convolved_channels()) * u128::from(self.conv)
    }

    /// Elements of the vectors: biases of the convolution, decay, skip and bias of the step size of
    /// each head, scale of the norm before the second matrix.
    #[must_use]
    pub fn vector_elements(&self) -> u128 {
        u128::from(self.convolved_channels() + 3 * self.heads + self.inner_channels())
    }

    /// FLOPs of a token in the recurrence, forward.
    #[must_use]
    pub fn scan_flops(&self) -> f64 {
        SCAN_FLOPS * self.inner_channels() as f64 * self.state as f64
    }
}

impl Delta {
    /// Channels of the values, and of the gate.
    #[must_use]
    pub const fn value_channels(&self) -> u64 {
        self.value_heads * self.value_dim
    }

    /// Channels of the convolution: queries, keys and values.
    #[must_use]
    pub const fn convolution_channels(&self) -> u64 {
        2 * self.key_heads * self.key_dim + self.value_channels()
    }

    /// Columns of the first matrices: what is convolved, the gate, decay and strength of each head.
    #[must_use]
    pub const fn projection_columns(&self) -> u64 {
        self.convolution_channels() + self.value_channels() + 2 * self.value_heads
    }

    /// Elements of the matrices on a model of width `hidden`.
    #[must_use]
    pub fn matrix_elements(&self, hidden: u64) -> u128 {
        u128::from(hidden) * u128::from(self.projection_columns() + self.value_channels())
            + u128::from(self.convolution_channels()) * u128::from(self.conv)
    }

    /// Elements of the vectors: decay of each head and its bias, scale of the norm of a head.
    #[must_use]
    pub fn vector_elements(&self) -> u128 {
        u128::from(2 * self.value_heads + self.value_dim)
    }

    /// FLOPs of a token by the rule, forward.
    #[must_use]
    pub fn scan_flops(&self) -> f64 {
        RULE_FLOPS * self.value_channels() as f64 * self.key_dim as f64
    }
}
