//! A year of failures, fault by fault, and the scenarios of `[robust]`.

use crate::design::{Plan, Robustness};
use crate::reliability::{FaultYear, PerYear, Trays};
use crate::report::amount::amount_text;
use crate::report::document::Section;
use crate::report::list::{FAULT_COLUMNS, SCENARIO_COLUMNS, list_table};
use crate::report::number;
use crate::report::table::Cell;
use crate::units::{Amount, Seconds};

/// What fails in a year, what the job does about it and what that takes.
pub(in crate::report) fn failures_section(plan: &Plan) -> Section {
    let report = &plan.failures;
    let year = &report.year;
    let lead = format!(
        "{} a year lost to failures, {} of them by the network: {} of the cost",
        amount_text(&Amount::Days(report.days_lost())),
        amount_text(&Amount::Days(report.network_days_lost())),
        number::money(report.usd_lost)
    );
    let happens = |year: &&FaultYear| year.fault.pieces > 0 && year.fault.rate.events() > 0.0;
    let mut table = list_table(FAULT_COLUMNS, year.faults.iter().filter(happens));
    let whole = |name: &str, share: f64| {
        let none = || Cell::words("");
        let lost = share * PerYear::DAYS;
        let cell = Cell::with_text_and_value(format!("{lost:.2}"), lost);
        vec![Cell::words(name), none(), none(), none(), none(), none(), cell]
    };
    table.push_row(whole("checkpoints", year.saving));
    table.push_row(whole("not enough spares", year.waiting));
    let section = Section::new("FAILURES", lead).add_table(table);
    let section = if year.interval.is_endless() {
        section
    } else {
        section.add_line(format!(
            "a checkpoint every {}; in the price: {}{}",
            minutes_text(year.interval),
            number::count_with_noun(year.standby.domains, "spare machine", "spare machines"),
            year.standby.report_suffix(),
        ))
    };
    let section = if year.standby.is_by_hand() {
        section.add_line(format!(
            "cables of a broken machine are carried to a spare one by hand: {:.2} days a year, in \
             which the job waits",
            year.carrying * PerYear::DAYS
        ))
    } else {
        section
    };
    let section = match report.pace_left {
        Some(left) => section.add_line(format!(
            "a loss that `limits.survive` names leaves at least {} of the speed on a network that \
             never blocks",
            number::percent(left)
        )),
        None => section,
    };
    let section = match report.trays {
        Some((trays, group)) => section.add_line(tray_note(trays, group)),
        None => section,
    };
    let section = match report.trays.filter(|_| report.spare_trays > 0) {
        Some((trays, _)) => section.add_line(spare_trays_use(trays, report.spare_trays)),
        None => section,
    };
    let section = if report.wired {
        section
    } else {
        section.add_line("what the loss of a switch or link leaves is counted, not wired")
    };
    section.add_line(
        "not counted, as no public rate is known: link flaps, and shared faults of a machine \
         unless `failures.domain` states them",
    )
}

/// `19 min`; shorter ones as other times.
fn minutes_text(time: Seconds) -> String {
    const MINUTE: f64 = 60.0;
    let minutes = time.get() / MINUTE;
    if minutes < 2.0 { number::time(time) } else { format!("{minutes:.0} min") }
}

/// How many GPUs of a domain of several trays work at a time, and what of them no group can use.
fn tray_note(trays: Trays, group: u32) -> String {
    let uses = (0..3).map(|lost| trays.domain.saturating_sub(lost * trays.tray));
    let each =
        uses.map(|used| format!("{used} {}", number::percent(trays.share_of_time_with_gpus(used))));
    format!(
        "HB domains of {} trays of {} GPUs, each tray broken {} of the time: GPUs that work, and \
         how much of the time as many or more do: {}; {} of all work but can't be used by a group \
         of {group} (`--set failures.trays_out=` for another share)",
        trays.count(),
        trays.tray,
        number::percent(trays.out),
        each.collect::<Vec<_>>().join(", "),
        number::percent(trays.stranded_gpu_share(group))
    )
}

/// What trays without a rank are good for.
fn spare_trays_use(trays: Trays, spare: u32) -> String {
    let used = trays.domain - spare * trays.tray;
    format!(
        "{} of each domain {} no work and {} the place of broken ones, after a restart: enough in \
         any one domain for {} of the time; else a fault stops the whole domain",
        number::count_with_noun(spare, "tray", "trays"),
        if spare == 1 { "has" } else { "have" },
        if spare == 1 { "takes" } else { "take" },
        number::percent(trays.share_of_time_with_gpus(used))
    )
}

/// A row for each scenario, and what all take; empty where none was asked for.
pub(in crate::report) fn robust_section(robust: Option<&Robustness>) -> Section {
    let Some(robustness) = robust else { return Section::new("", "") };
    let lead = format!(
        "each at most {} times its own step on a full-bisection Clos; none takes time or money of its own",
        number::ratio(robustness.max_slowdown)
    );
    let mut section =
        Section::new("ROBUST", lead).add_table(list_table(SCENARIO_COLUMNS, &robustness.scenarios));
    section = section
        .add_line(decisive_scenario_sentence(robustness))
        .add_line(robustness_price_sentence(robustness));
    for left in &robustness.left_out {
        section = section.add_line(format!("left out: {}: {}", left.name, left.reason));
    }
    section
}

/// Which scenario needs most uplinks.
fn decisive_scenario_sentence(robustness: &Robustness) -> String {
    match robustness.most_uplinks() {
        None if robustness.scenarios.is_empty() => "none of the scenarios exists here".to_owned(),
        None => {
            "no scenario needs uplinks: no leaf switch has any, or none of them is used".to_owned()
        }
        Some(most) => match most.uplinks {
            Some(share) => format!(
                "{} needs most uplinks: leaf switches oversubscribed {} at most",
                most.name,
                number::oversubscription(share)
            ),
            None => format!("{} needs more than any number of uplinks gives here", most.name),
        },
    }
}

/// What all scenarios take, and how to save it.
fn robustness_price_sentence(robustness: &Robustness) -> String {
    let Some(price) = robustness.price else {
        return "what they cost is not known: no cluster without them was designed".to_owned();
    };
    format!(
        "they cost {} ({} of the cluster) more than the best design without: leave [robust] out to \
         save it",
        number::money(price.usd),
        number::percent(price.share)
    )
}
