//! The report of `planner traffic --against`: a recorded run beside what is predicted.

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use crate::ledger::{BytesPair, Difference, OnPair};

/// Pairs that a report for people shows.
const SHOWN: usize = 12;

/// The difference of a recorded run in the wanted format, with a line break at its end.
#[must_use]
pub fn render_difference(name: &str, found: &Difference, look: RenderOptions<'_>) -> String {
    draw_document(&difference_document(name, found), look, || json::difference_json(name, found))
}

fn difference_document(name: &str, found: &Difference) -> Document {
    let mut kinds = Table::new([vec![Column::words("kind", "kind")], both_columns()].concat());
    for (kind, both) in &found.kinds {
        kinds.push_row([vec![Cell::words(kind.name())], bytes_pair_cells(both)].concat());
    }
    let ranks = number::count_with_noun(found.ranks, "GPU", "GPUs");
    let steps = number::count_with_noun(found.steps, "step", "steps");
    let sections = vec![
        Section::new(
            "RECORDED AND PREDICTED",
            format!("{ranks} recorded over {steps}, bytes of one step"),
        )
        .add_table(kinds)
        .with_summary_rank(),
        group_differences_section(found),
        pair_differences_section(found),
        not_predicted(found),
    ];
    Document { title: name.to_owned(), sections, sheet: pair_differences_table(&found.pairs) }
}

fn both_columns() -> Vec<Column> {
    vec![
        Column::numbers("recorded", "recorded_bytes"),
        Column::numbers("predicted", "predicted_bytes"),
        Column::numbers("recorded over predicted", "ratio"),
    ]
}

fn bytes_pair_cells(both: &BytesPair) -> Vec<Cell> {
    let ratio = both.ratio().map_or_else(Cell::no_value, |value| {
        Cell::with_text_and_value(format!("{value:.4}"), value)
    });
    vec![Cell::volume(both.recorded), Cell::volume(both.predicted), ratio]
}

fn group_differences_section(found: &Difference) -> Section {
    let columns = vec![
        Column::words("kind", "kind"),
        Column::words("groups", "group"),
        Column::words("operation", "op"),
        Column::numbers("calls", "recorded_calls"),
        Column::numbers("predicted calls", "predicted_calls"),
    ];
    let mut table = Table::new([columns, both_columns()].concat());
    for groups in &found.groups {
        let first = vec![
            Cell::words(groups.kind.name()),
            Cell::words(groups.group.map_or("others", |group| group.name())),
            Cell::words(groups.operation.name()),
            Cell::count(groups.calls.0),
            Cell::count(groups.calls.1),
        ];
        table.push_row([first, bytes_pair_cells(&groups.bytes)].concat());
    }
    Section::new("BY GROUP", "calls and bytes of all recorded GPUs together").add_table(table)
}

fn pair_differences_section(found: &Difference) -> Section {
    let apart: Vec<&OnPair> =
        found.pairs.iter().filter(|pair| !pair.bytes.bytes_apart().is_zero()).collect();
    let lead = format!(
        "{} of {} differ; the most different first",
        number::count(apart.len() as u128),
        number::count_with_noun(found.pairs.len() as u128, "pair and kind", "pairs and kinds"),
    );
    let mut table = Table::new([pair_columns(), both_columns()].concat());
    for pair in apart.into_iter().take(SHOWN) {
        table.push_row(pair_cells(pair));
    }
    Section::new("BY PAIR", lead).add_table(table)
}

fn pair_columns() -> Vec<Column> {
    vec![
        Column::words("kind", "kind"),
        Column::numbers("from", "from"),
        Column::numbers("to", "to"),
    ]
}

fn pair_cells(pair: &OnPair) -> Vec<Cell> {
    let to = pair.to.map_or_else(|| Cell::words("not recorded"), |to| Cell::count(to.0));
    [
        vec![Cell::words(pair.kind.name()), Cell::count(pair.from.0), to],
        bytes_pair_cells(&pair.bytes),
    ]
    .concat()
}

fn pair_differences_table(pairs: &[OnPair]) -> Table {
    let mut table = Table::new([pair_columns(), both_columns()].concat());
    for pair in pairs {
        table.push_row(pair_cells(pair));
    }
    table
}

fn not_predicted(found: &Difference) -> Section {
    let mut table = Table::new(vec![
        Column::words("what", "what"),
        Column::words("operation", "op"),
        Column::numbers("calls", "recorded_calls"),
        Column::numbers("bytes", "recorded_bytes"),
    ]);
    for predicted in &found.not_predicted {
        table.push_row(vec![
            Cell::words(predicted.what.as_str()),
            Cell::words(predicted.operation.name()),
            Cell::count(predicted.calls),
            Cell::volume(predicted.bytes),
        ]);
    }
    let lead = if found.not_predicted.is_empty() {
        "nothing"
    } else {
        "calls that belong to no kind of parallelism"
    };
    Section::new("SENT AND NOT PREDICTED", lead).add_table(table)
}
