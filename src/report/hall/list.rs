//! The cable list: a row for each link, with both ends, the label, the part and its length.

use super::super::table::{Cell, Column, Table};
use super::HallSheet;
use super::names::{colour, device, joined, label, port, rack};
use crate::hall::Run;

/// Every link in the order of wiring, or those that end in the racks that are asked for.
pub(super) fn list(sheet: &HallSheet<'_>) -> Table {
    let of = sheet.installed;
    let mut table = Table::new(columns());
    for run in &of.cabling.runs {
        let racks = run.ends.map(|end| rack(of, end.spot.rack));
        if sheet.racks.is_empty() || racks.iter().any(|rack| sheet.racks.contains(rack)) {
            table.row(row(sheet, run, racks));
        }
    }
    table
}

fn columns() -> Vec<Column> {
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

fn row(sheet: &HallSheet<'_>, run: &Run, racks: [String; 2]) -> Vec<Cell> {
    let of = sheet.installed;
    let count = |value: u32| Cell::count(value);
    let mut cells = vec![count(run.cable), Cell::words(label(of, run))];
    for (end, rack) in run.ends.iter().zip(racks) {
        cells.extend([
            Cell::words(device(of, end.device)),
            Cell::words(port(end)),
            count(end.port.cage),
            count(end.port.lane),
            Cell::words(rack),
            count(end.unit()),
        ]);
    }
    let joined = joined(of, run);
    let [near, far] = modules(run, joined);
    cells.extend([
        joined.map_or_else(Cell::none, |of| Cell::words(&of.cable)),
        joined.map_or_else(Cell::none, |of| Cell::words(&of.kind)),
        count(run.cable_m),
        Cell::shown(format!("{:.1} m", run.way.get()), centimetres(run)),
        colour(run).map_or_else(Cell::none, |of| Cell::words(of.name)),
        run.rail.map_or_else(Cell::none, Cell::count),
        count(run.plane),
        Cell::words(run.class.name()),
        Cell::words(near),
        Cell::words(far),
    ]);
    cells
}

/// Its way to a centimetre, in metres.
pub(super) fn centimetres(run: &Run) -> f64 {
    (run.way.get() * 100.0).round() / 100.0
}

/// Modules of the end nearer to interfaces and of the other one; the switch's comes first in the kind.
pub(super) fn modules<'a>(run: &Run, joined: Option<&'a crate::hall::Joined>) -> [&'a str; 2] {
    let Some(joined) = joined else { return [""; 2] };
    let (switch, far) = (joined.near_module.as_str(), joined.far_module.as_str());
    match run.class {
        crate::fabric::LinkClass::Host => [far, switch],
        _ => [switch, far],
    }
}
