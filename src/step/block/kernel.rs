//! A piece of work on one GPU. How long it takes is the clock's business.

use crate::workload::Precision;

/// A piece of work on one GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Kernel {
    /// A matrix multiplication.
    Gemm(Gemm),
    /// Fused attention.
    Attention {
        /// Floating-point operations that are really computed.
        flops: f64,
        /// Width of a query head: narrow heads run at a fraction of the rate.
        head_dim: u64,
        /// Number format of its matrix multiplications: 32, 16 or 8 bits.
        precision: Precision,
    },
    /// A recurrence over the sequence, in chunks of matrix products.
    Scan {
        /// Floating-point operations of those products.
        flops: f64,
        /// Number format: 32 or 16 bits.
        precision: Precision,
    },
    /// Work bound by memory bandwidth.
    Memory {
        /// Bytes read and written.
        bytes: f64,
        /// Kernels that are started.
        kernels: u32,
    },
}

/// `count` multiplications of an m×k by a k×n matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Gemm {
    /// Rows of the result.
    pub m: u64,
    /// Columns of the result.
    pub n: u64,
    /// Length of the sum.
    pub k: u64,
    /// How many of them run as one kernel.
    pub count: u64,
    /// Number format of the operands.
    pub precision: Precision,
    /// Bytes that each element of the result moves: 2, or 8 where it is accumulated in fp32.
    pub result_bytes: f64,
    /// The result is the gradient of a weight, which nothing downstream waits for.
    pub weight_gradient: bool,
}

impl Gemm {
    /// Floating-point operations: two for each multiply-add.
    #[must_use]
    pub fn flops(&self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64 * self.count as f64
    }
}

impl Kernel {
    /// Floating-point operations of matrix multiplications, attention and scans; memory-bound work
    /// counts none.
    #[must_use]
    pub fn flops(&self) -> f64 {
        match self {
            Self::Gemm(gemm) => gemm.flops(),
            Self::Attention { flops, .. } | Self::Scan { flops, .. } => *flops,
            Self::Memory { .. } => 0.0,
        }
    }
}
