//! Times of a step that are asked for often: with some ports of its NICs. Times none.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::units::Seconds;

/// Times of a step where NICs have some of their ports, by ports left and all ports.
#[derive(Debug, Default)]
pub(crate) struct PortTimes(Mutex<BTreeMap<(u32, u32), Seconds>>);

impl PortTimes {
    /// The time of so many ports of all, as `make` gives it where it is not known.
    pub(super) fn get_or_time(&self, ports: (u32, u32), make: impl FnOnce() -> Seconds) -> Seconds {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = known().get(&ports) {
            return *time;
        }
        let time = make();
        known().insert(ports, time);
        time
    }
}
