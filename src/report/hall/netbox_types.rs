//! Device types for NetBox: each model with the interfaces of its cages, as the design uses them; two a
//! twin cage where it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::HallSheet;
use super::names::device_model;
use crate::hall::Port;
use crate::hardware::{Cage, Protocol, RackSpace, Switch};
use crate::units::Bandwidth;

/// Maker of every device type: the catalogue names products and not their makers.
pub(super) const MAKER: &str = "planner";

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
    pub(super) fn from_hall(sheet: &HallSheet<'_>) -> Self {
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
    pub(super) fn device_type_files(&self) -> impl Iterator<Item = (String, String)> + '_ {
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
pub(super) fn netbox_slug(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
        _ => '-',
    });
    letters.take(LONGEST_TYPE_NAME).collect()
}

/// Longest slug that the application takes.
const LONGEST_TYPE_NAME: usize = 100;
