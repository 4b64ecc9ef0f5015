//! One phase of a training run in the layout of the whole run: its step, and its time on any fabric.

use std::sync::Arc;

use crate::memory::{Memory, memory_ledger};
use crate::parallel::{Layout, LayoutProblem};
use crate::step::{Communication, Step};
use crate::technique::{Phase, Recipe};
use crate::timing::{Clock, NetworkModel, StepCache};
use crate::units::Seconds;
use crate::workload::Framework;

/// A phase whose steps are not those of the whole run has a step of its own.
#[derive(Clone, Debug)]
pub(crate) struct PhaseRun {
    pub(super) phase: Phase,
    own: Option<(Step, Arc<StepCache>)>,
}

impl PhaseRun {
    /// The phases of a run of so many jobs at once; none where it has one only.
    ///
    /// # Errors
    /// Every rule that one of them breaks.
    pub(super) fn phases_of_run(
        whole: &Recipe<'_>,
        layout: &Layout,
        (network, jobs): (&NetworkModel, u32),
    ) -> Result<Vec<Self>, Vec<LayoutProblem>> {
        let each = whole.run_phases()?.into_iter().map(|phase| {
            if phase.is_whole {
                return Ok(Self { phase, own: None });
            }
            let step = phase.phase_step(whole, layout)?;
            let grid = step.grid.with_job_digit(jobs).ok_or_else(Vec::new)?;
            let step = Step { grid, ..step };
            let placement = network.place_ranks(&step.grid);
            let cache = StepCache::from_step(&step, placement, whole.framework);
            Ok(Self { phase, own: Some((step, Arc::new(cache))) })
        });
        each.collect()
    }

    /// Memory of the fullest GPU; `None` where that is the whole run's.
    pub(super) fn fullest_gpu_memory(&self, framework: &Framework) -> Option<Memory> {
        self.own.as_ref().map(|(step, _)| memory_ledger(framework, step))
    }

    /// It on machines whose interfaces have that share of their rate.
    pub(super) fn with_nic_share(&self, share: f64) -> Self {
        let own = self.own.as_ref();
        let own = own.map(|(step, cache)| (step.clone(), cache.step_cache_at_nic_share(share)));
        Self { phase: self.phase.clone(), own }
    }

    /// Time of one of its steps, by a clock that knows nothing of the run: `whole` is the step of the whole run and
    /// its time, and its communications take so many times as long as the clock says, as many of the phase do.
    pub(super) fn phase_step_time(
        &self,
        clock: Clock<'_>,
        (whole, time, strain): (&Step, Seconds, &[f64]),
    ) -> Seconds {
        let Some((step, cache)) = &self.own else { return time };
        let calls = if strain.is_empty() { &[][..] } else { &step.communications[..] };
        let read = |own: &Communication| {
            let place =
                whole.communications.iter().position(|communication| are_alike(communication, own));
            place.and_then(|place| strain.get(place)).copied().unwrap_or(1.0)
        };
        let strain: Vec<f64> = calls.iter().map(read).collect();
        clock.with_cache(cache).with_correction_factors(&strain).time_step(step).total_time()
    }
}

/// True for the same communication of two steps, however much it carries.
fn are_alike(one: &Communication, other: &Communication) -> bool {
    (one.kind, one.label, one.group) == (other.kind, other.label, other.group)
        && (one.collective, one.moment) == (other.collective, other.moment)
}
