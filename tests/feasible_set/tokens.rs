//! What two workloads make of a cluster together: the tokens that it trains, what one costs, and the design
//! on which one costs least.

use std::rc::Rc;

use crate::feasible_set::clock::Clock;
use crate::feasible_set::instance::{Goal, Instance};
use crate::feasible_set::network::{Best, best_in_time};
use crate::feasible_set::product::{Design, number};
use crate::feasible_set::site::{Freedom, Site};
use crate::feasible_set::witness::{faults as witness, words};

/// Years that a cluster runs, in seconds.
const SECONDS: f64 = 4.0 * 8760.0 * 3600.0;

/// What is untrue of the workloads of a printed design; empty: nothing.
pub(crate) fn faults(instance: &Instance, design: &Design) -> Vec<String> {
    let Some(second) = &instance.second else { return Vec::new() };
    let mut faults = Vec::new();
    let mut same = |what: &str, printed: f64, reckoned: f64| {
        if (printed - reckoned).abs() > 1e-9 * reckoned.abs() || printed.is_nan() {
            faults.push(format!("{what}: printed {printed}, reckoned {reckoned}"));
        }
    };
    let clock = Clock::of_both(instance);
    let second_share = f64::from(second.share) / 1000.0;
    let of_second = f64::from(second.batch(instance.gpus()) * second.sequence);
    let reckoned =
        [(1.0 - second_share, f64::from(instance.gpus() * 1024)), (second_share, of_second)];
    let rows = design.list("/workloads");
    same("workloads", rows.len() as f64, 2.0);
    let mut rate = 0.0;
    let full = clock.full();
    let limits = second.slowdowns.iter().zip(full.iter().copied());
    for (row, ((share, tokens), (limit, full))) in rows.iter().zip(reckoned.into_iter().zip(limits))
    {
        let (time, slowdown) = (number(row, "/step/time_s"), number(row, "/step/slowdown"));
        same("share", number(row, "/share"), share);
        same("tokens", number(row, "/step/tokens"), tokens);
        same("slowdown", slowdown, time / full);
        same("slowdown below 1", slowdown.max(1.0), slowdown);
        let limit = limit.map_or(1000.0, |count| f64::from(count) / 1000.0);
        same("slowdown beyond its limit", slowdown.max(limit), limit);
        same("fits", f64::from(u8::from(row["memory"]["fits"] == true)), 1.0);
        rate += share * tokens / time;
    }
    // What stops a job takes its part; where nothing fails there is none.
    if second.tokens {
        let millions = rate * SECONDS / 1e6;
        let printed = design.number("/cost/usd_per_million_tokens");
        same("dollars of a million tokens", printed, design.amount(Goal::Tco) / millions);
    }
    faults
}

/// A design on which a token costs less than on the printed one.
pub(crate) fn beaten(instance: &Instance, design: &Design) -> Option<String> {
    let clock = Clock::of_both(instance);
    let times: Vec<f64> =
        design.list("/workloads").iter().map(|row| number(row, "/step/time_s")).collect();
    let printed = design.amount(Goal::Tco) * clock.blended(&times);
    let (least, best) = least(instance, &clock, printed)?;
    let lost = printed - least;
    let gap = if design.proven() { 0.0 } else { design.number("/solver/gap") * printed };
    (lost > 1e-9 * printed + gap * (1.0 + 1e-6)).then(|| {
        let exists = words(instance, &best);
        let share = lost / printed;
        format!("BEATEN by {share} of a token, {}\n  exists: {exists}", design.words())
    })
}

/// The least that a step costs, times what it takes: the cheapest design is found, then the cheapest of
/// those fast enough to be of more use, and so on. None where nothing takes as little as what is known.
fn least(instance: &Instance, clock: &Rc<Clock>, known: f64) -> Option<(f64, Best)> {
    let shortest = clock.blended(&clock.full());
    let mut least: Option<(f64, Best)> = None;
    let mut longest = f64::INFINITY;
    loop {
        let value = least.as_ref().map_or(known * (1.0 + 1e-9), |(value, _)| *value);
        clock.no_longer_than(longest);
        let bound = value / shortest;
        let Some(best) = best_in_time(instance, Freedom::Alike, bound, Some(clock)) else { break };
        let infiniband = instance
            .switches
            .iter()
            .zip(best.counts.switches)
            .any(|(switch, n)| switch.infiniband && n > 0);
        let slips = witness(instance, &best);
        assert!(slips.is_empty(), "{slips:?}\n{}\n{}", words(instance, &best), instance.toml());
        let site = Site::new(instance, best.planes, Freedom::Alike, infiniband, f64::INFINITY);
        let dollars = best.totals.amount(Goal::Tco);
        let time = clock.blended_on(&site, &best);
        let value = value.min(dollars * time);
        if least.as_ref().is_none_or(|least| value < least.0) && value == dollars * time {
            least = Some((value, best));
        }
        // None of these costs less than that in all, so only a shorter step helps.
        longest = (value / dollars).min(time).next_down();
    }
    clock.no_longer_than(f64::INFINITY);
    least
}
