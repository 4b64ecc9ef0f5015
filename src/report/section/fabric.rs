//! Words for switches and links, and the report of `planner fabric`.

use super::machines;
use crate::cost::{BillLine, Role};
use crate::design::Plan;
use crate::fabric::{Bisection, Counts, FabricGraph, MinimumCut};
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::list::{TIER_COLUMNS, bill_columns_table, list_table};
use crate::report::sheet::{DomainSheet, FabricSheet};
use crate::report::topology::drawing::draw_fabric;
use crate::report::{json, number};
use crate::units::Usd;

/// The sheet in the wanted format, with a line break at its end.
#[must_use]
pub fn render_fabric(sheet: &FabricSheet<'_>, look: RenderOptions<'_>) -> String {
    let counts = sheet.counts;
    let mut all = fabric_counts_section(counts, &[], true, sheet.bisection.is_exact());
    if counts.endpoints > sheet.asked {
        all = all.add_line(format!(
            "asked for {}: the smallest {} that holds them has {}",
            number::count_with_noun(sheet.asked, "NIC", "NICs"),
            counts.kind,
            number::count(counts.endpoints),
        ));
    }
    for domains in sheet.domains {
        all = all.add_line(alike_domains_text(domains, counts.rails));
    }
    if let Some(graph) = sheet.graph {
        for line in wiring_check_lines(graph) {
            all = all.add_line(line);
        }
    }
    all = all.add_line(minimum_cut(counts, &sheet.bisection));
    let svg = draw_fabric(counts.kind.name(), counts, sheet.graph, &[]);
    let all = all.add_drawing_on_top("How it is joined", DRAWING, svg);
    let mut sections = vec![all];
    sections.extend(sheet.bill.map(|(lines, total)| fabric_bill_section(lines, total)));
    let document = Document {
        title: String::new(),
        sections,
        screen: None,
        sheet: list_table(TIER_COLUMNS, &counts.tiers),
    };
    draw_document(&document, look, || json::fabric_json(sheet))
}

/// What is bought, without cables, which have no price.
fn fabric_bill_section(lines: &[BillLine], total: Usd) -> Section {
    let keys = ["part", "count", "unit_usd", "total_usd", "basis", "date"];
    let table = bill_columns_table(lines, &keys);
    Section::new("BILL", format!("{} without cables", number::money(total))).add_table(table)
}

/// What is to know of a drawing of a fabric.
pub(in crate::report) const DRAWING: &str = "Each colour is a rail; of several planes one is \
                                             drawn. Up to about 2,000 NICs every switch and NIC \
                                             has its place, above that equal ones are drawn once.";

/// What a walk over the graph finds: parts, and ports that are used twice.
pub(in crate::report) fn wiring_check_lines(graph: &FabricGraph) -> Vec<String> {
    let census = graph.take_census();
    let lead = format!(
        "wired: {}, {}, {}",
        number::count_with_noun(graph.endpoint_nodes().len() as u64, "NIC", "NICs"),
        number::count_with_noun(census.switches.iter().sum::<u64>(), "switch", "switches"),
        number::count_with_noun(census.links.iter().sum::<u64>(), "link", "links"),
    );
    let parts = graph.connected_part_count();
    let joined = if parts == 1 {
        "one network: a path joins every two NICs".to_owned()
    } else {
        format!(
            "{}, joined only inside machines",
            number::count_with_noun(parts as u64, "separate network", "separate networks")
        )
    };
    let overfull = graph.overfull_switches();
    let ports = if overfull.is_empty() {
        "no switch has more cables than ports".to_owned()
    } else {
        format!("switches with more cables than ports: {}", overfull.join(", "))
    };
    vec![lead, joined, ports]
}

