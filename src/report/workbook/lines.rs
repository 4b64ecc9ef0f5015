//! What is bought of one kind: a row for each part, with its sum below.

use rust_xlsxwriter::{Workbook, XlsxError};

use super::page::{
    CellFormat, row_of, sum, write_formula, write_headings, write_number, write_text,
};
use super::prices;
use crate::cost::BillLine;
use crate::units::{Usd, Watts};

/// Machines, memory and interfaces.
pub(super) const MACHINES: &str = "Machines";
/// Switches, modules and cables.
pub(super) const NETWORK: &str = "Network";

/// Columns of pieces that draw power, money and watts, which other sheets name.
pub(super) const RUNNING: char = 'G';
/// Column of the price of one.
pub(super) const UNIT: char = 'H';
/// Column of what all of them cost.
pub(super) const TOTAL: char = 'I';
/// Column of what they draw together.
pub(super) const DRAW: char = 'K';
/// Column of spares.
pub(super) const SPARES: char = 'F';
/// Column of what is bought.
pub(super) const BUY: char = 'E';

/// A line of the bill and the row of its price.
pub(super) struct LineRow<'a> {
    /// The line.
    pub(super) line: &'a BillLine,
    /// Row of its price on the sheet of prices.
    pub(super) price_row: u32,
}

/// A sheet of lines and the row of its sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    /// Name of the sheet.
    pub(super) name: &'static str,
    /// Row of its sums.
    pub(super) row: u32,
}

/// Adds the sheet.
pub(super) fn write_bill_lines(
    book: &mut Workbook,
    name: &'static str,
    entries: &[LineRow<'_>],
) -> Result<Sums, XlsxError> {
    let sheet = book.add_worksheet().set_name(name)?;
    write_headings(
        sheet,
        &[
            ("Part", 28.0),
            ("Role", 9.0),
            ("In the design", 11.0),
            ("Owned", 9.0),
            ("To buy", 10.0),
            ("Of them in store", 10.0),
            ("In use", 10.0),
            ("Each, USD", 14.0),
            ("Total, USD", 18.0),
            ("Each draws, W", 12.0),
            ("Draws, W", 14.0),
        ],
    )?;
    for (place, LineRow { line, price_row }) in entries.iter().enumerate() {
        let row = row_of(place);
        write_text(sheet, row, 0, &line.part)?;
        write_text(sheet, row, 1, line.role.name())?;
        write_number(sheet, row, 2, line.count as f64, CellFormat::Count)?;
        write_number(sheet, row, 3, line.owned as f64, CellFormat::Count)?;
        write_formula(
            sheet,
            row,
            4,
            format!("=C{row}-D{row}"),
            line.bought_count() as f64,
            CellFormat::Count,
        )?;
        write_number(sheet, row, 5, line.spares as f64, CellFormat::Count)?;
        write_formula(
            sheet,
            row,
            6,
            format!("=C{row}-F{row}"),
            line.powered_count() as f64,
            CellFormat::Count,
        )?;
        // What has no price has a text in its place, which counts as 0.
        let price = line.unit.as_ref().map_or(Usd::ZERO, |price| price.amount).get();
        let unit = format!("=N({}!{}{price_row})", prices::NAME, prices::UNIT);
        write_formula(sheet, row, 7, unit, price, CellFormat::Money)?;
        let total = format!("={BUY}{row}*{UNIT}{row}");
        write_formula(sheet, row, 8, total, line.total.get(), CellFormat::Money)?;
        write_number(sheet, row, 9, line.power.get(), CellFormat::Factor)?;
        let draw = format!("={RUNNING}{row}*J{row}");
        write_formula(sheet, row, 10, draw, line.power_draw().get(), CellFormat::Count)?;
    }
    let row = row_of(entries.len());
    let money: Usd = entries.iter().map(|line_row| line_row.line.total).sum();
    let power: Watts = entries.iter().map(|line_row| line_row.line.power_draw()).sum();
    write_text(sheet, row, 0, "Sum")?;
    write_formula(sheet, row, 8, sum(TOTAL, row), money.get(), CellFormat::Money)?;
    write_formula(sheet, row, 10, sum(DRAW, row), power.get(), CellFormat::Count)?;
    Ok(Sums { name, row })
}
