//! The phases of a training run on a chosen fabric, and what they make of its length. A run with
//! one phase has none listed.

use super::machine::Level;
use super::run::Run;
use crate::timing::{model_flops, step_time};
use crate::units::{Flops, Seconds};

/// A part of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseReport {
    /// What it is.
    pub name: String,
    /// Its steps over those of the run without the technique.
    pub share: f64,
    /// Time of one of its steps.
    pub step: Seconds,
    /// FLOPs that its model needs in one step.
    pub model_flops: Flops,
}

/// The phases of a workload on a fabric of that level.
pub(crate) fn phases(run: &Run<'_>, level: Level) -> Vec<PhaseReport> {
    let (training, framework) = (&run.workload.training, &run.workload.framework);
    let (gpu, network) = (&run.machine.node.gpu, run.network(level));
    run.phases
        .iter()
        .map(|phase| PhaseReport {
            name: phase.name.clone(),
            share: phase.share,
            step: step_time(&phase.step, gpu, &network, framework).total(),
            model_flops: model_flops(&phase.model, training, framework),
        })
        .collect()
}

impl Run<'_> {
    /// Time of the training run over that of as many of its steps as it would have without phases.
    pub(crate) fn stretch(&self, level: Level) -> f64 {
        stretch(&phases(self, level), self.time(level).total())
    }
}

/// Time of a run with phases over that of as many steps of length `step` as it has without them;
/// 1 where there are none.
fn stretch(phases: &[PhaseReport], step: Seconds) -> f64 {
    if phases.is_empty() || step.get() <= 0.0 {
        return 1.0;
    }
    phases.iter().map(|of| of.step * of.share).sum::<Seconds>() / step
}
