//! Step times kept by phase and NIC port; routed correction factors by level.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::machine::{FamilyMember, Level};
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
        network: &NetworkModel,
        jobs: u32,
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

    /// Time of one of its steps, by a clock that knows nothing of the run: `whole` is the step of
    /// the whole run and its time, and its communications take so many times as long as the clock
    /// says, as many of the phase do.
    pub(super) fn phase_step_time(
        &self,
        clock: Clock<'_>,
        whole: &Step,
        time: Seconds,
        strain: &[f64],
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

/// Times of a step by what it runs on.
#[derive(Debug)]
pub(crate) struct KnownTimes<K>(Mutex<BTreeMap<K, Seconds>>);

impl<K> Default for KnownTimes<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord> KnownTimes<K> {
    /// The time on that, as `compute` gives it where it is not known.
    pub(super) fn get_or_time(&self, key: K, compute: impl FnOnce() -> Seconds) -> Seconds {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = known().get(&key) {
            return *time;
        }
        let time = compute();
        known().insert(key, time);
        time
    }
}

/// How many times as long the bytes between domains take, by communication of a step.
pub(in crate::design) type CorrectionFactors = Arc<Vec<f64>>;

/// The bits of a level, and the fabric where it is one of its own.
pub(in crate::design) type LevelKey = (Option<u32>, u64, u64, u32, Option<FamilyMember>);

/// Strains of one run.
#[derive(Debug, Default)]
pub(crate) struct LevelCorrections(Mutex<KnownCorrections>);

#[derive(Clone, Debug, Default)]
struct KnownCorrections {
    by_level: BTreeMap<LevelKey, CorrectionFactors>,
    /// What every level with a leaf border takes at least; empty where nothing was said of all.
    bordered: Vec<f64>,
}

pub(super) const fn level_key(level: Level) -> LevelKey {
    // A fabric that is timed on its cables is one whatever its bandwidths.
    let this_level = level.level_for_clock();
    (
        this_level.leaf_domains,
        this_level.within.to_bits(),
        this_level.across.to_bits(),
        level.planes,
        level.member,
    )
}

impl LevelCorrections {
    /// What is known at a level; `None` where the clock stands.
    pub(super) fn factors_at_level(&self, level: Level) -> Option<CorrectionFactors> {
        let known = self.lock_corrections();
        let own = known.by_level.get(&level_key(level));
        if level.leaf_domains.is_none() || known.bordered.is_empty() {
            return own.cloned();
        }
        let Some(own) = own else { return Some(Arc::new(known.bordered.clone())) };
        let most = own.iter().zip(&known.bordered).map(|(own, all)| own.max(*all));
        Some(Arc::new(most.collect()))
    }

    /// A copy, from which what is found later is kept apart.
    pub(in crate::design) fn copy_corrections(&self) -> Self {
        Self(Mutex::new(self.lock_corrections().clone()))
    }

    /// True where the clock stands at all levels.
    pub(in crate::design) fn is_empty(&self) -> bool {
        let known = self.lock_corrections();
        known.by_level.is_empty() && known.bordered.is_empty()
    }

    /// What is known at a level, where communications take so many times as long besides.
    pub(super) fn combine_factors(&self, level: Level, over: &[f64]) -> Vec<f64> {
        match self.factors_at_level(level) {
            Some(known) => known.iter().zip(over).map(|(known, over)| known * over).collect(),
            None => over.to_vec(),
        }
    }

    /// Keeps what routing found at a level; where `wide`, of every level with a leaf border.
    pub(super) fn record_factors(&self, level: Level, strain: Vec<f64>, wide: bool) {
        let mut known = self.lock_corrections();
        if wide && level.leaf_domains.is_some() {
            known.bordered.resize(strain.len(), 1.0);
            for (all, own) in known.bordered.iter_mut().zip(&strain) {
                *all = all.max(*own);
            }
        }
        known.by_level.insert(level_key(level), Arc::new(strain));
    }

    /// What is stored is complete whenever the lock is free, whoever panicked.
    fn lock_corrections(&self) -> std::sync::MutexGuard<'_, KnownCorrections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::LevelCorrections;
    use crate::design::job::machine::Level;

    /// What wide rounds saw at any border holds at every border, the most of each call.
    #[test]
    fn wide_strain_holds_for_every_level_with_borders() {
        let level =
            |within| Level { leaf_domains: Some(4), within, across: 0.0, planes: 1, member: None };
        let strains = LevelCorrections::default();
        strains.record_factors(level(0.5), vec![1.0, 2.0], true);
        strains.record_factors(level(0.25), vec![3.0, 1.0], true);
        strains.record_factors(level(0.9), vec![1.0, 9.0], false);
        let read = |level| strains.factors_at_level(level).map(|values| values.to_vec());
        assert_eq!(read(level(0.75)), Some(vec![3.0, 2.0]));
        assert_eq!(read(level(0.25)), Some(vec![3.0, 2.0]));
        assert_eq!(read(level(0.9)), Some(vec![3.0, 9.0]));
        assert_eq!(read(Level { leaf_domains: None, ..level(0.75) }), None);
    }
}
