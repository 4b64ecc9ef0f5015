//! The share of the time that is left after stops: without checkpoints, work done again and restarts
//! (docs/equations.md §11.2). Knows no part.

use super::{Failures, PerYear};
use crate::units::Seconds;

/// The time as stops at a rate cut it up; the shares add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunningShares {
    /// Time between checkpoints.
    pub(super) interval: Seconds,
    /// Share that checkpoints take.
    pub(super) saving: f64,
    /// Share that is trained again.
    pub(super) rework: f64,
    /// Share that restarts take.
    pub(super) restarting: f64,
    /// Share that trains.
    pub(super) left: f64,
}

impl RunningShares {
    /// Where stops come at random at a rate Λ, also during restarts of r and checkpoints of s, a stretch τ
    /// of work takes e^(Λ·r)·(e^(Λ·(τ + s)) − 1)/Λ (Daly 2006, equation 13). Checkpoints and restarts take
    /// their shares even where no work is lost.
    pub(super) fn with_stops(stops: PerYear, failures: &Failures) -> Self {
        let interval = best_checkpoint_interval(stops, failures);
        let restarting = -(-stops.expected_events(failures.restart_time())).exp_m1();
        let runs = 1.0 - restarting;
        if interval.get() <= 0.0 {
            return Self { interval, saving: 0.0, rework: 0.0, restarting, left: runs };
        }
        let saving = match interval.is_endless() {
            true => 0.0,
            false => failures.checkpoint_save_time() / (interval + failures.checkpoint_save_time()),
        };
        let lost = stops.expected_events(interval + failures.checkpoint_save_time());
        let kept = match interval.is_endless() || lost <= 0.0 {
            true => 1.0 - saving,
            false => stops.expected_events(interval) / lost.exp_m1(),
        };
        let left = runs * kept;
        Self {
            interval,
            saving: runs * saving,
            rework: (runs * (1.0 - saving) - left).max(0.0),
            restarting,
            left,
        }
    }
}

/// Time between checkpoints: what is stated, else √(2·s/Λ), which loses least where s·Λ is small (Young 1974).
fn best_checkpoint_interval(stops: PerYear, failures: &Failures) -> Seconds {
    let per_second = stops.expected_events(Seconds::from_f64(1.0));
    failures.checkpoint_interval().unwrap_or_else(|| {
        if per_second > 0.0 {
            Seconds::from_f64((2.0 * failures.checkpoint_save_time().get() / per_second).sqrt())
        } else {
            Seconds::ENDLESS
        }
    })
}
