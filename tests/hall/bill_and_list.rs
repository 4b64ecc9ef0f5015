//! What is ordered is what is plugged: over drawn designs the modules, splitters and cables of `planner
//! cables` are those of `planner bill`, part by part. Both are counted here from the list by plain
//! arithmetic: a cage in use has one module, a cable is one piece however many links share it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::hall::cables::{SPEC, json};
use crate::support::program::{fresh_folder, planner_in};

/// A small generator, so that the same designs are drawn everywhere (xorshift, Marsaglia 2003).
struct Draw(u64);

impl Draw {
    fn choose<'a>(&mut self, all: &[&'a str]) -> &'a str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        all[(self.0 % all.len() as u64) as usize]
    }
}

/// Changes of the spec that make a drawn design.
fn drawn(draw: &mut Draw) -> Vec<String> {
    let machines = [
        "cluster.node=dgx-h100|cluster.switches=[\"qm9700\"]",
        "cluster.node=h100-500w-node|cluster.switches=[\"n9600-64od\"]",
        "cluster.node=h100-500w-node|cluster.switches=[\"sn5610\"]",
        "cluster.node=hgx-b300|cluster.switches=[\"sn5600\"]|cluster.max_planes=2",
        // Links of 200 Gb/s: splitters, below switches that are joined at 400 Gb/s.
        "cluster.node=h100-500w-node|cluster.switches=[\"n9600-64od\"]|cluster.nic=mine|hardware.nics.mine=\
         {bandwidth=\"200 Gb/s\",power=\"25 W\",cage=\"qsfp112\",price=\"$1500\"}",
    ];
    let gpus = ["256", "512", "768", "1024", "1280", "2048"];
    let mut all: Vec<String> = draw.choose(&machines).split('|').map(str::to_owned).collect();
    let gpus = draw.choose(&gpus);
    all.extend([format!("cluster.gpus={gpus}"), format!("training.global_batch={gpus}")]);
    all.push(format!(
        "cluster.fabric={}",
        draw.choose(&["rail-optimized", "clos", "rail-only", "auto"])
    ));
    all.push(format!("hall.machines_per_rack={}", draw.choose(&["1", "2", "4"])));
    all.push(format!("hall.racks_per_row={}", draw.choose(&["6", "9", "20", "40"])));
    all.push(format!("hall.leaf_racks={}", draw.choose(&["middle", "end"])));
    all.push(format!("hall.switches_per_rack={}", draw.choose(&["2", "4", "8"])));
    all.push(format!("hall.side_m={}", draw.choose(&["0", "0.3", "1.5"])));
    all
}

/// Pieces of a cable list by part.
fn listed(list: &Value) -> BTreeMap<String, u64> {
    let word = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut plugs: BTreeMap<(String, u64), BTreeSet<String>> = BTreeMap::new();
    let mut cables: BTreeMap<u64, BTreeSet<(String, String)>> = BTreeMap::new();
    for link in list["cables"].as_array().expect("a list") {
        let part = word(link, "part");
        for (end, module) in [("a", "a_module"), ("b", "b_module")] {
            let plug = match word(link, module) {
                none if none.is_empty() => format!("copper {}", link["kind"]),
                module => module,
            };
            let cage = link[end]["cage"].as_u64().expect("a cage");
            plugs.entry((word(&link[end], "device"), cage)).or_default().insert(plug);
        }
        let number = link["cable"].as_u64().expect("a number");
        cables.entry(number).or_default().insert((part, word(link, "kind")));
    }
    let mut all = BTreeMap::new();
    for (cage, texts) in plugs {
        assert_eq!(texts.len(), 1, "{cage:?} holds {texts:?}: one cage takes one plug");
        let plug = texts.into_iter().next().expect("one");
        if !plug.starts_with("copper ") {
            *all.entry(plug).or_insert(0) += 1;
        }
    }
    for (number, pairs) in cables {
        assert_eq!(pairs.len(), 1, "cable {number} is {pairs:?}");
        let (part, _) = pairs.into_iter().next().expect("one");
        *all.entry(part).or_insert(0) += 1;
    }
    all
}

/// Modules and cables of a bill by part, those that stand by left out.
fn billed(bill: &Value) -> BTreeMap<String, u64> {
    let lines = bill["bom"].as_array().expect("a bill").iter();
    let links = lines.filter(|line| ["optic", "cable"].iter().any(|role| line["role"] == *role));
    let each = links.map(|line| {
        let name = line["part"].as_str().expect("a name").to_owned();
        (name, line["count"].as_u64().expect("a count"))
    });
    each.collect()
}

#[test]
fn drawn_designs_buy_what_their_cable_lists_have() {
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let (mut same, mut copper, mut split) = (0, 0, 0);
    for place in 0..24 {
        let changes = drawn(&mut draw);
        let folder = fresh_folder(&format!("bill-and-list-{place}"));
        std::fs::write(folder.join("spec.toml"), SPEC).expect("a spec");
        let run = |command: &str| {
            let mut arguments = vec![command, "spec.toml", "--format", "json"];
            changes.iter().for_each(|change| arguments.extend(["--set", change]));
            planner_in(&folder, &arguments)
        };
        let bill = run("bill");
        if bill.status != 0 {
            continue; // no such design, or no such hall
        }
        let list = run("cables");
        assert_eq!(list.status, 0, "{changes:?}: {}", list.stderr);
        let read = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
        let (bill, list) = (read(&bill.stdout), read(&list.stdout));
        let found = listed(&list);
        assert_eq!(billed(&bill), found, "{changes:?}");
        same += 1;
        copper += u32::from(found.keys().any(|part| part.starts_with("active")));
        split += u32::from(found.keys().any(|part| part.contains("split")));
    }
    assert!(same >= 20 && copper >= 3 && split >= 2, "{same} designs, {copper}, {split}");
}

