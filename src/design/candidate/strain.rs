//! What routing made of a run's communications, where it found links slower than the clock takes
//! them to be: from then on all who time the run at that level do so with the routed times. Routes
//! nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::machine::Level;
use super::member::FamilyMember;

/// How many times as long the bytes between domains take, by communication of a step.
pub(super) type CorrectionFactors = Arc<Vec<f64>>;

/// The bits of a level, and the fabric where it is one of its own.
pub(super) type LevelKey = (Option<u32>, u64, u64, u32, Option<FamilyMember>);

/// Strains of one run.
#[derive(Debug, Default)]
pub(crate) struct LevelCorrections(Mutex<KnownCorrections>);

#[derive(Debug, Default)]
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

    /// True where the clock stands at all levels.
    pub(super) fn is_empty(&self) -> bool {
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
    use super::{Level, LevelCorrections};

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
