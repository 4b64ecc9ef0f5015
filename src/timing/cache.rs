//! What is computed once of one step and holds on every fabric: kernels, bytes, and what crosses leafs
//! of one size. It follows from the ranks and the machines, not from any bandwidth of the fabric.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::counted::CountedVolumes;
use super::fixed::FabricIndependentTimes;
use crate::parallel::Placement;
use crate::step::Step;
use crate::workload::Framework;

/// What was computed so far of one step of one framework on machines of one kind. Mixing steps,
/// frameworks or machines in one cache gives wrong times.
#[derive(Debug, Default)]
pub struct StepCache {
    pub(super) counted: Arc<CountedVolumes>,
    fixed: OnceLock<FabricIndependentTimes>,
    /// Of the same step on slower interfaces, by the share of their rate.
    slower: Mutex<Vec<(u64, Arc<StepCache>)>>,
}

/// Counts of steps of which a cache is in use, and how their ranks lie.
type Known = VecDeque<(Asked, Weak<CountedVolumes>)>;

/// A step, how its ranks lie, and whether fully sharded parameters go around one ring.
type Asked = (Step, Placement, bool);

static KNOWN: Mutex<Known> = Mutex::new(VecDeque::new());

impl StepCache {
    /// For a step whose ranks lie so. What was counted of it for other machines on which they lie alike is known
    /// as long as that is in use.
    pub(crate) fn from_step(step: &Step, placement: Placement, framework: &Framework) -> Self {
        let ring = framework.single_ring_sharding;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(_, counted)| counted.strong_count() > 0);
        let alike = |pair: &Asked| (pair.1, pair.2) == (placement, ring) && pair.0 == *step;
        let before = known.iter().find(|(pair, _)| alike(pair));
        let before = before.and_then(|(_, counted)| counted.upgrade());
        let counted = before.unwrap_or_else(|| {
            let counted = Arc::default();
            known.push_front(((step.clone(), placement, ring), Arc::downgrade(&counted)));
            counted
        });
        Self { counted, ..Self::default() }
    }

    /// For the same step on the same machines where interfaces have that share of their rate; of a share that was asked
    /// for before, the same cache.
    pub(crate) fn step_cache_at_nic_share(&self, share: f64) -> Arc<Self> {
        let mut slower = self.slower.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = slower.iter().find(|(count, _)| *count == share.to_bits()) {
            return Arc::clone(known);
        }
        let new = Arc::new(Self { counted: Arc::clone(&self.counted), ..Self::default() });
        slower.push((share.to_bits(), Arc::clone(&new)));
        new
    }

    /// What no fabric changes; `make` makes it where it is not there.
    pub(super) fn fabric_independent_times(
        &self,
        make: impl FnOnce() -> FabricIndependentTimes,
    ) -> &FabricIndependentTimes {
        self.fixed.get_or_init(make)
    }
}
