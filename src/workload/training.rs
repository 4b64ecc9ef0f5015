//! How the model is trained: batch, precision, length of the run; and what may be recomputed.

use crate::keys::{Kind, LAYERS_OR_NONE, choices, key, table};

/// Global batches and lengths in sequences.
const SEQUENCES: Kind = Kind::Count { min: 1, max: 1_000_000_000 };

table! {
    /// The training run, apart from how it is spread over GPUs.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Training, "the training run, apart from how it is spread over GPUs" {
        /// Global batch G in sequences.
        global_batch: u64, in SEQUENCES, "global batch in sequences".required;
        /// Tokens of the whole run; `None` where the spec does not say, then no days are reported.
        tokens: Option<f64>, in Kind::Amount { max: 1e18 },
            "tokens of the whole run" or "not stated: no days are reported";
        /// Number format of the matrix multiplications.
        precision: Precision, "number format of matrix multiplications"
            or "bf16, or fp16 where a GPU has no bf16" else usual;
        /// Layers of a stage whose activations wait in host memory for their backward pass.
        offload_layers: u32 = 0, in LAYERS_OR_NONE,
            "layers of a stage whose activations wait in host memory for their backward pass";
    } given { usual: Precision }
    // What the layout says of a step; [`crate::parallel::LayoutRequest`] has it.
    last [
        key(
            "micro_batch",
            Kind::Auto(&Kind::Count { min: 1, max: 1_000_000 }),
            "micro-batch in sequences",
        )
        .with_default_words("auto where tensor or pipeline is, else 1"),
        key(
            "recompute",
            Kind::Auto(&Kind::Choice(Recompute::NAMES)),
            "what the backward pass computes again",
        )
        .with_default_words("auto where tensor or pipeline is, else selective"),
    ]
}

choices! {
    /// Number format of weights and activations in matrix multiplications.
    pub enum Precision {
        /// 32-bit floats everywhere.
        Fp32 = "fp32",
        /// 16-bit IEEE floats with 32-bit master weights.
        Fp16 = "fp16",
        /// bfloat16 with 32-bit master weights.
        Bf16 = "bf16",
        /// 8-bit floats, one scale per tensor (current scaling).
        Fp8 = "fp8",
        /// 8-bit floats, one scale per block of 32.
        Mxfp8 = "mxfp8",
        /// 4-bit floats, one scale per block of 16.
        Nvfp4 = "nvfp4",
    }
}

impl Precision {
    /// The format of what a step keeps wide: 32 bits in a step of 32, else 16.
    #[must_use]
    pub const fn wide_format(self) -> Self {
        match self {
            Self::Fp32 => Self::Fp32,
            _ => Self::Bf16,
        }
    }

    /// Bytes of an activation between layers: kept in 16 bits below 16-bit arithmetic.
    #[must_use]
    pub const fn activation_bytes(self) -> u64 {
        match self {
            Self::Fp32 => 4,
            _ => 2,
        }
    }

    /// Bytes of an operand of a matrix multiplication, block scales included.
    #[must_use]
    pub const fn operand_bytes(self) -> f64 {
        match self {
            Self::Fp32 => 4.0,
            Self::Fp16 | Self::Bf16 => 2.0,
            Self::Fp8 | Self::Mxfp8 => 1.0,
            Self::Nvfp4 => 0.5625,
        }
    }
}

choices! {
    /// What the backward pass computes again (Korthikanti 2022, arXiv 2205.05198).
    pub enum Recompute {
        /// Everything is kept.
        None = "none",
        /// The attention scores are computed again.
        Selective = "selective",
        /// Each layer's forward pass runs again from its input.
        Full = "full",
    }
}
