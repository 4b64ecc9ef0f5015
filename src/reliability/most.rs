//! The most that a year can train where some faults are certain: what others take is left out. Weighs no
//! response.

use super::fault::Fault;
use super::goodput::mean_broken_domains;
use super::pace::{DegradedKind, pace_share_lost};
use super::poisson::poisson_cdf;
use super::response::is_standbys;
use super::running::RunningShares;
use super::standby::Standby;
use super::{Failures, PerYear};

/// No year with these faults, of which each that is `certain` stops the job, and any others trains a larger
/// share where so many domains stand by. Faults of the kinds in `either` come for certain too: all of a kind
/// stop the job, or it goes on at no more than the pace that the kind leaves, whichever takes less.
///
/// More stops leave less, as [`RunningShares`] cuts up the time. Beside them only what is certain to be lost counts:
/// with none standing by the repairs of what standby is for, else the time in which cables are carried, and the share
/// of the time in which those that stand by are too few for these faults alone.
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

/// The largest share that trains where the job stops at a rate, and is slower while some parts are out.
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
    use super::goodput_upper_bound;
    use crate::reliability::failures::Failures;
    use crate::reliability::fault::Fault;
    use crate::reliability::goodput::failure_year;
    use crate::reliability::per_year::PerYear;
    use crate::reliability::standby::Standby;
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
