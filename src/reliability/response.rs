//! What a job does about each kind of fault: what takes least of its time. Adds no year up.

use super::fault::Fault;
use super::pace::{Slower, taken};
use super::poisson::at_most;
use super::standby::Standby;
use crate::units::Seconds;

/// What a job does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// It restarts with standby domains in the place of those that are hit.
    Replace,
    /// It stands until somebody has carried the cables of those that are hit to standby domains, and restarts.
    Swap,
    /// It goes on with what is left, after a restart where it was stopped.
    KeepOn,
    /// It waits for the repair.
    Wait,
}

/// True of faults that standby is there for: they take one domain, and nothing else helps.
pub(super) fn is_standbys(fault: &Fault) -> bool {
    fault.stops && fault.domains == 1 && fault.kept <= 0.0
}

/// What a job does about each of them where a stop takes `stop`, a domain that is carried over by hand `swap`, and
/// `alone` domains are broken on average by faults that nothing else helps against.
///
/// What takes least is judged of each kind by itself, to first order in its stops. Faults that leave least go
/// first. Domains that take the place of others are missing where one breaks
/// for good: what that adds to the share of the time in which too few stand by is part of the price.
pub(super) fn responses(
    faults: &[Fault],
    (stop, swap): (Seconds, Seconds),
    standby: Standby,
    alone: f64,
) -> Vec<Response> {
    let mut order: Vec<usize> = (0..faults.len()).collect();
    order.sort_by(|a, b| faults[*a].kept.total_cmp(&faults[*b].kept));
    let mut broken = alone;
    let mut found = vec![Response::Wait; faults.len()];
    let take_over = if standby.is_by_hand() { Response::Swap } else { Response::Replace };
    for place in order {
        let fault = &faults[place];
        let stay = if fault.kept > 0.0 { Response::KeepOn } else { Response::Wait };
        found[place] = stay;
        if fault.domains == 0 || fault.domains > standby.domains {
            continue;
        }
        if is_standbys(fault) {
            found[place] = take_over;
            continue;
        }
        let out = fault.all().during(fault.repair);
        let more = broken + out * fault.domains as f64;
        let waiting = at_most(standby.domains, broken) - at_most(standby.domains, more);
        let takes = |of| {
            let stopped = if restarts(fault, of) { fault.all().during(stop) } else { 0.0 };
            let stands = standing(fault, of, standby, (swap, broken));
            let alone =
                Slower { out: out * unreplaced(fault, of, standby, broken), kept: fault.kept };
            stopped + taken(&[stands, alone]).iter().sum::<f64>()
        };
        if takes(take_over) + waiting < takes(stay) {
            found[place] = take_over;
            broken = more;
        }
    }
    found
}

/// Share of the losses of a fault that find enough domains standing by, of `standby` of which others took
/// `broken` on average.
pub(super) fn covered(fault: &Fault, standby: Standby, broken: f64) -> f64 {
    standby.domains.checked_sub(fault.domains).map_or(0.0, |free| at_most(free, broken))
}

/// Whether standby domains take the place of those that are hit.
pub(super) fn is_replaced(response: Response) -> bool {
    matches!(response, Response::Replace | Response::Swap)
}

/// What stands while somebody carries cables: all of the pace, from each loss that finds enough domains standing by
/// until they have taken over.
pub(super) fn standing(
    fault: &Fault,
    response: Response,
    standby: Standby,
    (swap, broken): (Seconds, f64),
) -> Slower {
    let swapped = match response {
        Response::Swap if fault.domains <= 1 => 1.0,
        Response::Swap => covered(fault, standby, broken),
        Response::Replace | Response::KeepOn | Response::Wait => 0.0,
    };
    Slower { out: fault.all().during(standby.stands(swap, fault.repair)) * swapped, kept: 0.0 }
}

/// Whether a job restarts that responds so.
pub(super) fn restarts(fault: &Fault, response: Response) -> bool {
    fault.stops || is_replaced(response)
}

/// Share of the losses of a fault that nothing replaces. That one domain more is broken than stands by is
/// not counted: the share of the year in which any number is too many is.
pub(super) fn unreplaced(fault: &Fault, response: Response, standby: Standby, broken: f64) -> f64 {
    match response {
        // One domain at a time is what standby is for.
        Response::Replace | Response::Swap if fault.domains <= 1 => 0.0,
        Response::Replace | Response::Swap => 1.0 - covered(fault, standby, broken),
        Response::KeepOn | Response::Wait => 1.0,
    }
}
