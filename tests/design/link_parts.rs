//! What links are bought as, held against published tables of parts and the bill of a reference
//! architecture.

use planner::cost::{LinkEndParts, LinkParts};
use planner::design::Plan;
use planner::hardware::{CableKind, Cage, LinkKind, Protocol};
use planner::scenario::{Lengths, Scenario, Stretch};
use planner::units::Bandwidth;

use crate::support::scenario::{design, ready};

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
/// the far module (none: 0), cables for so many links, and dollars of both modules and of the cable (where
/// that is no fibre, which is priced by length) of one link.
struct Row(&'static str, u32, u32, (u32, u32), f64, Option<(&'static str, f64)>);

const ROWS: [Row; 32] = [
    // 2 x 400 -> two cards: half a twin module, one fibre, one single module.
    Row("ndr-flat-om4", 2, 1, (1, 1), 439.5 + 769.0, None),
    Row("ndr-flat-copper", 0, 0, (1, 2), 0.0, Some(("copper-2-flat-2m", 149.5))),
    Row("ndr-flat-active", 0, 0, (1, 2), 0.0, Some(("active-2-flat-5m", 1065.5))),
    Row("ndr-qsfp-om4", 2, 1, (1, 1), 439.5 + 1119.0, None),
    Row("ndr-qsfp-os2", 2, 1, (1, 1), 559.5 + 1119.0, None),
    Row("ndr-qsfp-copper", 0, 0, (1, 2), 0.0, Some(("copper-2-qsfp-2m", 149.5))),
    // 2 x 400 -> a cage with two cards behind it.
    Row("ndr-twin-om4", 2, 2, (1, 1), 439.5 + 624.5, None),
    // 4 x 200: a quarter of a module, half a splitter, a whole module at the card.
    Row("split-qsfp-om4", 4, 1, (1, 2), 219.75 + 1119.0, None),
    Row("split-qsfp-copper", 0, 0, (1, 4), 0.0, Some(("copper-4-qsfp-2m", 81.0))),
    Row("split-flat-om4", 4, 1, (1, 2), 219.75 + 769.0, None),
    Row("split-flat-copper", 0, 0, (1, 4), 0.0, Some(("copper-4-flat-2m", 115.25))),
    // A card of 2 x 400 in two planes: one twin module for both.
    Row("xdr-card-planes-om4", 2, 2, (1, 1), 439.5 + 624.5, None),
    Row("xdr-card-planes-os2", 2, 2, (1, 1), 559.5 + 744.5, None),
    // The same card on cages of 1.6 Tb/s, four links in each, and on fibres that end at the switch.
    Row("wide-cage-planes-os2", 4, 2, (1, 1), 462.5 + 744.5, None),
    Row("co-packaged-planes-os2", 0, 2, (1, 1), 744.5, None),
    Row("wide-uplink-os2", 4, 4, (1, 1), 925.0, None),
    // 1 x 800 on lanes of 100 Gb/s: two whole twin modules, two fibres.
    Row("whole-card-om4", 1, 1, (2, 1), 879.0 + 1249.0, None),
    Row("xdr-card-four-planes", 4, 4, (1, 4), 219.75 + 312.25, None),
    // 800 Gb/s of InfiniBand.
    Row("xdr-card-os2", 2, 1, (1, 1), 925.0 + 1600.0, None),
    Row("xdr-uplink-os2", 2, 2, (1, 1), 1850.0, None),
    // Fibres end at a switch with co-packaged optics.
    Row("co-packaged-card-os2", 0, 1, (1, 1), 1600.0, None),
    Row("co-packaged-uplink-os2", 0, 0, (1, 1), 0.0, None),
    Row("co-packaged-uplink-400-os2", 0, 0, (1, 1), 0.0, None),
    // A card of HDR on a switch of NDR: an active optical cable, of which no price is known.
    Row("hdr-card-aoc", 0, 0, (1, 2), 0.0, None),
    // Uplinks: 800 in one port takes two modules and two fibres, 2 x 400 as much in all.
    Row("whole-uplink-om4", 1, 1, (2, 1), 2.0 * 879.0, None),
    Row("whole-uplink-copper", 0, 0, (1, 1), 0.0, Some(("copper-1m", 186.0))),
    Row("ndr-uplink-om4", 2, 2, (1, 1), 879.0, None),
    Row("ndr-uplink-copper", 0, 0, (1, 2), 0.0, Some(("copper-1m", 93.0))),
    Row("ndr-uplink-os2", 2, 2, (1, 1), 1119.0, None),
    Row("split-uplink", 4, 4, (1, 4), 439.5, None),
    // HDR at both ends.
    Row("hdr-card-om4", 1, 1, (1, 1), 2.0 * 299.0, None),
    // EDR likewise.
    Row("edr-om4", 1, 1, (1, 1), 2.0 * 99.0, None),
];

