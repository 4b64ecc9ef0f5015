//! The report of `planner calibrate`: the table for the spec, the constants that moved, and how far
//! each step is from what the others say. Computes nothing.

use super::super::document::{Document, Section};
use super::super::format::{RenderOptions, draw_document};
use super::super::sheet::calibration_lines;
use super::super::table::{Cell, Column, Table};
use super::super::{json, number};
use crate::validate::Calibrated;

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
