//! Routing over wired fabrics, against a walk over the graph that knows no tiers.

mod anywhere;
mod borders;
mod racks;
mod routed_fabrics;
mod uneven;

use std::collections::{BTreeMap, VecDeque};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use planner::design::RoutingReport;
use planner::fabric::{
    Blueprint, FabricGraph, FabricKind, LinkClass, RailPlan, RailRequest, Ratio, Request, Split,
    SwitchChoice, SwitchModel, rail_builds,
};
use planner::routing::{NoPath, Paths, SlowestLink, route_flows};
use planner::spec::presets::{self, PresetKind};
use planner::spec::read_scenario;
use planner::units::{Bandwidth, Bytes};
use proptest::prelude::*;

use crate::support::scenario::design;

const MESSAGE: u128 = 1 << 40;

fn request(kind: FabricKind, endpoints: u64, rails: u32, radix: u32) -> Request<'static> {
    let link = Bandwidth::from_gigabits(400.0);
    Request::new(kind, endpoints, rails, SwitchChoice::Radix(radix), link)
}

/// A pseudo-random permutation without fixed points where there are at least two.
fn permutation(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<(u64, usize)> = (0..count)
        .map(|k| {
            (
                (k as u64 + 1)
                    .wrapping_mul(seed | 1)
                    .rotate_left(17)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15),
                k,
            )
        })
        .collect();
    order.sort_unstable();
    let mut target = vec![0; count];
    for (k, (_, from)) in order.iter().enumerate() {
        target[*from] = order[(k + 1) % count].1;
    }
    target
}

fn permuted(count: usize, seed: u64) -> Vec<(usize, usize, Bytes)> {
    let targets = permutation(count, seed);
    targets.into_iter().enumerate().map(|(k, to)| (k, to, Bytes::new(MESSAGE))).collect()
}

/// Bytes on every link in each direction where each node splits a flow evenly over all of its
/// links that lie on a shortest path: (from, to) to bytes on one link of that pair.
fn walked(graph: &FabricGraph, flows: &[(usize, usize, Bytes)]) -> BTreeMap<(usize, usize), f64> {
    let graph_of = graph.graph();
    let mut loads: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (from, to, bytes) in flows {
        let [from, to] = [from, to].map(|nic| graph.endpoint_nodes()[*nic]);
        let mut distance = vec![usize::MAX; graph_of.node_count()];
        distance[to.index()] = 0;
        let mut queue = VecDeque::from([to]);
        while let Some(node) = queue.pop_front() {
            for next in graph_of.neighbors(node) {
                if distance[next.index()] == usize::MAX {
                    distance[next.index()] = distance[node.index()] + 1;
                    queue.push_back(next);
                }
            }
        }
        let mut carried: BTreeMap<NodeIndex, f64> = BTreeMap::from([(from, bytes.as_f64())]);
        for hops in (1..=distance[from.index()]).rev() {
            let here: Vec<NodeIndex> =
                carried.keys().copied().filter(|node| distance[node.index()] == hops).collect();
            for node in here {
                let bytes = carried.remove(&node).unwrap_or_default();
                let nearer: Vec<(NodeIndex, f64)> = graph_of
                    .edges(node)
                    .map(|edge| {
                        let other =
                            if edge.source() == node { edge.target() } else { edge.source() };
                        (other, f64::from(edge.weight().links))
                    })
                    .filter(|(other, _)| distance[other.index()] + 1 == hops)
                    .collect();
                let width: f64 = nearer.iter().map(|(_, links)| links).sum();
                for (other, links) in nearer {
                    *carried.entry(other).or_default() += bytes * links / width;
                    *loads.entry((node.index(), other.index())).or_default() += bytes / width;
                }
            }
        }
    }
    loads
}

/// The fullest link between two layers, as walked.
fn fullest(graph: &FabricGraph, loads: &BTreeMap<(usize, usize), f64>, class: LinkClass) -> f64 {
    let of_class = graph.cables().filter(|(.., cable)| cable.class == class);
    let both = of_class.flat_map(|(a, b, _)| [(a, b), (b, a)]);
    both.filter_map(|ends| loads.get(&ends)).copied().fold(0.0, f64::max)
}

#[track_caller]
fn equal(graph: &FabricGraph, flows: &[(usize, usize, Bytes)]) {
    let loads = walked(graph, flows);
    for paths in [Paths::new(graph), Paths::new_by_walking(graph)] {
        let outcome = route_flows(&paths, flows.iter().copied()).expect("every pair is joined");
        for load in &outcome.loads {
            let (found, expected) = (load.most.as_f64(), fullest(graph, &loads, load.class));
            let close = (found - expected).abs() <= 1.0 + expected * 1e-9;
            assert!(close, "{:?}: {found} instead of {expected}", load.class);
        }
        for single in [outcome.hashed, outcome.adaptive] {
            let time = single.expect("put on single ways").time.get();
            assert!(time >= outcome.nic.get() * (1.0 - 1e-9));
        }
    }
}

