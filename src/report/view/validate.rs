//! The report of `planner validate`.

use super::super::document::{Document, Section};
use super::super::format::{Format, RenderOptions, draw_document};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::pictures;
use crate::validate::{SetResult, Statistics, validation_page};

/// The errors of all sets in the wanted format, with a line break at its end; markdown is the
/// whole page with every row.
#[must_use]
pub fn render_validation(sets: &[SetResult], look: RenderOptions<'_>) -> String {
    if look.format == Format::Markdown {
        return validation_page(sets);
    }
    let document = Document {
        title: "Predicted against published".to_owned(),
        sections: vec![
            Section::new("", "")
                .add_line(
                    "errors are predicted over published, less one: a bias above zero is too slow, \
                     or too large",
                )
                .add_line("fitted: rows of the set took part in fitting the constants")
                .add_line(
                    "not seen: mean error by constants that were fitted without the row's source",
                ),
            Section::new("STEP TIME", "")
                .add_pictures_on_top([pictures::errors_picture(sets)])
                .add_table(time_errors_table(sets)),
            Section::new("MEMORY", "counted, nothing in it is fitted")
                .add_table(memory_errors_table(sets)),
        ],
        sheet: validation_table(sets),
    };
    draw_document(&document, look, || json::validation_json(sets))
}

fn time_errors_table(sets: &[SetResult]) -> Table {
    let mut table = Table::new(error_columns(""));
    table.columns.push(Column::numbers("not seen", "unseen_mean_error"));
    table.columns.push(Column::words("fitted", "fitted"));
    table.columns.push(Column::words("reference tool", "reference"));
    for result in sets {
        let set = &result.set;
        if let Some(mut cells) = error_cells(set.name, &result.time_errors()) {
            cells.push(Cell::percent(result.unseen_errors().mean));
            cells.push(yes_no_cell(result.is_fitted()));
            cells.push(match set.reference {
                Some((error, name)) => Cell::words(format!("{error} % ({name})")),
                None => Cell::no_value(),
            });
            table.push_row(cells);
        }
    }
    table
}

fn memory_errors_table(sets: &[SetResult]) -> Table {
    let mut table = Table::new(error_columns(""));
    for result in sets {
        if let Some(cells) = error_cells(result.set.name, &result.memory_errors()) {
            table.push_row(cells);
        }
    }
    table
}

/// One line a set and quantity, for a spreadsheet.
fn validation_table(sets: &[SetResult]) -> Table {
    let mut table = Table::new(error_columns("quantity"));
    table.columns.extend([
        Column::numbers("not seen", "unseen_mean_error"),
        Column::words("fitted", "fitted"),
        Column::numbers("reference", "reference_mean_percent"),
        Column::words("reference tool", "reference_tool"),
    ]);
    for result in sets {
        let set = &result.set;
        let reference = match set.reference {
            Some((error, name)) => {
                [Cell::with_text_and_value(error.to_string(), error), Cell::words(name)]
            }
            None => [Cell::no_value(), Cell::no_value()],
        };
        if let Some(mut cells) = error_cells(set.name, &result.time_errors()) {
            cells.insert(1, Cell::words("time"));
            cells.push(Cell::percent(result.unseen_errors().mean));
            cells.push(yes_no_cell(result.is_fitted()));
            cells.extend(reference);
            table.push_row(cells);
        }
        if let Some(mut cells) = error_cells(set.name, &result.memory_errors()) {
            cells.insert(1, Cell::words("memory"));
            cells.extend([
                Cell::no_value(),
                yes_no_cell(false),
                Cell::no_value(),
                Cell::no_value(),
            ]);
            table.push_row(cells);
        }
    }
    table
}

/// The columns of [`error_cells`], with one more after the name where it is named.
fn error_columns(second: &str) -> Vec<Column> {
    let mut columns = vec![Column::words("set", "set")];
    if !second.is_empty() {
        columns.push(Column::words(second, second));
    }
    columns.extend([
        Column::numbers("rows", "rows"),
        Column::numbers("mean", "mean_error"),
        Column::numbers("largest", "largest_error"),
        Column::numbers("bias", "bias"),
    ]);
    columns
}

/// Errors of a set; `None` where nothing was measured.
fn error_cells(name: &str, statistics: &Statistics) -> Option<Vec<Cell>> {
    (statistics.rows > 0).then(|| {
        vec![
            Cell::words(name),
            Cell::count(statistics.rows as u64),
            Cell::percent(statistics.mean),
            Cell::percent(statistics.largest),
            Cell::with_text_and_value(number::percent_change(statistics.bias), statistics.bias),
        ]
    })
}

fn yes_no_cell(value: bool) -> Cell {
    Cell { text: if value { "yes" } else { "no" }.to_owned(), raw: value.to_string() }
}
