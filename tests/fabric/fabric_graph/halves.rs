//! What a fabric promises between any two halves of its endpoints, held against the maximum flow
//! through its wired graph. The halves are chosen to be unkind: whole leaf switches or pods in
//! turn, runs of them, drawn ones, and drawn endpoints.

use planner::fabric::{
    Counts, FabricGraph, FabricKind, FabricNode, LinkClass, Ratio, Request, Split, SwitchChoice,
    TierName, fabric_counts,
};
use planner::units::Bandwidth;
use proptest::prelude::*;

use super::requests;
use crate::fabric::flat_graphs::FLAT;
use crate::fabric::flow::Network;
use crate::support::dice::Dice;

/// Endpoints in an order whose first half is held against its second half.
type Order = Vec<usize>;

mod cuts;

/// Node of the switch that each endpoint hangs on in the first plane.
fn leafs(graph: &FabricGraph) -> Vec<usize> {
    // Without a switch, an endpoint stands by itself.
    let mut leafs: Vec<usize> = (0..graph.endpoint_nodes().len()).collect();
    for (low, high, cable) in graph.cables() {
        if cable.class == LinkClass::Host && leafs.get(low) == Some(&low) {
            leafs[low] = high;
        }
    }
    leafs
}

/// The first switch above each leaf switch: leaf switches of one pod have it in common.
fn pods(graph: &FabricGraph) -> Vec<usize> {
    let mut pods: Vec<usize> = (0..graph.nodes().count()).collect();
    let above = graph.cables().filter(|(.., cable)| cable.class == LinkClass::LeafSpine);
    for (leaf, spine, _) in above {
        if pods[leaf] == leaf {
            pods[leaf] = spine;
        }
    }
    pods
}

/// Orders of the endpoints of a fabric.
fn orders(graph: &FabricGraph, dice: &mut Dice) -> Vec<Order> {
    let (leafs, pods) = (leafs(graph), pods(graph));
    let all = || 0..leafs.len();
    let place = |pair: &dyn Fn(usize) -> usize| {
        let mut seen: Vec<usize> = all().map(pair).collect();
        seen.sort_unstable();
        seen.dedup();
        move |number: usize| seen.binary_search(&number).unwrap_or(0)
    };
    let leaf = |end: usize| leafs[end];
    let pod = |end: usize| pods.get(leafs[end]).copied().unwrap_or(0);
    let (of_leaf, of_pod) = (place(&leaf), place(&pod));
    let sorted = |key: &mut dyn FnMut(usize) -> (usize, usize)| {
        let mut order: Vec<((usize, usize), usize)> = all().map(|end| (key(end), end)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, end)| end).collect::<Order>()
    };
    let mut found = vec![
        sorted(&mut |end| (of_leaf(leaf(end)), 0)),
        sorted(&mut |end| (of_leaf(leaf(end)) % 2, of_leaf(leaf(end)))),
        sorted(&mut |end| (of_pod(pod(end)) % 2, of_leaf(leaf(end)))),
        sorted(&mut |end| (of_pod(pod(end)) % 3, of_leaf(leaf(end)))),
        sorted(&mut |end| (usize::MAX - of_leaf(leaf(end)), 0)),
    ];
    for _ in 0..4 {
        let drawn: Vec<usize> =
            (0..graph.nodes().count()).map(|_| dice.roll(1 << 30) as usize).collect();
        found.push(sorted(&mut |end| (drawn[leaf(end)], leaf(end))));
        found.push(sorted(&mut |end| (drawn[pod(end)], leaf(end))));
        found.push(sorted(&mut |end| (drawn[end], end)));
    }
    found
}

/// Links of one endpoint to the fabric, by what its family's bandwidth is counted from.
fn ports(kind: FabricKind, planes: u32) -> u64 {
    let each = match kind {
        FabricKind::ZCube => 2,
        FabricKind::HammingMesh => 4,
        _ => 1,
    };
    each * u64::from(planes)
}

/// Units from the first half of an order to its second half, and how many were promised.
fn carried(graph: &FabricGraph, counts: &Counts, order: &[usize], share: f64) -> (u64, f64) {
    let mut network = Network::new(graph.nodes().count());
    for (low, high, cable) in graph.cables() {
        network.join(low, high, cable.links.into());
    }
    let half = order.len() / 2;
    let each = ports(counts.kind, counts.planes);
    let flow = network.flow(&order[..half], &order[half..2 * half], each);
    (flow, share * (half as u64 * each) as f64)
}

/// Every promise of a fabric: between any two halves, and between halves of each rail.
fn kept(request: &Request<'_>, dice: &mut Dice) -> Result<(), String> {
    let Ok(graph) = FabricGraph::new(request) else { return Ok(()) };
    let counts = fabric_counts(request).expect("it was wired");
    for order in orders(&graph, dice) {
        let mut asked = vec![(order.clone(), counts.across_rails)];
        if request.kind.is_tree() {
            let rail = |end: &usize| match graph.node(*end) {
                Some(FabricNode::Endpoint { rail, .. }) => rail,
                _ => u32::MAX,
            };
            let own = order.iter().copied().filter(|end| rail(end) == 0).collect();
            asked.push((own, counts.within_rail));
        }
        for (order, share) in asked {
            let (flow, promised) = carried(&graph, &counts, &order, share);
            if (flow as f64) < promised - 1e-6 {
                return Err(format!("{flow} of {promised} promised: {request:?}\n{counts:?}"));
            }
        }
    }
    Ok(())
}

