//! The table of all shipped machines, interfaces, switches and planes under links that are parts: which can be
//! bought, which have a part without a price, which nothing joins; held against designs.

use std::collections::BTreeMap;

use planner::cost::Role;
use planner::hardware::{Cage, LinkKind, Nic, Node, PricedItem, Switch};
use planner::scenario::Scenario;
use planner::units::Bandwidth;

use crate::support::scenario::{design, ready};

/// What can be said of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Links {
    Priced,
    Unpriced,
    Impossible,
}

/// Metres to an interface and between switches: the defaults.
const LENGTHS: [u32; 2] = [15, 30];

/// Every how many combinations one is designed: all of them take minutes.
const STRIDE: usize = 23;

/// Names of the machines that ship.
fn machines() -> Vec<&'static str> {
    let lines = include_str!("../../presets/nodes.toml").lines();
    lines.filter_map(|line| line.strip_prefix("[nodes.")?.strip_suffix(']')).collect()
}

/// Whether parts of that kind are sold so long, and whether all have a price.
fn sold(scenario: &Scenario, kind: &LinkKind, metres: u32) -> Option<bool> {
    let long = scenario.catalogue.cables.iter().filter(|cable| cable.kind == kind.cable);
    let cable = long.filter(|cable| cable.length_m >= metres).min_by_key(|cable| cable.length_m)?;
    let reaches = kind.reach_m.is_none_or(|reach| reach >= metres);
    let parts = [Some(&cable.name), kind.near_module.as_ref(), kind.far_module.as_ref()];
    let has = |name: &String| scenario.prices.prices.contains_key(&PricedItem::Part(name.clone()));
    reaches.then(|| parts.into_iter().flatten().all(has))
}

/// Whether anything joins two cages at that rate, and whether that has a price.
fn joined(scenario: &Scenario, rate: Bandwidth, ends: (Cage, Cage), metres: u32) -> Option<bool> {
    let kinds = scenario.catalogue.links.iter();
    let kinds = kinds.filter(|kind| kind.rate == rate && (kind.near, kind.far) == ends);
    kinds.filter_map(|kind| sold(scenario, kind, metres)).reduce(|one, other| one || other)
}

/// What the catalogue has for a machine with that card, in so many planes, on such switches.
fn links(scenario: &Scenario, node: &Node, nic: &Nic, switch: &Switch, planes: u32) -> Links {
    let rate = nic.bandwidth / f64::from(planes);
    let own = node.nic_cage.filter(|_| node.nic.name == nic.name);
    let several = nic.plane_cage.filter(|_| planes > 1);
    let card = own.or(several).or(nic.cage).expect("every card that ships states its cage");
    let near = switch.cage.expect("every switch that ships states its cage");
    if !nic.has_ports_for(planes, switch.protocol) || switch.radix(rate) < 2 {
        return Links::Impossible;
    }
    let host = joined(scenario, rate, (near, card), LENGTHS[0]);
    let uplinks = [1.0, 2.0, 4.0].into_iter().map(|width| rate * width);
    let uplinks = uplinks.filter(|rate| switch.radix(*rate) > 1);
    let uplink = uplinks.filter_map(|rate| joined(scenario, rate, (near, near), LENGTHS[1]));
    match (host, uplink.reduce(|one, other| one || other)) {
        (Some(true), Some(true)) => Links::Priced,
        (Some(_), Some(_)) => Links::Unpriced,
        _ => Links::Impossible,
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is the point of the test")]
fn shipped_parts_are_joined_by_parts_or_refused() {
    let starter = ready("starter", &[]);
    let mut counts: BTreeMap<(String, Links), u32> = BTreeMap::new();
    let mut designed = 0_usize;
    let mut place = 0_usize;
    for machine in machines() {
        let scenario = ready("starter", &[&format!("cluster.node={machine}")]);
        let node = &scenario.cluster.nodes[0];
        for nic in &starter.catalogue.nics {
            let planes =
                (0..3).map(|halvings| 1 << halvings).filter(|count| *count <= nic.max_planes);
            for planes in planes {
                for switch in &starter.catalogue.switches {
                    let found = links(&scenario, node, nic, switch, planes);
                    let key = (format!("{} x {planes}", nic.name), found);
                    *counts.entry(key).or_default() += 1;
                    place += 1;
                    if place.is_multiple_of(STRIDE) {
                        designed += usize::from(agrees(node, nic, switch, planes, found));
                    }
                }
            }
        }
    }
    println!("{:22}{:>9}{:>9}{:>12}", "interface x planes", "priced", "unpriced", "impossible");
    let names: Vec<&String> = counts.keys().map(|(name, _)| name).collect();
    for name in names.iter().enumerate().filter(|(i, text)| *i == 0 || names[i - 1] != **text) {
        let read = |links| counts.get(&(name.1.to_string(), links)).copied().unwrap_or(0);
        let [priced, unpriced, none] =
            [Links::Priced, Links::Unpriced, Links::Impossible].map(read);
        println!("{:22}{priced:>9}{unpriced:>9}{none:>12}", name.1);
    }
    let all =
        |links| counts.iter().filter(|pair| pair.0.1 == links).map(|pair| *pair.1).sum::<u32>();
    let [priced, unpriced, none] = [Links::Priced, Links::Unpriced, Links::Impossible].map(all);
    println!("{:22}{priced:>9}{unpriced:>9}{none:>12}  of {place}; {designed} designed", "all");
    assert!(priced > 0 && designed > 0);
}

/// A design of two machines of that combination says the same, and has no link that is counted by its ends;
/// false where it is refused for another reason.
fn agrees(node: &Node, nic: &Nic, switch: &Switch, planes: u32, found: Links) -> bool {
    let gpus = 2 * node.gpus;
    let changes = [
        format!("cluster.node={}", node.name),
        format!("cluster.nic={}", nic.name),
        format!("cluster.switches=[\"{}\"]", switch.name),
        format!("cluster.max_planes={planes}"),
        format!("cluster.gpus={gpus}"),
        format!("training.global_batch={gpus}"),
        "objective.minimize=\"power\"".to_owned(),
    ];
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    let what = format!("{} {} {} x {planes}", node.name, nic.name, switch.name);
    let scenario = ready("starter", &changes);
    match design(&scenario) {
        Ok(plan) => {
            let kinds = &scenario.catalogue.links;
            let modules =
                || kinds.iter().flat_map(|kind| [&kind.near_module, &kind.far_module]).flatten();
            let optics = plan.bill.iter().filter(|line| line.role == Role::Optic);
            for line in optics {
                assert!(
                    modules().any(|text| *text == line.part),
                    "{what}: {} is an end",
                    line.part
                );
            }
            if plan.fabric.planes == planes {
                assert_ne!(found, Links::Impossible, "{what}");
            }
            true
        }
        Err(why) if why.to_string().contains("nothing joins") => {
            assert_eq!(found, Links::Impossible, "{what}: {why}");
            true
        }
        Err(_) => false,
    }
}
