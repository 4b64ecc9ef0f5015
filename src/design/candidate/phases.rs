//! The phases of a training run on a chosen fabric, and what they make of its length. A run with
//! one phase has none listed.

use super::machine::Level;
use super::phase_run::PhaseRun;
use super::run::JobRun;
use crate::timing::model_flops;
use crate::units::{Flops, Seconds};

/// A part of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseReport {
    /// What it is.
    pub name: String,
    /// Its steps over those of the run without the technique.
    pub share: f64,
    /// Least and largest of these shares in the runs of the technique's paper; `None` where those do not tell.
    pub published: Option<[f64; 2]>,
    /// Time of one of its steps.
    pub step: Seconds,
    /// FLOPs that its model needs in one step.
    pub model_flops: Flops,
}

/// The phases of a workload on a fabric of that level.
pub(crate) fn phase_reports(run: &JobRun<'_>, level: Level) -> Vec<PhaseReport> {
    let (training, framework) = (&run.workload.training, &run.workload.framework);
    let report = |(phase_run, step): (&PhaseRun, Seconds)| PhaseReport {
        name: phase_run.phase.name.clone(),
        share: phase_run.phase.share,
        published: phase_run.phase.published,
        step,
        model_flops: model_flops(&phase_run.phase.model, training, framework),
    };
    run.each_phase(level).into_iter().map(report).collect()
}
