//! JSON of a hall: racks, devices and cables, on one line each.

use serde::Serialize;

use super::HallSheet;
use super::cable_list::{
    cable_colour, cable_label, cable_way_metres, device_model, device_name, end_modules,
    link_kind_name, port_name, rack_name,
};
use crate::hall::{Device, End, RackSeat};
use crate::report::words::exact_number;

#[derive(Serialize)]
struct HallJson<'a> {
    schema: &'static str,
    name: &'a str,
    hall: Hall,
    racks: Vec<Rack>,
    devices: Vec<DeviceRow<'a>>,
    cables: Vec<CableRow<'a>>,
}

#[derive(Serialize)]
struct Hall {
    stated: bool,
    rows: u32,
    scalable_units: u32,
    rack_units: u32,
    rack_power_w: Option<f64>,
    rack_pitch_m: f64,
    rack_depth_m: f64,
    hot_aisle_m: f64,
    cold_aisle_m: f64,
    tray_m: f64,
    side_m: f64,
    slack_m: f64,
}

#[derive(Serialize)]
struct Rack {
    name: String,
    row: u32,
    place: u32,
    role: &'static str,
    scalable_unit: Option<u32>,
    power_w: f64,
}

#[derive(Serialize)]
struct DeviceRow<'a> {
    name: String,
    model: &'a str,
    rack: String,
    rack_unit: u32,
    height: u32,
}

#[derive(Serialize)]
struct EndRow {
    device: String,
    port: String,
    cage: u32,
    lane: u32,
    rack: String,
    rack_unit: u32,
}

#[derive(Serialize)]
struct CableRow<'a> {
    cable: u32,
    label: String,
    a: EndRow,
    b: EndRow,
    part: Option<&'a str>,
    kind: Option<&'a str>,
    a_module: &'a str,
    b_module: &'a str,
    length_m: u32,
    routed_m: f64,
    colour: Option<&'static str>,
    rail: Option<u32>,
    plane: u32,
    class: &'static str,
}

pub(super) fn cables_json(sheet: &HallSheet<'_>) -> String {
    let plan = sheet.installed;
    let (floor, hall) = (&plan.floor, &plan.hall);
    let row = |(of_device, seat): (Device, &RackSeat)| DeviceRow {
        name: device_name(plan, of_device),
        model: device_model(sheet, of_device),
        rack: rack_name(plan, seat.rack),
        rack_unit: seat.bottom,
        height: seat.height,
    };
    let end = |end: &End| EndRow {
        device: device_name(plan, end.device),
        port: port_name(end),
        cage: end.port.cage,
        lane: end.port.lane,
        rack: rack_name(plan, end.spot.rack),
        rack_unit: end.rack_unit(),
    };
    let cable = |run| {
        let joined = link_kind_name(plan, run);
        let [a_module, b_module] = end_modules(run, joined);
        CableRow {
            cable: run.cable,
            label: cable_label(plan, run),
            a: end(&run.ends[0]),
            b: end(&run.ends[1]),
            part: joined.map(|in_hall| in_hall.cable.as_str()),
            kind: joined.map(|in_hall| in_hall.kind.as_str()),
            a_module,
            b_module,
            length_m: run.cable_m,
            routed_m: cable_way_metres(run),
            colour: cable_colour(run).map(|this_colour| this_colour.name),
            rail: run.rail,
            plane: run.plane,
            class: run.class.name(),
        }
    };
    let document = HallJson {
        schema: "planner/cables/1",
        name: &sheet.plan.name,
        hall: Hall {
            stated: hall.stated,
            rows: floor.rows_in_use(),
            scalable_units: floor.units,
            rack_units: plan.rack.units,
            rack_power_w: plan.rack.most_power().map(|power| exact_number(power.get())),
            rack_pitch_m: exact_number(hall.rack_pitch.get()),
            rack_depth_m: exact_number(hall.rack_depth.get()),
            hot_aisle_m: exact_number(hall.hot_aisle.get()),
            cold_aisle_m: exact_number(hall.cold_aisle.get()),
            tray_m: exact_number(hall.tray.get()),
            side_m: exact_number(hall.side.get()),
            slack_m: exact_number(hall.slack.get()),
        },
        racks: floor
            .racks
            .iter()
            .map(|rack| Rack {
                name: rack.to_string(),
                row: rack.row,
                place: rack.place,
                role: rack.role.name(),
                scalable_unit: rack.unit,
                power_w: exact_number(rack.power.get()),
            })
            .collect(),
        devices: sheet.device_seats().map(row).collect(),
        cables: plan.cabling.runs.iter().map(cable).collect(),
    };
    crate::report::json::write(&document)
}
