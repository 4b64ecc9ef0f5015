//! Families that are no trees: closed forms against fabrics that are wired switch by switch, and
//! what their papers say of them, found by walking.

use std::collections::VecDeque;

use petgraph::graph::NodeIndex;
use planner::fabric::{
    Counts, FabricGraph, FabricKind, FabricNode, FabricShape, LinkClass, Request, SwitchChoice,
    TierName, fabric_counts,
};
use planner::units::Bandwidth;
use proptest::prelude::*;

pub(crate) const FLAT: [FabricKind; 6] = [
    FabricKind::Dragonfly,
    FabricKind::SlimFly,
    FabricKind::HyperX,
    FabricKind::ZCube,
    FabricKind::Torus,
    FabricKind::HammingMesh,
];

fn request(kind: FabricKind, endpoints: u64, radix: u32) -> Request<'static> {
    let link = Bandwidth::from_gigabits(400.0);
    Request::new(kind, endpoints, 1, SwitchChoice::Radix(radix), link)
}

fn requests() -> impl Strategy<Value = Request<'static>> {
    let kinds = prop::sample::select(FLAT.to_vec());
    let shape = prop_oneof![
        3 => Just(None),
        1 => prop::collection::vec(1..7_u32, 1..5).prop_map(|sides| FabricShape::new(&sides)),
    ];
    (kinds, 1..900_u64, 2..20_u32, 1..3_u32, shape).prop_map(
        |(kind, endpoints, half, planes, shape)| {
            let shaped =
                matches!(kind, FabricKind::Torus | FabricKind::HyperX | FabricKind::HammingMesh);
            let shape = shape.filter(|_| shaped);
            // Shapes are small, so few endpoints fit them.
            let endpoints = if shape.is_some() { endpoints % 40 + 1 } else { endpoints };
            Request { planes, shape, ..request(kind, endpoints, 2 * half) }
        },
    )
}

/// Switches of a graph, by number.
fn switches(graph: &FabricGraph) -> Vec<usize> {
    let is = |node: &usize| matches!(graph.node(*node), Some(FabricNode::Switch { .. }));
    (0..graph.nodes().count()).filter(is).collect()
}

