//! The share of a year that trains, by formula: checkpoints, lost work, restarts, machines and switches
//! that wait for repair. docs/equations.md §11; a simulation of years is the test.

use super::fault::Fault;
use super::pace::{DegradedKind, pace_share_lost};
use super::poisson::poisson_cdf;
use super::response::{
    FaultResponse, best_responses, has_job_restart, is_replaced, is_standbys,
    share_covered_by_standby, standing_until_swap, unreplaced_loss_share,
};
use super::running::RunningShares;
use super::standby::Standby;
use super::{Failures, PerYear};
use crate::units::Seconds;

/// A year in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FailureYear {
    /// Every kind of fault, with what it takes.
    pub faults: Vec<FaultYear>,
    /// Events that stop the job, of which a part of the network causes `network_stops`.
    pub stops: PerYear,
    /// Those of them that the network causes.
    pub network_stops: PerYear,
    /// Faults of the network that only slow the job down.
    pub slowdowns: PerYear,
    /// Time between checkpoints.
    pub interval: Seconds,
    /// Share of the time that checkpoints take.
    pub saving: f64,
    /// Share that is trained again after stops.
    pub rework: f64,
    /// Share that restarts take.
    pub restarting: f64,
    /// Share that is lost while parts that nothing replaces are out, or until somebody has replaced them: the job
    /// stands or is slower.
    pub degraded: f64,
    /// The part of it in which somebody carries cables to domains that stand by.
    pub carrying: f64,
    /// Share that waits as more domains are broken than stand by.
    pub waiting: f64,
    /// Share that trains: what the others leave.
    pub goodput: f64,
    /// Domains that are broken on average by faults which nothing else helps against.
    pub alone: f64,
    /// Domains that are broken and replaced on average.
    pub broken: f64,
    /// Domains that stand by.
    pub standby: Standby,
}

/// A kind of fault over a year.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultYear {
    /// What fails.
    pub fault: Fault,
    /// What the job does about it.
    pub response: FaultResponse,
    /// Share of the losses that find enough domains standing by.
    pub covered: f64,
    /// Share of the year that it takes from training: restarts, work done again, time at a lower pace.
    pub lost: f64,
}

impl FaultYear {
    /// The job restarts after it.
    #[must_use]
    pub fn has_restart(&self) -> bool {
        has_job_restart(&self.fault, self.response)
    }

    /// What the job does about it, in a few words.
    #[must_use]
    pub fn response_text(&self) -> &'static str {
        /// Where fewer losses find enough domains, the words say so.
        const MOSTLY: f64 = 0.9;
        match (self.response, self.fault.stops) {
            (FaultResponse::Replace | FaultResponse::Swap, _) if self.covered < MOSTLY => {
                "standby, if enough are free"
            }
            (FaultResponse::Replace, _) => "standby takes over",
            (FaultResponse::Swap, _) => "standby, by hand",
            (FaultResponse::KeepOn, true) => "restarts",
            (FaultResponse::KeepOn, false) => "goes on",
            (FaultResponse::Wait, _) => "waits for repair",
        }
    }

    /// Time that one of them takes from training.
    #[must_use]
    pub fn lost_time_per_failure(&self) -> Seconds {
        let events = self.fault.rate_of_any().events();
        let year = Seconds::from_days(PerYear::DAYS);
        if events > 0.0 { year * (self.lost / events) } else { Seconds::ZERO }
    }

    /// Days of a year that it takes from training.
    #[must_use]
    pub fn days_lost(&self) -> f64 {
        self.lost * PerYear::DAYS
    }
}

impl FailureYear {
    /// Share of the year that faults of the network take.
    #[must_use]
    pub fn network_lost(&self) -> f64 {
        let all: f64 =
            self.faults.iter().filter(|year| year.fault.network).map(|year| year.lost).sum();
        all.min(1.0)
    }

    /// Share of the pace that parts take which wait for repair, on average while the job runs.
    #[must_use]
    pub fn pace_lost(&self) -> f64 {
        let runs = 1.0 - self.saving - self.rework - self.restarting;
        if runs > 0.0 { self.degraded / runs } else { 0.0 }
    }

    /// Time between checkpoints; `None` where none is needed, as nothing fails.
    #[must_use]
    pub fn checkpoint_interval(&self) -> Option<Seconds> {
        (!self.interval.is_endless()).then_some(self.interval)
    }

    /// The fault of the network of which one event takes most; of equal ones that which hits most GPUs.
    #[must_use]
    pub fn worst_fault(&self) -> Option<&FaultYear> {
        let key =
            |year: &FaultYear| (year.fault.time_lost_unreplaced().get(), year.fault.gpus as f64);
        let of_network =
            self.faults.iter().filter(|year| year.fault.network && year.fault.pieces > 0);
        of_network.reduce(|worst, year| {
            let (one, other) = (key(worst), key(year));
            if other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1)).is_gt() {
                year
            } else {
                worst
            }
        })
    }
}

