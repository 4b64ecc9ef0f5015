//! What a job does about each kind of fault: what takes least of its time. Adds no year up.

use super::fault::Fault;
use super::pace::{Slower, taken};
use super::poisson::at_most;
use crate::units::Seconds;

/// What a job does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// It restarts with standby domains in the place of those that are hit.
    Replace,
    /// It goes on with what is left, after a restart where it was stopped.
    KeepOn,
    /// It waits for the repair.
    Wait,
}

/// True of faults that standby is there for: they take one domain, and nothing else helps.
pub(super) fn is_standbys(fault: &Fault) -> bool {
    fault.stops && fault.domains == 1 && fault.kept <= 0.0
}

/// What a job does about each of them where a stop takes `stop` and `alone` domains are broken on average
/// by faults that nothing else helps against.
///
/// What takes least is judged of each kind by itself, to first order in its stops. Faults that leave least go
/// first. Domains that take the place of others are missing where one breaks
/// for good: what that adds to the share of the time in which too few stand by is part of the price.
pub(super) fn responses(
    faults: &[Fault],
    stop: Seconds,
    standby: u64,
    alone: f64,
) -> Vec<Response> {
    let mut order: Vec<usize> = (0..faults.len()).collect();
    order.sort_by(|a, b| faults[*a].kept.total_cmp(&faults[*b].kept));
    let mut broken = alone;
    let mut found = vec![Response::Wait; faults.len()];
    for place in order {
        let fault = &faults[place];
        let stay = if fault.kept > 0.0 { Response::KeepOn } else { Response::Wait };
        found[place] = stay;
        if fault.domains == 0 || fault.domains > standby {
            continue;
        }
        if is_standbys(fault) {
            found[place] = Response::Replace;
            continue;
        }
        let out = fault.all().during(fault.repair);
        let more = broken + out * fault.domains as f64;
        let waiting = at_most(standby, broken) - at_most(standby, more);
        let takes = |of| {
            let stopped = if restarts(fault, of) { fault.all().during(stop) } else { 0.0 };
            let alone =
                Slower { out: out * unreplaced(fault, of, standby, broken), kept: fault.kept };
            stopped + taken(&[alone]).iter().sum::<f64>()
        };
        if takes(Response::Replace) + waiting < takes(stay) {
            found[place] = Response::Replace;
            broken = more;
        }
    }
    found
}

/// Share of the losses of a fault that find enough domains standing by, of `standby` of which others took
/// `broken` on average.
pub(super) fn covered(fault: &Fault, standby: u64, broken: f64) -> f64 {
    standby.checked_sub(fault.domains).map_or(0.0, |free| at_most(free, broken))
}

/// Whether a job restarts that responds so.
pub(super) fn restarts(fault: &Fault, response: Response) -> bool {
    fault.stops || response == Response::Replace
}

/// Share of the losses of a fault that nothing replaces. That one domain more is broken than stands by is
/// not counted: the share of the year in which any number is too many is.
pub(super) fn unreplaced(fault: &Fault, response: Response, standby: u64, broken: f64) -> f64 {
    match response {
        // One domain at a time is what standby is for.
        Response::Replace if fault.domains <= 1 => 0.0,
        Response::Replace => 1.0 - covered(fault, standby, broken),
        Response::KeepOn | Response::Wait => 1.0,
    }
}
