//! Peak rates of a GPU, as published.

use crate::units::FlopRate;
use crate::workload::Precision;

/// Dense peak rates per number format; `None` where the GPU lacks it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Peaks {
    /// 32-bit floats (on tensor cores where it has them).
    pub fp32: Option<FlopRate>,
    /// 16-bit floats of either kind.
    pub bf16: Option<FlopRate>,
    /// 8-bit floats.
    pub fp8: Option<FlopRate>,
    /// 4-bit floats.
    pub fp4: Option<FlopRate>,
}

impl Peaks {
    /// Peak of a number format; `None` where the GPU lacks it.
    #[must_use]
    pub const fn of(&self, precision: Precision) -> Option<FlopRate> {
        match precision {
            Precision::Fp32 => self.fp32,
            Precision::Fp16 | Precision::Bf16 => self.bf16,
            Precision::Fp8 | Precision::Mxfp8 => self.fp8,
            Precision::Nvfp4 => self.fp4,
        }
    }
}
