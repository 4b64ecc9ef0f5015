//! Closed forms against fabrics that are wired link by link.

mod halves;

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use planner::fabric::{
    Assembly, Build, FabricGraph, FabricKind, FabricNode, FabricProblem, LinkClass, Occupancy,
    RailRequest, Ratio, Request, Split, SwitchChoice, SwitchModel, TierName, rail_builds,
    spine_options, tree_counts,
};
use planner::units::Bandwidth;
use proptest::prelude::*;

fn requests() -> impl Strategy<Value = Request<'static>> {
    let kinds = prop_oneof![
        Just(FabricKind::RailOnly),
        Just(FabricKind::RailOptimized),
        Just(FabricKind::Clos),
    ];
    let splits = prop_oneof![
        3 => Just(Split::AtLeast(Ratio::ONE)),
        2 => (1..8_u32).prop_map(|o| Split::AtLeast(Ratio::new(1, o).expect("above zero"))),
        1 => (1..17_u32).prop_map(Split::Uplinks),
        1 => (1..17_u32, 1..17_u32).prop_map(|(down, up)| Split::Fixed { down, up }),
    ];
    let tiers = prop_oneof![6 => Just(None), 1 => (1..=4_u32).prop_map(Some)];
    let rare = prop_oneof![3 => Just((1, 0)), 1 => (1..3_u32, 0..5_u64)];
    let share = || {
        prop_oneof![
            2 => Just(Ratio::ONE),
            1 => (1..4_u32, 1..8_u32).prop_map(|(over, more)| {
                Ratio::new(over, over + more).expect("above zero")
            }),
        ]
    };
    let sizes = (1..1200_u64, 1..12_u32, 1..17_u32, 1..3_u32);
    (kinds, splits, tiers, rare, sizes, [share(), share()]).prop_map(
        |(
            kind,
            split,
            tiers,
            (ports_per_uplink, extra_ports),
            (endpoints, rails, half, planes),
            above_leafs,
        )| {
            let rails = rails.min(endpoints as u32);
            let link = Bandwidth::from_gigabits(400.0);
            let switch = SwitchChoice::Radix(2 * half);
            let request = Request::new(kind, endpoints, rails, switch, link).with_split(split);
            Request { planes, tiers, ports_per_uplink, extra_ports, above_leafs, ..request }
        },
    )
}

/// Neighbours of a node on another layer, with the links to each.
fn neighbours(graph: &FabricGraph, node: NodeIndex, tier: TierName) -> BTreeMap<NodeIndex, u32> {
    let mut found = BTreeMap::new();
    for edge in graph.graph().edges(node) {
        let other = if edge.source() == node { edge.target() } else { edge.source() };
        if matches!(graph.graph()[other], FabricNode::Switch { tier: t, .. } if t == tier) {
            *found.entry(other).or_insert(0) += edge.weight().links;
        }
    }
    found
}

