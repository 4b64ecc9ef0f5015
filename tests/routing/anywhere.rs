//! Routing by walking: four tiers, families that are no trees, what failures leave, and messages
//! that are counted group by group instead of one by one.

use std::collections::BTreeMap;

use planner::design::{FailureRequest, after_failures, wiring};
use planner::fabric::{
    FabricGraph, FabricKind, FabricNode, FabricShape, Failure, LinkClass, Request, SwitchChoice,
};
use planner::parallel::{Placed, Placement};
use planner::routing::{
    AssumedCall, NoPath, Paths, RoutedStepLoads, RoutingManner, RoutingRules, TrialOutcome,
    route_flows, route_step,
};
use planner::spec::{Override, presets, read_scenario};
use planner::step::Step;
use planner::timing::{Clock, NetworkModel};
use planner::units::{Bandwidth, Bytes};
use proptest::prelude::*;

use crate::support::scenario::design;

const MESSAGE: u128 = 1 << 40;

fn request(kind: FabricKind, endpoints: u64, radix: u32) -> Request<'static> {
    let link = Bandwidth::from_gigabits(400.0);
    Request::new(kind, endpoints, 1, SwitchChoice::Radix(radix), link)
}

/// Every NIC to every other one.
fn all_to_all(count: usize) -> Vec<(usize, usize, Bytes)> {
    let pairs = (0..count * count).map(|pair| (pair / count, pair % count));
    pairs.filter(|(a, b)| a != b).map(|(a, b)| (a, b, Bytes::new(MESSAGE))).collect()
}

/// Every NIC to the one half the cluster away.
fn across(count: usize) -> Vec<(usize, usize, Bytes)> {
    (0..count).map(|k| (k, (k + count / 2) % count, Bytes::new(MESSAGE))).collect()
}

fn most(outcome: &TrialOutcome, class: LinkClass) -> f64 {
    let of_class = outcome.loads.iter().filter(|load| load.class == class);
    of_class.map(|load| load.most.as_f64()).fold(0.0, f64::max)
}

#[test]
fn a_full_tree_of_four_tiers_routes_what_crosses_it_at_full_rate() {
    // 2 · 4⁴ NICs on 8-port switches.
    let graph = FabricGraph::new(&request(FabricKind::Clos, 512, 8)).expect("four tiers");
    assert!(graph.take_census().switches[3] > 0);
    let outcome = route_flows(&Paths::new(&graph), across(512)).expect("a Clos joins all");
    assert!((outcome.sprayed.time / outcome.nic - 1.0).abs() < 1e-9);
    let message = MESSAGE as f64;
    for class in [LinkClass::LeafSpine, LinkClass::SpineCore, LinkClass::CoreSuperCore] {
        assert!((most(&outcome, class) / message - 1.0).abs() < 1e-9, "{class:?}");
    }
    let hashed = outcome.hashed.expect("put on single ways");
    assert!(hashed.time / outcome.nic >= 2.0, "no collision");
}

/// Cuts that the papers count: what crosses the middle of a ring, and a link between two groups.
#[test]
fn uniform_traffic_loads_a_torus_and_a_hyperx_as_their_symmetry_says() {
    // A ring of six: to three of the others half of the ways each way round. Each of a node's two
    // links carries 1 + 2 + 3/2 messages' hops of six nodes over twelve links, one way.
    let torus = Request { shape: FabricShape::new(&[6]), ..request(FabricKind::Torus, 6, 2) };
    let graph = FabricGraph::new(&torus).expect("a ring");
    let outcome = route_flows(&Paths::new(&graph), all_to_all(6)).expect("joined");
    let hops = (1.0 + 1.0 + 2.0 + 2.0 + 3.0) * 6.0 / 12.0;
    assert!((most(&outcome, LinkClass::Direct) / MESSAGE as f64 - hops).abs() < 1e-9);
    // Four by four switches of two NICs: of 31 partners 12 differ in one digit, 18 in two.
    let hyperx = Request { shape: FabricShape::new(&[4, 4]), ..request(FabricKind::HyperX, 32, 8) };
    let graph = FabricGraph::new(&hyperx).expect("ports suffice");
    let outcome = route_flows(&Paths::new(&graph), all_to_all(32)).expect("joined");
    let hops = (12.0 + 2.0 * 18.0) * 32.0 / (16.0 * 6.0);
    assert!((most(&outcome, LinkClass::Local) / MESSAGE as f64 - hops).abs() < 1e-9);
}

