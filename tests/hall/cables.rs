//! The cable list in JSON, checked by plain arithmetic on what it states.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

/// A spec that ships with NetBox's import: 1,024 H100.
pub(crate) const SPEC: &str = include_str!("../netbox/spec.toml");

/// JSON of a command on the spec with changes.
#[track_caller]
pub(crate) fn json(test: &str, command: &str, changes: &[&str]) -> Value {
    serde_json::from_str(&text(test, command, "json", changes)).expect("JSON")
}

/// What a command prints on the spec with changes.
#[track_caller]
pub(crate) fn text(test: &str, command: &str, format: &str, changes: &[&str]) -> String {
    let folder = fresh_folder(&format!("{test}-{command}-{format}"));
    std::fs::write(folder.join("spec.toml"), SPEC).expect("a spec");
    let mut arguments = vec![command, "spec.toml", "--format", format];
    changes.iter().for_each(|change| arguments.extend(["--set", change]));
    let ran = planner_in(&folder, &arguments);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

/// Clusters of unlike machines, fabrics and halls.
pub(crate) const CASES: [&[&str]; 6] = [
    &[],
    &["hall.racks_per_row=10", "hall.leaf_racks=end", "hall.side_m=0"],
    &["cluster.fabric=clos", "hall.switches_per_rack=4"],
    &[
        "cluster.node=gb200-nvl72",
        "cluster.gpus=1152",
        "cluster.switches=[\"q3400\"]",
        "training.global_batch=1152",
        "hall.rack_power=140 kW",
        "cluster.links=by-end",
    ],
    &["cluster.node=h100-500w-node", "cluster.switches=[\"n9600-64od\"]", "hall.racks_per_row=6"],
    // Links of 200 Gb/s below switches that are joined at 400 Gb/s.
    &[
        "cluster.node=h100-500w-node",
        "cluster.switches=[\"n9600-64od\"]",
        "cluster.fabric=clos",
        "cluster.nic=mine",
        "hardware.nics.mine={bandwidth=\"200 Gb/s\",power=\"25 W\",cage=\"qsfp112\",price=\"$1500\"}",
    ],
];

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} of {value}"))
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} of {value}"))
}

#[test]
fn no_two_devices_take_the_same_unit_and_no_rack_is_overloaded() {
    for (place, changes) in CASES.iter().enumerate() {
        let found = json(&format!("racks-{place}"), "cables", changes);
        let units = number(&found["hall"], "rack_units") as u64;
        let most = found["hall"]["rack_power_w"].as_f64().unwrap_or(f64::INFINITY);
        let mut taken = BTreeSet::new();
        for device in list(&found, "devices") {
            let (bottom, height) =
                (number(device, "rack_unit") as u64, number(device, "height") as u64);
            assert!(bottom >= 1 && bottom + height - 1 <= units, "{device} is out of its rack");
            for unit in bottom..bottom + height {
                assert!(
                    taken.insert((word(device, "rack"), unit)),
                    "{device}: unit {unit} is taken"
                );
            }
        }
        let mut places = BTreeSet::new();
        for rack in list(&found, "racks") {
            assert!(number(rack, "power_w") <= most * (1.0 + 1e-12), "{rack}");
            assert!(places.insert((number(rack, "row") as u64, number(rack, "place") as u64)));
        }
    }
}

