//! Single cells of the matrix as a report: one pair of GPUs, or all that one GPU sends.

use serde::Serialize;

use super::data_files::Bytes;
use crate::parallel::Rank;
use crate::report::document::{Document, Section};
use crate::report::format::{RenderOptions, draw_document};
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::step::TrafficKind;
use crate::traffic::{ByKind, TrafficMatrix};

#[derive(Serialize)]
struct CellsJson {
    schema: &'static str,
    name: String,
    cells: Vec<PairCell>,
}

#[derive(Serialize)]
struct PairCell {
    from: u32,
    to: u32,
    locality: &'static str,
    #[serde(flatten)]
    bytes: Bytes,
}

/// What two GPUs send to each other, both ways; a GPU and itself are one pair.
#[must_use]
pub fn render_gpu_pair(
    name: &str,
    matrix: &TrafficMatrix,
    from: Rank,
    to: Rank,
    look: RenderOptions<'_>,
) -> String {
    let ways = [(from, to), (to, from)].map(|(i, j)| (i, j, matrix.bytes_between(i, j)));
    let cells = if from == to { &ways[..1] } else { &ways };
    cells_report("planner/traffic-pair/1", name, matrix, cells, look)
}

/// All that one GPU sends, by target.
#[must_use]
pub fn render_gpu_row(
    name: &str,
    matrix: &TrafficMatrix,
    from: Rank,
    look: RenderOptions<'_>,
) -> String {
    let cells: Vec<(Rank, Rank, ByKind)> =
        matrix.row_of_rank(from).into_iter().map(|(to, bytes)| (from, to, bytes)).collect();
    cells_report("planner/traffic-gpu/1", name, matrix, &cells, look)
}

fn cells_report(
    schema: &'static str,
    name: &str,
    matrix: &TrafficMatrix,
    cells: &[(Rank, Rank, ByKind)],
    look: RenderOptions<'_>,
) -> String {
    let placement = matrix.placed_ranks().placement();
    let place = |from, to| placement.pair_locality(from, to).name();
    let mut columns = vec![
        Column::numbers("from", "from"),
        Column::numbers("to", "to"),
        Column::words("place", "locality"),
        Column::numbers("sum", "total_bytes"),
    ];
    columns.extend(
        TrafficKind::ALL
            .map(|kind| Column::numbers(kind.name(), &format!("{}_bytes", kind.name()))),
    );
    let mut table = Table::new(columns);
    for (from, to, bytes) in cells {
        let mut row = vec![
            Cell::count(from.0),
            Cell::count(to.0),
            Cell { text: place(*from, *to).replace('_', " "), raw: place(*from, *to).to_owned() },
            Cell::volume(bytes.total_bytes()),
        ];
        row.extend(TrafficKind::ALL.map(|kind| Cell::volume(bytes.bytes_of_kind(kind))));
        table.push_row(row);
    }
    let lead = number::count_with_noun(cells.len() as u128, "pair of GPUs", "pairs of GPUs");
    let document = Document {
        title: name.to_owned(),
        sections: vec![
            Section::new("TRAFFIC", format!("{lead}, bytes of one step")).add_table(table.clone()),
        ],
        sheet: table,
    };
    draw_document(&document, look, || {
        let entry = |(from, to, bytes): &(Rank, Rank, ByKind)| {
            let (from, to, locality) = (from.0, to.0, place(*from, *to));
            PairCell { from, to, locality, bytes: Bytes::new(bytes) }
        };
        json::write(&CellsJson {
            schema,
            name: name.to_owned(),
            cells: cells.iter().map(entry).collect(),
        })
    })
}
