//! Sheets for those who pull cables: one for each rack, every port in it with its far end.

use super::super::document::Section;
use super::super::number;
use super::super::table::{Cell, Column, Table};
use super::HallSheet;
use super::names::{cable_colour, device_name, end_label, link_kind_name, rack_name};
use crate::hall::{CableRun, End};

/// A sheet for each rack that is asked for, or for all; without `whole` only what says how to see them.
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
