//! `planner traffic`, `--against`.
//!
//! Words for the traffic matrix, and the report of `planner traffic`.

use super::multi_cluster::{ClusterReport, Figure, report_each_cluster};
use crate::design::{NodeChoice, StepPlan};
use crate::ledger::{Difference, OnPair};
use crate::parallel::Layout;
use crate::parallel::placement::Locality;
use crate::report::document::{Document, Row, Screen, Section};
use crate::report::format::{Format, RenderOptions, draw_document};
use crate::report::list::{
    GROUP_COLUMNS, KIND_COLUMNS, NOT_PREDICTED_COLUMNS, PAIR_COLUMNS, list_table,
};
use crate::report::section::{machines, proof};
use crate::report::sheet::{ClusterSheets, PERCENTILES, TrafficSheet};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, matrix, number, short_number};
use crate::step::TrafficKind;
use crate::traffic::{Distribution, TrafficSummary};
use crate::units::Bytes;

/// Characters of the longest bar of the histogram.
const LONGEST_BAR: f64 = 32.0;

/// The traffic of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn render_traffic(
    sheets: &ClusterSheets<'_, TrafficSheet<'_>>,
    look: RenderOptions<'_>,
) -> String {
    let document = |sheet: &TrafficSheet<'_>| traffic_document(sheet, look);
    report_each_cluster(
        sheets,
        look,
        &ClusterReport {
            document: &document,
            json: &json::traffic_json,
            beside: &traffic_side_by_side,
            whole: None,
        },
    )
}

/// What the traffic of a cluster has beside that of others: no GPU of one sends to another's.
fn traffic_side_by_side(sheet: &TrafficSheet<'_>) -> Vec<Figure> {
    let StepPlan { nodes, layout, traffic: summary, .. } = sheet.step;
    let mut figures = vec![
        (Column::numbers("GPUs", "gpus"), Cell::count(nodes.gpus)),
        (Column::words("layout", "layout"), Cell::words(machines::parallel_degrees_text(layout))),
    ];
    let columns = [
        Column::numbers("inside machines", "inside_domain_bytes"),
        Column::numbers("on a rail", "along_rail_bytes"),
        Column::numbers("between rails", "across_rails_bytes"),
    ];
    let bytes = Locality::ALL.map(|locality| Cell::volume(summary.bytes_of_locality(locality)));
    figures.extend(columns.into_iter().zip(bytes));
    figures.push((Column::numbers("sum per step", "total_bytes"), Cell::volume(summary.total)));
    figures
        .push((Column::numbers("idle pairs", "idle_share"), Cell::percent(summary.idle_share())));
    figures
}

fn traffic_document(sheet: &TrafficSheet<'_>, look: RenderOptions<'_>) -> Document {
    let StepPlan { nodes, layout, step, traffic: summary, .. } = sheet.step;
    let drawn = sheet.matrix.filter(|_| look.format == Format::Html);
    let mut sections = vec![
        Section::new("", "").add_line(machines::machines_alone(nodes)).with_summary_rank(),
        machines::layout_section(layout, step),
        traffic_section(summary).add_pictures_on_top(
            drawn.map_or_else(Vec::new, matrix::matrix_pictures).into_iter().map(Some),
        ),
        pair_volumes_section(sheet.distribution),
    ];
    if !sheet.notes.is_empty() {
        sections.push(proof::assumptions_and_defaults(sheet.notes));
    }
    sections.push(not_counted(sheet));
    let title = sheet.name.to_owned();
    let screen = Some(traffic_screen(sheet));
    Document { title, sections, screen, sheet: bytes_by_kind(summary) }
}

