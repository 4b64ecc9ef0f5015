//! The minimum cut that planner prints of a wired fabric, against a maximum flow of one's own
//! through the same halves: docs/equations.md §7.15. `PLANNER_CASES` draws as many fabrics, 300 if nobody says.

use planner::fabric::{
    Bisection, FabricGraph, FabricKind, FabricNode, FabricShape, LinkClass, Ratio, Request, Split,
    SwitchChoice, fabric_counts,
};
use planner::units::Bandwidth;

use super::{Order, leafs, pods, ports};
use crate::fabric::flow::Network;
use crate::support::cases::drawn_cases;
use crate::support::dice::Dice;

/// Endpoints by a key, those of one key as they are numbered.
fn by(ends: usize, key: impl Fn(usize) -> usize) -> Order {
    let mut keyed: Vec<(usize, usize)> = (0..ends).map(|end| (key(end), end)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, end)| end).collect()
}

/// Where each value stands among the different ones.
fn place(values: &[usize]) -> Vec<usize> {
    let set: std::collections::BTreeSet<usize> = values.iter().copied().collect();
    let order: Vec<usize> = set.into_iter().collect();
    let stands = |value: &usize| order.iter().position(|one| one == value).expect("it is of them");
    values.iter().map(stands).collect()
}

/// The links of a fabric. Where NICs are not joined to each other, one of neither half carries nothing
/// for others.
fn network(graph: &FabricGraph, order: &[usize]) -> Network {
    let mut network = Network::new(graph.nodes().count());
    let relays = graph.cables().any(|(.., cable)| cable.class == LinkClass::Direct);
    for (low, high, cable) in graph.cables() {
        let nic = matches!(graph.node(low), Some(FabricNode::Endpoint { .. }));
        let sends = order[..order.len() / 2 * 2].contains(&low);
        if relays || cable.class != LinkClass::Host || !nic || sends {
            network.join(low, high, u64::from(cable.links) * u64::from(cable.ports));
        }
    }
    network
}

/// The divisions of §7.15.
fn divisions(request: &Request<'_>, graph: &FabricGraph) -> Vec<Order> {
    let ends = graph.endpoint_nodes().len();
    let leaf = leafs(graph);
    let above = pods(graph);
    let pod = place(&leaf.iter().map(|leaf| above[*leaf]).collect::<Vec<_>>());
    let leaf = place(&leaf);
    let many = ends + 1;
    let mut found = vec![
        by(ends, |_| 0),
        by(ends, |end| leaf[end]),
        by(ends, |end| leaf[end] % 2 * many + leaf[end]),
        by(ends, |end| leaf[end] % 3 * many + leaf[end]),
        by(ends, |end| pod[end] % 2 * many + leaf[end]),
    ];
    let sides: Vec<usize> = request
        .shape
        .map(|shape| shape.sides().iter().map(|side| *side as usize).collect())
        .unwrap_or_default();
    match request.kind {
        FabricKind::Torus => {
            for axis in 0..sides.len() {
                let stride: usize = sides[..axis].iter().product();
                found.push(by(ends, |end| end / stride % sides[axis]));
            }
        }
        FabricKind::HyperX => {
            let switches: usize = sides.iter().product();
            for axis in 0..sides.len() {
                let stride: usize = sides[..axis].iter().product();
                found.push(by(ends, |end| end * switches / ends / stride % sides[axis]));
            }
        }
        FabricKind::ZCube => {
            let n = (1..).find(|n| n * n >= ends).expect("squares have no end");
            found.push(by(ends, |end| (end / n).max(end % n)));
        }
        FabricKind::HammingMesh => {
            let [w, h, columns, _] = sides[..] else { panic!("all four sides are drawn") };
            let wide = columns * w;
            found.push(by(ends, |end| end % wide / w));
            found.push(by(ends, |end| end / wide / h));
            found.push(by(ends, |end| end % wide));
            found.push(by(ends, |end| (end % wide * h).max(end / wide * w)));
            found.push(by(ends, |end| end % wide % w));
            found.push(by(ends, |end| end / wide % h));
        }
        _ => {}
    }
    if request.kind == FabricKind::RailOnly {
        let first =
            |end: &usize| matches!(graph.node(*end), Some(FabricNode::Endpoint { rail: 0, .. }));
        found.iter_mut().for_each(|order| order.retain(first));
    }
    found
}

