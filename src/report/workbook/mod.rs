//! The bill as a workbook: machines, network, spares, prices, sums and assumptions, a sheet each.
//! Sums and products are formulas, so that a price, a count or a rate can be changed where it
//! stands. Each carries the value that it has here, for readers that compute nothing. No clock is
//! read: the same bill gives the same bytes.

mod bill_sheets;
mod prices;
mod totals_and_cables;
mod worksheet;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use super::sheet::BillSheet;
use bill_sheets::LineRow;

/// The bytes of the workbook (Office Open XML, ISO/IEC 29500).
///
/// # Errors
/// Where it has more rows than the format holds.
pub fn workbook_bytes(sheet: &BillSheet<'_>) -> Result<Vec<u8>, XlsxError> {
    let plan = sheet.plan;
    let entry = |(place, line)| LineRow { line, price_row: worksheet::row_of(place) };
    let entries = plan.bill.iter().enumerate().map(entry);
    let (network, machines): (Vec<LineRow<'_>>, Vec<LineRow<'_>>) =
        entries.partition(|row| row.line.role.is_network());
    let mut book = Workbook::new();
    // A date of the first version: that of today would need a clock.
    let made = ExcelDateTime::from_ymd(2026, 1, 1)?;
    let version = concat!("planner ", env!("CARGO_PKG_VERSION"));
    let about = DocProperties::new().set_title(worksheet::fit_cell_text(&plan.name));
    book.set_properties(&about.set_author(version).set_creation_datetime(&made));
    // The first sheet is seen first; its formulas name those after it.
    book.add_worksheet().set_name(totals_and_cables::TOTALS_SHEET)?;
    let first = bill_sheets::write_bill_lines(&mut book, bill_sheets::MACHINES, &machines)?;
    let second = bill_sheets::write_bill_lines(&mut book, bill_sheets::NETWORK, &network)?;
    let stored = bill_sheets::write_spares(&mut book, &[(first, &machines), (second, &network)])?;
    let beside = plan.networks.as_ref().map_or(&[][..], |networks| &networks.bill);
    let other = bill_sheets::write_other_networks(&mut book, bill_sheets::NETWORKS, beside)?;
    let work = bill_sheets::write_other_networks(
        &mut book,
        bill_sheets::INSTALLATION,
        &plan.installation,
    )?;
    prices::write_prices(&mut book, sheet)?;
    if let Some(installed) = sheet.installed {
        totals_and_cables::write_cables(&mut book, installed)?;
    }
    prices::write_assumptions(&mut book, sheet)?;
    let total = book.worksheet_from_name(totals_and_cables::TOTALS_SHEET)?;
    let rows = totals_and_cables::TotalRows {
        machines: first,
        network: second,
        spares: stored,
        other,
        work,
    };
    totals_and_cables::write_totals(total, sheet, &rows)?;
    book.save_to_buffer()
}