/// Of uniform traffic on a full ZCube every link between switches carries alike, and no link is
/// fuller than those of the NICs (linear programs found full rate for n = 3, 4, 5).
#[test]
fn uniform_traffic_on_a_zcube_is_bound_by_its_nics() {
    for side in [3_u64, 4, 6] {
        let radix = u32::try_from(side).expect("small");
        let asked = request(FabricKind::ZCube, side * side, radix.next_multiple_of(2));
        let graph = FabricGraph::new(&asked).expect("a full square");
        let count = graph.endpoint_nodes().len();
        let outcome = route_flows(&Paths::new(&graph), all_to_all(count)).expect("joined");
        assert!(outcome.sprayed.time / outcome.nic <= 1.0 + 1e-9, "{side}");
    }
}

#[test]
fn what_failures_leave_is_routed_round_them() {
    let graph = FabricGraph::new(&request(FabricKind::Clos, 512, 32)).expect("two tiers");
    let after = |names: &[&str], flows: Vec<(usize, usize, Bytes)>| {
        let failures: Vec<Failure> =
            names.iter().map(|name| Failure::parse(name).expect("readable")).collect();
        let broken = graph.parts_out_of_service(&failures).expect("there are such parts");
        route_flows(&Paths::with_failures(&graph, &broken), flows)
    };
    let over = |outcome: &TrialOutcome| outcome.sprayed.time / outcome.nic;
    let whole = after(&[], across(512)).expect("a Clos joins all");
    assert!((over(&whole) - 1.0).abs() < 1e-9);
    // Sixteen spines: without one, the others carry a fifteenth more; without one cable, only the
    // two leafs at its end and their partners wait.
    let spine = after(&["switch:spine-3"], across(512)).expect("fifteen are left");
    assert!((over(&spine) - 16.0 / 15.0).abs() < 1e-9, "{}", over(&spine));
    let cable = after(&["link:leaf-0/spine-0"], across(512)).expect("others are left");
    assert!((over(&cable) - 16.0 / 15.0).abs() < 1e-9, "{}", over(&cable));
    // A dead NIC has no way, everyone else has theirs.
    assert_eq!(after(&["gpu:7.0"], across(512)), Err(NoPath { from: 263, to: 7 }));
    let others: Vec<_> = across(512).into_iter().filter(|(a, b, _)| *a != 7 && *b != 7).collect();
    assert!((over(&after(&["gpu:7.0"], others).expect("joined")) - 1.0).abs() < 1e-9);
}

/// A NIC that lost one of two planes has half its rate.
#[test]
fn a_nic_with_one_of_two_ports_is_half_as_fast() {
    let asked = Request { planes: 2, ..request(FabricKind::Clos, 64, 16) };
    let graph = FabricGraph::new(&asked).expect("two planes");
    let broken =
        graph.parts_out_of_service(&[Failure::parse("link:gpu-3.0/leaf-0").expect("readable")]);
    let paths = Paths::with_failures(&graph, &broken.expect("there is such a link"));
    let outcome = route_flows(&paths, across(64)).expect("the other plane is left");
    assert!((outcome.sprayed.time / outcome.nic - 2.0).abs() < 1e-9);
}