/// A fabric of the family, with all that the family takes.
fn drawn(kind: FabricKind, dice: &mut Dice) -> Request<'static> {
    let mut number = |low, high| dice.between(low, high);
    let shape = match kind {
        FabricKind::Torus | FabricKind::HyperX => {
            let sides: Vec<u32> = (0..number(1, 3)).map(|_| number(2, 7) as u32).collect();
            FabricShape::new(&sides)
        }
        FabricKind::HammingMesh => {
            let sides: Vec<u32> = (0..4).map(|side| number(1, 3 + side / 2) as u32).collect();
            FabricShape::new(&sides)
        }
        _ => None,
    };
    let places = shape.map(|shape| shape.sides().iter().product::<u32>().into());
    let endpoints = match (kind, places) {
        (FabricKind::HyperX, Some(switches)) => number(2.min(switches), 4 * switches),
        (_, Some(places)) => places,
        _ => number(2, 400),
    };
    let radix = if kind.is_tree() { 2 * number(4, 24) } else { 2 * number(6, 24) } as u32;
    let link = Bandwidth::from_gigabits(400.0);
    let rails = if kind.has_rails() { number(1, 8.min(endpoints)) as u32 } else { 1 };
    let planes = number(1, 2) as u32;
    let concentration =
        (kind == FabricKind::SlimFly && number(0, 1) == 1).then(|| number(1, 9) as u32);
    let request = Request::new(kind, endpoints, rails, SwitchChoice::Radix(radix), link);
    let mut request = Request { planes, shape, concentration, ..request };
    if kind.is_tree() {
        let down = number(1, 4) as u32;
        let up = number(1, down.into()) as u32;
        request.split = Split::AtLeast(Ratio::new(up, down).expect("not over zero"));
        request.tiers = [None, Some(2), Some(3)][number(0, 2) as usize];
    } else if kind != FabricKind::HammingMesh && number(0, 1) == 1 {
        request.switch = SwitchChoice::Radix(radix + 1);
    }
    request
}

/// A fabric of the family with at most a dozen NICs.
fn tiny(kind: FabricKind, dice: &mut Dice) -> Request<'static> {
    let mut number = |low: u32, high: u32| dice.between(low.into(), high.into()) as u32;
    let shape = match kind {
        FabricKind::Torus => FabricShape::new(&[number(2, 4), number(2, 3)]),
        FabricKind::HyperX => FabricShape::new(&[number(1, 3), number(1, 3)]),
        FabricKind::HammingMesh => FabricShape::new(&[number(1, 2), number(1, 2), number(1, 3), 1]),
        _ => None,
    };
    let places = shape.map_or(u32::MAX, |shape| shape.sides().iter().product());
    let endpoints = match kind {
        FabricKind::Torus | FabricKind::HammingMesh => places,
        FabricKind::HyperX => number(places, 3 * places),
        _ => number(4, 12),
    };
    let rails = if kind == FabricKind::RailOnly { number(1, 2) } else { 1 };
    let link = Bandwidth::from_gigabits(400.0);
    let switch = SwitchChoice::Radix(2 * number(2, 6));
    let mut request = Request::new(kind, u64::from(endpoints), rails, switch, link);
    request.shape = shape;
    if kind.is_tree() {
        let down = number(1, 3);
        request.split = Split::AtLeast(Ratio::new(number(1, down), down).expect("not over zero"));
    }
    request
}

/// The least flow between halves of some NICs, over all ways to halve them.
fn least_of_all(request: &Request<'_>, graph: &FabricGraph, ends: &[usize]) -> f64 {
    let each = ports(request.kind, request.planes);
    let half = ends.len() / 2;
    let halves = (0_u32..1 << ends.len()).filter(|set| {
        // The first NIC is on the first side: the other division is this one turned round.
        set.count_ones() as usize == half && set & 1 == 1
    });
    let shares = halves.map(|set| {
        let side = |inside: bool| {
            let placed = (0_u32..).zip(ends.iter().copied());
            placed.filter(move |(place, _)| (set >> place & 1 == 1) == inside).map(|(_, end)| end)
        };
        let order: Order = side(true).chain(side(false)).collect();
        let flow = network(graph, &order).flow(&order[..half], &order[half..], each);
        flow as f64 / (half as u64 * each) as f64
    });
    shares.fold(f64::INFINITY, f64::min)
}

