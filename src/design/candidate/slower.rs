//! The pace of a run where a part of the network is out of service. Knows no graph.

use std::sync::Arc;

use super::machine::{Level, Machine};
use super::run::Run;
use crate::hardware::Nic;
use crate::units::Seconds;

/// Pace on a fabric of that level where NICs have a share of their rate and the links above
/// leaf switches all of theirs.
pub(crate) fn on_slower_nics(run: &Run<'_>, level: Level, share: f64) -> Seconds {
    let above = |of: f64| (of / share).min(1.0);
    let level = Level { within: above(level.within), across: above(level.across), ..level };
    on_less(run, level, share)
}

/// Pace where NICs and the links above leaf switches have the same share of their rate, as where
/// planes are out of service.
pub(crate) fn on_less(run: &Run<'_>, level: Level, share: f64) -> Seconds {
    run.known_pace(level, share, || {
        let full = run.machine.nic;
        let nic = Nic { bandwidth: full.bandwidth * share, ..full.clone() };
        let machine = Machine { nic: &nic, ..run.machine };
        let phases = run.phases.iter().map(|phase| phase.slowed(share)).collect();
        let (cache, level_times) = (run.cache.slowed(share), Arc::default());
        Run { machine, phases, cache, level_times, ..run.clone() }.clocked_pace(level)
    })
}

impl Run<'_> {
    /// Pace by the clock alone where NICs have so many of their ports left, on a network that never
    /// blocks.
    pub(crate) fn on_ports(&self, left: u32, of: u32) -> Seconds {
        let share = f64::from(left) / f64::from(of);
        let slower = || on_slower_nics(&self.uncorrected(), Level::FULL, share);
        self.port_times.get_or_compute((left, of), slower)
    }
}