/// What is known of the minimum cut between halves: itself, or what it lies between.
fn minimum_cut(counts: &Counts, bisection: &Bisection) -> String {
    let whose =
        if counts.kind.joins_rails() { "the NICs' bandwidth" } else { "a rail's bandwidth" };
    let least = number::percent(bisection.at_least);
    let flow = |cut: &MinimumCut| {
        let tried = number::count_with_noun(
            cut.tried as u64,
            "division into halves",
            "divisions into halves",
        );
        format!("by flow through the wired graph, the least of {tried}")
    };
    match &bisection.found {
        Some(cut) if bisection.is_exact() => {
            format!(
                "worst split in halves: {} of {whose}, {}",
                number::percent(cut.share),
                flow(cut)
            )
        }
        Some(cut) => format!(
            "worst split in halves: {least} (closed form, a lower bound) to {} ({}) of {whose}",
            number::percent(cut.share),
            flow(cut)
        ),
        None if bisection.is_exact() => format!("worst split in halves: {least} of {whose}"),
        None => format!(
            "worst split in halves: at least {least} of {whose} (closed form, a lower bound; too \
             many links for a flow through the wired graph)"
        ),
    }
}

/// Alike HB domains, and how they stand on the rails.
fn alike_domains_text(sheet: &DomainSheet, rails: u32) -> String {
    let mut text = number::count_with_noun(sheet.count, "HB domain", "HB domains");
    if let Some(product) = &sheet.product {
        text.push_str(&format!(" {product}"));
    }
    text.push_str(&format!(" of {}", number::count_with_noun(sheet.nics, "NIC", "NICs")));
    if sheet.nics_a_rail > 1 && rails > 1 {
        text.push_str(&format!(", folded: {} on each rail", number::count(sheet.nics_a_rail)));
    }
    match sheet.inside {
        Some(inside) => format!("{text}; {}", machines::inside_domain_sentence(&inside)),
        None => text,
    }
}

/// The fabric of a plan: family, tiers, links, and how much of the NICs' bandwidth it keeps.
pub(in crate::report) fn fabric_section(plan: &Plan) -> Section {
    let known = Bisection::from_counts(&plan.fabric, None);
    let section =
        fabric_counts_section(&plan.fabric, &plan.bill, plan.nodes.node.forwards, known.is_exact());
    let units = machines::machine_units_text(plan);
    let units =
        units.map(|units| format!("{units}: machines on the same leaf switches are a unit"));
    let section = units.into_iter().fold(section, Section::add_line);
    match plan.level.member {
        Some(member) => section.add_line(member.to_string()),
        None => section,
    }
}

/// A fabric beside machines that forward over their HB domain, or can't; whether its closed form is
/// its minimum cut. Where the bill has cables, links end in its modules.
fn fabric_counts_section(
    counts: &Counts,
    lines: &[BillLine],
    forwards: bool,
    is_exact: bool,
) -> Section {
    let lead = format!(
        "{}: {} at {}, {}, {}",
        counts.kind,
        number::count_with_noun(counts.endpoints, "NIC", "NICs"),
        rate_of_nic(counts),
        machines::planes_text(counts.planes),
        switches_text(counts),
    );
    let kept = promised_bandwidth_sentence(counts, forwards, is_exact);
    Section::new("NETWORK", lead)
        .add_table(list_table(TIER_COLUMNS, &counts.tiers))
        .add_line(links_sentence(counts, lines))
        .add_line(kept)
}

/// `400 Gb/s`; of a NIC with several ports `2 x 200 Gb/s`.
fn rate_of_nic(counts: &Counts) -> String {
    let link = number::link_rate(counts.link);
    match counts.ports_of_a_nic() {
        1 => link,
        ports => format!("{ports} x {link}"),
    }
}

/// `8 switches of one tier`.
pub(in crate::report) fn switches_text(counts: &Counts) -> String {
    let switches = number::count_with_noun(counts.switch_count(), "switch", "switches");
    match counts.tier_count() {
        0 => "no switches".to_owned(),
        1 => format!("{switches} in 1 tier"),
        tiers => format!("{switches} in {tiers} tiers"),
    }
}

