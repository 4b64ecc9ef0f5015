//! Where the figures of a year of failures come from, and every kind of fault by itself.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, quantity_input};
use crate::quantity::row::{LOSSES, RATES};
use crate::reliability::{
    FailureYear, Failures, Fault, FaultResponse, FaultYear, NO_SPARE_TRAY, poisson_cdf,
};
use crate::units::Amount;

/// Adds what a figure of a year of failures takes.
pub(super) fn explain_failures(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let year = &facts.plan.failures.year;
    match explanation.key.as_ref() {
        "goodput_share" => explain_goodput(facts, explanation),
        "failures.stops_per_year" => explanation.sum(stops_by_fault(year, |_| true)),
        "failures.network_stops_per_year" => {
            explanation.sum(stops_by_fault(year, |fault| fault.network))
        }
        "failures.network_days_lost_per_year" => {
            let network = year.faults.iter().filter(|fault_year| fault_year.fault.network);
            explanation.sum(network.map(|fault_year| {
                (fault_year.fault.part.clone(), Amount::Days(fault_year.days_lost()))
            }))
        }
        "failures.standby_domains" => {
            let alone =
                InputOrigin::Found("Σ N·λ·T of what takes one domain and leaves no other way");
            let stated = &facts.scenario.failures;
            let unpriced = InputOrigin::Found("what counts where machines have no price");
            let fill = match (stated.standby, stated.fill_rate) {
                (None, Some(share)) => Some((share, InputOrigin::Spec("failures.fill_rate"))),
                (None, None) if !facts.plan.prices_machines() => {
                    Some((Failures::FILL_RATE, unpriced))
                }
                _ => None,
            };
            let enough = Amount::Share(poisson_cdf(year.standby.domains, year.alone));
            let share = InputOrigin::Found("share of the time: P(Poisson(m) ≤ S)");
            explanation
                .with_inputs([
                    standby_input(facts),
                    explained_input("broken alone m", Amount::Number(year.alone), alone),
                    explained_input("enough stand by", enough, share),
                ])
                .with_inputs(fill.map(|(share, origin)| {
                    explained_input("fill rate", Amount::Share(share), origin)
                }))
        }
        "failures.standby_wired_domains" => explanation.with_inputs([standby_input(facts)]),
        "failures.checkpoint_interval_s" => {
            explanation.with_inputs([checkpoint_interval_input(facts)])
        }
        "failures.worst_gpus" | "failures.worst_pace_share" => {
            let part = year.worst_fault().map_or("none", |worst| &worst.fault.part);
            let found = InputOrigin::Found("its loss takes most until the repair");
            explanation.with_inputs([explained_input(
                "part",
                Amount::from_word(part.to_owned()),
                found,
            )])
        }
        "failures.usd_lost_per_year" => {
            let years = Amount::Number(facts.plan.cost.years);
            explanation.with_inputs([explained_input(
                "years",
                years,
                InputOrigin::Spec("objective.years"),
            )])
        }
        _ => explanation,
    }
}

/// Stops a year by fault.
fn stops_by_fault(year: &FailureYear, counts: impl Fn(&Fault) -> bool) -> Vec<(String, Amount)> {
    let stopping = year
        .faults
        .iter()
        .filter(|fault_year| fault_year.has_restart() && counts(&fault_year.fault));
    stopping
        .map(|fault_year| {
            (fault_year.fault.part.clone(), Amount::Number(fault_year.fault.rate_of_any().events()))
        })
        .collect()
}

fn explain_goodput(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let year = &facts.plan.failures.year;
    let failures = &facts.scenario.failures;
    let lost = |name: &str, share, why| {
        explained_input(name, Amount::Share(share), InputOrigin::Found(why))
    };
    let stops = Amount::Number(year.stops.events());
    explanation
        .with_inputs([
            quantity_input("stops a year Λ", "failures.stops_per_year", stops),
            explained_input(
                "checkpoint s",
                Amount::Time(failures.checkpoint_save_time()),
                InputOrigin::Spec("failures.checkpoint_seconds"),
            ),
            explained_input(
                "restart r",
                Amount::Time(failures.restart_time()),
                InputOrigin::Spec("failures.restart_minutes"),
            ),
            checkpoint_interval_input(facts),
            standby_input(facts),
            explained_input(
                "domains broken m",
                Amount::Number(year.broken),
                InputOrigin::Found("Σ N·λ·T·domains"),
            ),
            lost("lost to checkpoints", year.saving, "e^(−Λ·r) · s/(τ + s)"),
            lost("lost to work done again", year.rework, "the rest of what stops take"),
            lost("lost to restarts", year.restarting, "1 − e^(−Λ·r)"),
            lost(
                "pace lost until repairs Σ δ",
                year.pace_lost(),
                "of what nothing replaces, while it runs",
            ),
            lost("lost to waiting for standby", year.waiting, "more are broken than stand by"),
        ])
        .with_inputs(year.standby.is_by_hand().then(|| {
            let swap = Amount::Time(failures.cable_swap_time());
            explained_input("carrying cables h", swap, InputOrigin::Spec("failures.swap_hours"))
        }))
}