/// Of a dozen NICs every division is tried: none has less than the closed form, and what is called the
/// minimum cut is it.
#[test]
fn no_division_at_all_has_less_than_is_printed() {
    let mut dice = Dice(7);
    let [mut exact, mut held] = [[0; FabricKind::ALL.len()]; 2];
    for turn in 0..30 * FabricKind::ALL.len() {
        let family = turn % FabricKind::ALL.len();
        let request = tiny(FabricKind::ALL[family], &mut dice);
        let Ok(graph) = FabricGraph::new(&request) else { continue };
        let counts = fabric_counts(&request).expect("it was wired");
        let of_first = |end: &usize| match graph.node(*end) {
            Some(FabricNode::Endpoint { rail, .. }) => rail == 0,
            _ => true,
        };
        let joined = request.kind.joins_rails();
        let ends: Vec<usize> =
            (0..graph.endpoint_nodes().len()).filter(|end| joined || of_first(end)).collect();
        if ends.len() < 2 || ends.len() > 12 || ends.len() % 2 == 1 {
            continue;
        }
        let found = graph.minimum_bisection(&request).expect("it was wired from this");
        let printed = Bisection::from_counts(&counts, found);
        let least = least_of_all(&request, &graph, &ends);
        let cut = printed.found.expect("it is small").share;
        assert!(printed.at_least <= least + 1e-9, "{least}: {printed:?} {request:?}");
        assert!(least <= cut + 1e-9, "{least}: {printed:?} {request:?}");
        if printed.is_exact() {
            assert!((least - cut).abs() < 1e-9, "{least}: {printed:?} {request:?}");
            exact[family] += 1;
        }
        held[family] += 1;
    }
    for (family, kind) in FabricKind::ALL.into_iter().enumerate() {
        // No dragonfly or slim fly is so small.
        let small = ![FabricKind::Dragonfly, FabricKind::SlimFly].contains(&kind);
        assert!(!small || held[family] >= 5, "{kind}: {} held", held[family]);
    }
    assert!(exact.iter().sum::<usize>() >= 40, "{exact:?} of {held:?} are exact");
}

/// The cut printed is that of a flow of one's own, and the closed form is no more than it. How often
/// the two are one number is printed.
#[test]
fn the_cut_that_is_printed_is_the_least_flow_through_the_wired_graph() {
    let cases = drawn_cases(300) as usize;
    let mut dice = Dice(20);
    let mut held = 0;
    let [mut exact, mut indexes] = [[0; FabricKind::ALL.len()]; 2];
    while held < cases {
        let family = held % FabricKind::ALL.len();
        let request = drawn(FabricKind::ALL[family], &mut dice);
        let Ok(graph) = FabricGraph::new(&request) else { continue };
        let counts = fabric_counts(&request).expect("it was wired");
        let Some(printed) = graph.minimum_bisection(&request).expect("it was wired from this")
        else {
            continue;
        };
        let rail = !request.kind.joins_rails();
        let promised = if rail { counts.within_rail } else { counts.across_rails };
        let own = divisions(&request, &graph).into_iter().filter(|order| order.len() > 1);
        let own = own.map(|order| {
            let half = order.len() / 2;
            let each = ports(request.kind, request.planes);
            let flow = network(&graph, &order).flow(&order[..half], &order[half..2 * half], each);
            flow as f64 / (half as u64 * each) as f64
        });
        let own = own.fold(f64::INFINITY, f64::min);
        assert!((printed.share - own).abs() < 1e-12, "{} and {own}: {request:?}", printed.share);
        assert!(promised <= own + 1e-9, "{promised} promised, {own} carried: {request:?}");
        exact[family] += usize::from((promised - own).abs() < 1e-9);
        indexes[family] += 1;
        held += 1;
    }
    // How often the two are one number, by family: what `planner fabric` calls the minimum cut.
    let share = |family: usize| f64::from(exact[family] as u32) / f64::from(indexes[family] as u32);
    let shares: Vec<String> = FabricKind::ALL
        .into_iter()
        .enumerate()
        .map(|(family, kind)| format!("{kind} {:.0} %", 100.0 * share(family)))
        .collect();
    assert!(exact.iter().sum::<usize>() * 3 >= held, "exact: {}", shares.join(", "));
}
