//! Drawings of a hall: its rows from above, its racks from the front.

use super::HallSheet;
use super::names::{device_name, rack_name};
use crate::report::number;
use crate::report::topology::drawing::hall::{RackedDevice, draw_hall_rows, draw_rack_elevations};
use crate::report::topology::several::stack_drawings;

/// Each hall from above and its racks from the front, all as one SVG, ending in a line feed.
#[must_use]
pub fn hall_drawings(sheets: &[HallSheet<'_>]) -> String {
    let each = sheets.iter().flat_map(|sheet| [floor_plan(sheet), rack_elevations(sheet)]);
    stack_drawings(&each.collect::<Vec<String>>())
}

/// Rows of racks, and the aisles between them.
pub(super) fn floor_plan(sheet: &HallSheet<'_>) -> String {
    let floor = &sheet.installed.floor;
    let sentence = format!(
        "{} in {}, {}",
        number::count_with_noun(floor.racks.len() as u64, "rack", "racks"),
        number::count_with_noun(floor.rows_in_use(), "row", "rows"),
        number::count_with_noun(floor.units, "scalable unit", "scalable units"),
    );
    draw_hall_rows(&sheet.plan.name, &sentence, floor)
}

/// Racks with what stands in them: those that are asked for, else the first.
pub(super) fn rack_elevations(sheet: &HallSheet<'_>) -> String {
    let plan = sheet.installed;
    let devices: Vec<RackedDevice<'_>> = sheet
        .device_seats()
        .map(|(one, seat)| RackedDevice { name: device_name(plan, one), seat })
        .collect();
    let wanted =
        |index: usize| sheet.racks.is_empty() || sheet.racks.contains(&rack_name(plan, index));
    draw_rack_elevations(&sheet.plan.name, &plan.floor, &devices, &wanted)
}
