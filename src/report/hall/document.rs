//! The report of `planner cables`: the hall, its racks, cables by part and length, sheets for
//! crews.

use std::collections::BTreeMap;

use super::cable_list::{self, device_name, link_kind_name, rack_name};
use super::{HallSheet, json};
use crate::cost::Role;
use crate::hall::{CableRun, RackRole};
use crate::report::command::multi_cluster::{ClusterReport, Figure, report_each_cluster};
use crate::report::document::{Document, Screen, Section};
use crate::report::format::{Detail, Format, RenderOptions};
use crate::report::section::fabric::has_links_as_parts;
use crate::report::sheet::ClusterSheets;
use crate::report::table::{Cell, Column, Table};
use crate::report::topology::drawing::hall::{RackedDevice, draw_hall_rows, draw_rack_elevations};
use crate::report::topology::export::stack_drawings;
use crate::report::{number, words};
use crate::units::Metres;

/// The cables of every cluster in the wanted format, with a line break at its end.
#[must_use]
pub fn render_cables(sheets: &ClusterSheets<'_, HallSheet<'_>>, look: RenderOptions<'_>) -> String {
    report_each_cluster(
        sheets,
        look,
        &ClusterReport {
            document: &|sheet| cables_document(sheet, look),
            json: &json::cables_json,
            beside: &cables_side_by_side,
            whole: None,
        },
    )
}

fn cables_side_by_side(sheet: &HallSheet<'_>) -> Vec<Figure> {
    let plan = sheet.installed;
    vec![
        (Column::numbers("racks", "racks"), Cell::count(plan.floor.racks.len() as u64)),
        (Column::numbers("links", "links"), Cell::count(plan.cabling.runs.len() as u64)),
    ]
}

/// What the look shows: lists are long, and each is made only for who reads it.
fn cables_document(sheet: &HallSheet<'_>, look: RenderOptions<'_>) -> Document {
    let title = format!("{}: cables", sheet.plan.name);
    match (look.detail, look.format) {
        (Detail::Names, _) => {}
        (_, Format::Json) => return Document { title, ..Document::default() },
        (_, Format::Csv) => {
            return Document {
                title,
                sections: Vec::new(),
                screen: None,
                sheet: cable_list::cable_list_table(sheet),
            };
        }
        _ => {}
    }
    let whole = match look.detail {
        Detail::Full | Detail::Sections(_) => true,
        Detail::Usual => look.format == Format::Html || !sheet.racks.is_empty(),
        Detail::Summary | Detail::Names => false,
    };
    let hint = "--rack A01: the crew sheet of a rack; --all: every rack, every sheet";
    let (hall, cables) = (hall_section(sheet), cables_by_part(sheet));
    let more = vec![hall.clone(), cables.clone().add_line(hint)];
    let screen = Screen { more, ..Screen::from_verdict(cables_verdict(sheet)) };
    let screen = sheet.racks.is_empty().then_some(screen);
    let sections =
        vec![hall, cables, racks_section(sheet), cable_list::rack_sheets_section(sheet, whole)];
    Document { title, sections, screen, ..Document::default() }
}

fn cables_verdict(sheet: &HallSheet<'_>) -> String {
    let (racks, runs) = (&sheet.installed.floor.racks, &sheet.installed.cabling.runs);
    let racks = number::count_with_noun(racks.len() as u64, "rack", "racks");
    let links = number::count_with_noun(runs.len() as u64, "link", "links");
    let longest = runs.iter().map(|run| run.way.get()).fold(0.0, f64::max);
    format!("{racks}, {links}; the longest way of one is {longest:.1} m.")
}