fn of_tier(graph: &FabricGraph, tier: TierName) -> Vec<NodeIndex> {
    let on_tier = |node: &NodeIndex| matches!(graph.graph()[*node], FabricNode::Switch { tier: t, .. } if t == tier);
    graph.graph().node_indices().filter(on_tier).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_closed_form_equals_the_graph(request in requests()) {
        let (counts, graph) = match (tree_counts(&request), FabricGraph::new(&request)) {
            (Ok(counts), Ok(graph)) => (counts, graph),
            (Err(problem), Err(other)) => {
                prop_assert_eq!(problem, other);
                return Ok(());
            }
            (counts, graph) => panic!("{counts:?} but {:?}", graph.err()),
        };
        let census = graph.take_census();
        for tier in TierName::ALL {
            prop_assert_eq!(census.switches[tier as usize], counts.switches_in_tier(tier));
            let ports = counts.tiers.iter().filter(|t| t.name == tier).map(|t| t.ports_used);
            prop_assert_eq!(census.ports_used[tier as usize], ports.sum::<u64>());
        }
        for class in LinkClass::ALL {
            prop_assert_eq!(census.links[class as usize], counts.links_of(class), "{:?}", class);
        }
        prop_assert_eq!(census.copper, 0);
        prop_assert_eq!(graph.overfull_switches(), Vec::<String>::new());

        // No switch has more links up or down than the counts say that one of its layer has.
        let above = [
            (TierName::Leaf, TierName::Spine),
            (TierName::Spine, TierName::Core),
            (TierName::Core, TierName::SuperCore),
        ];
        for (low, high) in above.into_iter().filter(|_| request.ports_per_uplink == 1) {
            let most = |tier_name: TierName, towards: TierName| {
                let links = |node: &NodeIndex| neighbours(&graph, *node, towards).values().sum();
                of_tier(&graph, tier_name).iter().map(links).max().unwrap_or(0_u32)
            };
            let said = |name, ports: fn(&planner::fabric::SwitchTier) -> u32| {
                counts.tiers.iter().find(|tier| tier.name == name).map_or(0, ports)
            };
            prop_assert!(most(low, high) <= said(low, |tier| tier.up), "{:?} up", low);
            prop_assert!(most(high, low) <= said(high, |tier| tier.down), "{:?} down", high);
        }

        let separate = match (request.kind, counts.tier_count()) {
            (FabricKind::RailOnly, 1) => counts.switch_count() / u64::from(request.planes),
            (FabricKind::RailOnly, _) => u64::from(request.rails),
            _ => 1,
        };
        prop_assert_eq!(graph.connected_part_count() as u64, separate);
    }

    #[test]
    fn links_of_each_switch_are_those_of_the_graph(request in requests()) {
        let whole = request.endpoints.is_multiple_of(request.rails.into());
        let (Ok(graph), Ok(counts)) = (FabricGraph::new(&request), tree_counts(&request)) else { return Ok(()) };
        let Some(counted) = counts.occupancy.filter(|_| whole) else { return Ok(()) };
        prop_assert_eq!(sorted(&counted), sorted(&graph.occupancy()));
    }

    #[test]
    fn leafs_stripe_their_uplinks_evenly_over_the_fewest_spines(request in requests()) {
        let Ok(graph) = FabricGraph::new(&request) else { return Ok(()) };
        let leafs = of_tier(&graph, TierName::Leaf);
        for leaf in &leafs {
            let spines = neighbours(&graph, *leaf, TierName::Spine);
            let counts: BTreeSet<u32> = spines.values().copied().collect();
            prop_assert!(counts.len() <= 1, "uneven: {counts:?}");
        }
        // In two tiers, a smaller number of spines that divides the uplinks has too few ports.
        if of_tier(&graph, TierName::Core).is_empty() {
            for leaf in leafs {
                let spines = neighbours(&graph, leaf, TierName::Spine);
                let Some((spine, each)) = spines.iter().next() else { continue };
                let uplinks = each * spines.len() as u32;
                let below = neighbours(&graph, *spine, TierName::Leaf).len() as u32;
                let ports = graph.switch_models()[0].radix / request.ports_per_uplink.max(1);
                for fewer in (1..spines.len() as u32).filter(|q| uplinks.is_multiple_of(*q)) {
                    prop_assert!(below * (uplinks / fewer) > ports, "{fewer} spines would do");
                }
            }
        }
    }

}

/// Switches by their links, and pairs of switches by theirs.
fn sorted(occupancy: &Occupancy) -> [BTreeMap<(u64, u64), u64>; 2] {
    let switches =
        occupancy.switches.iter().map(|alike| ((alike.hosts, alike.uplinks), alike.switches));
    let trunks =
        occupancy.trunks.iter().map(|trunk_links| ((trunk_links.links, 0), trunk_links.pairs));
    [switches.collect(), trunks.collect()]
}

