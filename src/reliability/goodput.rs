//! The share of a year that trains, by formula: checkpoints, lost work, restarts, and machines
//! that wait for repair. docs/equations.md §11; a simulation of years is the test.

use super::poisson::{at_most, fewest};
use super::{PerYear, Rates};
use crate::fabric::{Counts, TierName};
use crate::units::Seconds;

/// What of a cluster can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// GPUs in use.
    pub gpus: u64,
    /// Links between NICs and leafs, of all planes.
    pub host_links: u64,
    /// Leafs of all planes.
    pub leafs: u64,
    /// All other links.
    pub upper_links: u64,
    /// All other switches.
    pub upper_switches: u64,
    /// Links of a NIC: with several, losing one slows a job down and does not stop it.
    pub planes: u32,
}

/// How a cluster is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conduct {
    /// Time that training stands still for a checkpoint.
    pub save: Seconds,
    /// Time from a stop until training goes on.
    pub restart: Seconds,
    /// Time until a broken GPU is back, with all that is replaced along with it.
    pub repair: Seconds,
    /// Standby units, each able to take the place of one with a broken GPU.
    pub standby: u64,
}

/// A year in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Year {
    /// Events that stop the job.
    pub stops: PerYear,
    /// Those of them that links to NICs and leafs cause.
    pub network_stops: PerYear,
    /// Events above the leafs, or of one plane among several: they cost bandwidth until repair.
    pub slowdowns: PerYear,
    /// Time between checkpoints that loses least.
    pub interval: Seconds,
    /// Share of the time that checkpoints take.
    pub saving: f64,
    /// Share that is trained again after stops.
    pub rework: f64,
    /// Share that restarts take.
    pub restarting: f64,
    /// Share that waits as more units are broken than stand by.
    pub waiting: f64,
    /// Share that trains: what the others leave.
    pub goodput: f64,
    /// Units that are broken on average.
    pub broken: f64,
    /// Standby units that suffice 99 % of the time.
    pub standby: u64,
}

/// Share of the time for which standby units should suffice.
const FILL: f64 = 0.99;

impl Exposure {
    /// What of a fabric with so many GPUs can fail.
    #[must_use]
    pub fn of(counts: &Counts, gpus: u64) -> Self {
        let leafs = counts.layer(TierName::Leaf);
        Self {
            gpus,
            host_links: counts.host_links,
            leafs,
            upper_links: counts.links() - counts.host_links,
            upper_switches: counts.switches() - leafs,
            planes: counts.planes.max(1),
        }
    }
}

/// What a year of training looks like.
///
/// With stops at a rate Λ, checkpoints that take s and restarts that take r: the best interval is
/// τ = √(2·s/Λ) (Young 1974), lost are s/τ to checkpoints, Λ·τ/2 to work done again and Λ·r to
/// restarts; what is left counts while no more units are broken than stand by. First order: good
/// while Λ·τ and Λ·r are well below 1; a cluster that fails faster trains nothing.
///
/// Special cases: nothing fails: all of the time trains; checkpoints that take no time: no work
/// is lost between them.
#[must_use]
pub fn year(exposure: &Exposure, rates: &Rates, conduct: &Conduct) -> Year {
    let gpu_faults = rates.gpu.times(exposure.gpus);
    let edge = rates.link.times(exposure.host_links).plus(rates.switch.times(exposure.leafs));
    let upper =
        rates.link.times(exposure.upper_links).plus(rates.switch.times(exposure.upper_switches));
    let single = exposure.planes <= 1;
    let network_stops = if single { edge } else { PerYear::default() };
    let slowdowns = if single { upper } else { upper.plus(edge) };
    let stops = gpu_faults.plus(rates.other.times(exposure.gpus)).plus(network_stops);
    let per_second = stops.during(Seconds::of(1.0));
    let interval = if per_second > 0.0 {
        Seconds::of((2.0 * conduct.save.get() / per_second).sqrt())
    } else {
        Seconds::ENDLESS
    };
    let saving = if interval > Seconds::ZERO { conduct.save / interval } else { 0.0 };
    let rework = if per_second > 0.0 { per_second * interval.get() / 2.0 } else { 0.0 };
    let restarting = stops.during(conduct.restart);
    let running = (1.0 - saving - rework - restarting).max(0.0);
    let broken = gpu_faults.during(conduct.repair);
    let enough = at_most(conduct.standby, broken);
    Year {
        stops,
        network_stops,
        slowdowns,
        interval,
        saving,
        rework,
        restarting,
        waiting: running * (1.0 - enough),
        goodput: running * enough,
        broken,
        standby: fewest(broken, FILL),
    }
}