/// A step on machines of a ready spec, routed over rails or a Clos of small switches.
fn routed(kind: FabricKind, spine: f64, rules: RoutingRules, absent: &[u32]) -> RoutedStepLoads {
    let source = presets::ready_spec("deepseek-v3-h800-2048").expect("the spec ships");
    let straight = Override::new("framework.dispatcher=all-to-all");
    let scenario = read_scenario(&source, &[straight]).expect("ready specs are sound");
    let plan = design(&scenario).expect("ready specs have designs");
    let node = &plan.nodes.node;
    let workload = scenario.lead_workload();
    let step = Step::new(&workload.model, &workload.training, &workload.framework, &plan.layout)
        .expect("the plan's own layout");
    let network = NetworkModel::non_blocking(node, &plan.nodes.nic);
    let clock = Clock::new(&node.gpu, &network, &workload.framework);
    let endpoints = u64::from(plan.nodes.domains) * u64::from(node.nics);
    let link = Bandwidth::from_gigabits(400.0);
    let asked = Request::new(kind, endpoints, node.nics, SwitchChoice::Radix(32), link);
    let graph = FabricGraph::new(&asked).expect("it can be wired");
    let paths = match kind {
        FabricKind::RailOnly => Paths::new(&graph).with_rails_apart(),
        _ => Paths::new(&graph),
    };
    let placed =
        Placed::new(&step.grid, Placement::with_aligned_domains(&step.grid, node.gpus, node.nics));
    let straight = placed.placement().spine_share_of_bytes(spine);
    let granted: Vec<AssumedCall> = clock
        .assumed_call_times(&step)
        .into_iter()
        .map(|call| AssumedCall { policy: call.policy, time: call.time, straight })
        .collect();
    let manner = RoutingManner { rules, absent, ..RoutingManner::default() };
    route_step(&step, &placed, &paths, manner, &granted).expect("every message has a way")
}

/// What is counted group by group is what messages one by one amount to: to the byte on every
/// class of link, whatever part of it takes a spine.
#[test]
fn groups_that_are_counted_load_links_as_their_messages_do() {
    for (kind, spine, absent) in [
        (FabricKind::RailOnly, 0.0, &[][..]),
        (FabricKind::Clos, 1.0, &[]),
        (FabricKind::RailOptimized, 0.25, &[3, 17, 200]),
    ] {
        let one_by_one = routed(kind, spine, RoutingRules::default(), absent);
        let counted = routed(kind, spine, RoutingRules::SPREAD, absent);
        assert_eq!(one_by_one.calls.len(), counted.calls.len());
        let mut large = 0;
        for (a, b) in one_by_one.calls.iter().zip(&counted.calls) {
            assert_eq!((a.label, a.messages), (b.label, b.messages), "{kind}");
            assert!(a.outcome.hashed.is_some() && b.outcome.hashed.is_none());
            let close = |a: f64, b: f64| (a - b).abs() <= 2.0 + 1e-6 * a.abs();
            assert!(close(a.forwarded.as_f64(), b.forwarded.as_f64()), "{kind} {}", a.label);
            for (a, b) in a.outcome.loads.iter().zip(&b.outcome.loads) {
                assert_eq!((a.class, a.links), (b.class, b.links));
                assert!(close(a.most.as_f64(), b.most.as_f64()), "{kind}: {a:?} {b:?}");
            }
            let nic = a.outcome.nic / b.outcome.nic;
            assert!((nic - 1.0).abs() < 1e-6, "{kind} {}: {nic}", a.label);
            large = large.max(a.messages);
        }
        assert!(large > 100_000, "an exchange of tokens is among them");
        for (a, b) in one_by_one.loads.iter().zip(&counted.loads) {
            let (a, b) = (a.most.as_f64(), b.most.as_f64());
            assert!((a - b).abs() <= 2.0 + 1e-6 * a, "{kind}: {a} {b}");
        }
    }
}