fn traffic_screen(sheet: &TrafficSheet<'_>) -> Screen {
    let StepPlan { nodes, layout, traffic: summary, .. } = sheet.step;
    let rows = vec![
        Row::with_line("Machines", machines::machines_alone(nodes)),
        Row::with_line("Layout", machines::parallel_degrees_text(layout)),
        Row::with_line(
            "More",
            "--all, --section NAME, --by domain, --pair, --format svg".to_owned(),
        ),
    ];
    let share = |locality| {
        let bytes = summary.bytes_of_locality(locality).as_f64();
        let whole = summary.total.as_f64();
        short_number::percent(if whole > 0.0 { bytes / whole } else { 0.0 })
    };
    let [inside, along, across] = Locality::ALL.map(share);
    let verdict = format!(
        "Of {} per step {inside} stay inside machines, {along} stay on a rail, {across} go between \
         rails. {} of GPU pairs exchange nothing.",
        number::volume(summary.total),
        short_number::percent(summary.idle_share()),
    );
    Screen { rows, more: vec![traffic_section(summary)], ..Screen::from_verdict(verdict) }
}

/// What a job moves besides, with its size.
fn not_counted(sheet: &TrafficSheet<'_>) -> Section {
    let mut table = Table::new(vec![
        Column::words("", "what"),
        Column::numbers("of all GPUs", "bytes"),
        Column::words("", "often"),
        Column::numbers("share of traffic", "share_of_step"),
    ]);
    let total = sheet.step.traffic.total;
    for (uncounted, a_step) in sheet.uncounted {
        let share =
            a_step.filter(|_| !total.is_zero()).map(|bytes| bytes.as_f64() / total.as_f64());
        table.push_row(vec![
            Cell::words(uncounted.what),
            Cell::volume(uncounted.bytes),
            Cell::words(uncounted.often.name()),
            share.map_or_else(Cell::no_value, Cell::percent),
        ]);
    }
    Section::new("NOT COUNTED", "").add_table(table).add_line(
        "and once per run the first broadcast of parameters; sequences are packed to their length \
         (docs/equations.md)",
    )
}

/// The title of a picture of the matrix.
#[must_use]
pub fn traffic_title(name: &str, nodes: &NodeChoice, layout: &Layout) -> String {
    let gpus = number::count_with_noun(layout.gpus(), "GPU", "GPUs");
    let degrees = machines::parallel_degrees_text(layout);
    format!("{name}: bytes per step; {gpus} of {}, {degrees}", nodes.node.name)
}

/// The matrix in a few numbers.
pub(super) fn traffic_section(summary: &TrafficSummary) -> Section {
    let lead = format!(
        "{} per step; {} of the {} exchange nothing",
        number::volume(summary.total),
        number::percent(summary.idle_share()),
        number::count_with_noun(summary.pairs, "GPU pair", "GPU pairs"),
    );
    Section::new("TRAFFIC", lead).add_table(bytes_by_kind(summary)).add_line(format!(
        "busiest pair of GPUs: {} per step",
        number::volume(summary.largest_pair)
    ))
}

/// Bytes by kind of parallelism and by where they travel; kinds that send nothing are left out.
fn bytes_by_kind(summary: &TrafficSummary) -> Table {
    let mut table = Table::new(vec![
        Column::words("parallelism", "kind"),
        Column::numbers("inside machines", "inside_domain_bytes"),
        Column::numbers("on a rail", "along_rail_bytes"),
        Column::numbers("between rails", "across_rails_bytes"),
        Column::numbers("sum", "total_bytes"),
        Column::numbers("share", "share"),
    ]);
    let share = |bytes: Bytes| {
        if summary.total.is_zero() { 0.0 } else { bytes.as_f64() / summary.total.as_f64() }
    };
    for kind in TrafficKind::ALL {
        let bytes = summary.bytes_of_kind(kind);
        if bytes.is_zero() {
            continue;
        }
        let mut row = vec![Cell::words(kind.name())];
        row.extend(Locality::ALL.map(|locality| Cell::volume(summary.bytes_at(kind, locality))));
        row.push(Cell::volume(bytes));
        row.push(Cell::percent(share(bytes)));
        table.push_row(row);
    }
    let mut row = vec![Cell::words("share")];
    row.extend(
        Locality::ALL.map(|locality| Cell::percent(share(summary.bytes_of_locality(locality)))),
    );
    row.push(Cell::percent(share(summary.total)));
    if !table.rows.is_empty() {
        table.push_row(row);
    }
    table
}