/// The design that bill and list once counted differently: 40 leaf switches of which 32 have 64 ports in
/// use and 8 have 40, under 8 spines of 40: 32 · 32 + 8 · 20 + 8 · 20 modules, and not those of 40 alike
/// switches of 59 or 60 ports.
#[test]
fn uneven_leaf_switches_have_modules_for_their_own_ports() {
    let changes = ["cluster.gpus=2048", "training.global_batch=2048", "failures.standby=0"];
    let bill = billed(&json("uneven-bill", "bill", &changes));
    let list = listed(&json("uneven-list", "cables", &changes));
    assert_eq!(bill["twin-sr4-800g"], 32 * 32 + 8 * 20 + 8 * 20);
    assert_eq!(bill, list);
    // Where no hall is stated all links are as long as the spec says, and as many modules are bought.
    let folder = fresh_folder("uneven-no-hall");
    let spec = SPEC.split("[hall]").next().expect("a spec");
    std::fs::write(folder.join("spec.toml"), spec).expect("a spec");
    let sets = changes.iter().flat_map(|change| ["--set", change]);
    let arguments: Vec<&str> =
        ["bill", "spec.toml", "--format", "json"].into_iter().chain(sets).collect();
    let ran = planner_in(&folder, &arguments);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let stated = billed(&serde_json::from_str(&ran.stdout).expect("JSON"));
    assert_eq!(stated["twin-sr4-800g"], bill["twin-sr4-800g"]);
}

/// Spare machines that have ports have the same ones on the bill, in the cable list, in the topology and in the files
/// for NetBox; those that have none are bought and stand there, and nothing ends at them.
#[test]
fn spare_machines_have_the_same_ports_in_every_file() {
    let of_rails = ["cluster.gpus=512", "training.global_batch=512", "failures.standby=3"];
    for (quantity, fabric, wired) in [
        ("usd-per-token", "rail-only", 3_u64),
        ("usd-per-token", "clos", 3),
        ("capex", "rail-only", 0),
    ] {
        let own = [format!("objective.minimize={quantity}"), format!("cluster.fabric={fabric}")];
        let changes: Vec<&str> =
            of_rails.into_iter().chain(own.iter().map(String::as_str)).collect();
        let name = format!("spare-ports-{quantity}-{fabric}");
        let (trained, bought, nics) = (64, 67, 8);
        let ports = (trained + wired) * nics;
        let bill = json(&name, "bill", &changes);
        let count = |role: &str| -> u64 {
            let lines = bill["bom"].as_array().expect("a bill").iter();
            lines
                .filter(|line| line["role"] == role)
                .filter_map(|line| line["count"].as_u64())
                .sum()
        };
        assert_eq!((count("node"), count("nic")), (bought, bought * nics), "{name}");
        let list = json(&name, "cables", &changes);
        assert_eq!(billed(&bill), listed(&list), "{name}");
        let host = |cable: &&Value| cable["class"] == "nic-leaf";
        let of_list: Vec<&Value> =
            list["cables"].as_array().expect("a list").iter().filter(host).collect();
        let ends: BTreeSet<String> = of_list
            .iter()
            .map(|cable| format!("{} {}", cable["a"]["device"], cable["a"]["port"]))
            .collect();
        assert_eq!((of_list.len() as u64, ends.len() as u64), (ports, ports), "{name}");
        let topology = json(&name, "topology", &changes);
        let of_topology = topology["cables"].as_array().expect("a list").iter().filter(host);
        let links: u64 = of_topology.filter_map(|cable| cable["links"].as_u64()).sum();
        assert_eq!(links, ports, "{name}");
        let folder = fresh_folder(&format!("{name}-netbox"));
        std::fs::write(folder.join("spec.toml"), SPEC).expect("a spec");
        std::fs::create_dir(folder.join("files")).expect("a folder");
        let mut arguments = vec!["cables", "spec.toml", "--format", "netbox", "-o", "files"];
        changes.iter().for_each(|change| arguments.extend(["--set", change]));
        assert_eq!(planner_in(&folder, &arguments).status, 0, "{name}");
        let rows = |file: &str, with: &str| {
            let text = std::fs::read_to_string(folder.join(file)).expect("a file");
            text.lines().filter(|line| line.contains(with)).count() as u64
        };
        assert_eq!(rows("files/6-devices.csv", "GPU machine"), bought, "{name}");
        assert_eq!(rows("files/7-cables.csv", "node-"), ports, "{name}");
        let design = json(&name, "design", &changes);
        let of_year = |key: &str| design["failures"][key].as_u64();
        assert_eq!(of_year("standby_domains"), Some(3), "{name}");
        assert_eq!(of_year("standby_wired_domains"), Some(wired), "{name}");
    }
}