/// Ports of a model that a test design uses, least first.
const RADICES: [u32; 3] = [6, 8, 16];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn designs_from_mixed_builds_equal_their_graphs(
        (domains, rails, planes) in (1..60_u64, 1..9_u32, 1..3_u32),
        missing in 0..4_u64,
        (within, across) in (1..5_u32, 0..3_u32),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 20),
    ) {
        let sku = |radix: &u32| SwitchModel { name: format!("k{radix}"), radix: *radix };
        let skus: Vec<SwitchModel> = RADICES.iter().map(sku).collect();
        let ratio = |over| Ratio::new(over, 4).expect("not over zero");
        let endpoints = (domains * u64::from(rails)).saturating_sub(missing).max(u64::from(rails));
        let builds = rail_builds(&RailRequest {
            endpoints: domains,
            skus: &skus,
            within: ratio(within),
            across: ratio(across),
            models_per_rail: None,
        });
        prop_assume!(!builds.is_empty());
        let mut chosen: Vec<(&Build, u64)> = Vec::new();
        let mut served = 0;
        for pick in picks.iter().cycle() {
            if served >= rails * planes {
                break;
            }
            // Alike ports across rails, so that one number of spines divides them all.
            let build = chosen.first().map_or(&builds[pick.index(builds.len())], |(first, _)| {
                let build = &builds[pick.index(builds.len())];
                if across == 0 { build } else { first }
            });
            served += build.rails;
            chosen.push((build, 1));
        }
        let leafs: Vec<(u64, u32)> =
            chosen.iter().flat_map(|(build, _)| build.across_ports()).collect();
        let options = if across == 0 { Vec::new() } else { spine_options(&leafs, &skus) };
        let assembly = Assembly {
            rails,
            endpoints,
            planes,
            link: Bandwidth::from_gigabits(400.0),
            width: 1,
            skus: &skus,
            builds: &chosen,
            spine: options.last().map(|option| (option, 1)),
        };
        let graph = FabricGraph::from_assembly(&assembly).expect("all rails are served");
        let counts = assembly.assembly_counts();
        let census = graph.take_census();
        prop_assert_eq!(graph.overfull_switches(), Vec::<String>::new());
        for tier in TierName::ALL {
            prop_assert_eq!(census.switches[tier as usize], counts.switches_in_tier(tier), "{:?}", tier);
            let used = counts.tiers.iter().filter(|t| t.name == tier).map(|t| t.ports_used);
            // Leafs that wait for a spine which no model can build have ports in use for it.
            let waiting = across > 0 && options.is_empty() && tier == TierName::Leaf;
            prop_assert!(waiting || census.ports_used[tier as usize] == used.sum::<u64>());
        }
        let whole = missing == 0 && (across == 0 || !options.is_empty());
        let counted = counts.occupancy.as_ref().map(sorted);
        prop_assert!(!whole || counted == Some(sorted(&graph.occupancy())), "{counted:?}");
        let full = counts.host_links == endpoints * u64::from(planes);
        prop_assert!(full);
        prop_assert_eq!(census.links[0], counts.host_links);
        let up = options.is_empty() && across > 0;
        prop_assert!(up || census.links[1] == counts.leaf_spine_links);
        prop_assert_eq!(census.links[2], counts.spine_core_links);
        if !options.is_empty() && planes == 1 {
            prop_assert_eq!(graph.connected_part_count(), 1);
        }
    }
}

#[test]
fn impossible_requests_are_refused_with_a_reason() {
    let link = Bandwidth::from_gigabits(400.0);
    let base = Request::new(FabricKind::Clos, 100, 4, SwitchChoice::Radix(8), link);
    let check = |request: Request<'_>, problem: FabricProblem| {
        assert_eq!(tree_counts(&request), Err(problem));
    };
    check(Request { endpoints: 0, ..base }, FabricProblem::NoEndpoints);
    check(Request { rails: 0, ..base }, FabricProblem::Rails { rails: 0, endpoints: 100 });
    check(Request { rails: 101, ..base }, FabricProblem::Rails { rails: 101, endpoints: 100 });
    check(Request { planes: 0, ..base }, FabricProblem::Planes { planes: 0, most: 64 });
    for radix in [0, 7, u32::MAX] {
        let switch = SwitchChoice::Radix(radix);
        check(Request { switch, ..base }, FabricProblem::Radix { radix });
    }
    let split = Split::Uplinks(8);
    check(Request { split, ..base }, FabricProblem::Split { down: 0, up: 8, radix: 8 });
    let many = |endpoints, tiers| FabricProblem::TooManyEndpoints { endpoints, radix: 8, tiers };
    check(Request { endpoints: 513, ..base }, many(513, 4));
    check(Request { tiers: Some(2), ..base }, many(100, 2));
    check(Request { tiers: Some(9), ..base }, many(100, 9));
    check(Request { endpoints: u64::MAX, ..base }, many(u64::MAX, 4));
    assert!(tree_counts(&Request { endpoints: 512, ..base }).is_ok());
    assert!(FabricGraph::new(&Request { endpoints: 1 << 30, ..base }).is_err());
}
