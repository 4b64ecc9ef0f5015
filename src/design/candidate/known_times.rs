//! Times of a step that are asked for often: with some ports of its NICs, or by the level of a fabric. Times none.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::units::Seconds;

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
