//! The sums: what is bought, what it draws, and what it costs over its years (docs/equations.md §9).

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::lines::{DRAW, Sums, TOTAL};
use super::page::{CellFormat, write_formula, write_headings, write_number, write_text};
use super::prices;
use crate::cost::HOURS_PER_YEAR;
use crate::design::ClusterPlans;
use crate::report::sheet::BillSheet;
use crate::units::Usd;

/// Name of the sheet.
pub(super) const TOTALS_SHEET: &str = "Total";

/// The rows of sums that it reads.
pub(super) struct TotalRows {
    /// Of machines.
    pub(super) machines: Sums,
    /// Of the network.
    pub(super) network: Sums,
    /// Of spares.
    pub(super) spares: Sums,
    /// Of the other networks; `None` where there are none.
    pub(super) other: Option<Sums>,
    /// Of the installation, likewise.
    pub(super) work: Option<Sums>,
}

/// Fills the sheet. Stages pay for power year by year, as they come: their electricity is no product of
/// what stands in the sheets, and is stated.
pub(super) fn write_totals(
    sheet: &mut Worksheet,
    bill_sheet: &BillSheet<'_>,
    rows: &TotalRows,
) -> Result<(), XlsxError> {
    let (plan, cost) = (bill_sheet.plan, &bill_sheet.plan.cost);
    write_headings(sheet, &[("", 44.0), ("", 20.0), ("", 60.0)])?;
    write_text(sheet, 1, 0, &plan.name)?;
    // A name of several words stands in quotes in a formula.
    let read = |from: Sums, column: char| match from.name.contains(' ') {
        true => format!("='{}'!{column}{}", from.name, from.row),
        false => format!("={}!{column}{}", from.name, from.row),
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
    put(14, "A kWh, USD", Some(unit), each.get(), CellFormat::Factor)?;
    let together = !matches!(plan.together, ClusterPlans::Stages(_));
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
    put(17, "Cost of ownership, USD", product("=B5+B15*B16"), cost.tco.get(), CellFormat::Money)?;
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
        put(28, "Cost of ownership of it, USD", owned, all.tco.get(), CellFormat::Money)?;
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
