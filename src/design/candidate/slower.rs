//! The pace of a run where a part of the network is out of service. Knows no graph.

use std::sync::Arc;

use super::machine::{Level, Machine};
use super::run::JobRun;
use crate::hardware::Nic;
use crate::units::Seconds;

/// Pace on a fabric of that level where NICs have a share of their rate and the links above
/// leaf switches all of theirs.
pub(crate) fn pace_at_nic_rate_share(run: &JobRun<'_>, level: Level, share: f64) -> Seconds {
    let above = |value: f64| (value / share).min(1.0);
    let level = Level { within: above(level.within), across: above(level.across), ..level };
    pace_at_link_rate_share(run, level, share)
}

/// Pace where NICs and the links above leaf switches have the same share of their rate, as where
/// planes are out of service.
pub(crate) fn pace_at_link_rate_share(run: &JobRun<'_>, level: Level, share: f64) -> Seconds {
    run.known_step_time(level, share, || {
        let full = run.machine.nic;
        let nic = Nic { bandwidth: full.bandwidth * share, ..full.clone() };
        let machine = Machine { nic: &nic, ..run.machine };
        let phases = run.phases.iter().map(|phase| phase.with_nic_share(share)).collect();
        let (cache, level_times) = (run.cache.step_cache_at_nic_share(share), Arc::default());
        JobRun { machine, phases, cache, level_times, ..run.clone() }
            .effective_step_time_by_clock(level)
    })
}

impl JobRun<'_> {
    /// Pace by the clock alone where NICs have so many of their ports left, on a network that never
    /// blocks.
    pub(crate) fn pace_with_ports(&self, left: u32, count: u32) -> Seconds {
        let share = f64::from(left) / f64::from(count);
        let slower = || pace_at_nic_rate_share(&self.without_corrections(), Level::FULL, share);
        self.port_times.get_or_time((left, count), slower)
    }
}
