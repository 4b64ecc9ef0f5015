//! Explains every kind of fault by itself.

use super::explanation::{Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, found_input, quantity_input};
use crate::quantity::row::{LOSSES, RATES};
use crate::reliability::{Fault, FaultResponse, FaultYear, NO_SPARE_TRAY};
use crate::units::Amount;

/// Every kind of fault by its place.
pub(super) fn fault_explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    let each = facts.year.faults.iter().enumerate();
    each.flat_map(|(place, year)| explain_fault(facts, place, year)).collect()
}

/// Whether the faults of a part are told in two rows: those that find a spare tray, and those that
/// find none.
fn is_in_two(facts: &Facts<'_>, part: &str) -> bool {
    let found_none = format!("{part}{NO_SPARE_TRAY}");
    let all = &facts.year.faults;
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
    let takes = found_input("one takes", Amount::Time(year.lost_time_per_failure()), takes);
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
