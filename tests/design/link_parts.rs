//! What links are bought as, held against published tables of parts and the bill of a reference
//! architecture.

use planner::cost::{Between, LinkParts};
use planner::design::{Plan, design};
use planner::hardware::{Cage, LinkKind};
use planner::scenario::Scenario;
use planner::units::Bandwidth;

use crate::scenario::ready;

fn starter() -> Scenario {
    ready("starter", &[])
}

/// Those changes, and links that are bought as modules and cables.
fn parts<'a>(changes: &[&'a str]) -> Vec<&'a str> {
    [&["cluster.links=parts"][..], changes].concat()
}

fn designed(changes: &[&str]) -> Plan {
    design(&ready("starter", &parts(changes))).unwrap_or_else(|reason| panic!("{reason}"))
}

/// A kind of link as the vendor's tables have it: links that share the switch's module, links that share
/// the far module (none: 0), cables for so many links, and dollars of both modules, all of one link.
struct Row(&'static str, u32, u32, (u32, u32), f64);

const ROWS: [Row; 16] = [
    // 2 x 400 -> two cards: half a twin module, one fibre, one single module.
    Row("ndr-flat-om4", 2, 1, (1, 1), 439.5 + 769.0),
    Row("ndr-flat-copper", 0, 0, (1, 2), 0.0),
    Row("ndr-flat-active", 0, 0, (1, 2), 0.0),
    Row("ndr-qsfp-om4", 2, 1, (1, 1), 439.5 + 769.0),
    Row("ndr-qsfp-copper", 0, 0, (1, 2), 0.0),
    // 2 x 400 -> a cage with two cards behind it.
    Row("ndr-twin-om4", 2, 2, (1, 1), 439.5 + 624.5),
    // 4 x 200: a quarter of a module, half a splitter, a whole module at the card.
    Row("split-qsfp-om4", 4, 1, (1, 2), 219.75 + 769.0),
    Row("split-qsfp-copper", 0, 0, (1, 4), 0.0),
    Row("split-flat-om4", 4, 1, (1, 2), 219.75 + 769.0),
    Row("split-flat-copper", 0, 0, (1, 4), 0.0),
    // A card of 2 x 400 in two planes: one twin module for both.
    Row("xdr-card-planes-om4", 2, 2, (1, 1), 439.5 + 624.5),
    Row("xdr-card-four-planes", 4, 4, (1, 4), 219.75 + 312.25),
    // Fibres end at a switch with co-packaged optics.
    Row("co-packaged-card-os2", 0, 1, (1, 1), 2248.0),
    // Uplinks: 800 in one port takes two modules and two fibres, 2 x 400 as much in all.
    Row("whole-uplink-om4", 1, 1, (2, 1), 2.0 * 879.0),
    Row("ndr-uplink-om4", 2, 2, (1, 1), 879.0),
    Row("split-uplink", 4, 4, (1, 4), 439.5),
];

#[test]
fn every_kind_of_link_takes_the_parts_of_the_vendor_s_table() {
    let scenario = starter();
    let price = |name: &str| {
        let item = planner::hardware::Item::Part(name.to_owned());
        scenario.prices.prices[&item].amount.get()
    };
    for Row(name, near, far, cables, dollars) in ROWS {
        let found = scenario.catalogue.links.iter().find(|kind| kind.name == name);
        let kind: &LinkKind = found.unwrap_or_else(|| panic!("{name} does not ship"));
        let shared = |module: &Option<String>, links| if module.is_some() { links } else { 0 };
        let ours =
            (shared(&kind.near_module, kind.near_links), shared(&kind.far_module, kind.far_links));
        assert_eq!(ours, (near, far), "{name}: links of a module");
        assert_eq!((kind.cables, kind.cable_links), cables, "{name}: cables");
        let of = |module: &Option<String>, links: u32| {
            module.as_deref().map_or(0.0, |module| price(module) / f64::from(links))
        };
        let sum = of(&kind.near_module, kind.near_links) + of(&kind.far_module, kind.far_links);
        assert!((sum - dollars).abs() < 1e-9, "{name}: ${sum} of modules, not ${dollars}");
    }
}

/// No kind asks more of a cage than its lanes carry, nor of a module more than it ends.
#[test]
fn links_fit_the_lanes_of_their_cages() {
    let scenario = starter();
    let carried = |rate: Bandwidth, links: u32| rate.as_gigabits() * f64::from(links);
    for kind in &scenario.catalogue.links {
        let cages = [(kind.near, kind.near_links), (kind.far, kind.far_links)];
        for ((cage, links), module) in cages.into_iter().zip([&kind.near_module, &kind.far_module])
        {
            // A fibre of a switch without cages ends one port.
            let all = carried(kind.rate, links);
            assert!(all <= cage.bandwidth().as_gigabits() + 1e-9, "{}: {}", kind.name, cage.name());
            let Some(module) = module else { continue };
            let optic = scenario.catalogue.optic_named(module).expect("it ships");
            assert!(all <= optic.bandwidth.as_gigabits() + 1e-9, "{}: {module}", kind.name);
        }
    }
    for switch in &scenario.catalogue.switches {
        let (Some(cage), Some(cages)) = (switch.cage, switch.cages) else { continue };
        let ports = f64::from(switch.ports) * switch.port_bandwidth.as_gigabits();
        let lanes = f64::from(cages) * cage.bandwidth().as_gigabits();
        assert_eq!(ports, lanes, "{}: ports and lanes", switch.name);
    }
}

/// The cheapest kind that reaches: copper within two metres, retimed copper to seven, fibre beyond.
#[test]
fn the_medium_follows_from_the_length() {
    let scenario = starter();
    let at = |host_m| {
        let between = Between {
            rate: Bandwidth::gigabits(400.0),
            nic: Cage::OsfpFlat,
            switch: Cage::OsfpTwin,
            host_m,
            uplink_m: 30,
        };
        let parts = LinkParts::of(&scenario.catalogue, &scenario.prices, &between);
        parts.map(|parts| parts.host.cable.name.clone())
    };
    assert_eq!(at(2).as_deref(), Some("copper-2-flat-2m"));
    assert_eq!(at(5).as_deref(), Some("active-2-flat-5m"));
    assert_eq!(at(7).as_deref(), Some("active-2-flat-7m"));
    assert_eq!(at(8).as_deref(), Some("om4-10m"));
    assert_eq!(at(60).as_deref(), Some("os2-100m"));
    assert_eq!(at(200), None);
}

fn pieces(sheet: &Plan, part: &str) -> u64 {
    sheet.bill.iter().find(|line| line.part == part).map_or(0, |line| line.count)
}

/// DGX H100 SuperPOD of four scalable units (RA-11333-001, bill of materials): 32 leaf and 16 spine
/// switches, 1,536 modules in switches and four a machine; 508 there and 2,040 cables, as management
/// servers take the place of one machine of 128.
#[test]
fn a_superpod_of_1024_gpus_takes_the_published_modules() {
    let changes = [
        "cluster.gpus=1024",
        "cluster.switches=[\"qm9700\"]",
        "cluster.fabric=\"clos\"",
        "training.global_batch=1024",
    ];
    let plan = designed(&changes);
    assert_eq!(pieces(&plan, "qm9700"), 32 + 16);
    assert_eq!(pieces(&plan, "twin-sr4-800g"), 1536);
    assert_eq!(pieces(&plan, "twin-sr4-800g-flat"), 508 + 4);
    assert_eq!(pieces(&plan, "om4-15m"), 1016 + 8);
    assert_eq!(pieces(&plan, "om4-30m"), 1024);
}

/// The interfaces of the machine have a port each: one plane. A card that nothing joins is refused, and the
/// message says what would help.
#[test]
fn what_can_not_be_plugged_in_is_refused() {
    assert_eq!(designed(&[]).fabric.planes, 1);
    let card = "hardware.nics.mine={bandwidth=\"200 Gb/s\",power=\"25 W\",cage=\"osfp-twin-flat\",price=\"$2000\"}";
    let refused =
        design(&ready("starter", &parts(&["cluster.nic=mine", card]))).expect_err("no such cable");
    let told = refused.to_string();
    for says in
        ["nothing joins `mine`", "osfp-twin-flat", "cluster.host_cable_m", "[hardware.links]"]
    {
        assert!(told.contains(says), "{told}");
    }
}

/// What a link is priced at by the rate alone, where the reader says so.
#[test]
fn a_price_of_every_end_holds_before_the_parts() {
    let plan = designed(&["prices.transceiver-400g=\"$450\""]);
    assert_eq!(pieces(&plan, "twin-sr4-800g"), 0);
    let end = plan.bill.iter().find(|line| line.part == "dr4-400g").expect("it is bought");
    assert_eq!(end.unit.as_ref().map(|price| price.amount.get()), Some(450.0));
}
