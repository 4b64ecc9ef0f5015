//! What a cluster can do beyond a step: room to grow, all-to-all traffic, goodput, racks.

use super::super::document::Section;
use super::super::number;
use crate::design::{AllToAllThroughput, Plan, RackReport};

/// How far the fabric can grow, what it makes of the most demanding pattern, and what failures
/// leave of a year.
pub(super) fn headroom_section(plan: &Plan, section: Section) -> Section {
    let section = match plan.headroom {
        Some(headroom) if headroom.before_another_tier > 0 => section.add_line(format!(
            "room to grow: {} more GPUs on free ports, {} before another tier is needed",
            number::count(headroom.on_free_ports),
            number::count(headroom.before_another_tier)
        )),
        Some(_) => section.add_line("room to grow: none, the next HB domain needs another tier"),
        None => section,
    };
    section.add_line(format!(
        "all-to-all of all GPUs at {} of the NIC rate; goodput {} (failures, standby machines)",
        match plan.level.member {
            // What any two halves have between them bounds it from below.
            Some(_) => format!("{} or more", throughput_text(&plan.all_to_all)),
            None => throughput_text(&plan.all_to_all),
        },
        number::percent(plan.failures.year.goodput)
    ))
}

/// `91.2 %`, or a range where it matters how messages are forwarded.
pub(super) fn throughput_text(throughput: &AllToAllThroughput) -> String {
    let (low, high) = (number::percent(throughput.stored), number::percent(throughput.pipelined));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Racks, where the spec limits them.
pub(super) fn rack_limits_section(racks: Option<&RackReport>) -> Section {
    let Some(report) = racks else { return Section::new("RACKS", "") };
    let most = report.most.map_or_else(String::new, |most| format!(" of {}", number::count(most)));
    let fed = report
        .rack
        .most_power()
        .map_or_else(String::new, |most| format!(" of {}", number::power(most)));
    let beside = match report.others {
        0 => String::new(),
        others => format!(", {} of the other networks", number::count(others)),
    };
    let lead = format!(
        "{}{most}: {} of machines, {} of switches{beside}; the fullest draws {}{fed}",
        number::count_with_noun(report.total_racks(), "rack", "racks"),
        number::count(report.nodes),
        number::count(report.switches),
        number::power(report.fullest)
    );
    let section = Section::new("RACKS", lead);
    match report.most {
        Some(_) if report.least < report.total_racks() => section.add_line(format!(
            "{} would do: scalable units then share racks, and their cables are longer",
            number::count_with_noun(report.least, "rack", "racks")
        )),
        _ => section,
    }
}
