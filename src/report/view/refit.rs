//! The report of `planner validate --refit`: constants as they fit best, and how far rows are from
//! predictions that did not see their source. Computes nothing but means.

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use crate::timing::ExtrapolationAxis;
use crate::validate::{Fitted, Refit, Refusal, Unseen};

/// The refit in the wanted format, with a line break at its end; csv is what
/// `presets/validation/unseen.csv` holds.
#[must_use]
pub fn render_refit(fitted: &Refit, look: RenderOptions<'_>) -> String {
    let document = Document {
        title: "Constants fitted anew".to_owned(),
        sections: vec![
            Section::new("CONSTANTS", "as shipped and as they fit best")
                .add_line("rows: fitted rows that the constant moves; without a source: least and largest")
                .add_table(refit_constants(&fitted.constants)),
            Section::new("ERRORS", "in sample, and by constants fitted without the row's source")
                .add_table(refit_errors(&fitted.rows)),
        ],
        sheet: refit_sheet(&fitted.rows),
    };
    draw_document(&document, look, || json::refit_json(fitted))
}

fn refit_constants(all: &[Fitted]) -> Table {
    let mut table = Table::new(vec![
        Column::words("constant", "constant"),
        Column::words("of", "of"),
        Column::numbers("rows", "rows"),
        Column::numbers("shipped", "shipped"),
        Column::numbers("fitted", "fitted"),
        Column::numbers("without a source", "spread"),
        Column::words("", "refused"),
    ]);
    for one in all {
        let constant = &one.constant;
        let written = |value| constant.as_spec_text(value);
        table.push_row(vec![
            Cell::words(constant.key.clone()),
            Cell::words(constant.calibrations.join(" ")),
            Cell::count(one.rows as u64),
            Cell::with_text_and_value(written(one.shipped), one.shipped),
            Cell::with_text_and_value(written(one.value), one.value),
            Cell::words(one.spread.map(written).join(" to ")),
            Cell::words(match one.refusal() {
                Some(Refusal::Rows) => "refused: fewer than two rows",
                Some(Refusal::Range) => "refused: at the end of its range",
                None => "",
            }),
        ]);
    }
    table
}

/// Sets in their order, sources of a set by name.
fn refit_errors(rows: &[Unseen]) -> Table {
    let mut table = Table::new(vec![
        Column::words("set", "set"),
        Column::words("source", "source"),
        Column::words("use", "use"),
        Column::numbers("rows", "rows"),
        Column::numbers("in sample", "seen"),
        Column::numbers("not seen", "unseen"),
        Column::numbers("bias", "bias"),
    ]);
    let mut groups: Vec<(&str, &str, bool)> = Vec::new();
    for row in rows {
        let group = (row.set, row.role.source.as_str(), row.role.fitted);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for (set, source, is_fitted) in groups {
        let unseens: Vec<&Unseen> = rows
            .iter()
            .filter(|row| {
                (row.set, row.role.source.as_str(), row.role.fitted) == (set, source, is_fitted)
            })
            .collect();
        let mean = |value: fn(&Unseen) -> f64| {
            unseens.iter().map(|row| value(row)).sum::<f64>() / unseens.len() as f64
        };
        let bias = mean(|row| row.unseen);
        table.push_row(vec![
            Cell::words(set),
            Cell::words(source),
            Cell::words(if is_fitted { "fitted" } else { "judged" }),
            Cell::count(unseens.len() as u64),
            Cell::percent(mean(|row| row.seen.abs())),
            Cell::percent(mean(|row| row.unseen.abs())),
            Cell::with_text_and_value(number::percent_change(bias), bias),
        ]);
    }
    table
}

/// One line a row, as `presets/validation/unseen.csv` has it.
fn refit_sheet(rows: &[Unseen]) -> Table {
    let mut columns: Vec<Column> =
        ["set", "row", "source", "use", "model", "gpu", "precision", "stack"]
            .map(|name| Column::words(name, name))
            .into();
    columns.extend(ExtrapolationAxis::ALL.map(|axis| Column::numbers(axis.name(), axis.key())));
    columns.extend(["seen", "unseen"].map(|name| Column::numbers(name, name)));
    let mut table = Table::new(columns);
    for row in rows {
        let mut cells: Vec<Cell> = [
            row.set,
            &row.id,
            &row.role.source,
            if row.role.fitted { "fitted" } else { "judged" },
            if row.experts { "experts" } else { "dense" },
            &row.gpu,
            row.precision.name(),
            &row.stack,
        ]
        .map(Cell::words)
        .into();
        cells.extend(row.extent.map(Cell::count));
        cells.extend([row.seen, row.unseen].map(|share| Cell::words(format!("{share:.4}"))));
        table.push_row(cells);
    }
    table
}