/// Where it stands, and what that rests on.
fn hall_section(sheet: &HallSheet<'_>) -> Section {
    let plan = sheet.installed;
    let (floor, hall) = (&plan.floor, &plan.hall);
    let beside = match floor.racks_of(RackRole::Others) {
        0 => String::new(),
        racks => format!(", {} of the other networks", number::count(racks)),
    };
    let lead = format!(
        "{} in {}, {}: {} of machines, {} of leaf switches, {} of spine switches{beside}",
        number::count_with_noun(floor.racks.len() as u64, "rack", "racks"),
        number::count_with_noun(floor.rows_in_use(), "row", "rows"),
        number::count_with_noun(floor.units, "scalable unit", "scalable units"),
        number::count(floor.racks_of(RackRole::Machines)),
        number::count(floor.racks_of(RackRole::Leafs)),
        number::count(floor.racks_of(RackRole::Spines)),
    );
    let fed = plan.rack.most_power().map_or_else(
        || "power of a rack not limited".to_owned(),
        |power| format!("{} a rack", number::power(power)),
    );
    let metres = |length: Metres| words::exact_number(length.get());
    let mut section = Section::new("HALL", lead).with_summary_rank().add_drawing_on_top(
        "Racks from the front",
        "Each rack with its devices by rack unit; RACKS and the crew sheets have them in words.",
        rack_elevations(sheet),
    );
    section = section.add_drawing_on_top(
        "The hall from above",
        "Rows of racks by what they hold; RACKS has them in words.",
        floor_plan(sheet),
    );
    section = section.add_line(format!(
        "racks of {} U, {fed}, {} m apart, {} a row; aisles of {} m and {} m, trays {} m above the racks, \
         {} m of slack{}",
        plan.rack.units,
        metres(hall.rack_pitch),
        hall.racks_per_row,
        metres(hall.hot_aisle),
        metres(hall.cold_aisle),
        metres(hall.tray),
        metres(hall.slack),
        if hall.stated { "" } else { " (assumed: the spec has no `[hall]`)" }
    ));
    if floor.shared {
        section = section.add_line(
            "scalable units share racks, and leaf switches theirs with those above: racks are limited",
        );
    }
    if !floor.beside.is_empty() {
        section = section.add_line(
            "the cables are those of the compute network: links of the other networks are counted, and \
             not laid",
        );
    }
    let unknown = plan.cabling.runs.iter().filter(|run| run.joined.is_none()).count() as u64;
    if unknown > 0 {
        section = section.add_line(format!(
            "{}: no part of the catalogue joins these ends and reaches so far; lengths are rounded up to \
             usual ones",
            number::count_with_noun(unknown, "link has no part number", "links have no part number")
        ));
    } else if let Some(billed) = billed_parts_sentence(sheet) {
        section = section.add_line(billed);
    }
    section
}

/// What the bill has in place of these modules and cables; `None` where it has these.
fn billed_parts_sentence(sheet: &HallSheet<'_>) -> Option<String> {
    let plan = sheet.plan;
    let all = "`links = \"parts\"` in [cluster] and a [hall] bill these";
    if has_links_as_parts(&plan.bill) {
        return plan.lengths.is_none().then(|| as_stated(sheet));
    }
    let optics = plan.bill.iter().filter(|line| line.role == Role::Optic);
    let optics = optics.map(|line| format!("{} {}", number::count(line.count), line.part));
    Some(format!(
        "the bill has neither these modules nor these cables, but an end of a link each ({}): {all}",
        optics.collect::<Vec<_>>().join(", ")
    ))
}

/// That cables have the lengths of the bill, and how many do not reach so far.
fn as_stated(sheet: &HallSheet<'_>) -> String {
    let plan = sheet.installed;
    let billed = |name: &str| sheet.plan.bill.iter().any(|line| line.part == name);
    let is_longer =
        |run: &&CableRun| link_kind_name(plan, run).is_some_and(|hall| !billed(&hall.cable));
    let longer = plan.cabling.runs.iter().filter(is_longer).count() as u64;
    let lead = "cables are as long as the spec states them, as on the bill";
    match longer {
        0 => format!("{lead}: with a [hall] each is as long as its way"),
        _ => format!(
            "{lead}, but {} longer: with a [hall] the bill has each as long as its way",
            number::count_with_noun(longer, "link is", "links are")
        ),
    }
}

