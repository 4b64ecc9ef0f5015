//! Leaf cuts of one step, kept between networks: they follow from the ranks and from the size of a
//! leaf, not from any bandwidth. Counts nothing itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::traffic::LeafCuts;

/// A communication of the step by its place, and whether it runs level by level.
type Call = (usize, bool);

/// What was counted so far of one step on HB domains of one size. Mixing steps or domains in one
/// store gives wrong times.
#[derive(Debug, Default)]
pub struct Cuts {
    crossings: Mutex<BTreeMap<Call, Arc<LeafCuts>>>,
    by_leaf: Mutex<BTreeMap<(Call, u32), f64>>,
}

impl Cuts {
    /// The cut of a communication for leafs of so many domains; `count` makes what is not there.
    pub(super) fn of(&self, call: Call, domains: u32, count: impl FnOnce() -> LeafCuts) -> f64 {
        let known = |key| locked(&self.by_leaf).get(key).copied();
        if let Some(cut) = known(&(call, domains)) {
            return cut;
        }
        let crossings =
            Arc::clone(locked(&self.crossings).entry(call).or_insert_with(|| Arc::new(count())));
        let cut = crossings.at(domains);
        locked(&self.by_leaf).insert((call, domains), cut);
        cut
    }
}

/// What is stored is complete whenever the lock is free, whoever panicked.
fn locked<T>(store: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