fn links_sentence(counts: &Counts, lines: &[BillLine]) -> String {
    let by_parts = has_links_as_parts(lines);
    let classes = [
        (counts.host_links, "from NICs to leaf switches"),
        (counts.leaf_spine_links, "from leaf switches to spines"),
        (counts.spine_core_links, "from spines to cores"),
    ];
    let other = counts.other_links.iter().map(|group| (group.count, group.class.name()));
    let links = classes
        .into_iter()
        .chain(other)
        .filter(|(count, _)| *count > 0)
        .map(|(count, class)| format!("{} {class}", number::count(count)))
        .collect::<Vec<_>>()
        .join(", ");
    let mut ends: Vec<String> = counts
        .transceivers_by_rate()
        .into_iter()
        .map(|(rate, count)| {
            let many = if by_parts {
                number::count_with_noun(count, "link end", "link ends")
            } else {
                number::count_with_noun(count, "optic", "optics")
            };
            format!("{many} of {}", number::link_rate(rate))
        })
        .collect();
    if counts.copper_links() > 0 {
        ends.push(number::count_with_noun(counts.copper_links(), "copper cable", "copper cables"));
    }
    let ends = ends.join(", ");
    if by_parts {
        format!("links: {links}; {}", links_with_pieces_text(&ends, lines))
    } else {
        format!("links: {links}; {ends}")
    }
}

/// Whether a bill has links as modules and cables, and not as an end of a link each.
pub(in crate::report) fn has_links_as_parts(lines: &[BillLine]) -> bool {
    lines.iter().any(|line| line.role == Role::Cable)
}

/// What links that are bought as modules and cables are joined by, as the bill has it.
fn links_with_pieces_text(ends: &str, lines: &[BillLine]) -> String {
    format!("{ends}, on {} (one may carry several links)", cable_pieces_text(lines))
}

/// Modules and cables of a bill.
fn cable_pieces_text(lines: &[BillLine]) -> String {
    let sum = |role| -> u64 {
        lines.iter().filter(|line| line.role == role).map(BillLine::powered_count).sum()
    };
    let modules = match sum(Role::Optic) {
        0 => String::new(),
        modules => format!("{} and ", number::count_with_noun(modules, "optic", "optics")),
    };
    let cables = number::count_with_noun(sum(Role::Cable), "cable", "cables");
    format!("{modules}{cables}")
}

/// What the fabric keeps of the NICs' bandwidth, in the words of the trade.
fn promised_bandwidth_sentence(counts: &Counts, forwards: bool, is_exact: bool) -> String {
    if !counts.kind.is_tree() {
        let least = if is_exact { "" } else { "at least " };
        return format!(
            "keeps {least}{} of the NICs' bandwidth between any two halves",
            number::percent(counts.within_rail)
        );
    }
    match (counts.kind.has_rails(), counts.kind.joins_rails()) {
        (_, false) => format!(
            "{}, each {}; {}",
            number::count_with_noun(counts.rails, "rail", "rails"),
            oversubscription_text(counts.within_rail),
            if forwards {
                "rails meet only inside machines (PXN forwards between them)"
            } else {
                "rails do not meet: the machines can't forward, and the job sends nothing between \
                 rails"
            },
        ),
        (true, true) => {
            let (within, across) = (
                oversubscription_text(counts.within_rail),
                oversubscription_text(counts.across_rails),
            );
            let rails = number::count_with_noun(counts.rails, "rail", "rails");
            if within == across {
                format!("{rails}, {within} within rails and between them")
            } else {
                format!("{rails}, {within} within rails and {across} between them")
            }
        }
        (false, true) => {
            format!("{} between any two NICs", oversubscription_text(counts.across_rails))
        }
    }
}

fn oversubscription_text(share: f64) -> String {
    if share >= 1.0 {
        "not oversubscribed".to_owned()
    } else {
        format!("oversubscribed {}", number::oversubscription(share))
    }
}

/// A share of the NICs' bandwidth in a word or two, for columns.
pub(in crate::report) fn level_text(share: f64) -> String {
    if share >= 1.0 { "full".to_owned() } else { number::oversubscription(share) }
}