/// Cables by part and length.
fn cables_by_part(sheet: &HallSheet<'_>) -> Section {
    let plan = sheet.installed;
    let mut groups: BTreeMap<(&str, u32, &str), Vec<&CableRun>> = BTreeMap::new();
    for run in &plan.cabling.runs {
        let part = link_kind_name(plan, run).map_or("", |hall| hall.cable.as_str());
        groups.entry((run.class.name(), run.cable_m, part)).or_default().push(run);
    }
    let mut table = Table::new(vec![
        Column::words("joins", "class"),
        Column::words("part", "part"),
        Column::numbers("length", "length_m"),
        Column::numbers("cables", "cables"),
        Column::numbers("links", "links"),
        Column::numbers("shortest way", "shortest_m"),
        Column::numbers("longest way", "longest_m"),
    ]);
    for ((class, metres, part), runs) in groups {
        let mut numbers: Vec<u32> = runs.iter().map(|run| run.cable).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let each =
            runs.first().and_then(|run| link_kind_name(plan, run)).map_or(1, |hall| hall.cables);
        let ways = || runs.iter().map(|run| run.way.get());
        let way = |value: f64| Cell::with_text_and_value(format!("{value:.1} m"), value);
        table.push_row(vec![
            Cell::words(class),
            if part.is_empty() { Cell::no_value() } else { Cell::words(part) },
            Cell::with_text_and_value(format!("{metres} m"), metres.into()),
            Cell::count(numbers.len() as u64 * u64::from(each)),
            Cell::count(runs.len() as u64),
            way(ways().fold(f64::INFINITY, f64::min)),
            way(ways().fold(0.0, f64::max)),
        ]);
    }
    let links = number::count_with_noun(plan.cabling.runs.len() as u64, "link", "links");
    Section::new("CABLES", links).add_table(table).with_summary_rank()
}

/// Every rack.
fn racks_section(sheet: &HallSheet<'_>) -> Section {
    let plan = sheet.installed;
    let mut table = Table::new(vec![
        Column::words("rack", "rack"),
        Column::words("holds", "role"),
        Column::numbers("unit", "scalable_unit"),
        Column::numbers("devices", "devices"),
        Column::numbers("draws", "power_w"),
    ]);
    let mut devices = vec![0_u64; plan.floor.racks.len()];
    sheet.device_seats().for_each(|(_, seat)| {
        if let Some(count) = devices.get_mut(seat.rack) {
            *count += 1;
        }
    });
    for (rack, devices) in plan.floor.racks.iter().zip(devices) {
        table.push_row(vec![
            Cell::words(rack.to_string()),
            Cell::words(rack.role.name()),
            rack.unit.map_or_else(Cell::no_value, |unit| Cell::count(unit + 1)),
            Cell::count(devices),
            Cell::with_text_and_value(number::power(rack.power), rack.power.get()),
        ]);
    }
    let lead = "power with every port of a switch lit";
    Section::new("RACKS", lead)
        .add_table(table)
        .with_long_rank("`-v` lists every rack with what it draws")
}

/// Each hall from above and its racks from the front, all as one SVG, ending in a line feed.
#[must_use]
pub fn hall_drawings(sheets: &[HallSheet<'_>]) -> String {
    let each = sheets.iter().flat_map(|sheet| [floor_plan(sheet), rack_elevations(sheet)]);
    stack_drawings(&each.collect::<Vec<String>>())
}

/// Rows of racks, and the aisles between them.
fn floor_plan(sheet: &HallSheet<'_>) -> String {
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
fn rack_elevations(sheet: &HallSheet<'_>) -> String {
    let plan = sheet.installed;
    let devices: Vec<RackedDevice<'_>> = sheet
        .device_seats()
        .map(|(one, seat)| RackedDevice { name: device_name(plan, one), seat })
        .collect();
    let wanted =
        |index: usize| sheet.racks.is_empty() || sheet.racks.contains(&rack_name(plan, index));
    draw_rack_elevations(&sheet.plan.name, &plan.floor, &devices, &wanted)
}
