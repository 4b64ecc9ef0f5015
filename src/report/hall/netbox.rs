//! Files that NetBox imports, in the order in which it wants them: what is named first has to be there.
//! Columns are those that its versions from 4.0 on have; a branch of a splitter is a cable of its own.

use super::super::format::csv_of;
use super::super::table::{Cell, Column, Table};
use super::HallSheet;
use super::names::{
    cable_colour, cable_label, device_model, device_name, link_kind_name, port_name, rack_name,
};
use super::netbox_types::{DeviceTypes, MAKER, netbox_slug};
use crate::fabric::{FabricNode, TierName};
use crate::hall::{CableRun, Device};

/// Name and text of each file.
#[must_use]
pub fn netbox_import_files(sheet: &HallSheet<'_>) -> Vec<(String, String)> {
    let models = DeviceTypes::from_hall(sheet);
    let mut files = vec![
        ("1-sites.csv".to_owned(), csv_of(&sites_table(sheet))),
        ("2-manufacturers.csv".to_owned(), csv_of(&manufacturers_table())),
        ("3-device-roles.csv".to_owned(), csv_of(&roles_table(sheet))),
    ];
    files.extend(
        models.device_type_files().map(|(name, text)| (format!("4-device-type-{name}.yaml"), text)),
    );
    files.extend([
        ("5-racks.csv".to_owned(), csv_of(&racks_table(sheet))),
        ("6-devices.csv".to_owned(), csv_of(&devices_table(sheet))),
        ("7-cables.csv".to_owned(), csv_of(&netbox_cables_table(sheet))),
    ]);
    files
}

const MACHINE: &str = "GPU machine";
const LEAF: &str = "Leaf switch";
const SPINE: &str = "Spine switch";
const BESIDE: &str = "Other network";

fn text_table(keys: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new(keys.iter().map(|key| Column::words(key, key)).collect());
    for row in rows {
        table.push_row(row.into_iter().map(Cell::words).collect());
    }
    table
}

/// Longest name that the application takes for a site.
const LONGEST_DEVICE_NAME: usize = 100;

fn site_name(sheet: &HallSheet<'_>) -> String {
    sheet.plan.name.chars().take(LONGEST_DEVICE_NAME).collect()
}

fn sites_table(sheet: &HallSheet<'_>) -> Table {
    let site = site_name(sheet);
    let row = vec![site.clone(), netbox_slug(&site), "planned".to_owned()];
    text_table(&["name", "slug", "status"], [row])
}

fn manufacturers_table() -> Table {
    text_table(&["name", "slug"], [vec![MAKER.to_owned(), netbox_slug(MAKER)]])
}

fn roles_table(sheet: &HallSheet<'_>) -> Table {
    let beside = !sheet.installed.floor.beside.is_empty();
    let all = [(MACHINE, "2196f3"), (LEAF, "ff9800"), (SPINE, "9c27b0")];
    let all = all.into_iter().chain(beside.then_some((BESIDE, "9e9e9e")));
    let row = |(name, hex): (&str, &str)| vec![name.to_owned(), netbox_slug(name), hex.to_owned()];
    text_table(&["name", "slug", "color"], all.map(row))
}

fn racks_table(sheet: &HallSheet<'_>) -> Table {
    let (site, plan) = (site_name(sheet), sheet.installed);
    let row = |rack: &crate::hall::RackPlace| {
        vec![
            site.clone(),
            rack.to_string(),
            "planned".to_owned(),
            "19".to_owned(),
            plan.rack.units.to_string(),
            rack.role.name().to_owned(),
        ]
    };
    let keys = ["site", "name", "status", "width", "u_height", "description"];
    text_table(&keys, plan.floor.racks.iter().map(row))
}

fn devices_table(sheet: &HallSheet<'_>) -> Table {
    let (site, plan) = (site_name(sheet), sheet.installed);
    let row = |(one, seat): (Device, &crate::hall::RackSeat)| {
        vec![
            device_name(plan, one),
            device_role(sheet, one).to_owned(),
            MAKER.to_owned(),
            device_model(sheet, one).to_owned(),
            site.clone(),
            rack_name(plan, seat.rack),
            seat.bottom.to_string(),
            "front".to_owned(),
            "planned".to_owned(),
        ]
    };
    let keys = [
        "name",
        "role",
        "manufacturer",
        "device_type",
        "site",
        "rack",
        "position",
        "face",
        "status",
    ];
    text_table(&keys, sheet.device_seats().map(row))
}

fn device_role(sheet: &HallSheet<'_>, device: Device) -> &'static str {
    let number = match device {
        Device::Machine(_) => return MACHINE,
        Device::Beside(_) => return BESIDE,
        Device::Node(number) => number,
    };
    match sheet.installed.graph.node(number) {
        Some(FabricNode::Switch { tier: TierName::Leaf, .. }) => LEAF,
        _ => SPINE,
    }
}

fn netbox_cables_table(sheet: &HallSheet<'_>) -> Table {
    let plan = sheet.installed;
    let row = |run: &CableRun| {
        let mut cells = Vec::new();
        for end in &run.ends {
            cells.extend([
                device_name(plan, end.device),
                "dcim.interface".to_owned(),
                port_name(end),
            ]);
        }
        let joined = link_kind_name(plan, run);
        let part = joined.map_or("", |hall| hall.cable.as_str());
        let rail = run.rail.map_or_else(String::new, |rail| format!(", rail {rail}"));
        cells.extend([
            joined.map_or("", |hall| netbox_cable_type(&hall.family)).to_owned(),
            "planned".to_owned(),
            cable_label(plan, run),
            cable_colour(run).map_or("", |colour| colour.hex).to_owned(),
            run.cable_m.to_string(),
            "m".to_owned(),
            format!("cable {}: {part}{rail}", run.cable),
        ]);
        cells
    };
    let keys = [
        "side_a_device",
        "side_a_type",
        "side_a_name",
        "side_b_device",
        "side_b_type",
        "side_b_name",
        "type",
        "status",
        "label",
        "color",
        "length",
        "length_unit",
        "description",
    ];
    text_table(&keys, plan.cabling.runs.iter().map(row))
}

/// The application's name of a family of cables.
fn netbox_cable_type(family: &str) -> &'static str {
    match family {
        "om4" | "om4-split" | "shuffle" => "mmf-om4",
        "os2" => "smf-os2",
        family if family.starts_with("active") => "dac-active",
        family if family.starts_with("copper") => "dac-passive",
        _ => "",
    }
}
