//! A sheet that is filled row by row: headings that stay in view, numbers in their format, formulas
//! with the value that they have. Rows are counted from 1, as formulas do.

use rust_xlsxwriter::{Format, Formula, Worksheet, XlsxError};

use crate::report::words::exact_number;
use crate::units::parse::strip_control_characters;

/// What a number is, and so how it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellFormat {
    /// Whole pieces.
    Count,
    /// US dollars.
    Money,
    /// A rate, a factor, a price per unit that has many digits.
    Factor,
}

impl CellFormat {
    fn number_format(self) -> Format {
        Format::new().set_num_format(match self {
            Self::Count => "#,##0",
            Self::Money => "$#,##0.00",
            Self::Factor => "#,##0.######",
        })
    }
}

/// Longest text of a cell in the format (ECMA-376: 32,767 characters).
const LONGEST: usize = 32_767;

/// A text that a cell can hold.
pub(super) fn fit_cell_text(text: &str) -> String {
    strip_control_characters(text).chars().take(LONGEST).collect()
}

/// The cell of a column, counted from 0, in a row, counted from 1.
fn cell_position(row: u32, column: u16) -> (u32, u16) {
    (row.saturating_sub(1), column)
}

/// Row of an entry of a sheet: the first has the row below the headings.
pub(super) fn row_of(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX).saturating_add(2)
}

/// Headings with the width of their columns in characters.
pub(super) fn write_headings(
    sheet: &mut Worksheet,
    columns: &[(&str, f64)],
) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold().set_text_wrap();
    for (place, (heading, width)) in (0..).zip(columns) {
        sheet.write_string_with_format(0, place, *heading, &bold)?;
        sheet.set_column_width(place, *width)?;
    }
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
    Ok(())
}

/// A text; never a formula, whatever it starts with.
pub(super) fn write_text(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    text: &str,
) -> Result<(), XlsxError> {
    let (row, column) = cell_position(row, column);
    sheet.write_string(row, column, fit_cell_text(text)).map(|_| ())
}

/// A number that is stated.
pub(super) fn write_number(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    value: f64,
    kind: CellFormat,
) -> Result<(), XlsxError> {
    let (row, column) = cell_position(row, column);
    sheet
        .write_number_with_format(row, column, exact_number(value), &kind.number_format())
        .map(|_| ())
}

/// A number that follows from others, with the value that it has here.
pub(super) fn write_formula(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    formula: String,
    value: f64,
    kind: CellFormat,
) -> Result<(), XlsxError> {
    let (row, column) = cell_position(row, column);
    let formula = Formula::new(formula).set_result(exact_number(value).to_string());
    sheet.write_formula_with_format(row, column, formula, &kind.number_format()).map(|_| ())
}

/// The sum of a column above a row, from the row after the headings on.
pub(super) fn sum(column: char, row: u32) -> String {
    match row {
        0..=2 => "=0".to_owned(),
        _ => format!("=SUM({column}2:{column}{})", row - 1),
    }
}
