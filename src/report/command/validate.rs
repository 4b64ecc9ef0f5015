//! The reports of `planner validate` and `planner calibrate`.

use crate::report::document::{Document, Section};
use crate::report::format::{Detail, Format, RenderOptions, draw_document};
use crate::report::list::{
    CALIBRATED_CALL_COLUMNS, CALIBRATED_CONSTANT_COLUMNS, CALIBRATED_STEP_COLUMNS,
    COLLECTIVE_ERROR_COLUMNS, FITTED_CONSTANT_COLUMNS, SET_ERROR_COLUMNS, SetErrors, list_table,
    table_with_keys,
};
use crate::report::section::charts;
use crate::report::sheet::calibration_lines;
use crate::report::table::{Cell, Column, Table};
use crate::report::{json, number};
use crate::timing::ExtrapolationAxis;
use crate::validate::{
    Calibrated, CalibratedNetwork, CollectiveRow, Fitted, MovedConstant, Refit, SetResult, Unseen,
    collective_errors, group_in_order, validation_page, validation_rows_page,
};

/// The errors of all sets in the wanted format, with a line break at its end; markdown is the
/// whole page with every row.
#[must_use]
pub fn render_validation(
    sets: &[SetResult],
    calls: &[CollectiveRow],
    look: RenderOptions<'_>,
) -> String {
    if look.format == Format::Markdown {
        return match look.detail {
            Detail::Full => validation_rows_page(sets, calls),
            _ => validation_page(sets, calls),
        };
    }
    let errors: Vec<SetErrors> = sets.iter().flat_map(SetErrors::from_set).collect();
    let document = Document {
        title: "Predicted against published".to_owned(),
        sections: vec![
            Section::new("", "")
                .add_line(
                    "errors are predicted over published, less one: a signed mean above zero: too \
                     slow, or too large",
                )
                .add_line("fitted: rows of the set were used for fitting the constants")
                .add_line(
                    "without source: mean error by constants that were fitted without the row's \
                     source",
                ),
            Section::new("STEP TIME", "")
                .add_pictures_on_top([charts::errors_picture(sets)])
                .add_table(time_errors_table(&errors)),
            Section::new("MEMORY", "counted, nothing in it is fitted")
                .add_table(memory_errors_table(&errors)),
            Section::new("COLLECTIVES", "tables of nccl-tests, by size")
                .add_table(list_table(COLLECTIVE_ERROR_COLUMNS, &collective_errors(calls))),
        ],
        screen: None,
        sheet: validation_table(&errors),
    };
    draw_document(&document, look, || json::validation_json(sets, calls))
}

fn time_errors_table(all: &[SetErrors]) -> Table {
    let keys = [
        "set",
        "rows",
        "mean_error",
        "largest_error",
        "bias",
        "unseen_mean_error",
        "fitted",
        "reference",
    ];
    table_with_keys(SET_ERROR_COLUMNS, &keys, all.iter().filter(|errors| errors.is_of_time()))
}

fn memory_errors_table(all: &[SetErrors]) -> Table {
    let keys = ["set", "rows", "mean_error", "largest_error", "bias"];
    table_with_keys(SET_ERROR_COLUMNS, &keys, all.iter().filter(|errors| !errors.is_of_time()))
}

/// One line a set and quantity, for a spreadsheet.
fn validation_table(all: &[SetErrors]) -> Table {
    let mut table = list_table(SET_ERROR_COLUMNS, all);
    table.remove_column("reference");
    table
}

/// The refit in the wanted format, with a line break at its end; csv is what
/// `presets/validation/unseen.csv` holds.
#[must_use]
pub fn render_refit(fitted: &Refit, look: RenderOptions<'_>) -> String {
    let document = Document {
        title: "Constants fitted anew".to_owned(),
        sections: vec![
            Section::new("CONSTANTS", "as shipped and as they fit best")
                .add_line(shipped_constants_line(&fitted.constants))
                .add_line("rows: fitted rows that the constant moves; without a source: least and largest")
                .add_table(list_table(FITTED_CONSTANT_COLUMNS, &fitted.constants)),
            Section::new("ERRORS", "in sample, and by constants fitted without the row's source")
                .add_table(refit_errors(&fitted.rows)),
        ],
        screen: None,
        sheet: refit_sheet(&fitted.rows),
    };
    draw_document(&document, look, || json::refit_json(fitted))
}

