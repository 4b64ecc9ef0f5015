//! What failures leave of a fabric, and what a year of them leaves of training, in words.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use crate::design::{AftermathReport, DegradedStep, FabricYear, Reliability};
use crate::reliability::{FaultResponse, FaultYear, Standby};
use crate::units::Seconds;

/// Some failures at once.
#[derive(Clone, Debug)]
pub struct FailureSheet<'a> {
    /// HB domains of the cluster.
    pub domains: u64,
    /// Trays of each that are left over for broken ones.
    pub spare_trays: u32,
    /// The design after them, and other fabrics after the same.
    pub fabrics: &'a [AftermathReport],
}

/// Most failures and domains that are named one by one.
const MOST_NAMED: usize = 12;

/// Who is cut off, and how long a step takes on what is left.
pub(super) fn aftermath_sentences(sheet: &FailureSheet<'_>) -> Section {
    let Some((report, others)) = sheet.fabrics.split_first() else {
        return Section::new("WITH THESE FAILURES", "nothing failed");
    };
    let left = &report.left;
    let named: Vec<String> = report.failures.iter().map(ToString::to_string).collect();
    let mut section = Section::new("WITH THESE FAILURES", list_names(&named))
        .add_line(format!("{} cut off", number::count_with_noun(left.cut_off, "NIC", "NICs")))
        .add_line(format!(
            "{} with some of their ports left",
            number::count_with_noun(left.degraded, "NIC", "NICs")
        ))
        .add_line(format!(
            "{} isolated from most of the others",
            number::count_with_noun(left.separated, "NIC", "NICs")
        ));
    let (alive, all) = left.least_uplinks;
    if alive < all {
        section =
            section.add_line(format!("the leaf that lost most has {alive} of {all} uplinks left"));
    }
    if !is_every_domain_hit(report, sheet) && !left.stopped.is_empty() {
        let domains: Vec<String> = left.stopped.iter().map(ToString::to_string).collect();
        section = section.add_line(format!(
            "a job on these machines stops and needs {} in their place: {}",
            number::count_with_noun(domains.len() as u64, "machine", "machines"),
            list_names(&domains)
        ));
        if report.lead.kept > 0.0 {
            section = section.add_line(format!(
                "without them it restarts, and runs at {} speed over the other NICs (PXN)",
                number::percent(report.lead.kept)
            ));
        }
        if sheet.spare_trays > 0 {
            section = section.add_line(format!(
                "but for those that lost no more than {}, whose place others of the same domain take",
                number::count_with_noun(sheet.spare_trays, "tray", "trays")
            ));
        }
    }
    for going in std::iter::once(&report.lead).chain(&report.others) {
        let whose =
            if report.others.is_empty() { String::new() } else { format!("{}: ", going.name) };
        section = section.add_line(whose + &remaining_pace_sentence(report, going, sheet));
        if let Some(slowest) = slowest_communication(going) {
            section = section.add_line(slowest);
        }
    }
    if others.is_empty() {
        return section;
    }
    let lead =
        "the same failures on other fabrics for the same NICs, with stopped machines replaced:";
    section.add_line(lead).add_table(failures_by_fabric_table(sheet))
}

/// Every HB domain that trains lost a NIC, and spare ones with them.
fn is_every_domain_hit(report: &AftermathReport, sheet: &FailureSheet<'_>) -> bool {
    report.left.stopped.len() as u64 >= sheet.domains
}

/// The communication that failures slow down most, where one is.
fn slowest_communication(step: &DegradedStep) -> Option<String> {
    let slowest = step.slowest.as_ref()?;
    Some(format!(
        "routed again: {} is {} × slower than the step time assumed, on {}",
        slowest.label,
        number::ratio(slowest.times),
        slowest.link
    ))
}

/// How long a step takes on what is left; `None` where nothing failed.
pub(super) fn aftermath_sentence(sheet: &FailureSheet<'_>) -> Option<String> {
    let report = sheet.fabrics.first()?;
    Some(remaining_pace_sentence(report, &report.lead, sheet))
}

fn remaining_pace_sentence(
    fallen: &AftermathReport,
    step: &DegradedStep,
    sheet: &FailureSheet<'_>,
) -> String {
    if is_every_domain_hit(fallen, sheet) {
        return if step.kept > 0.0 {
            format!(
                "every HB domain lost a NIC: the job restarts and runs at {} speed over the other \
                 NICs (PXN)",
                number::percent(step.kept)
            )
        } else {
            "every HB domain lost a NIC: the job stops until it is repaired".to_owned()
        };
    }
    if step.after.is_endless() {
        return "some messages have no path left: no step ends before it is repaired".to_owned();
    }
    let place = if fallen.left.stopped.is_empty() { "" } else { "with those replaced, " };
    format!(
        "{place}a step on what is left takes {} instead of {} ({})",
        number::time(step.after),
        number::time(step.before),
        number::percent_change(step.after / step.before - 1.0)
    )
}

