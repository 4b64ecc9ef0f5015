//! `FailureYear`: share of a year that trains, and an upper bound of it.

use super::fault::{
    DegradedKind, Fault, FaultResponse, RunningShares, Standby, best_responses, has_job_restart,
    is_replaced, is_standbys, pace_share_lost, share_covered_by_standby, standing_until_swap,
    unreplaced_loss_share,
};
use super::poisson::poisson_cdf;
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
    pub interval: Seconds,
    /// Share of the time that checkpoints take.
    pub saving: f64,
    /// Share that is trained again after stops.
    pub rework: f64,
    /// Share that restarts take.
    pub restarting: f64,
    /// Share that is lost while parts that nothing replaces are out, or until somebody has replaced
    /// them: the job stands or is slower.
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
    pub standby: Standby,
}

/// A kind of fault over a year.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultYear {
    pub fault: Fault,
    /// What the job does about it.
    pub response: FaultResponse,
    /// Share of the losses that find enough domains standing by.
    pub covered: f64,
    /// Share of the year that it takes from training: restarts, work done again, time at a lower
    /// pace.
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
                "spare, if one is free"
            }
            (FaultResponse::Replace, _) => "spare takes over",
            (FaultResponse::Swap, _) => "spare, cabled by hand",
            (FaultResponse::KeepOn, true) => "restart",
            (FaultResponse::KeepOn, false) => "no stop",
            (FaultResponse::Wait, _) => "stops until repaired",
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

    /// The fault of the network that hits most GPUs at once.
    #[must_use]
    pub fn widest_fault(&self) -> Option<&FaultYear> {
        self.network_faults().max_by_key(|year| year.fault.gpus)
    }

    /// Faults of parts of the network that there are.
    fn network_faults(&self) -> impl Iterator<Item = &FaultYear> {
        self.faults.iter().filter(|year| year.fault.network && year.fault.pieces > 0)
    }

    /// The fault of the network of which one event takes most; of equal ones that which hits most
    /// GPUs.
    #[must_use]
    pub fn worst_fault(&self) -> Option<&FaultYear> {
        let key =
            |year: &FaultYear| (year.fault.time_lost_unreplaced().get(), year.fault.gpus as f64);
        self.network_faults().reduce(|worst, year| {
            let (one, other) = (key(worst), key(year));
            if other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1)).is_gt() {
                year
            } else {
                worst
            }
        })
    }
}

/// Domains that are broken on average by faults that standby is for: those that take one domain at
/// a time and that nothing else helps against.
#[must_use]
pub fn mean_broken_domains(faults: &[Fault]) -> f64 {
    let single = faults.iter().filter(|fault| is_standbys(fault));
    single.map(|fault| fault.rate_of_any().expected_events(fault.repair)).sum()
}

/// What a year of training looks like where these can fail and those domains stand by
/// (docs/equations.md §11.2).
///
/// Stops leave what [`RunningShares`] says; while it runs, the pace is that of the slowest part
/// that is out and not replaced, and what is left counts while no more domains are broken than
/// stand by. Where cables are carried by hand the job stands until then; the domains that are
/// broken for longer are those that may be too many, independent of those (Palm). Losses are
/// counted where they are, so that they add up to what is lost, however often things fail. Of what
/// a job may do about a fault it does what takes least, judged of each kind by itself.
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
    let found = best_responses(&faults, stop, swap, standby, alone);
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
        [standing_until_swap(fault, *response, standby, swap, broken), alone]
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

