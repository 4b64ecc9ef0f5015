//! Files that NetBox imports, in the order in which it wants them: what is named first has to be
//! there. Columns are those that its versions from 4.0 on have; a branch of a splitter is a cable
//! of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::HallSheet;
use super::cable_list::{
    cable_colour, cable_label, device_model, device_name, link_kind_name, port_name, rack_name,
};
use crate::fabric::{FabricNode, TierName};
use crate::hall::{CableRun, Device, Port};
use crate::hardware::{Cage, Protocol, RackSpace, Switch};
use crate::report::format::csv_of;
use crate::report::table::{Cell, Column, Table};
use crate::units::Bandwidth;

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

/// Maker of every device type: the catalogue names products and not their makers.
const MAKER: &str = "planner";

/// Device types by model.
pub(super) struct DeviceTypes(BTreeMap<String, DeviceType>);

/// One device type.
struct DeviceType {
    height: u32,
    /// Names of interfaces by cage and lane, each with its type.
    interfaces: BTreeMap<Port, &'static str>,
    note: String,
}

impl DeviceTypes {
    /// Those of the design, and those of all switches that the catalogue has.
    fn from_hall(sheet: &HallSheet<'_>) -> Self {
        let mut used: BTreeMap<String, BTreeSet<Port>> = BTreeMap::new();
        for end in sheet.installed.cabling.runs.iter().flat_map(|run| &run.ends) {
            let model = device_model(sheet, end.device).to_owned();
            used.entry(model).or_default().insert(end.port);
        }
        let mut all: BTreeMap<String, DeviceType> = BTreeMap::new();
        for switch in sheet.switches {
            let ports = used.get(&switch.name);
            all.insert(switch.name.clone(), switch_device_type(sheet, switch, ports));
        }
        let node = &sheet.plan.nodes.node;
        let height = match node.space {
            Some(RackSpace::Units(units)) => units,
            _ => sheet.installed.rack.units,
        };
        let [_, cage] = sheet.installed.cages;
        let link = sheet.installed.graph.port_rate();
        let kind = netbox_interface_type(cage, link, sheet.installed.protocol);
        let ports = used.get(&node.name).into_iter().flatten();
        let interfaces = ports.map(|port| (*port, kind)).collect();
        let note = "compute interfaces alone".to_owned();
        all.insert(node.name.clone(), DeviceType { height, interfaces, note });
        for group in sheet.installed.others.device_kinds() {
            let note = "interfaces left out: its links are not laid".to_owned();
            let kind = DeviceType { height: group.units, interfaces: BTreeMap::new(), note };
            all.entry(group.model.clone()).or_insert(kind);
        }
        Self(all)
    }

    /// Slug and text of each.
    fn device_type_files(&self) -> impl Iterator<Item = (String, String)> + '_ {
        self.0.iter().map(|(name, kind)| (netbox_slug(name), device_type_yaml(name, kind)))
    }
}

fn switch_device_type(
    sheet: &HallSheet<'_>,
    switch: &Switch,
    used: Option<&BTreeSet<Port>>,
) -> DeviceType {
    let link = sheet.installed.graph.port_rate();
    let (lanes, rate) = match used.and_then(|ports| ports.first()) {
        Some(port) => (port.lanes, link),
        None => cage_links_and_rate(switch),
    };
    let kind = |rate| netbox_interface_type(switch.cage, rate, switch.protocol);
    let mut interfaces: BTreeMap<Port, &'static str> =
        used.into_iter().flatten().map(|port| (*port, kind(link))).collect();
    let known: BTreeSet<u32> = interfaces.keys().map(|port| port.cage).collect();
    let most = used.into_iter().flatten().map(|port| port.cage).max().unwrap_or(0);
    for cage in 1..=switch.cages.unwrap_or(most) {
        let free = (1..=lanes).map(|lane| Port { cage, lane, lanes });
        // A cage in use may have a lane that is not.
        let alike = |port: &Port| {
            !known.contains(&cage)
                || interfaces
                    .keys()
                    .any(|this_port| this_port.cage == cage && this_port.lanes == port.lanes)
        };
        let free: Vec<Port> = free.filter(alike).collect();
        for port in free {
            interfaces.entry(port).or_insert_with(|| kind(rate));
        }
    }
    let note = match switch.cages {
        Some(cages) => format!("{cages} cages"),
        None => "cages in use alone".to_owned(),
    };
    DeviceType { height: switch.rack_units.unwrap_or(1), interfaces, note }
}

/// Links of a cage and their rate as its maker counts ports: two a twin cage.
fn cage_links_and_rate(switch: &Switch) -> (u32, Bandwidth) {
    let twin = matches!(switch.cage, Some(Cage::OsfpTwin | Cage::Osfp224 | Cage::OsfpTwinFlat));
    let lanes = if twin { 2 } else { 1 };
    let whole = switch.cage.map_or(switch.port_bandwidth, Cage::bandwidth);
    (lanes, whole / f64::from(lanes))
}

/// The application's type of an interface at a rate in a cage; `other` where it has none.
fn netbox_interface_type(cage: Option<Cage>, rate: Bandwidth, protocol: Protocol) -> &'static str {
    let gigabits = rate.as_gigabits().round() as u32;
    match (gigabits, cage, protocol) {
        (200, _, Protocol::Infiniband) => "infiniband-hdr",
        (400, _, Protocol::Infiniband) => "infiniband-ndr",
        (800, _, Protocol::Infiniband) => "infiniband-xdr",
        (100, Some(Cage::Qsfp28), _) => "100gbase-x-qsfp28",
        (200, Some(Cage::Qsfp56), _) => "200gbase-x-qsfp56",
        (400, Some(Cage::Qsfp112), _) => "400gbase-x-qsfp112",
        (400, Some(Cage::OsfpFlat | Cage::OsfpTwinFlat | Cage::Osfp224Flat), _) => {
            "400gbase-x-osfp-rhs"
        }
        (400, Some(_), _) => "400gbase-x-osfp",
        (800, Some(_), _) => "800gbase-x-osfp",
        _ => "other",
    }
}

fn device_type_yaml(name: &str, kind: &DeviceType) -> String {
    // Names of a catalogue are keys of TOML: quotes are all that could end them.
    let safe = name.replace(['\\', '"'], "");
    let mut text = format!(
        "---\nmanufacturer: {MAKER}\nmodel: \"{safe}\"\nslug: {}\nu_height: {}\n\
         is_full_depth: true\ncomments: \"{}\"\ninterfaces:\n",
        netbox_slug(name),
        kind.height,
        kind.note
    );
    for (port_of, word) in &kind.interfaces {
        // Writing to a string can't fail.
        let _ = writeln!(text, "  - name: \"P{port_of}\"\n    type: {word}");
    }
    if kind.interfaces.is_empty() {
        text = text.replace("interfaces:\n", "");
    }
    text
}

/// Small letters, digits and dashes.
fn netbox_slug(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
        _ => '-',
    });
    letters.take(LONGEST_TYPE_NAME).collect()
}

/// Longest slug that the application takes.
const LONGEST_TYPE_NAME: usize = 100;
