//! What was counted of one step for leafs of some size: cuts, interface loads and borders. It follows
//! from the ranks, not from any bandwidth of the fabric.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::traffic::{Borders, InterfaceLoads, LeafCuts};

/// A communication of the step by its place, and whether it runs level by level.
type Call = (usize, bool);

/// Leaf cuts of each communication by its place, for leafs of one size.
pub(super) type CutsAtLeaf = Arc<Vec<OnceLock<f64>>>;

/// Counts of one step.
#[derive(Debug, Default)]
pub(super) struct Counted {
    crossings: Mutex<BTreeMap<Call, Arc<LeafCuts>>>,
    at_leaf: Mutex<BTreeMap<u32, CutsAtLeaf>>,
    loads: Mutex<BTreeMap<Call, Option<Arc<InterfaceLoads>>>>,
    borders: Mutex<BTreeMap<(Call, u32), Arc<Borders>>>,
}

impl Counted {
    /// Cuts of so many communications for leafs of so many domains.
    pub(super) fn at_leaf(&self, domains: u32, communications: usize) -> CutsAtLeaf {
        let none = || Arc::new(vec![OnceLock::new(); communications]);
        Arc::clone(locked(&self.at_leaf).entry(domains).or_insert_with(none))
    }

    /// The cut of a communication for leafs of so many domains; `count` makes what is not there.
    pub(super) fn cut(&self, call: Call, domains: u32, count: impl FnOnce() -> LeafCuts) -> f64 {
        let crossings =
            Arc::clone(locked(&self.crossings).entry(call).or_insert_with(|| Arc::new(count())));
        crossings.at(domains)
    }

    /// What interfaces carry in a communication; `count` makes what is not there.
    pub(super) fn loads(
        &self,
        call: Call,
        count: impl FnOnce() -> Option<InterfaceLoads>,
    ) -> Option<Arc<InterfaceLoads>> {
        locked(&self.loads).entry(call).or_insert_with(|| count().map(Arc::new)).clone()
    }

    /// What crosses the borders of leafs of so many domains in a communication.
    pub(super) fn borders(&self, call: Call, domains: u32, loads: &InterfaceLoads) -> Arc<Borders> {
        let count = || Arc::new(loads.borders(domains));
        Arc::clone(locked(&self.borders).entry((call, domains)).or_insert_with(count))
    }
}

/// What is stored is complete whenever the lock is free, whoever panicked.
fn locked<T>(store: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
