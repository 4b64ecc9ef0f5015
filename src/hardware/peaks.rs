//! Peak rates of a GPU, as published.

use crate::keys::table;
use crate::units::FlopRate;
use crate::workload::Precision;

table! {
    /// Dense peak rates per number format; `None` where the GPU lacks it.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Peaks, "dense peak rates by number format" {
        /// 32-bit floats (on tensor cores where it has them).
        fp32: Option<FlopRate> as "peak_fp32", "dense peak, 32 bits" or "not supported";
        /// 16-bit floats of either kind.
        bf16: Option<FlopRate> as "peak_bf16", "dense peak, 16 bits" or "not supported";
        /// 8-bit floats.
        fp8: Option<FlopRate> as "peak_fp8", "dense peak, 8 bits" or "not supported";
        /// 4-bit floats.
        fp4: Option<FlopRate> as "peak_fp4", "dense peak, 4 bits" or "not supported";
    }
}

impl Peaks {
    /// Peak of a number format; `None` where the GPU lacks it.
    #[must_use]
    pub const fn peak_of_precision(&self, precision: Precision) -> Option<FlopRate> {
        match precision {
            Precision::Fp32 => self.fp32,
            Precision::Fp16 | Precision::Bf16 => self.bf16,
            Precision::Fp8 | Precision::Mxfp8 => self.fp8,
            Precision::Nvfp4 => self.fp4,
        }
    }
}
