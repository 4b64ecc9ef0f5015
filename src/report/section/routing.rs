//! What routing found, headroom, throughput and racks.

use crate::design::{AllToAllThroughput, CallReport, Plan, RackReport, RoutedStep, RoutingReport};
use crate::report::document::Section;
use crate::report::list::{
    CALL_COLUMNS, CALL_ON_CABLES_COLUMNS, LINK_LOAD_COLUMNS, ListColumn, call_label, list_table,
};
use crate::report::number;
use crate::report::table::Table;

/// Whether the bandwidth that the step time takes for granted is there.
pub(in crate::report) fn routing_section(report: &RoutingReport) -> Section {
    let mut section = Section::new("LOAD BALANCING", routing_verdict_text(report));
    let routed = match report {
        RoutingReport::Routed(routed) if !routed.calls.is_empty() => routed,
        _ => return section,
    };
    let hurt: Vec<&CallReport> =
        routed.calls.iter().filter(|call| is_slowed_by_routing(call)).collect();
    if !hurt.is_empty() {
        section = section
            .add_line(
                "slowest link, times what the step time assumes; per packet: evenly over all \
                 shortest paths, as the step time assumes; adaptive, hashed (ECMP): each message \
                 on one path",
            )
            .add_table(calls_table(CALL_COLUMNS, hurt.iter().copied()));
    }
    let hashed = hurt.iter().filter_map(|call| Some((call, call.hashed.as_ref()?)));
    if let Some((worst, hot)) =
        hashed.max_by(|(a, x), (b, y)| a.slowdown_of_link(x).total_cmp(&b.slowdown_of_link(y)))
    {
        section = section.add_line(format!(
            "with ECMP hashing {} is {} x slower, on {}",
            call_label(worst),
            number::ratio(worst.slowdown_of_link(hot)),
            hot.link
        ));
    }
    let spread = routed.calls.iter().filter(|call| call.hashed.is_none()).count();
    if spread > 0 {
        section = section.add_line(format!(
            "{} of too many messages to be put on single paths one by one: only per packet",
            number::count_with_noun(spread as u64, "communication", "communications")
        ));
    }
    if routed.on_cables {
        return section
            .add_line(ON_CABLES)
            .add_table(calls_table(CALL_ON_CABLES_COLUMNS, &routed.calls))
            .add_table(list_table(LINK_LOAD_COLUMNS, &routed.loads));
    }
    let others = routed.calls.len() - hurt.len();
    if others > 0 {
        section = section.add_line(format!(
            "{} limited by NICs, not by the network",
            number::count_with_noun(others as u64, "communication is", "communications are")
        ));
    }
    section.add_table(list_table(LINK_LOAD_COLUMNS, &routed.loads))
}

/// What the table of a step says that was timed so.
const ON_CABLES: &str = "the step is timed by this routing: slowest link over what the NICs alone would take, and the \
                         share of each message that takes a detour";

/// What routing found, in a sentence.
pub(in crate::report) fn routing_verdict_text(report: &RoutingReport) -> String {
    match report {
        RoutingReport::Routed(routed) if routed.calls.is_empty() => {
            "nothing leaves an HB domain".to_owned()
        }
        RoutingReport::Routed(routed) => routing_verdict(routed),
        RoutingReport::Unverified(reason) => format!("not verified: {reason}"),
    }
}

/// Whether any way of routing makes it longer than the step time takes for granted.
fn is_slowed_by_routing(call: &CallReport) -> bool {
    /// Less is not seen in a step time of three digits.
    const SEEN: f64 = 1.005;
    let singly = [&call.adaptive, &call.hashed].into_iter().flatten();
    std::iter::once(&call.sprayed).chain(singly).any(|hot| call.slowdown_of_link(hot) > SEEN)
}

fn routing_verdict(routed: &RoutedStep) -> String {
    let Some(worst) = routed.worst_call() else { return String::new() };
    if routed.holds {
        let messages: u64 = routed.calls.iter().map(|call| call.messages).sum();
        return format!(
            "checked: {} over the wired network, evenly over {}: no link slower than assumed",
            number::count_with_noun(messages, "message", "messages"),
            if routed.calls.iter().any(|call| call.detour > 0.0) {
                "shortest paths and detours"
            } else {
                "all paths"
            },
        );
    }
    format!(
        "routing check failed: {} is {} x slower than the step time assumes, on {}",
        call_label(worst),
        number::ratio(worst.slowdown_of_link(&worst.sprayed)),
        worst.sprayed.link,
    )
}

/// Calls; those of one label with the same numbers once.
fn calls_table<'a>(
    columns: &[ListColumn<CallReport>],
    calls: impl IntoIterator<Item = &'a CallReport>,
) -> Table {
    let mut table = list_table(columns, calls);
    table.rows.dedup();
    table
}

/// How far the fabric can grow, what it makes of the most demanding pattern, and what failures
/// leave of a year.
pub(in crate::report) fn headroom_section(plan: &Plan, section: Section) -> Section {
    let section = match plan.headroom {
        Some(headroom) if headroom.before_another_tier > 0 => section.add_line(format!(
            "can grow by {} GPUs on free ports, by {} before a new tier",
            number::count(headroom.on_free_ports),
            number::count(headroom.before_another_tier)
        )),
        Some(_) => section.add_line("can't grow: the next machine needs a new tier"),
        None => section,
    };
    section.add_line(format!(
        "all-to-all of all GPUs: {} of NIC rate; {} of the time training (goodput)",
        match plan.level.member {
            // What any two halves have between them bounds it from below.
            Some(_) => format!("{} or more", throughput_text(&plan.all_to_all)),
            None => throughput_text(&plan.all_to_all),
        },
        number::percent(plan.failures.year.goodput)
    ))
}

/// `91.2 %`, or a range where it matters how messages are forwarded.
pub(in crate::report) fn throughput_text(throughput: &AllToAllThroughput) -> String {
    let (low, high) = (number::percent(throughput.stored), number::percent(throughput.pipelined));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Racks, where the spec limits them.
pub(in crate::report) fn rack_limits_section(racks: Option<&RackReport>) -> Section {
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
