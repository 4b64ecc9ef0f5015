//! The report of `planner validate`.

use super::super::document::{Document, Section};
use super::super::format::{Format, RenderOptions, draw};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use super::pictures;
use crate::validate::{SetResult, Statistics, page};

/// The errors of all sets in the wanted format, with a line break at its end; markdown is the
/// whole page with every row.
#[must_use]
pub fn validation(sets: &[SetResult], look: RenderOptions<'_>) -> String {
    if look.format == Format::Markdown {
        return page(sets);
    }
    let document = Document {
        title: "Predicted against published".to_owned(),
        sections: vec![
            Section::new("", "")
                .line(
                    "errors are predicted over published, less one: a bias above zero is too slow, \
                     or too large",
                )
                .line("fitted: rows of the set took part in fitting the constants")
                .line(
                    "not seen: mean error by constants that were fitted without the row's source",
                ),
            Section::new("STEP TIME", "").pictures([pictures::errors(sets)]).table(times(sets)),
            Section::new("MEMORY", "counted, nothing in it is fitted").table(memory(sets)),
        ],
        sheet: sheet(sets),
    };
    draw(&document, look, || json::validation(sets))
}

fn times(sets: &[SetResult]) -> Table {
    let mut table = Table::new(columns(""));
    table.columns.push(Column::numbers("not seen", "unseen_mean_error"));
    table.columns.push(Column::words("fitted", "fitted"));
    table.columns.push(Column::words("reference tool", "reference"));
    for result in sets {
        let set = &result.set;
        if let Some(mut cells) = errors(set.name, &result.time()) {
            cells.push(Cell::percent(result.unseen().mean));
            cells.push(yes(result.is_fitted()));
            cells.push(match set.reference {
                Some((error, name)) => Cell::words(format!("{error} % ({name})")),
                None => Cell::none(),
            });
            table.row(cells);
        }
    }
    table
}

fn memory(sets: &[SetResult]) -> Table {
    let mut table = Table::new(columns(""));
    for result in sets {
        if let Some(cells) = errors(result.set.name, &result.memory()) {
            table.row(cells);
        }
    }
    table
}

/// One line a set and quantity, for a spreadsheet.
fn sheet(sets: &[SetResult]) -> Table {
    let mut table = Table::new(columns("quantity"));
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
            None => [Cell::none(), Cell::none()],
        };
        if let Some(mut cells) = errors(set.name, &result.time()) {
            cells.insert(1, Cell::words("time"));
            cells.push(Cell::percent(result.unseen().mean));
            cells.push(yes(result.is_fitted()));
            cells.extend(reference);
            table.row(cells);
        }
        if let Some(mut cells) = errors(set.name, &result.memory()) {
            cells.insert(1, Cell::words("memory"));
            cells.extend([Cell::none(), yes(false), Cell::none(), Cell::none()]);
            table.row(cells);
        }
    }
    table
}

/// The columns of [`errors`], with one more after the name where it is named.
fn columns(second: &str) -> Vec<Column> {
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
fn errors(name: &str, of: &Statistics) -> Option<Vec<Cell>> {
    (of.rows > 0).then(|| {
        vec![
            Cell::words(name),
            Cell::count(of.rows as u64),
            Cell::percent(of.mean),
            Cell::percent(of.largest),
            Cell::with_text_and_value(number::percent_change(of.bias), of.bias),
        ]
    })
}

fn yes(value: bool) -> Cell {
    Cell { text: if value { "yes" } else { "no" }.to_owned(), raw: value.to_string() }
}
