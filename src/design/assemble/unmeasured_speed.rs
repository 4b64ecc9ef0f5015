//! Warnings of a speed that no measured step bears out.

use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::design::plan::warning::Warning;
use crate::hardware::Gpu;
use crate::scenario::Workload;
use crate::timing::{highest_measured_mfu, model_flops, step_efficiency};

/// How far above the highest measured MFU a step may be predicted without a warning: what measured
/// steps of one kind differ by.
const ABOVE_MEASURED: f64 = 1.05;

/// Rates that are shares of peak of another GPU.
pub(super) fn assumed_rates(gpu: &Gpu) -> Option<Warning> {
    let shares_of = gpu.calibration.shares_of.clone()?;
    let set = gpu.calibration.name.clone();
    Some(Warning::AssumedRates { gpu: gpu.name.clone(), set, shares_of })
}

/// The step that exceeds the highest MFU of measured ones most.
pub(super) fn above_measured(job: &Job<'_>, level: Level) -> Option<Warning> {
    let gpu = &job.machine.node.gpu;
    let beyond = |run: &&JobRun<'_>| {
        let Workload { model, training, framework, .. } = &*run.workload;
        let highest = highest_measured_mfu(&gpu.calibration.name, training.precision)?;
        let work = model_flops(model, training, framework);
        let time = run.step_time(level).total_time();
        let mfu = step_efficiency(&run.step, training, gpu, work, time).mfu;
        (mfu > highest.mfu * ABOVE_MEASURED).then_some((mfu, highest))
    };
    let runs = job.runs_at_level(level);
    let all = runs.iter().filter_map(beyond);
    let (mfu, highest) =
        all.max_by(|one, other| (one.0 / one.1.mfu).total_cmp(&(other.0 / other.1.mfu)))?;
    Some(Warning::AboveMeasured {
        gpu: gpu.name.clone(),
        mfu,
        highest: highest.mfu,
        source: highest.source,
    })
}
