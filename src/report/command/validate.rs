//! The reports of `planner validate` and `planner calibrate`.

use crate::report::document::{Document, Section};
use crate::report::format::{Format, RenderOptions, draw_document};
use crate::report::section::charts;
use crate::report::sheet::calibration_lines;
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::timing::ExtrapolationAxis;
use crate::validate::{
    Calibrated, Fitted, Refit, Refusal, SetResult, Statistics, Unseen, validation_page,
};

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
                .add_pictures_on_top([charts::errors_picture(sets)])
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

/// The calibration in the wanted format, with a line break at its end.
#[must_use]
pub fn render_calibration(found: &Calibrated, look: RenderOptions<'_>) -> String {
    let [before, unseen] = found.mean_errors();
    let lead = format!(
        "mean error of a step that the fit has not seen: {} before, {} now",
        number::percent(before),
        number::percent(unseen)
    );
    let mut table = Section::new("CALIBRATION", lead);
    let lines = calibration_lines(found);
    if lines.is_empty() {
        table = table.add_line(
            "no constant predicts steps that it has not seen better than those that ship: keep them",
        );
    }
    for line in lines {
        table = table.add_line(line);
    }
    let mut steps = Section::new("STEPS", "errors are predicted over measured, less one");
    if found.thin {
        steps = steps.add_line(format!(
            "too few: {} for {}; measure three steps for each constant, in other batches, layouts and \
             numbers of GPUs",
            number::count_with_noun(found.rows.len() as u64, "step", "steps"),
            number::count_with_noun(found.constants.len() as u64, "constant", "constants"),
        ));
    }
    if found.unexplained {
        steps = steps.add_line(
            "far off: no constant within its physical range explains these errors; look for a wrong key \
             first: the model, the layout, the number format, seconds in another unit",
        );
    }
    let document = Document {
        title: format!("Calibration `{}`", found.set),
        sections: vec![
            table,
            Section::new("CONSTANTS", "").add_table(constants_table(found)),
            steps.add_table(measured_steps_table(found)),
        ],
        sheet: measured_steps_table(found),
    };
    draw_document(&document, look, || json::calibration_json(found))
}

fn constants_table(found: &Calibrated) -> Table {
    let mut table = Table::new(vec![
        Column::words("constant", "constant"),
        Column::numbers("before", "before"),
        Column::numbers("now", "after"),
        Column::words("unit", "unit"),
        Column::numbers("steps", "rows"),
    ]);
    for constant in &found.constants {
        let shown = |value: f64| Cell::with_text_and_value(format!("{value:.4}"), value);
        table.push_row(vec![
            Cell::words(constant.key.clone()),
            shown(constant.before),
            shown(constant.after),
            Cell::words(constant.unit.clone()),
            Cell::count(constant.rows as u64),
        ]);
    }
    table
}

fn measured_steps_table(found: &Calibrated) -> Table {
    let mut table = Table::new(vec![
        Column::words("step", "name"),
        Column::numbers("measured", "measured_s"),
        Column::numbers("before", "error_before"),
        Column::numbers("not seen", "unseen_error"),
        Column::words("", "disagrees"),
    ]);
    for step in &found.rows {
        let error = |share: f64| Cell::with_text_and_value(number::percent_change(share), share);
        table.push_row(vec![
            Cell::words(step.name.clone()),
            Cell::with_text_and_value(number::time(step.time), step.time.get()),
            error(step.before),
            error(step.unseen),
            Cell::words(if step.disagrees { "disagrees with the others" } else { "" }),
        ]);
    }
    table
}
