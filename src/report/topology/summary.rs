//! A fabric's graph in a few lines: what it holds, what a step puts on its links, and what is
//! left after failures.

use super::drawing::draw_fabric;
use super::failures::{self, FailureSheet};
use crate::design::{Reliability, RoutingReport};
use crate::fabric::{Counts, FabricGraph};
use crate::hardware::DomainInside;
use crate::report::command::multi_cluster::{ClusterReport, Figure, report_each_cluster};
use crate::report::document::{Document, Screen, Section};
use crate::report::format::RenderOptions;
use crate::report::number;
use crate::report::section::{fabric, machines, routing};
use crate::report::sheet::ClusterSheets;
use crate::report::table::{Cell, Column, Table};
use crate::report::words::capitalise_first_letter;
use crate::routing::RailLoads;

/// What is known of a wired fabric.
#[derive(Clone, Debug)]
pub struct TopologySheet<'a> {
    pub name: &'a str,
    /// The fabric, counted.
    pub counts: &'a Counts,
    /// The fabric, wired.
    pub graph: &'a FabricGraph,
    /// Bytes of a step on each class of link.
    pub loads: &'a RailLoads,
    /// What routing the step found; `None` where it was not tried.
    pub routing: Option<&'a RoutingReport>,
    /// What is left after the failures that were asked for; `None` where none was.
    pub failures: Option<FailureSheet<'a>>,
    /// What joins the GPUs inside the HB domains; `None` where nobody stated it.
    pub inside: Option<DomainInside>,
    /// A year of failures.
    pub reliability: &'a Reliability,
}

/// The summary of every cluster in the wanted format, with a line break at its end. Its JSON is
/// what is left after the failures; without any it is the graph itself, which is what programs
/// read.
#[must_use]
pub fn render_topologies(
    sheets: &ClusterSheets<'_, TopologySheet<'_>>,
    look: RenderOptions<'_>,
) -> String {
    report_each_cluster(
        sheets,
        look,
        &ClusterReport {
            document: &topology_document,
            json: &summary_json,
            beside: &topology_side_by_side,
            whole: None,
        },
    )
}

/// What the fabric of a cluster has beside those of others: no cable joins them.
fn topology_side_by_side(sheet: &TopologySheet<'_>) -> Vec<Figure> {
    let counts = sheet.counts;
    vec![
        (Column::words("fabric", "fabric"), Cell::words(counts.kind.to_string())),
        (Column::numbers("planes", "planes"), Cell::count(counts.planes)),
        (Column::numbers("NICs", "endpoints"), Cell::count(counts.endpoints)),
        (Column::numbers("switches", "switches"), Cell::count(counts.switch_count())),
        (Column::numbers("links", "links"), Cell::count(counts.link_count())),
    ]
}

fn summary_json(sheet: &TopologySheet<'_>) -> String {
    match &sheet.failures {
        Some(failure_sheet) => super::json::aftermath_json(failure_sheet, sheet.reliability),
        None => super::json::write(sheet.graph),
    }
}

fn topology_document(sheet: &TopologySheet<'_>) -> Document {
    let (summary, loads) = (topology_section(sheet), link_loads_section(sheet));
    let aftermath = sheet.failures.as_ref().map(failures::aftermath_sentences);
    let hint = "--all has load balancing and a year of failures";
    let more = [summary.clone().add_line(hint), loads.clone()].into_iter().chain(aftermath.clone());
    let screen = Screen { more: more.collect(), ..Screen::from_verdict(topology_verdict(sheet)) };
    let mut sections = vec![summary.with_summary_rank(), loads];
    sections.extend(sheet.routing.map(routing::routing_section));
    sections.extend(aftermath);
    sections.push(failures::failure_year_section(sheet.reliability));
    Document {
        title: sheet.name.to_owned(),
        sections,
        screen: Some(screen),
        sheet: loads_by_link(sheet.loads),
    }
}

/// Whether the routed step is as long as the clock's, which loss is worst, and what is left after
/// those asked for.
fn topology_verdict(sheet: &TopologySheet<'_>) -> String {
    let routed = sheet.routing.map(routing::routing_verdict_text);
    let design = sheet.reliability.fabrics.first();
    let worst = design.and_then(|design| design.year().worst_fault()).map(|worst| {
        let gpus = number::count_with_noun(worst.fault.gpus, "GPU", "GPUs");
        let hits =
            if worst.fault.gpus > 0 { format!("hits {gpus}") } else { "slows the job".to_owned() };
        format!("worst loss: one {}, which {hits}", worst.fault.part)
    });
    let left = sheet.failures.as_ref().and_then(failures::aftermath_sentence);
    let all = routed.into_iter().chain(worst).chain(left).filter(|text: &String| !text.is_empty());
    all.map(|text| capitalise_first_letter(&text) + ".").collect::<Vec<_>>().join(" ")
}

fn topology_section(sheet: &TopologySheet<'_>) -> Section {
    let mut lines = fabric::wiring_check_lines(sheet.graph).into_iter();
    let lead = format!("{}, {}", sheet.counts.kind, lines.next().unwrap_or_default());
    let of_design = |failure_sheet: &FailureSheet<'_>| {
        failure_sheet.fabrics.first().map(|report| report.failures.clone())
    };
    let failed = sheet.failures.as_ref().and_then(of_design).unwrap_or_default();
    let svg = draw_fabric(sheet.name, sheet.counts, Some(sheet.graph), &failed);
    let mut section = Section::new("TOPOLOGY", lead);
    for line in lines {
        section = section.add_line(line);
    }
    if let Some(inside) = sheet.inside {
        section = section.add_line(format!(
            "inside each HB domain: {}",
            machines::inside_domain_sentence(&inside)
        ));
    }
    section.add_drawing_on_top("How it is joined", fabric::DRAWING, svg)
}

fn link_loads_section(sheet: &TopologySheet<'_>) -> Section {
    Section::new("BYTES PER LINK", "of a step, one way").add_table(loads_by_link(sheet.loads))
}

fn loads_by_link(loads: &RailLoads) -> Table {
    let mut table = Table::new(vec![
        Column::words("link", "link"),
        Column::numbers("each carries", "bytes_per_step"),
    ]);
    for (name, bytes) in [
        ("GPU into its HB domain", loads.hb_link),
        ("NIC to leaf", loads.host_link),
        ("leaf to spine, if partners lay anywhere on the rail", loads.leaf_uplink),
    ] {
        if bytes.is_zero() {
            continue;
        }
        table.push_row(vec![Cell::words(name), Cell::volume(bytes)]);
    }
    table
}
