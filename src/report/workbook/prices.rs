//! What each price rests on. A price in another currency is a formula of its amount and its rate.

use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

use super::page::{CellFormat, formula, head, number, row_of, text};
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
pub(super) fn write_prices(book: &mut Workbook, of: &BillSheet<'_>) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name(NAME)?;
    head(
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
            ("PriceBasis", 10.0),
            ("Dated", 11.0),
            ("Source", 70.0),
            ("Level", 10.0),
            ("Has in it", 40.0),
            ("By itself, USD", 14.0),
        ],
    )?;
    for (place, line) in of.plan.bill.iter().enumerate() {
        let row = row_of(place);
        text(sheet, row, 0, &line.part)?;
        text(sheet, row, 1, line.role.name())?;
        price(sheet, row, line.unit.as_ref(), CellFormat::Money)?;
    }
    let row = row_of_electricity(of);
    text(sheet, row, 0, "electricity, kWh")?;
    text(sheet, row, 1, "power")?;
    price(sheet, row, of.kilowatt_hour, CellFormat::Factor)
}

/// A price from its amount on.
fn price(
    sheet: &mut Worksheet,
    row: u32,
    price: Option<&Price>,
    kind: CellFormat,
) -> Result<(), XlsxError> {
    let Some(price) = price else { return text(sheet, row, 2, "no price") };
    let usd = price.amount.get();
    match &price.exchange {
        Some(rate) => {
            formula(sheet, row, 2, format!("=D{row}*F{row}"), usd, kind)?;
            number(sheet, row, 3, usd / rate.usd, CellFormat::Factor)?;
            text(sheet, row, 4, &rate.currency.to_string())?;
            number(sheet, row, 5, rate.usd, CellFormat::Factor)?;
            text(sheet, row, 6, &rate.date)?;
        }
        None => number(sheet, row, 2, usd, kind)?,
    }
    if let Some((low, high)) = price.range {
        number(sheet, row, 7, low.get(), kind)?;
        number(sheet, row, 8, high.get(), kind)?;
    }
    text(sheet, row, 9, price.basis.name())?;
    text(sheet, row, 10, &price.date)?;
    text(sheet, row, 11, &price.source)?;
    let quote = &price.quote;
    if let Some(level) = quote.level {
        text(sheet, row, 12, level.name())?;
    }
    let names: Vec<&str> = quote.includes.iter().map(|of| of.name()).collect();
    if !names.is_empty() {
        text(sheet, row, 13, &names.join(", "))?;
    }
    match quote.alone {
        Some(alone) => number(sheet, row, 14, alone.get(), kind),
        None => Ok(()),
    }
}
