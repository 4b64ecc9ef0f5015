//! The cable list: a row for each link, with both ends, the label, the part and its length.

use super::super::number::exact_number;
use super::super::table::{Cell, Column, Table};
use super::HallSheet;
use super::names::{cable_colour, device_name, label_in, link_kind_name, port_name};
use crate::hall::{CableRun, End};

/// Every link in the order of wiring, or those that end in the racks that are asked for: for a spreadsheet
/// alone, as there are tens of thousands.
pub(super) fn cable_list_table(sheet: &HallSheet<'_>) -> Table {
    let plan = sheet.installed;
    let racks: Vec<String> = plan.floor.racks.iter().map(ToString::to_string).collect();
    let named = |end: &End| racks.get(end.spot.rack).map_or("", String::as_str);
    let mut table = Table::new(cable_list_columns());
    for run in &plan.cabling.runs {
        let racks = [named(&run.ends[0]), named(&run.ends[1])];
        let asked = |rack: &&str| sheet.racks.iter().any(|text| text == rack);
        if sheet.racks.is_empty() || racks.iter().any(asked) {
            table.push_row(cable_list_row(sheet, run, racks));
        }
    }
    table
}

/// A cell of a spreadsheet.
fn raw_cell(text: impl Into<String>) -> Cell {
    Cell { raw: text.into(), text: String::new() }
}

fn cable_list_columns() -> Vec<Column> {
    let mut all = vec![Column::numbers("cable", "cable"), Column::words("label", "label")];
    for side in ["a", "b"] {
        for key in ["device", "port", "cage", "lane", "rack", "rack_unit"] {
            let name = format!("{side}_{key}");
            all.push(match key {
                "device" | "port" | "rack" => Column::words(&name, &name),
                _ => Column::numbers(&name, &name),
            });
        }
    }
    all.extend([
        Column::words("part", "part"),
        Column::words("kind", "kind"),
        Column::numbers("length", "length_m"),
        Column::numbers("way", "routed_m"),
        Column::words("colour", "colour"),
        Column::numbers("rail", "rail"),
        Column::numbers("plane", "plane"),
        Column::words("class", "class"),
        Column::words("a_module", "a_module"),
        Column::words("b_module", "b_module"),
    ]);
    all
}

fn cable_list_row(sheet: &HallSheet<'_>, run: &CableRun, racks: [&str; 2]) -> Vec<Cell> {
    let plan = sheet.installed;
    let count = |value: u32| raw_cell(value.to_string());
    let mut cells = Vec::with_capacity(COLUMNS);
    cells.extend([count(run.cable), raw_cell(label_in(racks, run))]);
    for (end, rack) in run.ends.iter().zip(racks) {
        cells.extend([
            raw_cell(device_name(plan, end.device)),
            raw_cell(port_name(end)),
            count(end.port.cage),
            count(end.port.lane),
            raw_cell(rack),
            count(end.rack_unit()),
        ]);
    }
    let joined = link_kind_name(plan, run);
    let [near, far] = end_modules(run, joined);
    cells.extend([
        raw_cell(joined.map_or("", |hall| &hall.cable)),
        raw_cell(joined.map_or("", |hall| &hall.kind)),
        count(run.cable_m),
        raw_cell(exact_number(cable_way_metres(run)).to_string()),
        raw_cell(cable_colour(run).map_or("", |colour| colour.name)),
        run.rail.map_or_else(Cell::default, count),
        count(run.plane),
        raw_cell(run.class.name()),
        raw_cell(near),
        raw_cell(far),
    ]);
    cells
}

/// Columns of the list.
const COLUMNS: usize = 24;

/// Its way to a centimetre, in metres.
pub(super) fn cable_way_metres(run: &CableRun) -> f64 {
    (run.way.get() * 100.0).round() / 100.0
}

/// Modules of the end nearer to interfaces and of the other one; the switch's comes first in the kind.
pub(super) fn end_modules<'a>(
    run: &CableRun,
    joined: Option<&'a crate::hall::LinkKindInHall>,
) -> [&'a str; 2] {
    let Some(joined) = joined else { return [""; 2] };
    let (switch, far) = (joined.near_module.as_str(), joined.far_module.as_str());
    match run.class {
        crate::fabric::LinkClass::Host => [far, switch],
        _ => [switch, far],
    }
}