/// No year with these faults, of which each that is `certain` stops the job, and any others trains
/// a larger share where so many domains stand by. Faults of the kinds in `either` come for certain
/// too: all of a kind stop the job, or it goes on at no more than the pace that the kind leaves,
/// whichever takes less.
///
/// More stops leave less, as [`RunningShares`] cuts up the time. Beside them only what is certain
/// to be lost counts: with none standing by the repairs of what standby is for, else the time in
/// which cables are carried, and the share of the time in which those that stand by are too few for
/// these faults alone.
#[must_use]
pub fn goodput_upper_bound(
    certain: &[Fault],
    either: &[Fault],
    failures: &Failures,
    standby: Standby,
) -> f64 {
    let stops = PerYear::sum(certain.iter().filter(|fault| fault.stops).map(Fault::rate_of_any));
    // None that stands by means that the job waits for the repair of each.
    let alone = mean_broken_domains(certain);
    let carried: f64 = certain
        .iter()
        .filter(|fault| is_standbys(fault))
        .map(|fault| {
            fault
                .rate_of_any()
                .expected_events(standby.takeover_time(failures.cable_swap_time(), fault.repair))
        })
        .sum();
    let (stands, enough) = match standby.domains {
        0 => (alone, 1.0),
        some => (carried, poisson_cdf(some, alone - carried)),
    };
    most_left(stops, vec![DegradedKind { out: stands, kept: 0.0 }], either, failures) * enough
}

/// The largest share that trains where the job stops at a rate, and is slower while some parts are
/// out.
fn most_left(
    stops: PerYear,
    slower: Vec<DegradedKind>,
    either: &[Fault],
    failures: &Failures,
) -> f64 {
    let Some((fault, rest)) = either.split_first() else {
        let taken: f64 = pace_share_lost(&slower).into_iter().sum();
        return RunningShares::with_stops(stops, failures).left * (1.0 - taken);
    };
    let out =
        DegradedKind { out: fault.rate_of_any().expected_events(fault.repair), kept: fault.kept };
    let goes_on = slower.iter().copied().chain([out]).collect();
    let restarts = PerYear::sum([stops, fault.rate_of_any()].into_iter());
    most_left(restarts, slower, rest, failures).max(most_left(stops, goes_on, rest, failures))
}

#[cfg(test)]
mod tests {
    use super::{failure_year, goodput_upper_bound};
    use crate::reliability::failure_rates::{Failures, PerYear};
    use crate::reliability::fault::{Fault, Standby};
    use crate::units::Seconds;

    /// Numbers from 0 to 1 that are alike on every run.
    struct Drawn(u64);

    impl Drawn {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    fn fault(drawn: &mut Drawn, certain: bool) -> Fault {
        let standbys = certain && drawn.next() < 0.5;
        Fault {
            part: "any".to_owned(),
            pieces: 1 + (drawn.next() * 4000.0) as u64,
            rate: PerYear::from_events(drawn.next() * 0.1),
            repair: Seconds::from_f64(drawn.next() * 200_000.0),
            network: !certain,
            stops: certain || drawn.next() < 0.5,
            domains: if standbys { 1 } else { (drawn.next() * 4.0) as u64 },
            gpus: 8,
            kept: if standbys || drawn.next() < 0.3 { 0.0 } else { drawn.next() },
        }
    }

    #[test]
    fn no_year_with_more_faults_trains_more() {
        let drawn = &mut Drawn(1);
        for _ in 0..4000 {
            let interval = (drawn.next() < 0.3).then(|| 1.0 + drawn.next() * 300.0);
            let number = (drawn.next() * 8.0) as u64;
            let by_hand = drawn.next() < 0.5;
            let standby =
                if by_hand { Standby::new_cold(number) } else { Standby::new_wired(number) };
            let failures = Failures { interval_minutes: interval, ..Failures::DEFAULT };
            let certain: Vec<Fault> = (0..3).map(|_| fault(drawn, true)).collect();
            let others: Vec<Fault> =
                (0..(drawn.next() * 5.0) as u32).map(|_| fault(drawn, false)).collect();
            // Of some faults no more is known than that they come and leave no more than a share.
            let either: Vec<Fault> = (0..(drawn.next() * 3.0) as u32)
                .map(|_| Fault { stops: false, ..fault(drawn, false) })
                .collect();
            let bound = goodput_upper_bound(&certain, &either, &failures, standby);
            let known = either.iter().map(|other_fault| Fault {
                kept: other_fault.kept * drawn.next(),
                ..other_fault.clone()
            });
            let known: Vec<Fault> = known.collect();
            let all: Vec<Fault> = certain.iter().cloned().chain(known).chain(others).collect();
            let found = failure_year(all, &failures, standby).goodput;
            assert!(found <= bound + 1e-12, "{found} above {bound}: {failures:?}");
        }
    }
}