fn trees() -> impl Strategy<Value = Request<'static>> {
    let kinds = prop_oneof![Just(FabricKind::RailOptimized), Just(FabricKind::Clos)];
    let shares = (1..5_u32).prop_map(|under| Ratio::new(1, under).expect("not over zero"));
    (kinds, shares, 2..120_u64, 1..5_u32, 2..7_u32, 1..3_u32).prop_map(
        |(kind, share, endpoints, rails, half, planes)| {
            let rails = rails.min(endpoints as u32);
            let request = request(kind, endpoints, rails, 2 * half);
            Request { planes, ..request.with_split(Split::AtLeast(share)) }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn spraying_loads_every_class_of_link_as_a_walk_over_the_graph_does(
        request in trees(),
        seed in any::<u64>(),
    ) {
        let Ok(graph) = FabricGraph::new(&request) else { return Ok(()) };
        // Planes are split evenly by the NICs, which the walk does too where they are alike.
        equal(&graph, &permuted(graph.endpoint_nodes().len(), seed));
    }

    #[test]
    fn mixed_leafs_are_loaded_as_the_walk_does(
        domains in 8..60_u64,
        seed in any::<u64>(),
        pick in any::<prop::sample::Index>(),
    ) {
        let skus = [6, 8, 16].map(|radix| SwitchModel { name: format!("k{radix}"), radix });
        let builds = rail_builds(&RailRequest {
            endpoints: domains,
            skus: &skus,
            within: Ratio::new(1, 3).expect("not over zero"),
            across: Ratio::ZERO,
            models_per_rail: None,
        });
        prop_assume!(!builds.is_empty());
        let build = builds[pick.index(builds.len())].clone();
        let blueprint = Blueprint::Rails(RailPlan {
            rails: 1,
            endpoints: domains,
            planes: 1,
            link: Bandwidth::from_gigabits(400.0),
            width: 1,
            skus: skus.to_vec(),
            builds: vec![(build, 1)],
            spine: None,
        });
        let graph = blueprint.build_fabric_graph().expect("one rail is served");
        equal(&graph, &permuted(graph.endpoint_nodes().len(), seed));
    }
}

#[test]
fn a_non_blocking_clos_routes_any_permutation_at_full_rate_if_sprayed_and_collides_if_hashed() {
    // Full trees, so that cores divide the uplinks of every pod.
    for (endpoints, radix) in [(32, 8), (128, 8), (512, 32), (1024, 16), (2048, 64)] {
        let graph =
            FabricGraph::new(&request(FabricKind::Clos, endpoints, 1, radix)).expect("a full tree");
        let paths = Paths::new(&graph);
        for seed in 0..20_u64 {
            let flows = permuted(endpoints as usize, seed * 7919 + 3);
            let outcome = route_flows(&paths, flows).expect("a Clos joins all");
            let over = |time: planner::units::Seconds| time / outcome.nic;
            assert!((over(outcome.sprayed.time) - 1.0).abs() < 1e-9, "{endpoints} {seed}");
            // Few flows may miss each other by luck.
            let single = |peak: Option<SlowestLink>| over(peak.expect("put on single ways").time);
            let collides = endpoints < 128 || single(outcome.hashed) >= 2.0;
            assert!(collides, "{endpoints} {seed}: no collision");
            assert!(single(outcome.adaptive) <= single(outcome.hashed), "{endpoints} {seed}");
        }
    }
}

#[test]
fn a_rail_only_fabric_refuses_flows_across_rails() {
    for radix in [64, 8] {
        let graph = FabricGraph::new(&request(FabricKind::RailOnly, 64, 4, radix))
            .expect("four rails of sixteen");
        let paths = Paths::new(&graph).with_rails_apart();
        let flow = |from: usize, to: usize| [(from, to, Bytes::new(MESSAGE))];
        // NICs in order: domain by domain, rail by rail. On 64-port switches rails share one.
        let outcome = route_flows(&paths, flow(1, 61)).expect("the same rail");
        assert!((outcome.sprayed.time / outcome.nic - 1.0).abs() < 1e-9);
        assert_eq!(route_flows(&paths, flow(0, 61)), Err(NoPath { from: 0, to: 61 }));
        assert_eq!(route_flows(&paths, flow(0, 64)), Err(NoPath { from: 0, to: 64 }));
    }
}

#[test]
fn every_ready_design_is_verified_by_routing() {
    let specs = presets::list_presets().into_iter().filter(|entry| entry.kind == PresetKind::Spec);
    for entry in specs {
        let source = presets::ready_spec(&entry.name).expect("what is listed is ready");
        let scenario = read_scenario(&source, &[]).expect("ready specs are sound");
        let plan = design(&scenario).expect("ready specs have designs");
        match plan.routing.expect("designs are routed") {
            RoutingReport::Routed(routed) => {
                let worst = routed.worst_call().map(|call| (call.label, call.sprayed.link.clone()));
                assert!(routed.holds, "{}: {worst:?}", entry.name);
            }
            RoutingReport::Unverified(reason) => panic!("{}: {reason}", entry.name),
        }
    }
}
