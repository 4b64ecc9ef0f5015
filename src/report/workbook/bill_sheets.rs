//! Sheets of machines, network, spares and other networks.

use rust_xlsxwriter::{Workbook, XlsxError};

use super::prices;
use super::worksheet::{
    CellFormat, row_of, sum, write_formula, write_headings, write_number, write_text,
};
use crate::cost::BillLine;
use crate::units::{Usd, Watts};

/// Machines, memory and interfaces.
pub(super) const MACHINES: &str = "Machines";
/// Switches, modules and cables.
pub(super) const NETWORK: &str = "Network";

/// Columns of pieces that draw power, money and watts, which other sheets name.
const RUNNING: char = 'G';
/// Column of the price of one.
pub(super) const UNIT: char = 'H';
/// Column of what all of them cost.
pub(super) const TOTAL: char = 'I';
/// Column of what they draw together.
pub(super) const DRAW: char = 'K';
/// Column of spares.
const SPARES: char = 'F';
/// Column of what is bought.
const BUY: char = 'E';

/// A line of the bill and the row of its price.
pub(super) struct LineRow<'a> {
    pub(super) line: &'a BillLine,
    /// Row of its price on the sheet of prices.
    pub(super) price_row: u32,
}

/// A sheet of lines and the row of its sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub(super) name: &'static str,
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
            ("Basis", 12.0),
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
