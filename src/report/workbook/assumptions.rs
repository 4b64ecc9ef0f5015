//! What was taken for granted, key by key.

use rust_xlsxwriter::{Workbook, XlsxError};

use super::page::{row_of, write_headings, write_text};
use crate::report::sheet::BillSheet;

/// Adds the sheet: what no spec states, then defaults of keys that are left open.
pub(super) fn write_assumptions(
    book: &mut Workbook,
    bill_sheet: &BillSheet<'_>,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Assumptions")?;
    write_headings(sheet, &[("Topic", 30.0), ("What is taken for granted", 110.0), ("", 10.0)])?;
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
