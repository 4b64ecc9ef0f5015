//! What stands beside the design, the other networks and the installation: a row for each part, with its
//! sum below. The sheet of totals has it in the grand total alone.

use rust_xlsxwriter::{Workbook, XlsxError};

use super::lines::Sums;
use super::page::{
    CellFormat, row_of, sum, write_formula, write_headings, write_number, write_text,
};
use crate::cost::BillLine;
use crate::units::{Usd, Watts};

/// The sheet of the other networks.
pub(super) const NETWORKS: &str = "Other networks";
/// The sheet of the installation.
pub(super) const INSTALLATION: &str = "Installation";

/// Adds a sheet of what stands beside the design, and says where its sums are; none where there is
/// nothing.
pub(super) fn write_other_networks(
    book: &mut Workbook,
    name: &'static str,
    lines: &[BillLine],
) -> Result<Option<Sums>, XlsxError> {
    if lines.is_empty() {
        return Ok(None);
    }
    let sheet = book.add_worksheet().set_name(name)?;
    write_headings(
        sheet,
        &[
            ("Part", 28.0),
            ("Role", 11.0),
            ("To buy", 10.0),
            ("Each, USD", 14.0),
            ("Total, USD", 18.0),
            ("Each draws, W", 12.0),
            ("Draws, W", 14.0),
            ("PriceBasis", 12.0),
            ("Dated", 12.0),
        ],
    )?;
    for (place, line) in lines.iter().enumerate() {
        let row = row_of(place);
        write_text(sheet, row, 0, &line.part)?;
        write_text(sheet, row, 1, line.role.name())?;
        write_number(sheet, row, 2, line.count as f64, CellFormat::Count)?;
        match &line.unit {
            Some(price) => write_number(sheet, row, 3, price.amount.get(), CellFormat::Money)?,
            None => write_text(sheet, row, 3, "no price")?,
        }
        let total = format!("=C{row}*N(D{row})");
        write_formula(sheet, row, 4, total, line.total.get(), CellFormat::Money)?;
        write_number(sheet, row, 5, line.power.get(), CellFormat::Factor)?;
        write_formula(
            sheet,
            row,
            6,
            format!("=C{row}*F{row}"),
            line.power_draw().get(),
            CellFormat::Count,
        )?;
        if let Some(price) = &line.unit {
            write_text(sheet, row, 7, price.basis.name())?;
            write_text(sheet, row, 8, &price.date)?;
        }
    }
    let row = row_of(lines.len());
    let money: Usd = lines.iter().map(|line| line.total).sum();
    let power: Watts = lines.iter().map(BillLine::power_draw).sum();
    write_text(sheet, row, 0, "Sum")?;
    write_formula(sheet, row, 4, sum('E', row), money.get(), CellFormat::Money)?;
    write_formula(sheet, row, 6, sum('G', row), power.get(), CellFormat::Count)?;
    Ok(Some(Sums { name, row }))
}
