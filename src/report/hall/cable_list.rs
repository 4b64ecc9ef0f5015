//! The list of cables, sheets for those who lay them, and names of devices.

use super::HallSheet;
use crate::design::InstalledPlan;
use crate::fabric::FabricNode;
use crate::hall::{CableRun, Colour, Device, End, LinkKindInHall};
use crate::report::document::Section;
use crate::report::number;
use crate::report::table::{Cell, Column, Table};
use crate::report::words::exact_number;

/// Every link in the order of wiring, or those that end in the racks that are asked for: for a
/// spreadsheet alone, as there are tens of thousands.
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

/// Modules of the end nearer to interfaces and of the other one; the switch's comes first in the
/// kind.
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

/// A sheet for each rack that is asked for, or for all; without `whole` only what says how to see
/// them.
pub(super) fn rack_sheets_section(sheet: &HallSheet<'_>, whole: bool) -> Section {
    let plan = sheet.installed;
    let brief = "`--rack A01` prints the sheet of a rack, `-v` those of all";
    if !whole {
        return Section::new("CREW SHEETS", brief).with_long_rank(brief);
    }
    let mut by_rack: Vec<Vec<(End, End, &CableRun)>> = vec![Vec::new(); plan.floor.racks.len()];
    for run in &plan.cabling.runs {
        let [a, b] = run.ends;
        for (here, there) in [(a, b), (b, a)] {
            if let Some(rack) = by_rack.get_mut(here.spot.rack) {
                rack.push((here, there, run));
            }
        }
    }
    let named = by_rack.into_iter().enumerate().map(|(index, runs)| (rack_name(plan, index), runs));
    let wanted = named.filter(|(name, _)| sheet.racks.is_empty() || sheet.racks.contains(name));
    let filled = wanted.filter(|(_, runs)| !runs.is_empty());
    let section = Section::new("CREW SHEETS", "every port of a rack, from the top down");
    let all = filled.fold(section, |all, (name, runs)| add_rack_sheet(sheet, all, &name, runs));
    match sheet.racks {
        [] => all.with_long_rank(brief),
        _ => all,
    }
}

fn add_rack_sheet(
    sheet: &HallSheet<'_>,
    all: Section,
    name: &str,
    mut runs: Vec<(End, End, &CableRun)>,
) -> Section {
    let plan = sheet.installed;
    // From the top of the rack down, port by port.
    runs.sort_by_key(|(here, ..)| {
        (std::cmp::Reverse(here.spot.half_units), here.device, here.port)
    });
    let mut table = Table::new(vec![
        Column::words("here", "here"),
        Column::words("device", "device"),
        Column::words("there", "there"),
        Column::words("far device", "far_device"),
        Column::numbers("cable", "cable"),
        Column::words("part", "part"),
        Column::numbers("m", "length_m"),
        Column::words("colour", "colour"),
    ]);
    for (here, there, run) in &runs {
        table.push_row(vec![
            Cell::words(end_label(plan, here)),
            Cell::words(device_name(plan, here.device)),
            Cell::words(end_label(plan, there)),
            Cell::words(device_name(plan, there.device)),
            Cell::count(run.cable),
            link_kind_name(plan, run).map_or_else(Cell::no_value, |hall| Cell::words(&hall.cable)),
            Cell::count(run.cable_m),
            cable_colour(run).map_or_else(Cell::no_value, |colour| Cell::words(colour.name)),
        ]);
    }
    let ends = number::count_with_noun(runs.len() as u64, "end", "ends");
    all.add_line(format!("rack {name}: {ends} of cables")).add_table(table)
}

/// Name of a device.
pub(super) fn device_name(plan: &InstalledPlan, device: Device) -> String {
    match device {
        Device::Machine(domain) => format!("node-{domain}"),
        Device::Node(number) => plan.graph.node(number).map_or_else(String::new, FabricNode::name),
        Device::Beside(number) => {
            let found = plan.others.numbered_devices().nth(number);
            found.map_or_else(String::new, |(kind, number)| format!("{}-{number}", kind.name))
        }
    }
}

/// Model of a device in the catalogue; empty for another host.
pub(super) fn device_model<'a>(sheet: &HallSheet<'a>, device: Device) -> &'a str {
    match device {
        Device::Machine(_) => &sheet.plan.nodes.node.name,
        Device::Node(number) => match sheet.installed.graph.node(number) {
            Some(FabricNode::Switch { model, .. }) => {
                let models = sheet.installed.graph.switch_models();
                models.get(model as usize).map_or("", |sku| sku.name.as_str())
            }
            _ => "",
        },
        Device::Beside(number) => {
            let found = sheet.installed.others.numbered_devices().nth(number);
            found.map_or("", |(kind, _)| kind.model.as_str())
        }
    }
}

/// Name of the rack of an index; empty where there is none.
pub(super) fn rack_name(plan: &InstalledPlan, index: usize) -> String {
    plan.floor.racks.get(index).map_or_else(String::new, ToString::to_string)
}

/// Name of a port, as the device types have it.
pub(super) fn port_name(end: &End) -> String {
    format!("P{}", end.port)
}

/// An end as labels have it: rack, rack unit and port (after TIA-606, without the room).
fn end_label(plan: &InstalledPlan, end: &End) -> String {
    place_in(&rack_name(plan, end.spot.rack), end)
}

/// Label of a link: both ends, alike at either.
pub(super) fn cable_label(plan: &InstalledPlan, run: &CableRun) -> String {
    let racks = run.ends.map(|end| rack_name(plan, end.spot.rack));
    label_in(racks.each_ref().map(String::as_str), run)
}

/// Label of a link between racks of these names.
fn label_in(racks: [&str; 2], run: &CableRun) -> String {
    let [a, b] = run.ends;
    format!("{}/{}", place_in(racks[0], &a), place_in(racks[1], &b))
}

fn place_in(rack: &str, end: &End) -> String {
    format!("{rack}-{:02}:P{}", end.rack_unit(), end.port)
}

/// What it is bought as; `None` where no part is known.
pub(super) fn link_kind_name<'a>(
    plan: &'a InstalledPlan,
    run: &CableRun,
) -> Option<&'a LinkKindInHall> {
    run.joined.and_then(|joined| plan.cabling.joined.get(joined))
}

/// Its colour; `None` where it serves several rails.
pub(super) fn cable_colour(run: &CableRun) -> Option<Colour> {
    run.rail.map(Colour::rail_colour)
}
