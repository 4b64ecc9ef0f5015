//! Cables by rack: for each rack the cables that start in it, by part and length, and where they lead.

use std::collections::BTreeMap;

use rust_xlsxwriter::{Workbook, XlsxError};

use super::page::{
    CellFormat, row_of, sum, write_formula, write_headings, write_number, write_text,
};
use crate::design::InstalledPlan;
use crate::hall::CableRun;

/// Name of the sheet.
const CABLES_SHEET: &str = "Cables by rack";

/// Adds the sheet. A cable is counted in the rack of its end that is nearer to machines, so that the sum is
/// that of the bill.
pub(super) fn write_cables(book: &mut Workbook, plan: &InstalledPlan) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name(CABLES_SHEET)?;
    write_headings(
        sheet,
        &[
            ("From rack", 12.0),
            ("To rack", 12.0),
            ("Part", 24.0),
            ("Metres each", 10.0),
            ("Cables", 10.0),
            ("Links", 10.0),
            ("Metres", 12.0),
        ],
    )?;
    let mut row = row_of(0);
    let mut all = [0.0; 3];
    for ((from, to, metres, part), (cables, links)) in cables_by_group(plan) {
        let rack = |index: usize| {
            plan.floor.racks.get(index).map_or_else(String::new, ToString::to_string)
        };
        write_text(sheet, row, 0, &rack(from))?;
        write_text(sheet, row, 1, &rack(to))?;
        write_text(sheet, row, 2, part)?;
        write_number(sheet, row, 3, f64::from(metres), CellFormat::Count)?;
        write_number(sheet, row, 4, cables as f64, CellFormat::Count)?;
        write_number(sheet, row, 5, links as f64, CellFormat::Count)?;
        let length = cables as f64 * f64::from(metres);
        write_formula(sheet, row, 6, format!("=D{row}*E{row}"), length, CellFormat::Count)?;
        all = [all[0] + cables as f64, all[1] + links as f64, all[2] + length];
        row += 1;
    }
    write_text(sheet, row, 0, "Sum")?;
    for (column, value) in [('E', all[0]), ('F', all[1]), ('G', all[2])] {
        let place = (u32::from(column) - u32::from('A')) as u16;
        write_formula(sheet, row, place, sum(column, row), value, CellFormat::Count)?;
    }
    Ok(())
}

/// Racks at both ends, metres and part.
type Group<'a> = (usize, usize, u32, &'a str);

/// Cables and links of each group.
fn cables_by_group(plan: &InstalledPlan) -> BTreeMap<Group<'_>, (u64, u64)> {
    let mut all: BTreeMap<Group<'_>, (u64, u64)> = BTreeMap::new();
    // The first link of a splitter stands for it.
    let mut seen = vec![false; plan.cabling.runs.len() + 1];
    for run in &plan.cabling.runs {
        let CableRun { ends: [a, b], cable_m, joined, cable, .. } = run;
        let joined = joined.and_then(|joined| plan.cabling.joined.get(joined));
        let part = joined.map_or("", |hall| hall.cable.as_str());
        let entry = all.entry((a.spot.rack, b.spot.rack, *cable_m, part)).or_default();
        entry.1 += 1;
        if let Some(first) = seen.get_mut(*cable as usize).filter(|seen| !**seen) {
            *first = true;
            entry.0 += joined.map_or(1, |hall| u64::from(hall.cables));
        }
    }
    all
}
