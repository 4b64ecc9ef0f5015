//! What lists, sheets and drawings of a hall call its devices, racks and cables.

use super::HallSheet;
use crate::design::InstalledPlan;
use crate::fabric::FabricNode;
use crate::hall::{CableRun, Colour, Device, End, LinkKindInHall};

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
pub(super) fn end_label(plan: &InstalledPlan, end: &End) -> String {
    place_in(&rack_name(plan, end.spot.rack), end)
}

/// Label of a link: both ends, alike at either.
pub(super) fn cable_label(plan: &InstalledPlan, run: &CableRun) -> String {
    let racks = run.ends.map(|end| rack_name(plan, end.spot.rack));
    label_in(racks.each_ref().map(String::as_str), run)
}

/// Label of a link between racks of these names.
pub(super) fn label_in(racks: [&str; 2], run: &CableRun) -> String {
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
