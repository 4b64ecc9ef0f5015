//! The number format in which a communication travels. No counts.

use crate::workload::Precision;

/// Format of one element on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A floating-point number.
    Float(Precision),
    /// A whole number of so many bytes, such as the index of a component.
    Whole(u64),
}

impl Element {
    /// The format of a gradient or parameter that takes so many bytes in a step of `precision`.
    #[must_use]
    pub const fn from_byte_width(bytes: u64, precision: Precision) -> Self {
        match (bytes, precision) {
            (4, _) => Self::Float(Precision::Fp32),
            (2, Precision::Fp16) => Self::Float(Precision::Fp16),
            (2, _) => Self::Float(Precision::Bf16),
            (1, _) => Self::Float(Precision::Fp8),
            (other, _) => Self::Whole(other),
        }
    }

    /// The format of activations between layers.
    #[must_use]
    pub const fn activation_element(precision: Precision) -> Self {
        Self::from_byte_width(precision.activation_bytes(), precision)
    }

    /// Its name, as in a spec; `int16` for whole numbers of two bytes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float(precision) => precision.name(),
            Self::Whole(1) => "int8",
            Self::Whole(2) => "int16",
            Self::Whole(4) => "int32",
            Self::Whole(8) => "int64",
            Self::Whole(_) => "bytes",
        }
    }

    /// How many of them `bytes` are, a part of one counted as one.
    #[must_use]
    pub fn count_in(self, bytes: u128) -> u128 {
        match self {
            Self::Float(Precision::Nvfp4) => {
                (bytes as f64 / Precision::Nvfp4.operand_bytes()).ceil() as u128
            }
            Self::Float(precision) => bytes.div_ceil(precision.operand_bytes() as u128),
            Self::Whole(width) => bytes.div_ceil(u128::from(width.max(1))),
        }
    }
}
