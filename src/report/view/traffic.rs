//! Words for the traffic matrix, and the report of `planner traffic`.

use super::super::document::{Document, Section};
use super::super::format::{Look, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::cluster;
use crate::design::NodeChoice;
use crate::parallel::Layout;
use crate::step::TrafficKind;
use crate::traffic::{Locality, Summary};
use crate::units::Bytes;

/// What `planner traffic` shows.
#[derive(Clone, Copy, Debug)]
pub struct TrafficSheet<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Machines.
    pub nodes: &'a NodeChoice,
    /// How the model is spread.
    pub layout: &'a Layout,
    /// Micro-batches of one pipeline.
    pub micro_batches: u64,
    /// Sums over the matrix.
    pub summary: &'a Summary,
}

/// The traffic in the wanted format, with a line break at its end.
#[must_use]
pub fn traffic(sheet: &TrafficSheet<'_>, look: Look) -> String {
    let document = Document {
        title: sheet.name.to_owned(),
        sections: vec![
            Section::new("", "").line(cluster::machines(sheet.nodes)),
            cluster::layout(sheet.layout, sheet.micro_batches),
            section(sheet.summary),
        ],
        sheet: by_kind(sheet.summary),
    };
    draw(&document, look, || json::traffic(sheet))
}

/// The matrix in a few numbers.
pub(super) fn section(summary: &Summary) -> Section {
    let lead = format!(
        "{} a step; {} of the {} say nothing to each other",
        number::volume(summary.total),
        number::percent(summary.idle_share()),
        number::counted(summary.pairs, "GPU pair", "GPU pairs"),
    );
    Section::new("TRAFFIC", lead)
        .table(by_kind(summary))
        .line(format!("fullest pair: {} a step", number::volume(summary.largest_pair)))
}

/// Bytes by kind of parallelism and by where they travel; kinds that send nothing are left out.
fn by_kind(summary: &Summary) -> Table {
    let mut table = Table::new(vec![
        Column::words("kind", "kind"),
        Column::numbers("inside domains", "inside_domain_bytes"),
        Column::numbers("along rails", "along_rail_bytes"),
        Column::numbers("across rails", "across_rails_bytes"),
        Column::numbers("sum", "total_bytes"),
        Column::numbers("share", "share"),
    ]);
    let share = |bytes: Bytes| {
        if summary.total.is_zero() { 0.0 } else { bytes.as_f64() / summary.total.as_f64() }
    };
    for kind in TrafficKind::ALL {
        let bytes = summary.kind(kind);
        if bytes.is_zero() {
            continue;
        }
        let mut row = vec![Cell::words(kind.name())];
        row.extend(Locality::ALL.map(|locality| Cell::volume(summary.at(kind, locality))));
        row.push(Cell::volume(bytes));
        row.push(Cell::percent(share(bytes)));
        table.row(row);
    }
    let mut row = vec![Cell::words("share")];
    row.extend(Locality::ALL.map(|locality| Cell::percent(share(summary.locality(locality)))));
    row.push(Cell::percent(share(summary.total)));
    if !table.rows.is_empty() {
        table.row(row);
    }
    table
}