#[test]
fn every_kind_of_link_takes_the_parts_of_the_vendor_s_table() {
    let scenario = starter();
    let price = |name: &str| {
        let item = planner::hardware::PricedItem::Part(name.to_owned());
        scenario.prices.prices[&item].amount.get()
    };
    for Row(name, near, far, cables, dollars, cable) in ROWS {
        let found = scenario.catalogue.links.iter().find(|kind| kind.name == name);
        let kind: &LinkKind = found.unwrap_or_else(|| panic!("{name} does not ship"));
        let shared = |module: &Option<String>, links| if module.is_some() { links } else { 0 };
        let ours =
            (shared(&kind.near_module, kind.near_links), shared(&kind.far_module, kind.far_links));
        assert_eq!(ours, (near, far), "{name}: links of a module");
        assert_eq!((kind.cables, kind.cable_links), cables, "{name}: cables");
        let read = |module: &Option<String>, links: u32| {
            module.as_deref().map_or(0.0, |module| price(module) / f64::from(links))
        };
        let sum = read(&kind.near_module, kind.near_links) + read(&kind.far_module, kind.far_links);
        assert!((sum - dollars).abs() < 1e-9, "{name}: ${sum} of modules, not ${dollars}");
        if let Some((part, dollars)) = cable {
            let found =
                scenario.catalogue.cables.iter().find(|known_cable| known_cable.name == part);
            assert_eq!(
                found.map(|known_cable| known_cable.kind),
                Some(kind.cable),
                "{name}: {part}"
            );
            let sum = price(part) * f64::from(kind.cables) / f64::from(kind.cable_links);
            assert!((sum - dollars).abs() < 1e-9, "{name}: ${sum} of cable, not ${dollars}");
        }
    }
}

/// What the table says cannot be bought joins nothing: copper from one cage of a card to switches of two
/// or four planes; a second cage of a card that has but one.
#[test]
fn no_copper_leads_from_one_cage_to_several_planes() {
    let scenario = starter();
    let read = |far: Cage, gigabits: f64| {
        let rate = Bandwidth::from_gigabits(gigabits);
        let all = scenario.catalogue.links.iter();
        all.filter(move |kind| (kind.far, kind.rate) == (far, rate)).map(|kind| kind.cable)
    };
    for gigabits in [400.0, 200.0] {
        let cables: Vec<CableKind> = read(Cage::Osfp224Flat, gigabits).collect();
        let fibre =
            |kind: &CableKind| matches!(kind, CableKind::Om4 | CableKind::Os2 | CableKind::Shuffle);
        assert!(!cables.is_empty() && cables.iter().all(fibre), "{cables:?}");
    }
}

/// Fibre by length: a fibre's share of trunks, and jumpers of a few metres bought singly, to a dollar or three;
/// retimed copper at retail prices themselves.
#[test]
fn fibre_costs_what_its_line_says() {
    let scenario = starter();
    let price = |name: &str| {
        let item = planner::hardware::PricedItem::Part(name.to_owned());
        scenario.prices.prices.get(&item).map(|price| price.amount.get())
    };
    // (family, most metres, dollars of any, dollars of a metre)
    let lines = [
        (CableKind::Om4, 5, 45.0, 14.0),
        (CableKind::Om4, 50, 83.0, 7.4),
        (CableKind::Om4Split, 50, 110.0, 7.4),
        (CableKind::Os2, 500, 108.0, 2.8),
        (CableKind::Copper, 2, 136.0, 50.0),
    ];
    for cable in &scenario.catalogue.cables {
        let line = lines.iter().find(|pair| pair.0 == cable.kind && cable.length_m <= pair.1);
        let Some((_, _, any, metre)) = line else {
            continue;
        };
        let dollars = price(&cable.name).unwrap_or_else(|| panic!("{} has a price", cable.name));
        let line = any + metre * f64::from(cable.length_m);
        assert!((dollars - line).abs() <= 3.0, "{}: ${dollars}, the line has ${line}", cable.name);
    }
    for (metres, dollars) in [(1, 1664.0), (3, 1870.0), (5, 2131.0), (7, 2504.0)] {
        assert_eq!(price(&format!("active-2-flat-{metres}m")), Some(dollars));
    }
    assert_eq!(price("shuffle-15m"), None, "no price is known");
}

