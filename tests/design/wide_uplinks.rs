//! Links between switches at another rate than those of hosts, held against plain enumeration of the cages
//! of a switch: each is of one mode as a whole, four links of 200 Gb/s or two of 400 Gb/s.

use planner::design::{Plan, RoutingReport};
use planner::fabric::TierName;

use crate::support::scenario::{design, ready};

/// Cages of the switch, and its price.
const CAGES: u64 = 64;
const SWITCH: f64 = 39_300.0;
/// Twin module, module of a card, splitter of two links and 15 m, fibre of 30 m: street prices.
const TWIN: f64 = 879.0;
const SINGLE: f64 = 1_119.0;
const SPLITTER: f64 = 221.0;
const FIBRE: f64 = 305.0;

/// A card with one port of 200 Gb/s.
const CARD: &str =
    "hardware.nics.mine={bandwidth=\"200 Gb/s\",power=\"25 W\",cage=\"qsfp112\",price=\"$1500\"}";

fn designed(gpus: u64, changes: &[&str]) -> Plan {
    designed_with(CARD, gpus, changes)
}

fn designed_with(card: &str, gpus: u64, changes: &[&str]) -> Plan {
    let [gpus, batch] =
        [format!("cluster.gpus={gpus}"), format!("training.global_batch={}", gpus * 4)];
    let own = [
        "cluster.links=parts",
        "failures.standby=0",
        "cluster.node=h100-500w-node",
        "cluster.switches=[\"n9600-64od\"]",
        card,
        "cluster.nic=mine",
        &gpus,
        &batch,
    ];
    let all = [&own[..], changes].concat();
    design(&ready("starter", &all)).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The least that a network of two tiers costs which never blocks, over leaf switches that share hosts as
/// evenly as they can and have as many uplinks each: every number of them, every number of uplinks, every
/// number of spines.
fn cheapest(hosts: u64) -> f64 {
    let mut best = f64::INFINITY;
    for leafs in hosts.div_ceil(4 * CAGES).max(2)..=hosts {
        let down = hosts.div_ceil(leafs);
        if leafs as f64 * SWITCH >= best {
            break;
        }
        for up in 1..=2 * CAGES {
            // Two of 200 Gb/s below for each of 400 Gb/s above.
            let fits = down.div_ceil(4) + up.div_ceil(2) <= CAGES;
            if 2 * up < down || !fits {
                continue;
            }
            let spines =
                (1..=up).find(|spines| up % spines == 0 && leafs * up <= spines * 2 * CAGES);
            let Some(spines) = spines else { continue };
            // Ends of links, each the share of its module.
            let uplinks = (leafs * up) as f64;
            let cost = (leafs + spines) as f64 * SWITCH
                + hosts as f64 * (TWIN / 4.0 + SPLITTER / 2.0 + SINGLE)
                + uplinks * (2.0 * TWIN / 2.0 + FIBRE);
            best = best.min(cost);
        }
    }
    best
}

#[test]
fn a_clos_of_wider_uplinks_costs_what_enumeration_finds() {
    for gpus in [320, 512, 1_000, 2_048, 3_000, 8_192] {
        let plan = designed(gpus, &["cluster.fabric=clos"]);
        let fabric = &plan.fabric;
        assert_eq!((fabric.link.as_gigabits(), fabric.uplink.as_gigabits()), (200.0, 400.0));
        assert!(fabric.within_rail >= 1.0 && fabric.across_rails >= 1.0, "{gpus}: {fabric:?}");
        let (ours, least) = (plan.cost.network_capex.get(), cheapest(gpus));
        // The bill has whole modules and cables, of each kind of leaf switch; leaf switches may differ.
        let whole = (fabric.switch_count() * 4) as f64 * TWIN + SPLITTER + FIBRE;
        assert!(ours <= least + whole, "{gpus}: ${ours}, enumeration has ${least}: {fabric:?}");
        assert!(ours >= least * 0.97, "{gpus}: ${ours}, enumeration has ${least}: {fabric:?}");
        for tier in &fabric.tiers {
            let (down, up) = (u64::from(tier.down), u64::from(tier.up));
            assert_eq!(up % 2, 0, "{gpus}: a link takes two ports of 200 Gb/s");
            let cages = match tier.name {
                TierName::Leaf => down.div_ceil(4) + up.div_ceil(4),
                _ => (down + up).div_ceil(4),
            };
            assert!(cages <= CAGES, "{gpus}: {cages} cages of {tier:?}");
        }
    }
}

/// Families and shares: what is wired has the ports, and routing confirms the step.
#[test]
fn wider_uplinks_are_wired_and_routed() {
    for changes in [
        &["cluster.fabric=rail-optimized"][..],
        &["cluster.fabric=rail-only", "limits.max_oversubscription=2"],
        &["limits.survive=[\"any-link\",\"any-switch\"]"],
    ] {
        let plan = designed(4_096, changes);
        let graph = plan
            .blueprint
            .as_ref()
            .expect("it was sized")
            .build_fabric_graph()
            .expect("it is small");
        assert!(graph.overfull_switches().is_empty(), "{:?}", graph.overfull_switches());
        let census = graph.take_census();
        assert_eq!(census.links.iter().sum::<u64>(), plan.fabric.link_count(), "{changes:?}");
        let used: u64 = plan.fabric.tiers.iter().map(|tier| tier.ports_used).sum();
        assert_eq!(census.ports_used.iter().sum::<u64>(), used, "{changes:?}");
        let Some(RoutingReport::Routed(step)) = &plan.routing else {
            panic!("not routed: {:?}", plan.routing)
        };
        assert!(step.holds, "{step:?}");
    }
}

/// Where the shuffle between ports of 200 Gb/s has a price, uplinks are as narrow as host links; the widest
/// that is sold is no choice of its own, as it takes the same parts and leaves fewer links to divide.
#[test]
fn uplinks_are_as_narrow_as_what_is_sold() {
    let plan = designed(
        512,
        &["cluster.fabric=clos", "prices.shuffle-15m=\"$200\"", "cluster.uplink_cable_m=15"],
    );
    assert_eq!(plan.fabric.uplink, plan.fabric.link);
    let told = plan.assumptions.iter().any(|assumption| assumption.topic == "fabric.uplinks");
    assert!(!told, "nothing was left out");
    let wide = designed(512, &["cluster.fabric=clos"]);
    let told = wide.assumptions.iter().find(|assumption| assumption.topic == "fabric.uplinks");
    assert!(
        told.is_some_and(|assumption| assumption.text.contains("400 Gb/s, 2 ports per link")),
        "{told:?}"
    );
}

/// A card with two ports of 200 Gb/s, one in each of two planes: each plane costs what enumeration finds.
#[test]
fn two_planes_of_a_card_have_uplinks_of_its_whole_rate() {
    let card = "hardware.nics.mine={bandwidth=\"400 Gb/s\",power=\"25 W\",max_planes=2,\
                min_planes_ethernet=2,cage=\"qsfp112\",price=\"$1599\"}";
    let plan = designed_with(card, 2_048, &["cluster.fabric=clos"]);
    let fabric = &plan.fabric;
    let rates = [fabric.link, fabric.uplink].map(|rate| rate.as_gigabits());
    assert_eq!((fabric.planes, rates), (2, [200.0, 400.0]));
    let (ours, least) = (plan.cost.network_capex.get(), 2.0 * cheapest(2_048));
    assert!((ours / least - 1.0).abs() < 0.005, "${ours}, enumeration has ${least}");
}
