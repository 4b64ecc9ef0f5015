//! What each price rests on. A price in another currency is a formula of its amount and its rate.

use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

use super::worksheet::{
    CellFormat, row_of, write_formula, write_headings, write_number, write_text,
};
use crate::hardware::Price;
use crate::report::sheet::BillSheet;

/// Name of the sheet.
pub(super) const NAME: &str = "Prices";
/// Column of the price in US dollars.
pub(super) const UNIT: char = 'C';

/// Row of a kWh of electricity.
pub(super) fn row_of_electricity(sheet: &BillSheet<'_>) -> u32 {
    row_of(sheet.plan.bill.len())
}

/// Adds the sheet.
pub(super) fn write_prices(
    book: &mut Workbook,
    bill_sheet: &BillSheet<'_>,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name(NAME)?;
    write_headings(
        sheet,
        &[
            ("Part", 28.0),
            ("Role", 11.0),
            ("Each, USD", 14.0),
            ("Each, in its currency", 14.0),
            ("Currency", 9.0),
            ("USD for one", 11.0),
            ("Rate of", 11.0),
            ("Lowest, USD", 14.0),
            ("Highest, USD", 14.0),
            ("Basis", 10.0),
            ("Dated", 11.0),
            ("Source", 70.0),
            ("Level", 10.0),
            ("Has in it", 40.0),
            ("Bought alone, USD", 14.0),
        ],
    )?;
    for (place, line) in bill_sheet.plan.bill.iter().enumerate() {
        let row = row_of(place);
        write_text(sheet, row, 0, &line.part)?;
        write_text(sheet, row, 1, line.role.name())?;
        write_price(sheet, row, line.unit.as_ref(), CellFormat::Money)?;
    }
    let row = row_of_electricity(bill_sheet);
    write_text(sheet, row, 0, "electricity, kWh")?;
    write_text(sheet, row, 1, "power")?;
    write_price(sheet, row, bill_sheet.kilowatt_hour, CellFormat::Factor)
}

/// A price from its amount on.
fn write_price(
    sheet: &mut Worksheet,
    row: u32,
    price: Option<&Price>,
    kind: CellFormat,
) -> Result<(), XlsxError> {
    let Some(price) = price else { return write_text(sheet, row, 2, "no price") };
    let usd = price.amount.get();
    match &price.exchange {
        Some(rate) => {
            write_formula(sheet, row, 2, format!("=D{row}*F{row}"), usd, kind)?;
            write_number(sheet, row, 3, usd / rate.usd, CellFormat::Factor)?;
            write_text(sheet, row, 4, &rate.currency.to_string())?;
            write_number(sheet, row, 5, rate.usd, CellFormat::Factor)?;
            write_text(sheet, row, 6, &rate.date)?;
        }
        None => write_number(sheet, row, 2, usd, kind)?,
    }
    if let Some(range) = price.range {
        write_number(sheet, row, 7, range.low.get(), kind)?;
        write_number(sheet, row, 8, range.high.get(), kind)?;
    }
    write_text(sheet, row, 9, price.basis.name())?;
    write_text(sheet, row, 10, &price.date)?;
    write_text(sheet, row, 11, &price.source)?;
    let quote = &price.quote;
    if let Some(level) = quote.level {
        write_text(sheet, row, 12, level.name())?;
    }
    let names: Vec<&str> = quote.includes.iter().map(|included| included.name()).collect();
    if !names.is_empty() {
        write_text(sheet, row, 13, &names.join(", "))?;
    }
    match quote.alone {
        Some(alone) => write_number(sheet, row, 14, alone.get(), kind),
        None => Ok(()),
    }
}

/// Adds the sheet: what no spec states, then defaults of keys that are left open.
pub(super) fn write_assumptions(
    book: &mut Workbook,
    bill_sheet: &BillSheet<'_>,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Assumptions")?;
    write_headings(sheet, &[("Topic", 30.0), ("What is assumed", 110.0), ("", 10.0)])?;
    let all = &bill_sheet.plan.assumptions;
    let ordered = all
        .iter()
        .filter(|this_assumption| !this_assumption.default)
        .chain(all.iter().filter(|this_assumption| this_assumption.default));
    for (place, assumption) in ordered.enumerate() {
        let row = row_of(place);
        write_text(sheet, row, 0, &assumption.topic)?;
        write_text(sheet, row, 1, &assumption.text)?;
        write_text(sheet, row, 2, if assumption.default { "default" } else { "" })?;
    }
    Ok(())
}
