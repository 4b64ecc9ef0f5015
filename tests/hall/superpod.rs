//! The DGX H100 SuperPOD of four scalable units (NVIDIA, RA-11333-001): 127 machines in racks of four.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::hall::cables::{json, text};

const POD: [&str; 7] = [
    "cluster.gpus=1016",
    "training.global_batch=1016",
    "cluster.fabric=rail-optimized",
    "limits.across_rails=1",
    "hall.machines_per_rack=4",
    "hall.rack_power=48 kW",
    "failures.standby=0",
];

fn lines(found: &Value, role: &str) -> usize {
    let racks = found["racks"].as_array().expect("racks");
    racks.iter().filter(|rack| rack["role"] == role).count()
}

/// Tables 7 and 8 there: 32 racks of machines, 32 leaf and 16 spine switches, 1,016 cables of 400 Gb/s from
/// machines and 1,024 between switches. The guide states no length of any of these; its bill orders all in
/// 30 m "as the length depends on the hall", which all of ours are within.
#[test]
fn its_racks_switches_and_cables_are_those_of_the_guide() {
    let found = json("superpod", "cables", &POD);
    assert_eq!(lines(&found, "machines"), 32);
    let devices = found["devices"].as_array().expect("devices");
    let named = |start: &str| {
        let name =
            |value: &&Value| value["name"].as_str().is_some_and(|name| name.starts_with(start));
        devices.iter().filter(name).count()
    };
    assert_eq!([named("node-"), named("leaf-"), named("spine-")], [127, 32, 16]);
    let mut by_class: BTreeMap<&str, (u32, f64)> = BTreeMap::new();
    for cable in found["cables"].as_array().expect("cables") {
        let class = cable["class"].as_str().expect("a class");
        let (count, longest) = by_class.entry(class).or_default();
        *count += 1;
        *longest = longest.max(cable["length_m"].as_f64().expect("a length"));
    }
    assert_eq!(by_class["nic-leaf"].0, 1016);
    assert_eq!(by_class["leaf-spine"].0, 1024);
    assert!(by_class.values().all(|(_, longest)| *longest <= 30.0), "{by_class:?}");
    // A scalable unit is a row of nine racks: eight of machines with the leaf rack in the middle.
    assert_eq!(found["hall"]["scalable_units"], 4);
}

/// What planning guides say of such a hall: within a row of nine racks with the leaf rack in the middle
/// 4 · 0.6 m along, 1.5 m up and down at either end and 0.5 m of slack, so 5.9 m and a cable of 7 m, where ours
/// also leave a rack at its side; 15 m from an interface to its rail's leaf switch, 30 m between neighbouring
/// tiers (Yan et al., SIGCOMM 2025) and 30 m for all in the bill of the reference architecture.
#[test]
fn its_cables_are_as_long_as_guides_have_them() {
    let found = json("superpod-lengths", "cables", &POD);
    let mut longest: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    let mut sold: BTreeMap<(&str, u64), u64> = BTreeMap::new();
    for cable in found["cables"].as_array().expect("cables") {
        let class = cable["class"].as_str().expect("a class");
        let [way, metres] =
            ["routed_m", "length_m"].map(|key| cable[key].as_f64().expect("metres"));
        let pair = longest.entry(class).or_default();
        *pair = (pair.0.max(way), pair.1.max(metres));
        *sold.entry((class, metres as u64)).or_default() += 1;
    }
    let (host, between) = (longest["nic-leaf"], longest["leaf-spine"]);
    let side = 2.0 * found["hall"]["side_m"].as_f64().expect("metres");
    assert!((host.0 - 5.9).abs() <= side, "{} m, the rule has 5.9 m", host.0);
    assert_eq!(host.1, 7.0, "the length that is sold");
    assert!(between.1 <= 30.0 && host.1 <= 15.0, "{longest:?}");
    // What docs/halls.md says of it.
    let sold: Vec<((&str, u64), u64)> = sold.into_iter().collect();
    let expected = [
        (("leaf-spine", 5), 12),
        (("leaf-spine", 7), 244),
        (("leaf-spine", 10), 256),
        (("leaf-spine", 15), 512),
        (("nic-leaf", 5), 645),
        (("nic-leaf", 7), 371),
    ];
    assert_eq!(sold, expected);
}

/// A sheet of a rack has each port in it.
#[test]
fn a_crew_sheet_has_every_port_of_its_rack() {
    let csv = text("sheet", "cables", "csv", &POD);
    let rack =
        csv.lines().nth(1).and_then(|line| line.split(',').nth(12)).expect("a rack").to_owned();
    let ends = |line: &&str| {
        let cells: Vec<&str> = line.split(',').collect();
        u64::from(cells[6] == rack) + u64::from(cells[12] == rack)
    };
    let all: u64 = csv.lines().skip(1).map(|line| ends(&line)).sum();
    let folder = crate::support::program::fresh_folder("sheet-of-rack");
    std::fs::write(folder.join("spec.toml"), crate::hall::cables::SPEC).expect("a spec");
    let mut arguments = vec!["cables", "spec.toml", "--rack", &rack, "--section", "crew-sheets"];
    POD.iter().for_each(|change| arguments.extend(["--set", change]));
    let ran = crate::support::program::planner_in(&folder, &arguments);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let rows = ran.stdout.lines().filter(|line| line.trim_start().starts_with(&format!("{rack}-")));
    assert_eq!(rows.count() as u64, all);
    arguments[3] = "Z99";
    let refused = crate::support::program::planner_in(&folder, &arguments);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("no rack `Z99`"), "{}", refused.stderr);
}
