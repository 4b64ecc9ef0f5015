//! Racks counted again from the devices that the cable list names: one number in design, hall and bill, the
//! one that the limit holds, and no rack that is too high or draws too much.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::hall::cables::SPEC;
use crate::support::dice::Dice;
use crate::support::program::{fresh_folder, planner_in};

/// What a command prints as JSON; `None` where there is no design.
#[track_caller]
fn asked(test: &str, command: &str, changes: &[String]) -> Option<Value> {
    let folder = fresh_folder(&format!("{test}-{command}"));
    std::fs::write(folder.join("spec.toml"), SPEC).expect("a spec");
    let mut arguments = vec![command, "spec.toml", "--format", "json"];
    changes.iter().for_each(|change| arguments.extend(["--set", change]));
    let ran = planner_in(&folder, &arguments);
    match ran.status {
        0 => Some(serde_json::from_str(&ran.stdout).expect("JSON")),
        3 => None,
        _ => panic!("{changes:?}: {}", ran.stderr),
    }
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} of {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// A cluster, its network, its hall and what stands beside it. Links are transceivers, so that what a port
/// draws is one line of the bill.
fn drawn(dice: &mut Dice) -> Vec<String> {
    let gpus = 256 * dice.between(1, 3);
    let mut all = vec![
        format!("cluster.gpus={gpus}"),
        format!("training.global_batch={gpus}"),
        "cluster.links=by-end".to_owned(),
        "failures.standby=1".to_owned(),
        format!("hall.rack_power={} kW", dice.between(22, 70)),
        format!("hall.machines_per_rack={}", dice.between(2, 6)),
        format!("hall.unit_machines={}", [8, 16, 32, 64][dice.roll(4) as usize]),
        format!("hall.racks_per_row={}", dice.between(6, 24)),
    ];
    let fabric = ["clos", "rail-optimized", "auto"][dice.roll(3) as usize];
    all.push(format!("cluster.fabric={fabric}"));
    let switches = ["[\"qm9700\"]", "[\"n9600-64od\"]"][dice.roll(2) as usize];
    all.push(format!("cluster.switches={switches}"));
    if dice.chance(50) {
        all.push(format!("limits.rack_power={} kW", dice.between(22, 70)));
    }
    if dice.chance(40) {
        all.push(format!("hall.switches_per_rack={}", dice.between(3, 12)));
    }
    if dice.chance(50) {
        all.push("limits.across_rails=1".to_owned());
    }
    if dice.chance(60) {
        for table in ["storage", "in_band", "out_of_band"] {
            all.push(format!("networks.{table}={{}}"));
        }
        all.push(format!("networks.control={{racks={}}}", dice.between(1, 4)));
        all.push("installation.hours_per_rack=1".to_owned());
    }
    all
}

/// What stands in each rack, by the device list: rack units and watts. Empty ones have nothing.
fn stands(cables: &Value, watts: &BTreeMap<String, f64>) -> BTreeMap<String, (f64, f64)> {
    let mut all: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for rack in list(cables, "racks") {
        all.insert(rack["name"].as_str().expect("a name").to_owned(), (0.0, 0.0));
    }
    for device in list(cables, "devices") {
        let rack = all.get_mut(device["rack"].as_str().expect("a rack")).expect("a known rack");
        rack.0 += number(device, "height");
        rack.1 += watts[device["model"].as_str().expect("a model")];
    }
    all
}

/// Watts of a device by model, every port of a compute switch lit: from the bill and the design.
fn watts(bill: &Value, design: &Value) -> BTreeMap<String, f64> {
    let lines = || list(bill, "bom").iter();
    let power = |role: &str| {
        lines().find(|line| line["role"] == role).map(|value| number(value, "power_w"))
    };
    let count =
        |role: &str| lines().find(|line| line["role"] == role).map(|value| number(value, "count"));
    let nics = count("nic").expect("interfaces") / count("node").expect("machines");
    let optic = power("optic").expect("links end");
    let mut all = BTreeMap::new();
    for line in bill["networks"]["bom"].as_array().into_iter().flatten() {
        all.insert(line["part"].as_str().expect("a part").to_owned(), number(line, "power_w"));
    }
    for line in lines() {
        let name = line["part"].as_str().expect("a part").to_owned();
        let own = number(line, "power_w");
        if line["role"] == "node" {
            all.insert(name, own + nics * power("nic").expect("interfaces"));
        } else if line["role"] == "switch" {
            let tier = list(&design["fabric"], "tiers")
                .iter()
                .find(|value| value["model"] == name.as_str());
            let ports = number(tier.expect("it is in use"), "radix");
            all.insert(name, own + ports * optic);
        }
    }
    all
}

fn all(racks: &Value) -> u64 {
    ["nodes", "switches", "others"].iter().map(|key| number(racks, key) as u64).sum()
}

#[test]
fn one_number_of_racks_in_design_hall_and_bill_and_the_limit_holds_it() {
    let mut dice = Dice(20261125);
    let (mut designed, mut tighter, mut refused) = (0, 0, 0);
    for case in 0..7 {
        let mut changes = drawn(&mut dice);
        let test = format!("one-number-{case}");
        let Some(design) = asked(&test, "design", &changes) else { continue };
        designed += 1;
        let racks = &design["racks"];
        let stated = all(racks);
        let least = number(racks, "least") as u64;
        assert!(least <= stated, "{changes:?}: {racks}");
        let cables = asked(&test, "cables", &changes).expect("it has a design");
        let bill = asked(&test, "bill", &changes).expect("it has a design");
        let found = stands(&cables, &watts(&bill, &design));
        assert_eq!(found.len() as u64, stated, "{changes:?}");
        if let Some(table) = bill["networks"]["racks"].as_object() {
            let sum: u64 = table.values().filter_map(Value::as_u64).sum();
            assert_eq!(sum, stated, "{changes:?}");
            let hours = number(
                &list(&bill, "installation")[list(&bill, "installation").len() - 1],
                "count",
            );
            assert_eq!(hours as u64, stated, "an hour a rack: {changes:?}");
        }
        // No limit stated, none exceeded; each rack within its height and power.
        let most = ["hall.rack_power=", "limits.rack_power="].iter().filter_map(|key| {
            let value = changes.iter().find_map(|change| change.strip_prefix(key))?;
            value.strip_suffix(" kW")?.parse::<f64>().ok()
        });
        let most = most.fold(f64::INFINITY, f64::min) * 1e3;
        for (rack, (units, drawn)) in &found {
            assert!(*units <= 42.0, "{rack}: {units} U, {changes:?}");
            assert!(*drawn <= most * (1.0 + 1e-9), "{rack}: {drawn} W of {most}, {changes:?}");
        }
        // The limit: what stands passes, what would do passes, one less is another design or none.
        for most in [stated, least, least - 1] {
            changes.push(format!("limits.racks={most}"));
            let test = format!("{test}-{most}");
            match asked(&test, "design", &changes) {
                Some(under) => {
                    let cables = asked(&test, "cables", &changes).expect("it has a design");
                    assert!(all(&under["racks"]) <= most, "{changes:?}: {}", under["racks"]);
                    assert_eq!(list(&cables, "racks").len() as u64, all(&under["racks"]));
                    if most == least - 1 {
                        assert_ne!(under["fabric"], design["fabric"], "{changes:?}");
                        tighter += 1;
                    }
                }
                None => {
                    assert_eq!(most, least - 1, "{changes:?}");
                    refused += 1;
                }
            }
            changes.pop();
        }
    }
    assert!(
        designed >= 5 && refused >= 3,
        "{designed} designs, {tighter} others, {refused} refused"
    );
}
