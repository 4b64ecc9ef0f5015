//! Pieces that stay in store: a row for each part that has any, read from the sheets of lines.

use rust_xlsxwriter::{Workbook, XlsxError};

use super::lines::{BUY, LineRow, RUNNING, SPARES, Sums, UNIT};
use super::page::{CellFormat, row_of, sum, write_formula, write_headings, write_text};
use crate::units::Usd;

const NAME: &str = "Spares";

/// Adds the sheet; lines are counted in the order of theirs.
pub(super) fn write_spares(
    book: &mut Workbook,
    sheets: &[(Sums, &Vec<LineRow<'_>>)],
) -> Result<Sums, XlsxError> {
    let sheet = book.add_worksheet().set_name(NAME)?;
    write_headings(
        sheet,
        &[
            ("Part", 28.0),
            ("In use", 10.0),
            ("In store", 10.0),
            ("Each, USD", 14.0),
            ("Total, USD", 18.0),
        ],
    )?;
    let (mut row, mut money) = (2, Usd::ZERO);
    for (sums, entries) in sheets {
        for (place, LineRow { line, .. }) in entries.iter().enumerate() {
            if line.spares == 0 {
                continue;
            }
            let (from, there) = (sums.name, row_of(place));
            let read = |column: char| format!("={from}!{column}{there}");
            write_text(sheet, row, 0, &line.part)?;
            write_formula(
                sheet,
                row,
                1,
                read(RUNNING),
                line.powered_count() as f64,
                CellFormat::Count,
            )?;
            // What is owned is used up last by what stays in store.
            let bought = line.spares.min(line.bought_count()) as f64;
            let least = format!("=MIN({from}!{SPARES}{there},{from}!{BUY}{there})");
            write_formula(sheet, row, 2, least, bought, CellFormat::Count)?;
            let price = line.unit.as_ref().map_or(Usd::ZERO, |price| price.amount);
            write_formula(sheet, row, 3, read(UNIT), price.get(), CellFormat::Money)?;
            write_formula(
                sheet,
                row,
                4,
                format!("=C{row}*D{row}"),
                line.spares_cost().get(),
                CellFormat::Money,
            )?;
            money += line.spares_cost();
            row += 1;
        }
    }
    write_text(sheet, row, 0, "Sum, which the other sheets have too")?;
    write_formula(sheet, row, 4, sum('E', row), money.get(), CellFormat::Money)?;
    Ok(Sums { name: NAME, row })
}