/// Domains that are broken on average by faults that standby is for: those that take one domain at a time and
/// that nothing else helps against.
#[must_use]
pub fn mean_broken_domains(faults: &[Fault]) -> f64 {
    let single = faults.iter().filter(|fault| is_standbys(fault));
    single.map(|fault| fault.rate_of_any().expected_events(fault.repair)).sum()
}

/// What a year of training looks like where these can fail and those domains stand by (docs/equations.md
/// §11.2).
///
/// Stops leave what [`RunningShares`] says; while it runs, the pace is that of the slowest part that is out and
/// not replaced, and what is left counts while no more domains are broken than stand by. Where cables are carried
/// by hand the job stands until then; the domains that are broken for longer are those that may be too many,
/// independent of those (Palm). Losses are counted
/// where they are, so that they add up to what is lost, however often things fail. Of what a job may do
/// about a fault it does what takes least, judged of each kind by itself.
///
/// Special cases: nothing fails: all of the time trains; checkpoints that take no time: no work
/// is lost between them.
#[must_use]
pub fn failure_year(faults: Vec<Fault>, failures: &Failures, standby: Standby) -> FailureYear {
    let alone = mean_broken_domains(&faults);
    // The interval that loses least if all that may restart does is what responses are weighed at.
    let may = faults.iter().filter(|other_fault| other_fault.stops || other_fault.domains > 0);
    let half =
        RunningShares::with_stops(PerYear::sum(may.map(Fault::rate_of_any)), failures).interval;
    let stop = failures.restart_time() + half.min(Seconds::from_days(36_525.0)) * 0.5;
    let swap = failures.cable_swap_time();
    let found = best_responses(&faults, (stop, swap), standby, alone);
    let answered: Vec<(Fault, FaultResponse)> = faults.into_iter().zip(found).collect();
    let stopped = |pair: &&(Fault, FaultResponse)| has_job_restart(&pair.0, pair.1);
    let read = |network: bool| {
        let all = answered.iter().filter(stopped);
        PerYear::sum(
            all.filter(|(fault, _)| fault.network || !network)
                .map(|(fault, _)| fault.rate_of_any()),
        )
    };
    let (stops, network_stops) = (read(false), read(true));
    let slowed = answered
        .iter()
        .filter(|pair| !has_job_restart(&pair.0, pair.1) && pair.0.network && pair.0.kept < 1.0);
    let slowdowns = PerYear::sum(slowed.map(|(fault, _)| fault.rate_of_any()));
    let replaced = || answered.iter().filter(|(_, response)| is_replaced(*response));
    // An empty sum of floats is −0, which is printed with its sign.
    let out_for = |time: &dyn Fn(&Fault) -> Seconds| -> f64 {
        let each = replaced().map(|(other_fault, _)| {
            other_fault.rate_of_any().expected_events(time(other_fault))
                * other_fault.domains as f64
        });
        each.fold(0.0, |sum, value| sum + value)
    };
    let broken = out_for(&|other_fault| other_fault.repair);
    let carried = out_for(&|other_fault| standby.takeover_time(swap, other_fault.repair));
    let RunningShares { interval, saving, rework, restarting, left } =
        RunningShares::with_stops(stops, failures);
    let slower = answered.iter().flat_map(|(fault, response)| {
        let share = unreplaced_loss_share(fault, *response, standby, broken);
        let alone = DegradedKind {
            out: fault.rate_of_any().expected_events(fault.repair) * share,
            kept: fault.kept,
        };
        [standing_until_swap(fault, *response, standby, (swap, broken)), alone]
    });
    let taken = pace_share_lost(&slower.collect::<Vec<DegradedKind>>());
    let carrying = left * taken.iter().step_by(2).sum::<f64>();
    let taken: Vec<f64> = taken.chunks(2).map(|values| values.iter().sum()).collect();
    let degraded = left * taken.iter().sum::<f64>();
    let each_stop = if stops.events() > 0.0 { (rework + restarting) / stops.events() } else { 0.0 };
    let year_of = |((fault, response), taken): ((Fault, FaultResponse), f64)| {
        let again = if has_job_restart(&fault, response) {
            fault.rate_of_any().events() * each_stop
        } else {
            0.0
        };
        let covered = share_covered_by_standby(&fault, standby, broken);
        FaultYear { fault, response, covered, lost: again + left * taken }
    };
    let faults: Vec<FaultYear> = answered.into_iter().zip(taken).map(year_of).collect();
    let running = (left - degraded).max(0.0);
    let enough = poisson_cdf(standby.domains, broken - carried);
    FailureYear {
        faults,
        stops,
        network_stops,
        slowdowns,
        interval,
        saving,
        rework,
        restarting,
        degraded,
        carrying,
        waiting: running * (1.0 - enough),
        goodput: running * enough,
        alone,
        broken,
        standby,
    }
}
