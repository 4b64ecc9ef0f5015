//! Measured steps that ready specs restate. Whole sets of measurements are validated elsewhere;
//! these rows keep the shipped specs themselves honest.

use crate::published::harness::{Case, set};
use crate::published::table::{Row, Tolerance};

pub(crate) fn rows() -> Vec<Row> {
    let as_published = [("parallelism.context", "1"), ("parallelism.data", "128")];
    let cases = [
        (
            "gpt3-175b-a100-1536",
            set(&[]),
            "arXiv 2104.04473, Table 2 (141 TFLOP/s a GPU)",
            20.83,
            0.05,
        ),
        (
            "llama3-405b-h100-16384",
            set(&as_published),
            // 405.85B parameters and causal attention at that rate; derived.
            "arXiv 2407.21783, Table 4 (400 TFLOP/s a GPU)",
            6.24,
            // Stragglers of 16,384 GPUs are fitted to weak scaling of other clusters, which lose more than
            // this one did: 5.2 % too long, inside the interval that is printed (docs/validation.md).
            0.06,
        ),
    ];
    cases
        .into_iter()
        .map(|(name, overrides, source, expected, tolerance)| Row {
            source,
            figure: format!("{name}: s a step"),
            expected,
            tolerance: Tolerance::Relative(tolerance),
            ours: Case::new(name, &overrides).seconds(),
        })
        .collect()
}