/// The design that failed, and rail-only and a Clos beside it: a leaf stops domains, a spine slows
/// the step by what routing finds, and never makes it faster.
#[test]
fn the_step_after_failures_is_that_of_the_routed_rest() {
    let source = presets::ready_spec("llama3-405b-h100-16384").expect("the spec ships");
    let changes = ["cluster.fabric=rail-optimized", "failures.standby=0"].map(Override::new);
    let scenario = read_scenario(&source, &changes).expect("ready specs are sound");
    let plan = design(&scenario).expect("ready specs have designs");
    let graph = wiring(&plan).expect("a design can be wired");
    let spines = graph
        .nodes()
        .filter(|node| matches!(node, FabricNode::Switch { tier, .. } if tier.name() == "spine"));
    assert!(spines.count() > 2, "the design has spines to lose");
    let after = |names: &[&str]| {
        let named = names.iter().map(|name| Failure::parse(name).expect("readable")).collect();
        after_failures(&scenario, &plan, &graph, &FailureRequest { named, drawn: None })
            .expect("there are such parts")
    };
    let whole = after(&["gpu:0.0"]);
    assert_eq!(whole[0].left.stopped, [0]);
    for fabric in &whole {
        let change = fabric.lead.after / fabric.lead.before - 1.0;
        assert!((0.0..1e-6).contains(&change), "{}: {change}", fabric.name);
    }
    let all = after(&["rail:0"]);
    assert_eq!(all[0].left.stopped.len() as u32, plan.nodes.domains);
    assert!(
        all.iter().all(|fabric| fabric.lead.after.is_endless()),
        "no domain is left to step in"
    );
    let mut names: Vec<&str> = whole.iter().map(|fabric| fabric.name.as_str()).collect();
    assert_eq!(names.remove(0), "design");
    assert!(!names.is_empty(), "something stands beside it");
    let struck = after(&["switch:spine-0", "switch:spine-1"]);
    let by_name: BTreeMap<&str, f64> = struck
        .iter()
        .map(|fabric| (fabric.name.as_str(), fabric.lead.after / fabric.lead.before))
        .collect();
    assert!(by_name.values().all(|slower| *slower >= 1.0 - 1e-12), "{by_name:?}");
    let design = &struck[0];
    let slowed = design.lead.slowest.as_ref().map_or(1.0, |slowest| slowest.times);
    assert!(
        design.lead.after / design.lead.before <= slowed,
        "no part takes longer than its links"
    );
    assert!(design.left.stopped.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    /// Whatever fails, bytes leave and arrive: on each class of link of a two-tier tree, as many as
    /// leave the leafs.
    #[test]
    fn nothing_is_lost_on_the_way(
        endpoints in 8..120_u64,
        half in 2..6_u32,
        seed in any::<u64>(),
    ) {
        let Ok(graph) = FabricGraph::new(&request(FabricKind::Clos, endpoints, 2 * half)) else {
            return Ok(());
        };
        let chances = planner::fabric::FailureChances { gpu: 0.0, link: 0.0, switch: 0.08 };
        let failures = graph.sample_failures(&chances, seed);
        let left = graph.aftermath_of_failures(&failures).expect("what is drawn exists");
        let paths = Paths::with_failures(&graph, &graph.parts_out_of_service(&failures).expect("it exists"));
        let absent = |nic: usize| left.stopped.contains(&(nic as u32));
        let flows: Vec<_> = across(endpoints as usize)
            .into_iter()
            .filter(|(a, b, _)| !absent(*a) && !absent(*b))
            .collect();
        let sent: f64 = flows.iter().map(|(.., bytes)| bytes.as_f64()).sum();
        let outcome = route_flows(&paths, flows).expect("those in service are joined");
        let read = |class| {
            let mut loads = outcome.loads.iter().filter(|load| load.class == class);
            loads.next().map_or(0.0, |load| load.total.as_f64())
        };
        // Every byte goes once out of a NIC and once into one; loads count the fuller direction.
        prop_assert!(read(LinkClass::Host) <= 2.0 * sent + endpoints as f64);
        prop_assert!(read(LinkClass::LeafSpine) <= 2.0 * sent + 4096.0);
    }
}
