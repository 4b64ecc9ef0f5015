//! How the model is trained: batch, precision, length of the run; and what may be recomputed.

/// The training run, apart from how it is spread over GPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// Global batch G in sequences.
    pub global_batch: u64,
    /// Tokens of the whole run; `None` where the spec does not say, then no days are reported.
    pub tokens: Option<f64>,
    /// Number format of the matrix multiplications.
    pub precision: Precision,
    /// Layers of a stage whose activations wait in host memory for their backward pass.
    pub offload_layers: u32,
}

/// Number format of weights and activations in matrix multiplications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// 32-bit floats everywhere.
    Fp32,
    /// 16-bit IEEE floats with 32-bit master weights.
    Fp16,
    /// bfloat16 with 32-bit master weights.
    Bf16,
    /// 8-bit floats, one scale per tensor (current scaling).
    Fp8,
    /// 8-bit floats, one scale per block of 32.
    Mxfp8,
    /// 4-bit floats, one scale per block of 16.
    Nvfp4,
}

impl Precision {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 6] =
        [Self::Fp32, Self::Fp16, Self::Bf16, Self::Fp8, Self::Mxfp8, Self::Nvfp4];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Fp16 => "fp16",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Mxfp8 => "mxfp8",
            Self::Nvfp4 => "nvfp4",
        }
    }

    /// The format of what a step keeps wide: 32 bits in a step of 32, else 16.
    #[must_use]
    pub const fn wide(self) -> Self {
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

/// What the backward pass computes again (Korthikanti 2022, arXiv 2205.05198).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recompute {
    /// Everything is kept.
    None,
    /// The attention scores are computed again.
    Selective,
    /// Each layer's forward pass runs again from its input.
    Full,
}

impl Recompute {
    /// All of them, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::None, Self::Selective, Self::Full];

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Selective => "selective",
            Self::Full => "full",
        }
    }
}