/// How many constants ship with the digits that the fit gives them.
fn shipped_constants_line(constants: &[Fitted]) -> String {
    let as_shipped = constants.iter().filter(|fitted| {
        fitted.constant.as_spec_text(fitted.value) == fitted.constant.as_spec_text(fitted.shipped)
    });
    format!("{} of {} ship with the digits of this fit", as_shipped.count(), constants.len())
}

/// Sets in their order, sources of a set by name.
fn refit_errors<'a>(rows: &'a [Unseen]) -> Table {
    let mut table = Table::new(vec![
        Column::words("set", "set"),
        Column::words("source", "source"),
        Column::words("use", "use"),
        Column::numbers("rows", "rows"),
        Column::numbers("in sample", "seen"),
        Column::numbers("without source", "unseen"),
        Column::numbers("bias", "bias"),
    ]);
    let group = |row: &'a Unseen| (row.set, row.role.source.as_str(), row.role.fitted);
    for ((set, source, is_fitted), unseens) in group_in_order(rows, group) {
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
    columns.extend(["mfu", "seen", "unseen", "chosen"].map(|name| Column::numbers(name, name)));
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
        cells.extend(
            [row.mfu, row.seen, row.unseen].map(|share| Cell::words(format!("{share:.4}"))),
        );
        cells.push(Cell::words(row.chosen.map_or_else(String::new, |share| format!("{share:.4}"))));
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
    let lines = calibration_lines(&found.set, &found.constants, "steps");
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
    let rows = list_table(CALIBRATED_STEP_COLUMNS, &found.rows);
    let document = calibration_document(&found.set, table, &found.constants, steps, rows);
    draw_document(&document, look, || json::calibration_json(found))
}

/// The shares of line rates in the wanted format, with a line break at its end.
#[must_use]
pub fn render_network_calibration(found: &CalibratedNetwork, look: RenderOptions<'_>) -> String {
    let change =
        |before, now| format!("{} before, {} now", number::percent(before), number::percent(now));
    let [before, now] = found.mean_errors();
    let lead = format!("mean error of time: {}", change(before, now));
    let mut table = Section::new("CALIBRATION", lead);
    for line in calibration_lines(&found.set, &found.constants, "rows").iter().chain(&found.notes) {
        table = table.add_line(line);
    }
    table = table.add_line(match found.mean_unseen_errors() {
        Some([before, now]) => format!("tables that a fit has not seen: {}", change(before, now)),
        None => "no second table of its kind, by which a fit without it could be judged".to_owned(),
    });
    if found.unexplained {
        table = table.add_line(
            "far off: no share of a line rate explains these errors; look for another machine or NIC, \
             a setting such as `NCCL_ALGO`, or a provider's plugin",
        );
    }
    let calls = Section::new("CALLS", "errors are predicted over measured, less one");
    let rows = list_table(CALIBRATED_CALL_COLUMNS, &found.calls);
    let document = calibration_document(&found.set, table, &found.constants, calls, rows);
    draw_document(&document, look, || json::network_calibration_json(found))
}

/// What is pasted into a spec, the constants that moved, and the rows below what is said of them.
fn calibration_document(
    set: &str,
    pasted: Section,
    constants: &[MovedConstant],
    measured: Section,
    rows: Table,
) -> Document {
    let moved = list_table(CALIBRATED_CONSTANT_COLUMNS, constants);
    let constants = Section::new("CONSTANTS", "").add_table(moved);
    Document {
        title: format!("Calibration `{set}`"),
        sections: vec![pasted, constants, measured.add_table(rows.clone())],
        screen: None,
        sheet: rows,
    }
}