fn clos(endpoints: u64, radix: u32) -> Request<'static> {
    let switch = SwitchChoice::Radix(radix);
    Request::new(FabricKind::Clos, endpoints, 1, switch, Bandwidth::from_gigabits(400.0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_tree_keeps_what_it_promises_between_any_halves(
        request in requests(),
        tiers in 2..=4_u32,
        seed in any::<u64>(),
    ) {
        let endpoints = request.endpoints % 400 + 2;
        let rails = request.rails.min(endpoints as u32);
        let tiers = Some(tiers);
        let request =
            Request { endpoints, rails, tiers, ports_per_uplink: 1, extra_ports: 0, ..request };
        let verdict = kept(&request, &mut Dice(seed));
        prop_assert!(verdict.is_ok(), "{}", verdict.unwrap_err());
    }
}

/// Cores whose number does not divide the uplinks of a pod, pods that are not full, groups of pods.
#[test]
fn trees_whose_pods_do_not_fill_their_cores_keep_full_bisection() {
    let mut wrong = Vec::new();
    for (endpoints, radix) in [(10_024, 64), (9_000, 64), (3_000, 32), (1_000, 20), (700, 12)] {
        wrong.extend(kept(&clos(endpoints, radix), &mut Dice(endpoints)).err());
    }
    for endpoints in (130..600).step_by(23) {
        wrong.extend(kept(&clos(endpoints, 8), &mut Dice(endpoints)).err());
        wrong.extend(kept(&clos(endpoints, 10), &mut Dice(endpoints)).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As many endpoints, with leaf switches and spines that are oversubscribed.
#[test]
fn oversubscribed_trees_keep_their_ratio() {
    let ratio = |over, under| Ratio::new(over, under).expect("not over zero");
    let mut wrong = Vec::new();
    for (over, under) in [(1, 2), (2, 3), (1, 3), (3, 5)] {
        for endpoints in [500, 777, 1_500] {
            let request = clos(endpoints, 16).with_split(Split::AtLeast(ratio(over, under)));
            let request =
                Request { above_leafs: [ratio(under, under + over), Ratio::ONE], ..request };
            wrong.extend(kept(&request, &mut Dice(endpoints)).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 314 leaf switches of 32 ports up make ten pods: with six links from a pod to each core, 60 of
/// its 64 ports are used; with seven they would not suffice.
#[test]
fn cores_are_as_many_as_equal_links_of_every_pod_need() {
    let counts = fabric_counts(&clos(10_024, 64)).expect("three tiers");
    assert_eq!(TierName::ALL.map(|tier| counts.switches_in_tier(tier)), [314, 320, 171, 0]);
}

/// Families that are no trees, of any size: the halves are drawn, or runs and turns of switches.
#[test]
fn flat_fabrics_keep_what_they_promise() {
    let mut wrong = Vec::new();
    for kind in FLAT {
        for endpoints in [9, 24, 64, 100, 101, 256, 400, 961] {
            for radix in [8, 12, 16, 64] {
                let request = Request { kind, ..clos(endpoints, radix) };
                wrong.extend(kept(&request, &mut Dice(endpoints)).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The unkindest halves of a ZCube have both ports on the same 0.707 of either row of switches:
/// 2(√2 − 1) of their bandwidth. Of a dragonfly, whole groups: the links between them.
#[test]
fn the_least_of_zcube_and_dragonfly_is_reached_by_their_worst_halves() {
    let zcube = Request { kind: FabricKind::ZCube, ..clos(1_600, 64) };
    let inner = |end: &usize| end / 40 < 28 && end % 40 < 28; // 784 of 1,600
    reached(&zcube, &inner, 0.845);
    let dragonfly = Request { kind: FabricKind::Dragonfly, ..clos(2_048, 32) };
    reached(&dragonfly, &|end| end / 128 < 8, 0.54);
}

/// At most `most` flows from the endpoints that are `inside` and some more to the others, and no
/// less than is promised.
#[track_caller]
fn reached(request: &Request<'_>, inside: &dyn Fn(&usize) -> bool, most: f64) {
    let graph = FabricGraph::new(request).expect("fits");
    let counts = fabric_counts(request).expect("fits");
    let (mut order, others): (Vec<usize>, Vec<usize>) =
        (0..graph.endpoint_nodes().len()).partition(inside);
    order.extend(others);
    let (flow, all) = carried(&graph, &counts, &order, 1.0);
    let share = flow as f64 / all;
    assert!(share >= counts.across_rails && share <= most, "{share} of {}", counts.across_rails);
}