/// What the failures do to every fabric.
fn failures_by_fabric_table(sheet: &FailureSheet<'_>) -> Table {
    let mut table = Table::new(vec![
        Column::words("fabric", "fabric"),
        Column::numbers("failures", "failures"),
        Column::numbers("NICs cut off", "cut_off"),
        Column::numbers("machines stopped", "stopped_domains"),
        Column::numbers("step before", "step_s"),
        Column::numbers("step after", "step_after_s"),
    ]);
    for report in sheet.fabrics {
        let step = |time: Seconds| {
            if time.is_endless() {
                Cell::words("stands")
            } else {
                Cell::with_text_and_value(number::time(time), time.get())
            }
        };
        table.push_row(vec![
            Cell::words(&report.name),
            Cell::count(report.failures.len() as u64),
            Cell::count(report.left.cut_off + report.left.separated),
            Cell::count(report.left.stopped.len() as u64),
            step(report.lead.before),
            step(if report.lead.after.is_endless() && report.lead.kept > 0.0 {
                report.lead.before / report.lead.kept
            } else {
                report.lead.after
            }),
        ]);
    }
    table
}

fn list_names(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let mut text = names[..names.len() - more].join(", ");
    if more > 0 {
        text.push_str(&format!(" and {} more", number::count(more as u64)));
    }
    text
}

/// A year of failures on the design and beside it.
pub(super) fn failure_year_section(reliability: &Reliability) -> Section {
    let failures = &reliability.failures;
    let mut columns = vec![Column::words("a year, expected", "a year, expected")];
    for fabric in &reliability.fabrics {
        columns.push(Column::numbers(&fabric.name, &fabric.name));
    }
    let mut table = Table::new(columns);
    let mut row = |name: &str, cell: &dyn Fn(&FabricYear) -> Cell| {
        let cells = std::iter::once(Cell::words(name)).chain(reliability.fabrics.iter().map(cell));
        table.push_row(cells.collect());
    };
    let rounded =
        |events: f64| Cell::with_text_and_value(number::count(events.round() as u64), events);
    let share = |value: f64| Cell::with_text_and_value(number::percent(value), value);
    let days = |days: f64| Cell::with_text_and_value(format!("{days:.2}"), days);
    row("switches", &|fabric| Cell::count(fabric.switches));
    row("spare switches to stock (99 % sure for 8 weeks)", &|fabric| {
        Cell::count(fabric.spare_switches)
    });
    row("stops of the job", &|fabric| rounded(fabric.year().stops.events()));
    row("of them by the network", &|fabric| rounded(fabric.year().network_stops.events()));
    row("network faults that only slow it", &|fabric| rounded(fabric.year().slowdowns.events()));
    row("time lost to checkpoints", &|fabric| share(fabric.year().saving));
    row("work repeated after failures", &|fabric| share(fabric.year().rework));
    row("time lost to restarts", &|fabric| share(fabric.year().restarting));
    row("time lost until parts are repaired", &|fabric| share(fabric.year().degraded));
    row("time without enough spares", &|fabric| share(fabric.year().waiting));
    row("goodput", &|fabric| share(fabric.year().goodput));
    row("days lost", &|fabric| days(fabric.report.days_lost()));
    row("of them by the network", &|fabric| days(fabric.report.network_days_lost()));
    row("worst part", &|fabric| {
        let part = |worst: &FaultYear| worst.fault.part.clone();
        Cell::words(fabric.year().worst_fault().map_or_else(String::new, part))
    });
    row("GPUs that its loss hits", &|fabric| {
        Cell::count(fabric.year().worst_fault().map_or(0, |worst| worst.fault.gpus))
    });
    row("the job then", &|fabric| {
        Cell::words(fabric.year().worst_fault().map_or_else(String::new, after_fault_text))
    });
    let lead = "rates of `[failures]`; where it states none, those of Llama 3 (GPUs, hosts, software) \
                and HPN (links, switches)";
    let section = Section::new("RELIABILITY", lead).add_table(table);
    let section = match reliability.fabrics.len() {
        0 | 1 => section,
        _ => section.add_line(
            "beside it stand fabrics of its largest switch in as many planes; `planner compare` has \
             the cheapest of all switches and planes",
        ),
    };
    let (broken, standby) = reliability
        .fabrics
        .first()
        .map_or((0.0, Standby::NONE), |year| (year.year().broken, year.year().standby));
    section
        .add_line(format!(
            "{broken:.1} machines are broken at any time on average; {} = {} are spare{}",
            number::count_with_noun(standby.domains, "machine", "machines"),
            number::count_with_noun(standby.domains * u64::from(reliability.unit), "GPU", "GPUs"),
            standby.report_suffix(),
        ))
        .add_line(
            "with rails, and wherever tensor parallelism fills a machine, a whole machine is \
             swapped, not a GPU, unless it has a spare tray",
        )
        .add_line(format!(
            "checkpoint {}, restart {}, repair of a machine {}, of a link {}, of a switch {}",
            number::time(failures.checkpoint_save_time()),
            number::time(failures.restart_time()),
            number::time(failures.repair_time()),
            number::time(failures.link_repair()),
            number::time(failures.switch_repair()),
        ))
}

/// What a job does after a fault: `goes on at 87.5 %`.
fn after_fault_text(year: &FaultYear) -> String {
    match year.response {
        FaultResponse::KeepOn => {
            format!("{} at {}", year.response_text(), number::percent(year.fault.kept))
        }
        FaultResponse::Replace | FaultResponse::Swap | FaultResponse::Wait => {
            year.response_text().to_owned()
        }
    }
}
