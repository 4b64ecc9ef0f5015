//! Between which times a measured step would lie, given what a spec leaves open. Says nothing of
//! production runs, whose data loading, checkpoints and stragglers a spec has to state itself.

use crate::hardware::Gpu;
use crate::parallel::Layout;
use crate::scenario::{Scenario, Workload};
use crate::timing::{Interval, StepKind};

/// How much wider the interval of a dense step is where the framework's settings are a guess: fusing
/// and overlapping the wrong things costs more than any formula. An assumption.
const DENSE_UNKNOWN: f64 = 2.0;
/// How much wider that of a mixture of experts is there: dispatcher and CUDA graphs alone move it by
/// a quarter.
const EXPERTS_UNKNOWN: f64 = 2.5;

/// Least share to both sides where no step of the GPU was measured: measured generations reach 0.43
/// to 0.89 of their 16-bit peak, a third more or less than the middle of that. An assumption.
const RATES_UNKNOWN: f64 = 0.35;

/// The interval of measured times around the predicted one (docs/equations.md §4.12).
pub(super) fn measured_time_interval(
    scenario: &Scenario,
    workload: &Workload,
    gpu: &Gpu,
    layout: &Layout,
) -> Interval {
    let experts = workload.model.moe.is_some();
    let interval = Interval::for_step_kind(&StepKind {
        experts,
        gpu: &gpu.calibration.name,
        precision: workload.training.precision,
        stack: &workload.framework.name,
        extent: [
            workload.model.sequence,
            layout.gpus(),
            u64::from(layout.interleave),
            u64::from(layout.context),
            u64::from(layout.expert),
        ],
    })
    .widen_to(0.0); // the predicted time itself is never outside
    let guessed =
        scenario.assumptions.iter().any(|assumption| assumption.topic == "framework.preset");
    let interval = match (guessed, experts) {
        (false, _) => interval,
        (true, false) => interval.widen_by(DENSE_UNKNOWN),
        (true, true) => interval.widen_by(EXPERTS_UNKNOWN),
    };
    if gpu.calibration.shares_of.is_some() { interval.widen_to(RATES_UNKNOWN) } else { interval }
}
