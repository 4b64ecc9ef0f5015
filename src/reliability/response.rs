//! What a job does about each kind of fault: what takes least of its time. Adds no year up.

use super::fault::Fault;
use super::pace::{DegradedKind, pace_share_lost};
use super::poisson::poisson_cdf;
use super::standby::Standby;
use crate::units::Seconds;

/// What a job does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultResponse {
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
pub(super) fn best_responses(
    faults: &[Fault],
    (stop, swap): (Seconds, Seconds),
    standby: Standby,
    alone: f64,
) -> Vec<FaultResponse> {
    let mut order: Vec<usize> = (0..faults.len()).collect();
    order.sort_by(|a, b| faults[*a].kept.total_cmp(&faults[*b].kept));
    let mut broken = alone;
    let mut found = vec![FaultResponse::Wait; faults.len()];
    let take_over = if standby.is_by_hand() { FaultResponse::Swap } else { FaultResponse::Replace };
    for place in order {
        let fault = &faults[place];
        let stay = if fault.kept > 0.0 { FaultResponse::KeepOn } else { FaultResponse::Wait };
        found[place] = stay;
        if fault.domains == 0 || fault.domains > standby.domains {
            continue;
        }
        if is_standbys(fault) {
            found[place] = take_over;
            continue;
        }
        let out = fault.rate_of_any().expected_events(fault.repair);
        let more = broken + out * fault.domains as f64;
        let waiting = poisson_cdf(standby.domains, broken) - poisson_cdf(standby.domains, more);
        let takes = |response| {
            let stopped = if has_job_restart(fault, response) {
                fault.rate_of_any().expected_events(stop)
            } else {
                0.0
            };
            let stands = standing_until_swap(fault, response, standby, (swap, broken));
            let alone = DegradedKind {
                out: out * unreplaced_loss_share(fault, response, standby, broken),
                kept: fault.kept,
            };
            stopped + pace_share_lost(&[stands, alone]).iter().sum::<f64>()
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
pub(super) fn share_covered_by_standby(fault: &Fault, standby: Standby, broken: f64) -> f64 {
    standby.domains.checked_sub(fault.domains).map_or(0.0, |free| poisson_cdf(free, broken))
}

/// Whether standby domains take the place of those that are hit.
pub(super) fn is_replaced(response: FaultResponse) -> bool {
    matches!(response, FaultResponse::Replace | FaultResponse::Swap)
}

/// What stands while somebody carries cables: all of the pace, from each loss that finds enough domains standing by
/// until they have taken over.
pub(super) fn standing_until_swap(
    fault: &Fault,
    response: FaultResponse,
    standby: Standby,
    (swap, broken): (Seconds, f64),
) -> DegradedKind {
    let swapped = match response {
        FaultResponse::Swap if fault.domains <= 1 => 1.0,
        FaultResponse::Swap => share_covered_by_standby(fault, standby, broken),
        FaultResponse::Replace | FaultResponse::KeepOn | FaultResponse::Wait => 0.0,
    };
    DegradedKind {
        out: fault.rate_of_any().expected_events(standby.takeover_time(swap, fault.repair))
            * swapped,
        kept: 0.0,
    }
}

/// Whether a job restarts that responds so.
pub(super) fn has_job_restart(fault: &Fault, response: FaultResponse) -> bool {
    fault.stops || is_replaced(response)
}

/// Share of the losses of a fault that nothing replaces. That one domain more is broken than stands by is
/// not counted: the share of the year in which any number is too many is.
pub(super) fn unreplaced_loss_share(
    fault: &Fault,
    response: FaultResponse,
    standby: Standby,
    broken: f64,
) -> f64 {
    match response {
        // One domain at a time is what standby is for.
        FaultResponse::Replace | FaultResponse::Swap if fault.domains <= 1 => 0.0,
        FaultResponse::Replace | FaultResponse::Swap => {
            1.0 - share_covered_by_standby(fault, standby, broken)
        }
        FaultResponse::KeepOn | FaultResponse::Wait => 1.0,
    }
}
