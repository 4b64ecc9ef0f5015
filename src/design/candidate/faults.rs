//! The most of a year that any network leaves to training. Counts no fabric.

use super::breakdowns::faults_of_machines;
use super::fleet::Fleet;
use super::job::Job;
use super::machine::{Level, all_but_one};
use super::slower::pace_at_nic_rate_share;
use crate::reliability::{Fault, PerYear, goodput_upper_bound};
use crate::units::Seconds;

/// Clusters of which less than this share of the time trains count as if it were so much: what they train has a
/// price still, and any other is better.
pub(crate) const LEAST_GOODPUT: f64 = 1e-9;

/// No network of so many planes leaves a larger share of a year to training on which a NIC with a port less
/// keeps no more than that of the pace: machines fail, and so do NICs and the links that they have. In one
/// plane the loss of such a link stops a job on any network; in more it goes on with what is kept, or
/// restarts. What other losses take is left out.
pub(crate) fn candidate_goodput_upper_bound(fleet: &Fleet<'_>, planes: u32, kept: f64) -> f64 {
    let rates = &fleet.scenario.failures;
    let mut certain = faults_of_machines(fleet, rates);
    let mut either = Vec::new();
    if fleet.domains > 1 {
        let of_one = |part: &str, (pieces, rate): (u64, f64), repair: Seconds| Fault {
            part: part.to_owned(),
            pieces,
            rate: PerYear::from_events(rate),
            repair,
            network: true,
            stops: true,
            domains: 1,
            gpus: fleet.machine.node.gpus.into(),
            kept: 1.0,
        };
        certain.push(of_one("NIC", (fleet.endpoints(), rates.nic), rates.repair_time()));
        let ports = fleet.endpoints() * u64::from(planes);
        let link = of_one("link", (ports, rates.link), rates.link_repair());
        if planes == 1 {
            certain.push(link);
        } else {
            either.push(Fault { stops: false, kept, ..link });
        }
    }
    goodput_upper_bound(&certain, &either, rates, fleet.standby).max(LEAST_GOODPUT)
}

/// The least time that a step takes on any network of so many planes, with its share of the time that does
/// not train. Step over goodput grows with the step, so the shortest step has the least.
pub(crate) fn min_step_time_over_goodput(job: &Job<'_>, planes: u32) -> Seconds {
    job.full_bisection_step_time()
        / candidate_goodput_upper_bound(
            &job.fleet(),
            planes,
            max_pace_share_left(job, planes, job.full_bisection_step_time()),
        )
}

/// The most that a step of some time keeps of its pace where a NIC has a port less, whatever the network.
pub(crate) fn max_pace_share_left(job: &Job<'_>, planes: u32, step: Seconds) -> f64 {
    kept_where(job, planes, step, || job.lead.pace_with_ports(planes - 1, planes))
}

/// Likewise of a step on networks of a level.
pub(crate) fn pace_share_left_at_level(
    job: &Job<'_>,
    planes: u32,
    step: Seconds,
    level: Level,
) -> f64 {
    let share = all_but_one(planes);
    kept_where(job, planes, step, || pace_at_nic_rate_share(&job.lead, level, share))
}

/// All of it where nothing is known of what a missing port takes.
fn kept_where(job: &Job<'_>, planes: u32, step: Seconds, after: impl Fn() -> Seconds) -> f64 {
    let known = planes > 1 && job.others.is_empty() && !job.scenario.cluster.fabric.is_routed();
    if known { (step / after()).min(1.0) } else { 1.0 }
}