/// Ports of a card by protocol: 2 x 400 or 4 x 200 of Ethernet and never 1 x 800, 1 x 800 of InfiniBand; the
/// card of 400 Gb/s has two planes as the one with two ports.
#[test]
fn planes_are_those_that_a_card_has_ports_for() {
    let scenario = starter();
    let asked = |name: &str| {
        let this_nic = scenario.catalogue.nics.iter().find(|nic| nic.name == name);
        let this_nic = this_nic.unwrap_or_else(|| panic!("{name} ships"));
        let all = [Protocol::Ethernet, Protocol::Infiniband];
        all.map(|protocol| {
            let has = |planes: &u32| this_nic.has_ports_for(*planes, protocol);
            (1..=this_nic.max_planes)
                .filter(|count| count.is_power_of_two())
                .filter(has)
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(asked("xdr-800g"), [vec![2, 4], vec![1]]);
    assert_eq!(asked("ndr-400g"), [vec![1, 2], vec![1, 2]]);
    assert_eq!(asked("bf3-b3140h"), [vec![1], vec![1]]);
    let card = |name: &str| scenario.catalogue.nics.iter().find(|nic| nic.name == name);
    let cages = card("ndr-400g").map(|this_nic| (this_nic.cage, this_nic.plane_cage));
    assert_eq!(cages, Some((Some(Cage::OsfpFlat), Some(Cage::Qsfp112))));
    // On a switch with cages of 2 x 800 Gb/s, whose price is stated here, the card has no Ethernet port.
    let changes = parts(&[
        "cluster.node=hgx-b300",
        "cluster.switches=[\"sn6600\"]",
        "prices.sn6600=\"$90000\"",
        "cluster.max_planes=1",
    ]);
    let refused = design(&ready("starter", &changes)).expect_err("1 x 800 of Ethernet");
    assert!(refused.to_string().contains("nothing joins `xdr-800g`"), "{refused}");
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
    let stretch = |metres| vec![Stretch { reach_m: metres, cable_m: metres, links: 1 }];
    let at = |host_m| {
        let between = LinkEndParts {
            rate: Bandwidth::from_gigabits(400.0),
            width: 1,
            nic: Cage::OsfpFlat,
            switch: Cage::OsfpTwin,
            of_machine: 8,
            lengths: &Lengths { host: stretch(host_m), uplink: stretch(30) },
        };
        let parts = LinkParts::cheapest_link_parts(&scenario.catalogue, &scenario.prices, &between);
        parts.map(|parts| parts.host[0].0.cable.name.clone())
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
        "failures.standby=0",
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

/// A card of HDR takes a switch of HDR, whose modules have prices. On a switch of 100G lanes alone it takes the
/// cable that is sold for that, without a price, and never two modules of HDR.
#[test]
fn a_card_of_hdr_faces_no_port_of_other_lanes() {
    let node = "cluster.node=dgx-a100-80gb";
    let plan = designed(&[node]);
    assert!(pieces(&plan, "sr4-200g-hdr") > 0 && pieces(&plan, "qm8700") > 0, "{:?}", plan.bill);
    let plan = designed(&[node, "cluster.switches=[\"n9600-64od\"]", "failures.standby=0"]);
    assert_eq!((pieces(&plan, "aoc-2-hdr-30m"), pieces(&plan, "sr4-200g")), (128, 0));
    assert!(plan.bill.iter().any(|line| line.part == "aoc-2-hdr-30m" && line.unit.is_none()));
}

/// What a link is priced at by the rate alone, where the reader says so.
#[test]
fn a_price_of_every_end_holds_before_the_parts() {
    let plan = designed(&["prices.transceiver-400g=\"$450\""]);
    assert_eq!(pieces(&plan, "twin-sr4-800g"), 0);
    let end = plan.bill.iter().find(|line| line.part == "dr4-400g").expect("it is bought");
    assert_eq!(end.unit.as_ref().map(|price| price.amount.get()), Some(450.0));
}

/// Cards and switches of the spec's own get the usual cages of their rates, and ASSUMPTIONS says so. At rates
/// without a usual cage, and where the reader prices ends, links are counted by their ends, which is said too.
#[test]
fn what_is_taken_for_granted_of_links_is_said() {
    let own = [
        "hardware.nics.mine={bandwidth=\"400 Gb/s\",power=\"25 W\",price=\"$2000\"}",
        "hardware.switches.box={ports=128,port_speed=\"400 Gb/s\",power=\"1 kW\",price=\"$40000\"}",
        "cluster.nic=mine",
        "cluster.switches=[\"box\"]",
    ];
    let plan = designed(&own);
    assert!(
        pieces(&plan, "twin-sr4-800g") > 0 && pieces(&plan, "dr4-400g") == 0,
        "{:?}",
        plan.bill
    );
    let said = |plan: &Plan, key: &str, word: &str| {
        plan.assumptions
            .iter()
            .any(|assumption| assumption.topic == key && assumption.text.contains(word))
    };
    assert!(said(&plan, "hardware.nics.mine.cage", "osfp-flat"), "{:?}", plan.assumptions);
    assert!(said(&plan, "hardware.switches.box.cage", "osfp-twin"), "{:?}", plan.assumptions);
    let odd = [
        "hardware.nics.mine={bandwidth=\"300 Gb/s\",power=\"25 W\",price=\"$2000\"}",
        "cluster.nic=mine",
        "prices.transceiver-300g=\"$400\"",
    ];
    let plan = designed(&odd);
    assert!(said(&plan, "hardware.nics.mine.cage", "by their ends"), "{:?}", plan.assumptions);
    let plan = designed(&["prices.transceiver-400g=\"$450\""]);
    assert!(said(&plan, "cluster.links", "400 Gb/s are counted by their ends"));
    let plan = designed(&["cluster.prices=mixnet-2025"]);
    assert!(said(&plan, "cluster.links", "ends and no optics"), "{:?}", plan.assumptions);
}

/// Switches whose optics are in them are bought without a module at their side, in one tier and in two.
#[test]
fn co_packaged_switches_are_designed() {
    let changes = |gpus: &'static str| {
        parts(&[
            "cluster.node=hgx-b300",
            "cluster.switches=[\"q3450\"]",
            "prices.q3450=\"$120000\"",
            gpus,
            "training.global_batch=4608",
        ])
    };
    for gpus in ["cluster.gpus=64", "cluster.gpus=4608"] {
        let plan = design(&ready("starter", &changes(gpus))).unwrap_or_else(|why| panic!("{why}"));
        assert!(pieces(&plan, "q3450") > 0 && pieces(&plan, "twin-dr4-1600g") == 0, "{gpus}");
        assert!(pieces(&plan, "single-dr4-800g") >= plan.fabric.host_links, "{gpus}");
    }
}

/// The refusal names the end that nothing reaches, with its length.
#[test]
fn a_refusal_names_the_end_that_fails() {
    let told = |changes: &[&str]| {
        design(&ready("starter", &parts(changes))).expect_err("out of reach").to_string()
    };
    let far = told(&["cluster.host_cable_m=150"]);
    assert!(far.contains("reaches 150 m from it"), "{far}");
    let up = told(&["cluster.uplink_cable_m=150"]);
    assert!(up.contains("reaches 150 m from switch to switch (cage `osfp-twin`)"), "{up}");
    let lanes = told(&["cluster.switches=[\"q3400\"]"]);
    assert!(lanes.contains("no kind of link ends in it and in a cage `osfp224`"), "{lanes}");
}
