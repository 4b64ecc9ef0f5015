//! Sheets of sums, and of cables by rack.

use std::collections::BTreeMap;

use rust_xlsxwriter::{Workbook, Worksheet, XlsxError};

use super::bill_sheets::{DRAW, Sums, TOTAL};
use super::prices;
use super::worksheet::{
    CellFormat, row_of, sum, write_formula, write_headings, write_number, write_text,
};
use crate::cost::HOURS_PER_YEAR;
use crate::design::InstalledPlan;
use crate::hall::CableRun;
use crate::report::sheet::BillSheet;
use crate::units::Usd;

/// Name of the sheet.
pub(super) const TOTALS_SHEET: &str = "Total";

/// The rows of sums that it reads.
pub(super) struct TotalRows {
    pub(super) machines: Sums,
    pub(super) network: Sums,
    pub(super) spares: Sums,
    /// Of the other networks; `None` where there are none.
    pub(super) other: Option<Sums>,
    /// Of the installation, likewise.
    pub(super) work: Option<Sums>,
}

/// Fills the sheet. Stages pay for power year by year, as they come: their electricity is no
/// product of what stands in the sheets, and is stated.
pub(super) fn write_totals(
    sheet: &mut Worksheet,
    bill_sheet: &BillSheet<'_>,
    rows: &TotalRows,
) -> Result<(), XlsxError> {
    let (plan, cost) = (bill_sheet.plan, &bill_sheet.plan.cost);
    write_headings(sheet, &[("", 44.0), ("", 20.0), ("", 60.0)])?;
    write_text(sheet, 1, 0, &plan.name)?;
    // A name of several words stands in quotes in a formula.
    let read = |from: Sums, column: char| {
        if from.name.contains(' ') {
            format!("='{}'!{column}{}", from.name, from.row)
        } else {
            format!("={}!{column}{}", from.name, from.row)
        }
    };
    let lines = || plan.bill.iter();
    let machines: Usd = lines().filter(|line| !line.role.is_network()).map(|line| line.total).sum();
    let stored: Usd = lines().map(crate::cost::BillLine::spares_cost).sum();
    let mut put = |row, name: &str, text_: Option<String>, value: f64, kind| {
        write_text(sheet, row, 0, name)?;
        match text_ {
            Some(text) => write_formula(sheet, row, 1, text, value, kind),
            None => write_number(sheet, row, 1, value, kind),
        }
    };
    let sum = |from, column| Some(read(from, column));
    put(3, "Machines, USD", sum(rows.machines, TOTAL), machines.get(), CellFormat::Money)?;
    put(4, "Network, USD", sum(rows.network, TOTAL), cost.network_capex.get(), CellFormat::Money)?;
    put(5, "To buy, USD", Some("=B3+B4".into()), cost.capex.get(), CellFormat::Money)?;
    put(
        6,
        "of it spares, USD",
        sum(rows.spares, TOTAL_OF_SPARES),
        stored.get(),
        CellFormat::Money,
    )?;
    let draw = cost.power - cost.network_power;
    put(8, "Machines draw, W", sum(rows.machines, DRAW), draw.get(), CellFormat::Count)?;
    put(
        9,
        "Network draws, W",
        sum(rows.network, DRAW),
        cost.network_power.get(),
        CellFormat::Count,
    )?;
    put(10, "All draw, W", Some("=B8+B9".into()), cost.power.get(), CellFormat::Count)?;
    put(
        12,
        "Power from the wall over it (PUE)",
        None,
        bill_sheet.objective.pue,
        CellFormat::Factor,
    )?;
    put(13, "Hours of a year", None, HOURS_PER_YEAR, CellFormat::Count)?;
    let electricity = prices::row_of_electricity(bill_sheet);
    let unit = format!("=N({}!{}{electricity})", prices::NAME, prices::UNIT);
    let each = bill_sheet.kilowatt_hour.map_or(Usd::ZERO, |price| price.amount);
    put(14, "Per kWh, USD", Some(unit), each.get(), CellFormat::Factor)?;
    let together = plan.growth.is_none();
    let product = |text: &str| together.then(|| text.to_owned());
    let yearly = cost.opex_per_year.get();
    put(
        15,
        "Electricity a year, USD",
        product("=B10/1000*B12*B13*B14"),
        yearly,
        CellFormat::Money,
    )?;
    let years = bill_sheet.objective.present_years();
    put(16, "Years, later ones at their value of today", None, years, CellFormat::Factor)?;
    put(17, "Cost over the years, USD", product("=B5+B15*B16"), cost.tco.get(), CellFormat::Money)?;
    if let Some(all) = &cost.whole {
        let pick =
            |from: Option<Sums>, column| from.map_or("=0".to_owned(), |from| read(from, column));
        let bought = |from| Some(pick(from, BESIDE_TOTAL));
        put(23, "Other networks, USD", bought(rows.other), all.networks.get(), CellFormat::Money)?;
        put(24, "Installation, USD", bought(rows.work), all.installation.get(), CellFormat::Money)?;
        let grand = Some("=B5+B23+B24".into());
        put(25, "Grand total to buy, USD", grand, all.capex.get(), CellFormat::Money)?;
        let draws = format!("=B10+{}", pick(rows.other, BESIDE_DRAW).trim_start_matches('='));
        put(26, "All networks draw, W", Some(draws), all.power.get(), CellFormat::Count)?;
        let yearly = all.opex_per_year.get();
        let electricity = Some("=B26/1000*B12*B13*B14".into());
        put(27, "Electricity a year of it, USD", electricity, yearly, CellFormat::Money)?;
        let owned = Some("=B25+B27*B16".into());
        put(28, "Cost over the years of it, USD", owned, all.tco.get(), CellFormat::Money)?;
        if !all.unpriced.is_empty() {
            let lacks = format!("not in the grand total: {}", all.unpriced.join(", "));
            write_text(sheet, 29, 0, &lacks)?;
        }
    }
    let book = format!("prices: {}", plan.inputs.price_book);
    write_text(sheet, 19, 0, &book)?;
    write_text(sheet, 20, 0, concat!("made by planner ", env!("CARGO_PKG_VERSION")))?;
    if !cost.unpriced.is_empty() {
        write_text(sheet, 21, 0, &format!("not in the totals: {}", cost.unpriced.join(", ")))?;
    }
    if !together {
        let note = "of all stages, each at the prices and with the power of its years";
        write_text(sheet, 15, 2, note)?;
        write_text(sheet, 17, 2, note)?;
    }
    Ok(())
}

/// Column of the sum of spares.
const TOTAL_OF_SPARES: char = 'E';
/// Columns of money and watts of what stands beside the design.
const BESIDE_TOTAL: char = 'E';
const BESIDE_DRAW: char = 'G';

/// Name of the sheet.
const CABLES_SHEET: &str = "Cables by rack";

/// Adds the sheet. A cable is counted in the rack of its end that is nearer to machines, so that
/// the sum is that of the bill.
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