/// Percentiles and a histogram of what the busy pairs carry; bins without pairs are left out.
fn pair_volumes_section(distribution: &Distribution) -> Section {
    let busy = distribution.busy_pairs();
    let lead = number::count_with_noun(busy, "pair with traffic", "pairs with traffic");
    let mut table = Table::new(vec![
        Column::numbers("from", "from_bytes"),
        Column::numbers("to", "below_bytes"),
        Column::numbers("pairs", "pairs"),
        Column::numbers("share", "share"),
        Column::words("", ""),
    ]);
    for bin in distribution.histogram().iter().filter(|bin| bin.pairs > 0) {
        let share = bin.pairs as f64 / busy as f64;
        table.push_row(vec![
            Cell::volume(bin.low),
            Cell::volume(bin.high),
            Cell::count(bin.pairs),
            Cell::percent(share),
            Cell::words("#".repeat((share * LONGEST_BAR).ceil() as usize)),
        ]);
    }
    let percentiles: Vec<String> = PERCENTILES
        .into_iter()
        .filter_map(|(name, share)| {
            let volume = number::volume(distribution.volume_percentile(share)?);
            Some(format!("{name} carry up to {volume}"))
        })
        .collect();
    let section = Section::new("HOW MUCH PAIRS EXCHANGE", lead).add_table(table);
    if percentiles.is_empty() { section } else { section.add_line(percentiles.join(", ")) }
}

/// Pairs that a report for people shows.
const SHOWN: usize = 12;

/// The difference of a recorded run in the wanted format, with a line break at its end.
#[must_use]
pub fn render_difference(name: &str, found: &Difference, look: RenderOptions<'_>) -> String {
    draw_document(&difference_document(name, found), look, || json::difference_json(name, found))
}

fn difference_document(name: &str, found: &Difference) -> Document {
    let ranks = number::count_with_noun(found.ranks, "GPU", "GPUs");
    let steps = number::count_with_noun(found.steps, "step", "steps");
    let sections = vec![
        Section::new(
            "RECORDED AND PREDICTED",
            format!("{ranks} recorded over {steps}, bytes per step"),
        )
        .add_table(list_table(KIND_COLUMNS, &found.kinds))
        .with_summary_rank(),
        group_differences_section(found),
        pair_differences_section(found),
        not_predicted(found),
    ];
    Document {
        title: name.to_owned(),
        sections,
        screen: None,
        sheet: list_table(PAIR_COLUMNS, &found.pairs),
    }
}

fn group_differences_section(found: &Difference) -> Section {
    Section::new("BY GROUP", "calls and bytes of all recorded GPUs together")
        .add_table(list_table(GROUP_COLUMNS, &found.groups))
}

fn pair_differences_section(found: &Difference) -> Section {
    let apart: Vec<&OnPair> =
        found.pairs.iter().filter(|pair| !pair.bytes.bytes_apart().is_zero()).collect();
    let lead = format!(
        "{} of {} differ; the most different first",
        number::count(apart.len() as u128),
        number::count_with_noun(found.pairs.len() as u128, "pair and kind", "pairs and kinds"),
    );
    let table = list_table(PAIR_COLUMNS, apart.into_iter().take(SHOWN));
    Section::new("BY PAIR", lead).add_table(table)
}

fn not_predicted(found: &Difference) -> Section {
    let lead = if found.not_predicted.is_empty() {
        "nothing"
    } else {
        "calls that belong to no kind of parallelism"
    };
    Section::new("RECORDED ONLY", lead)
        .add_table(list_table(NOT_PREDICTED_COLUMNS, &found.not_predicted))
}