/// Hops from a node to every other, over all nodes or over switches alone.
fn hops(graph: &FabricGraph, from: usize, endpoints_forward: bool) -> Vec<Option<u32>> {
    let mut found = vec![None; graph.nodes().count()];
    found[from] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, distance)) = queue.pop_front() {
        for next in graph.graph().neighbors(NodeIndex::new(node)).map(NodeIndex::index) {
            let through =
                endpoints_forward || matches!(graph.node(next), Some(FabricNode::Switch { .. }));
            if through && found[next].is_none() {
                found[next] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    found
}

fn close(counts: &Counts, graph: &FabricGraph) -> Result<(), TestCaseError> {
    let census = graph.take_census();
    for tier in TierName::ALL {
        prop_assert_eq!(
            census.switches[tier as usize],
            counts.switches_in_tier(tier),
            "{:?}",
            tier
        );
        let ports = counts.tiers.iter().filter(|t| t.name == tier).map(|t| t.ports_used);
        prop_assert_eq!(census.ports_used[tier as usize], ports.sum::<u64>(), "{:?}", tier);
    }
    for class in LinkClass::ALL {
        prop_assert_eq!(census.links[class as usize], counts.links_of(class), "{:?}", class);
    }
    prop_assert_eq!(census.copper, counts.copper_links());
    prop_assert_eq!(graph.endpoint_nodes().len() as u64, counts.endpoints);
    prop_assert_eq!(graph.overfull_switches(), Vec::<String>::new());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_closed_form_equals_the_graph(request in requests()) {
        let (counts, graph) = match (fabric_counts(&request), FabricGraph::new(&request)) {
            (Ok(counts), Ok(graph)) => (counts, graph),
            (Err(problem), Err(other)) => {
                prop_assert_eq!(problem, other);
                return Ok(());
            }
            (counts, graph) => panic!("{counts:?} but {:?}", graph.err()),
        };
        close(&counts, &graph)?;
        prop_assert_eq!(graph.connected_part_count(), 1);
    }

    /// Any two switches of a dragonfly are three links apart at most: a local one, a global one,
    /// a local one. Every two groups are joined, as often as every other two or once more.
    #[test]
    fn a_dragonfly_has_a_diameter_of_three(endpoints in 1..900_u64, half in 2..16_u32) {
        let request = request(FabricKind::Dragonfly, endpoints, 2 * half);
        let Ok(graph) = FabricGraph::new(&request) else { return Ok(()) };
        let size = 2 * ((2 * half as usize + 1) / 4);
        let switches = switches(&graph);
        let distances = hops(&graph, switches[endpoints as usize % switches.len()], false);
        for switch in &switches {
            prop_assert!(distances[*switch].is_some_and(|hops| hops <= 3));
        }
        let groups = switches.len() / size;
        let mut between = vec![0_u32; groups * groups];
        let group = |node: usize| (node - switches[0]) / size;
        for (low, high, cable) in graph.cables().filter(|(.., c)| c.class == LinkClass::Global) {
            prop_assert_ne!(group(low), group(high));
            between[group(low) * groups + group(high)] += cable.links;
            between[group(high) * groups + group(low)] += cable.links;
        }
        let pairs = || (0..groups * groups).filter(|pair| pair / groups != pair % groups);
        let most = pairs().map(|pair| between[pair]).max().unwrap_or(0);
        let least = pairs().map(|pair| between[pair]).min().unwrap_or(0);
        prop_assert!(groups == 1 || least >= 1);
        prop_assert!(most - least <= 1, "{least} to {most} links between groups");
    }

    /// Any two switches of a HyperX are at most as many links apart as it has dimensions.
    #[test]
    fn a_hyperx_has_the_diameter_of_its_dimensions(sides in prop::collection::vec(1..6_u32, 1..5)) {
        let shape = FabricShape::new(&sides);
        let graph = FabricGraph::new(&Request { shape, ..request(FabricKind::HyperX, 3, 32) })
            .expect("ports suffice");
        let switches = switches(&graph);
        let wide = sides.iter().filter(|side| **side > 1).count() as u32;
        let distances = hops(&graph, switches[switches.len() / 2], false);
        let farthest = switches.iter().map(|switch| distances[*switch]).max().flatten();
        prop_assert_eq!(farthest, Some(wide));
    }

    /// The farthest endpoint of a torus is half of each ring away.
    #[test]
    fn a_torus_has_the_diameter_of_half_its_rings(sides in prop::collection::vec(1..8_u32, 1..5)) {
        let places = sides.iter().product::<u32>();
        let shape = FabricShape::new(&sides);
        let asked = request(FabricKind::Torus, places.into(), 2);
        let graph = FabricGraph::new(&Request { shape, ..asked }).expect("a torus");
        let distances = hops(&graph, (places / 3) as usize, true);
        let farthest = distances.iter().copied().max().flatten();
        prop_assert_eq!(farthest, Some(sides.iter().map(|side| side / 2).sum()));
    }
}

/// The graphs of McKay, Miller and Širáň have a diameter of two over every field (Besta and
/// Hoefler, SC 2014): primes and powers of primes, q = 4w − 1, 4w and 4w + 1.
#[test]
fn a_slim_fly_has_a_diameter_of_two_over_every_field() {
    let mut orders = Vec::new();
    for q in [3_u32, 4, 5, 7, 8, 9, 11, 13, 16, 17, 25, 27] {
        // Ports so that this order and no larger one fits, all of them in use.
        let network = match q % 4 {
            0 => 3 * q / 2,
            1 => (3 * q - 1) / 2,
            _ => (3 * q).div_ceil(2),
        };
        let down = network.div_ceil(2);
        let seats = 2 * u64::from(q * q) * u64::from(down);
        let radix = (network + down).next_multiple_of(2);
        let graph = FabricGraph::new(&request(FabricKind::SlimFly, seats, radix)).expect("exists");
        let switches = switches(&graph);
        assert_eq!(switches.len(), 2 * (q * q) as usize, "q = {q}");
        for switch in switches.iter().step_by(1 + switches.len() / 97) {
            let distances = hops(&graph, *switch, false);
            let farthest = switches.iter().map(|other| distances[*other]).max().flatten();
            assert_eq!(farthest, Some(2), "q = {q}");
            let near = switches.iter().filter(|other| distances[**other] == Some(1)).count();
            assert_eq!(near, network as usize, "q = {q}");
        }
        orders.push(q);
    }
    assert_eq!(orders.len(), 12);
}

/// NICs of a ZCube are two switches apart at most: every switch of one row is joined to every one
/// of the other, and no two NICs share both of theirs.
#[test]
fn a_zcube_joins_every_switch_of_one_row_to_every_one_of_the_other() {
    for endpoints in [1, 9, 10, 100, 1000] {
        let graph = FabricGraph::new(&request(FabricKind::ZCube, endpoints, 64)).expect("fits");
        let mut seats: Vec<Vec<usize>> = vec![Vec::new(); endpoints as usize];
        for (low, high, _) in graph.cables().filter(|(.., c)| c.class == LinkClass::Host) {
            seats[low].push(high);
        }
        assert!(seats.iter().all(|switches| switches.len() == 2));
        seats.sort_unstable();
        seats.dedup();
        assert_eq!(seats.len() as u64, endpoints, "no two share both switches");
        let switches = switches(&graph);
        let (first, second) = switches.split_at(switches.len() / 2);
        for low in first {
            let distances = hops(&graph, *low, false);
            assert!(second.iter().all(|high| distances[*high] == Some(1)), "{endpoints}");
        }
    }
}

/// Every endpoint of a HammingMesh has four ports in use, on its board or on a line's network.
#[test]
fn endpoints_of_a_hamming_mesh_have_four_ports() {
    for (endpoints, radix, shape) in
        [(1024, 64, None), (1024, 16, None), (64, 8, FabricShape::new(&[4, 4, 2, 2]))]
    {
        let asked = Request { shape, ..request(FabricKind::HammingMesh, endpoints, radix) };
        let graph = FabricGraph::new(&asked).expect("fits");
        let mut ports = vec![0; graph.nodes().count()];
        for (low, high, cable) in graph.cables() {
            ports[low] += cable.links;
            ports[high] += cable.links;
        }
        assert!(graph.endpoint_nodes().iter().all(|node| ports[node.index()] == 4), "{endpoints}");
        assert_eq!(graph.connected_part_count(), 1);
    }
}
