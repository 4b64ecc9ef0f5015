//! How far a predicted step may be from the measured one. Says nothing of production runs, whose
//! data loading, checkpoints and stragglers a spec has to state itself.

use crate::hardware::Gpu;
use crate::scenario::{Scenario, Workload};

/// Mean error of dense models on V100 and A100, settings known (docs/validation.md).
const DENSE_AMPERE: f64 = 0.03;
/// Mean error of dense models on H100 and later, settings known (docs/validation.md).
const DENSE_HOPPER: f64 = 0.05;
/// Mean error of mixtures of experts, settings known (docs/validation.md).
const EXPERTS: f64 = 0.08;
/// How much further a dense step is off where the framework's settings are a guess: fusing and
/// overlapping the wrong things costs more than any formula. An assumption.
const DENSE_UNKNOWN: f64 = 2.0;
/// How much further a step of a mixture of experts is off there: dispatcher and CUDA graphs alone
/// move it by a quarter.
const EXPERTS_UNKNOWN: f64 = 2.5;

/// Error where no step of the GPU was measured: measured generations reach 0.44 to 0.88 of their
/// 16-bit peak, a third more or less than the middle of that. An assumption.
const RATES_UNKNOWN: f64 = 0.35;

/// Share of the step time by which a measured one may be longer or shorter (docs/equations.md
/// §4.12).
pub(super) fn error_band(scenario: &Scenario, workload: &Workload, gpu: &Gpu) -> f64 {
    let guessed = scenario.assumptions.iter().any(|of| of.topic == "framework.preset");
    let (known, unknown) = match (&workload.model.moe, gpu.peaks.fp8) {
        (Some(_), _) => (EXPERTS, EXPERTS_UNKNOWN),
        (None, None) => (DENSE_AMPERE, DENSE_UNKNOWN),
        (None, Some(_)) => (DENSE_HOPPER, DENSE_UNKNOWN),
    };
    let band = if guessed { known * unknown } else { known };
    if gpu.calibration.shares_of.is_some() { band.max(RATES_UNKNOWN) } else { band }
}