fn checkpoint_interval_input(facts: &Facts<'_>) -> ExplainedInput {
    let origin = match facts.scenario.failures.interval_minutes {
        Some(_) => InputOrigin::Spec("failures.interval_minutes"),
        None => InputOrigin::Found("loses least: √(2·s/Λ)"),
    };
    explained_input(
        "between checkpoints τ",
        Amount::Time(facts.plan.failures.year.interval),
        origin,
    )
}

fn standby_input(facts: &Facts<'_>) -> ExplainedInput {
    let stated = &facts.scenario.failures;
    let origin = match (stated.standby, stated.fill_rate) {
        (Some(_), _) => InputOrigin::Spec("failures.standby"),
        (None, None) if facts.plan.prices_machines() => {
            InputOrigin::Found("as many as make a token of this cluster cheapest")
        }
        (None, _) => InputOrigin::Found("the fewest that suffice for the fill rate"),
    };
    explained_input(
        "standby domains S",
        Amount::from_count(facts.plan.failures.year.standby.domains),
        origin,
    )
}

/// Every kind of fault by its place.
pub(super) fn fault_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let each = facts.plan.failures.year.faults.iter().enumerate();
    each.flat_map(|(place, year)| explain_fault(facts, place, year)).collect()
}

/// Whether the faults of a part are told in two rows: those that find a spare tray, and those that
/// find none.
fn is_in_two(facts: &Facts<'_>, part: &str) -> bool {
    let found_none = format!("{part}{NO_SPARE_TRAY}");
    let all = &facts.plan.failures.year.faults;
    part.ends_with(NO_SPARE_TRAY) || all.iter().any(|year| year.fault.part == found_none)
}

fn explain_fault(facts: &Facts<'_>, place: usize, year: &FaultYear) -> [Explanation; 5] {
    let Fault { part, pieces, gpus, kept, .. } = &year.fault;
    let key = |name: &str| format!("failures.faults.{place}.{name}");
    let named = |what: &str| format!("{part}: {what}");
    let hit = match (year.fault.network, facts.plan.failures.wired) {
        (false, _) => "GPUs of the machine, or of the tray in whose place another one works",
        (true, true) => "one piece is taken out of the wired fabric",
        (true, false) => "from the counts of the fabric",
    };
    let left = if year.fault.network {
        "p = step / step on what is left"
    } else {
        "1 where nothing is out after a restart, else 0"
    };
    let (count, all) =
        (Amount::from_count(*pieces), Amount::Number(year.fault.rate_of_any().events()));
    let stated = InputOrigin::Spec("failures");
    let rate = if is_in_two(facts, part) {
        InputOrigin::Found("λ of the part, times the share that finds a spare tray, or finds none")
    } else {
        stated
    };
    let rate =
        explained_input("failures of one a year λ", Amount::Number(year.fault.rate.events()), rate);
    let takes = match year.response {
        FaultResponse::Replace | FaultResponse::Swap => {
            "its part of restarts and work done again, and of the pace where too few domains stand by"
        }
        FaultResponse::KeepOn | FaultResponse::Wait => {
            "its part of the pace, and of restarts and work done again where the job was stopped"
        }
    };
    let takes = explained_input(
        "one takes",
        Amount::Time(year.lost_time_per_failure()),
        InputOrigin::Found(takes),
    );
    let new = |name: &str, what: &str, value, formula, equations| {
        Explanation::new(key(name), named(what), value, formula, equations)
    };
    [
        new("pieces", "pieces", count.clone(), "N", &[RATES]),
        new("per_year", "failures a year of all", all.clone(), "N · λ", &[RATES])
            .with_inputs([quantity_input("pieces N", key("pieces"), count), rate]),
        new("gpus", "GPUs that the loss of one hits", Amount::from_count(*gpus), hit, &[LOSSES]),
        new(
            "pace_share",
            "pace that is left while one is out and nothing is replaced",
            Amount::Share(*kept),
            left,
            &[LOSSES],
        ),
        new(
            "days_lost_per_year",
            "days of a year that all of them take",
            Amount::Days(year.days_lost()),
            "N·λ · what one takes",
            &[LOSSES],
        )
        .with_inputs([quantity_input("failures a year N·λ", key("per_year"), all), takes]),
    ]
}