/// The way of each cable, from rows, places and units as they are printed: up, along, across, down.
#[test]
fn ways_are_those_of_the_plan_that_is_printed() {
    for (place, changes) in CASES.iter().enumerate() {
        let found = json(&format!("ways-{place}"), "cables", changes);
        let hall = &found["hall"];
        let at = |key: &str| number(hall, key);
        let racks: BTreeMap<&str, &Value> =
            list(&found, "racks").iter().map(|rack| (word(rack, "name"), rack)).collect();
        // Metres from the front of the first row, row by row: its depth, then an aisle.
        let across = |rack: &Value| {
            let row = number(rack, "row") as u32;
            (0..row).fold(0.0, |all, row| {
                let aisle = if row % 2 == 0 { at("hot_aisle_m") } else { at("cold_aisle_m") };
                all + at("rack_depth_m") + aisle
            })
        };
        for cable in list(&found, "cables") {
            let ends = [&cable["a"], &cable["b"]];
            let [a, b] = ends.map(|end| racks[word(end, "rack")]);
            let [low, high] = ends.map(|end| number(end, "rack_unit"));
            let up = |unit: f64| (at("rack_units") - unit) * 0.04445 + at("tray_m") + at("side_m");
            let expected = if word(a, "name") == word(b, "name") {
                (low - high).abs() * 0.04445 + at("side_m") + at("slack_m")
            } else {
                let along = (number(a, "place") - number(b, "place")).abs() * at("rack_pitch_m");
                up(low) + up(high) + along + (across(a) - across(b)).abs() + at("slack_m")
            };
            // A port may be between two units.
            let way = number(cable, "routed_m");
            assert!((way - expected).abs() <= 0.04445 + 0.006, "{cable}: {expected}");
            assert!(number(cable, "length_m") >= way - 0.006, "{cable} is too short");
        }
    }
}

/// Each link of the wiring is one of the list, each port is used once, and both ends bear one label.
#[test]
fn every_link_of_the_fabric_is_on_the_list_once() {
    for (place, changes) in CASES.iter().enumerate() {
        let test = format!("links-{place}");
        let found = json(&test, "cables", changes);
        let mut ports = BTreeSet::new();
        let mut listed: BTreeMap<[String; 2], u64> = BTreeMap::new();
        for cable in list(&found, "cables") {
            let ends = [&cable["a"], &cable["b"]].map(|end| {
                let (device, port) = (word(end, "device"), word(end, "port"));
                assert!(
                    ports.insert((device.to_owned(), port.to_owned())),
                    "{device} {port} twice"
                );
                device.to_owned()
            });
            *listed.entry(ends).or_default() += 1;
        }
        let mut wired: BTreeMap<[String; 2], u64> = BTreeMap::new();
        for line in text(&test, "topology", "csv", changes).lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let device = |name: &str| match name
                .strip_prefix("gpu-")
                .and_then(|given_text| given_text.split_once('.'))
            {
                Some((domain, _)) => format!("node-{domain}"),
                None => name.to_owned(),
            };
            *wired.entry([device(cells[1]), device(cells[3])]).or_default() += 1;
        }
        assert_eq!(listed, wired);
    }
}

/// Where links are modules and cables, the bill has what the list takes: each cable once, and a module for
/// each cage in use.
#[test]
fn the_bill_has_the_cables_and_modules_of_the_list() {
    for (place, changes) in CASES.iter().enumerate() {
        if changes.contains(&"cluster.links=by-end") {
            continue;
        }
        let test = format!("bill-{place}");
        let found = json(&test, "cables", changes);
        let mut pieces: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for cable in list(&found, "cables") {
            let mut add = |part: &str, piece: String| {
                if !part.is_empty() {
                    pieces.entry(part.to_owned()).or_default().insert(piece);
                }
            };
            add(word(cable, "part"), format!("{}", cable["cable"]));
            for end in ["a", "b"] {
                let cage = format!("{} {}", cable[end]["device"], cable[end]["cage"]);
                add(word(cable, &format!("{end}_module")), cage);
            }
        }
        let listed: BTreeMap<String, u64> =
            pieces.into_iter().map(|(part, all)| (part, all.len() as u64)).collect();
        let bill = json(&test, "bill", changes);
        let bought: BTreeMap<String, u64> = list(&bill, "bom")
            .iter()
            .filter(|line| ["optic", "cable"].contains(&word(line, "role")))
            .map(|line| (word(line, "part").to_owned(), number(line, "count") as u64))
            .collect();
        // Cages of unlike kinds are not filled up by one another: a module a switch is left to rounding.
        let mixed = changes.contains(&"cluster.node=h100-500w-node");
        let slack = if mixed { 20 } else { 0 };
        assert_eq!(bought.keys().collect::<Vec<_>>(), listed.keys().collect::<Vec<_>>());
        for (part, count) in &listed {
            let off = bought[part].abs_diff(*count);
            assert!(off <= slack, "{part}: {} bought, {count} listed, {changes:?}", bought[part]);
        }
    }
}
