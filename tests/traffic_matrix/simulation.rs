//! The collectives message by message, with what every buffer holds: an algorithm that did not
//! deliver would be noticed. Written against the algorithms' papers, not against the library.

use planner::collective::{Algorithm, FlatAlgorithm, GroupSpread, Policy, hit_share};
use planner::parallel::{Group, Placed, Rank};
use planner::step::{Cadence, Collective, Communication, Pass, Step, TrafficKind};
use planner::workload::Routing;

use crate::traffic_matrix::wire::Wire;

/// Sends every message of a step.
pub(crate) fn simulate(step: &Step, placed: &Placed, policy: &Policy) -> Wire {
    let mut wire = Wire::new(step.grid.ranks());
    for communication in &step.communications {
        for ranks in groups(step, communication.group) {
            run(step, communication, &ranks, placed, policy, &mut wire);
        }
    }
    wire
}

/// Every group of a kind, as lists of ranks.
pub(crate) fn groups(step: &Step, group: Group) -> Vec<Vec<u32>> {
    let size = step.grid.group_size(group);
    (0..step.grid.ranks())
        .filter(|rank| step.grid.position_in_group(Rank(*rank), group) == 0)
        .map(|rank| (0..size).map(|p| step.grid.group_member(Rank(rank), group, p).0).collect())
        .collect()
}

fn run(
    step: &Step,
    communication: &Communication,
    ranks: &[u32],
    placed: &Placed,
    policy: &Policy,
    wire: &mut Wire,
) {
    if ranks.len() < 2 {
        return;
    }
    if communication.group == Group::Pipeline {
        pipeline(step, communication, ranks, wire);
        return;
    }
    let stage = step.grid.pipeline_stage(Rank(ranks[0])) as usize;
    let calls = u128::from(step.calls_per_step(communication, stage));
    let payload = communication.payload(stage).count();
    if calls == 0 || payload == 0 {
        return;
    }
    // Calls are alike, so one is simulated and each of its messages counts `calls` times.
    let mut line = Line { kind: communication.kind, calls, wire };
    let spread = GroupSpread::spread_of_group(placed, communication.group);
    let domains = by_domain(ranks, placed);
    let collective = communication.collective;
    // Members of one domain, or of equal place in several; who has no partner stays silent.
    let even = matches!(spread, GroupSpread::Inside { .. } | GroupSpread::Nested { .. });
    let (collective, payload) = match collective {
        Collective::GatherEach { apart: false, .. } => {
            (Collective::AllGather, payload * ranks.len() as u128)
        }
        other => (other, payload),
    };
    match policy.choose_algorithm(communication.collective, communication.payload(stage), spread) {
        Algorithm::Inside(flat) => {
            let whole = match collective {
                Collective::ReduceScatterInside => Collective::ReduceScatter,
                _ => Collective::AllGather,
            };
            for members in domains.iter().filter(|members| even && members.len() > 1) {
                let padded = payload.next_multiple_of(members.len() as u128);
                reduction(whole, flat, members, padded, &mut line);
            }
        }
        Algorithm::Across(flat) => {
            let nested = matches!(spread, GroupSpread::Nested { .. });
            let places = if nested { domains[0].len() } else { 1 };
            for place in 0..places {
                let rail: Vec<u32> = match spread {
                    GroupSpread::Nested { .. } => {
                        domains.iter().map(|members| members[place]).collect()
                    }
                    GroupSpread::Inside { .. } => Vec::new(),
                    GroupSpread::Apart { .. } | GroupSpread::Ragged { .. } => ranks.to_vec(),
                };
                if rail.len() > 1 {
                    let own = payload.div_ceil(places as u128);
                    reduction(
                        Collective::AllGather,
                        flat,
                        &rail,
                        own * rail.len() as u128,
                        &mut line,
                    );
                }
            }
        }
        Algorithm::Flat(flat) if collective != Collective::AllToAll => {
            reduction(collective, flat, ranks, payload, &mut line);
        }
        Algorithm::Hierarchical(flat) => {
            hierarchical(collective, flat, &domains, payload, &mut line);
        }
        Algorithm::RailRings => rail_rings(collective, &domains, payload, &mut line),
        Algorithm::RailTrees => rail_trees(&domains, payload, &mut line),
        Algorithm::Nvls | Algorithm::NvlsTrees | Algorithm::Sharp => {
            panic!("switches that sum send nothing to a rank of their own")
        }
        Algorithm::Forwarded => forwarded(&domains, payload, &mut line),
        Algorithm::Flat(_) => {
            for from in ranks {
                for to in ranks.iter().filter(|to| *to != from) {
                    line.send(*from, *to, payload / ranks.len() as u128);
                }
            }
        }
        Algorithm::Fixed => match collective {
            Collective::TokenExchange { routing } => {
                let even = matches!(spread, GroupSpread::Nested { .. });
                tokens(ranks, &domains, even, routing, payload, &mut line);
            }
            Collective::ShiftUp => {
                for (from, to) in ranks.iter().zip(ranks.iter().cycle().skip(1)) {
                    line.send(*from, *to, payload);
                }
            }
            other => panic!("{other:?} is a collective of pipelines"),
        },
    }
}

struct Line<'a> {
    kind: TrafficKind,
    calls: u128,
    wire: &'a mut Wire,
}

impl Line<'_> {
    fn send(&mut self, from: u32, to: u32, bytes: u128) {
        self.wire.send(self.kind, from, to, bytes * self.calls);
    }
}

/// Every micro-batch through every chunk, or the exchange of the ends.
fn pipeline(step: &Step, communication: &Communication, ranks: &[u32], wire: &mut Wire) {
    let stages = ranks.len();
    let kind = communication.kind;
    match communication.cadence {
        Cadence::PerBoundary { pass } => {
            let chunks = stages * step.layout.interleave as usize;
            for _ in 0..step.micro_batches {
                for boundary in 1..chunks {
                    let (low, high) = ((boundary - 1) % stages, boundary % stages);
                    let (from, to) = if pass == Pass::Forward { (low, high) } else { (high, low) };
                    let bytes = communication.payload(from).count();
                    wire.send(kind, ranks[from], ranks[to], bytes);
                }
            }
        }
        _ => {
            assert_eq!(communication.collective, Collective::EndsAllReduce);
            let mut line = Line { kind, calls: 1, wire };
            let ends = [ranks[0], ranks[stages - 1]];
            let bytes = communication.payload(0).count();
            reduction(Collective::AllReduce, FlatAlgorithm::Ring, &ends, bytes, &mut line);
        }
    }
}

fn by_domain(ranks: &[u32], placed: &Placed) -> Vec<Vec<u32>> {
    let mut domains: Vec<(u32, Vec<u32>)> = Vec::new();
    for rank in ranks {
        let domain = rank / placed.placement().used_gpus_per_domain();
        match domains.iter_mut().find(|(count, _)| *count == domain) {
            Some((_, members)) => members.push(*rank),
            None => domains.push((domain, vec![*rank])),
        }
    }
    domains.into_iter().map(|(_, members)| members).collect()
}

/// What one member holds: for each of n chunks, whose contributions are summed up in it.
type Buffers = Vec<Vec<u128>>;

fn reduction(
    collective: Collective,
    flat: FlatAlgorithm,
    ranks: &[u32],
    payload: u128,
    line: &mut Line<'_>,
) {
    let n = ranks.len();
    let scatter = collective != Collective::AllGather;
    let gather = collective != Collective::ReduceScatter;
    match flat {
        FlatAlgorithm::DoubleTree if scatter && gather => trees(ranks, payload, line),
        FlatAlgorithm::HalvingDoubling if n.is_power_of_two() => {
            halving(ranks, payload, [scatter, gather], line);
        }
        FlatAlgorithm::Pat if scatter != gather => pat(ranks, payload, gather, line),
        FlatAlgorithm::Direct => {
            for _ in 0..usize::from(scatter) + usize::from(gather) {
                for (from, to) in pairs(n) {
                    line.send(ranks[from], ranks[to], payload / n as u128);
                }
            }
        }
        _ => ring(ranks, payload, [scatter, gather], line),
    }
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |from| (0..n).map(move |to| (from, to))).filter(|(from, to)| from != to)
}

/// n−1 steps of reduction and n−1 of gathering: in step s, member i passes chunk i−s on.
fn ring(ranks: &[u32], payload: u128, [scatter, gather]: [bool; 2], line: &mut Line<'_>) {
    let n = ranks.len();
    assert_eq!(payload % n as u128, 0, "the payload is padded");
    let chunk = payload / n as u128;
    // added[i][c]: how many members' contributions are in member i's copy of chunk c. They are
    // those of the members before it, as each passes on what it has just received.
    let mut added = vec![vec![1; n]; n];
    if scatter {
        for step in 0..n - 1 {
            for i in 0..n {
                let (c, next) = ((i + n - step) % n, (i + 1) % n);
                assert_eq!(added[i][c], step + 1, "what is passed on was received before");
                line.send(ranks[i], ranks[next], chunk);
                added[next][c] += added[i][c];
            }
        }
        let whole = |i: usize| added[i][(i + 1) % n] == n;
        assert!((0..n).all(whole), "every member holds one whole sum");
    }
    if gather {
        let mut whole: Vec<Vec<bool>> =
            (0..n).map(|i| (0..n).map(|c| c == (i + 1) % n).collect()).collect();
        for step in 0..n - 1 {
            for i in 0..n {
                let (c, next) = ((i + 1 + n - step) % n, (i + 1) % n);
                assert!(whole[i][c], "what is passed on has arrived");
                line.send(ranks[i], ranks[next], chunk);
                whole[next][c] = true;
            }
        }
        assert!(whole.iter().flatten().all(|is| *is), "every member ends with all chunks");
    }
}

/// Vector halving with distance doubling, and back.
fn halving(ranks: &[u32], payload: u128, [scatter, gather]: [bool; 2], line: &mut Line<'_>) {
    let n = ranks.len();
    let chunk = payload / n as u128;
    // `mine[i]`: the chunks that member i is still in charge of.
    let mut mine: Vec<Vec<usize>> = vec![(0..n).collect(); n];
    let mut rounds = Vec::new();
    let mut sums: Buffers = (0..n).map(|i| vec![1_u128 << (i % 128); n]).collect();
    let mut distance = 1;
    while distance < n {
        let kept: Vec<(Vec<usize>, Vec<usize>)> = mine
            .iter()
            .enumerate()
            .map(|(i, chunks)| chunks.iter().partition(|c| *c & distance == i & distance))
            .collect();
        let before = sums.clone();
        for i in 0..n {
            let partner = i ^ distance;
            for c in &kept[i].1 {
                if scatter {
                    line.send(ranks[i], ranks[partner], chunk);
                }
                sums[partner][*c] |= before[i][*c];
            }
        }
        mine = kept.into_iter().map(|(keep, _)| keep).collect();
        rounds.push(distance);
        distance *= 2;
    }
    for i in 0..n {
        assert_eq!(mine[i], [i], "each member ends in charge of its own chunk");
        if n <= 128 {
            assert_eq!(sums[i][i].count_ones() as usize, n, "which holds all contributions");
        }
    }
    if gather {
        for distance in rounds.into_iter().rev() {
            let before = mine.clone();
            for i in 0..n {
                for c in &before[i] {
                    line.send(ranks[i], ranks[i ^ distance], chunk);
                    mine[i ^ distance].push(*c);
                }
            }
        }
        assert!(mine.iter().all(|chunks| chunks.len() == n), "all chunks are everywhere");
    }
}

/// Parallel aggregated trees (NCCL's PAT): the farthest distance first. Whoever holds a chunk that has
/// come no shorter way passes it on; a scatter is that backwards, sums in place of copies.
fn pat(ranks: &[u32], payload: u128, gather: bool, line: &mut Line<'_>) {
    let n = ranks.len();
    let chunk = payload / n as u128;
    // held[i][c]: the shortest distance over which member i's copy of chunk c has come.
    let mut held: Vec<Vec<Option<usize>>> =
        (0..n).map(|i| (0..n).map(|c| (c == i).then_some(usize::MAX)).collect()).collect();
    let mut distance = n.next_power_of_two() / 2;
    while distance > 0 {
        let before = held.clone();
        for (i, own) in before.iter().enumerate() {
            for (c, copy) in own.iter().enumerate() {
                let away = (i + n - c) % n;
                if copy.is_some() && away + distance < n {
                    let to = (i + distance) % n;
                    assert_eq!(held[to][c], None, "no chunk comes twice");
                    held[to][c] = Some(distance);
                    let [from, to] = if gather { [i, to] } else { [to, i] };
                    line.send(ranks[from], ranks[to], chunk);
                }
            }
        }
        distance /= 2;
    }
    assert!(held.iter().flatten().all(Option::is_some), "all chunks are everywhere");
}

/// A ring for each place in a domain: it comes in there, goes through the others in turn, back to
/// that place and on to the next domain.
fn rail_rings(collective: Collective, domains: &[Vec<u32>], payload: u128, line: &mut Line<'_>) {
    let (x, y) = (domains[0].len(), domains.len());
    let chunk = payload.div_ceil((x * x * y) as u128);
    let halves = if collective == Collective::AllReduce { 2 } else { 1 };
    for place in 0..x {
        let members: Vec<(usize, u32)> = (0..y)
            .flat_map(|domain| (0..x).map(move |at| (domain, (place + at) % x)))
            .map(|(domain, at)| (domain, domains[domain][at]))
            .collect();
        for _ in 0..halves * (members.len() - 1) {
            for (at, (domain, from)) in members.iter().enumerate() {
                let (next, to) = members[(at + 1) % members.len()];
                let gate = domains[*domain][place];
                if next == *domain {
                    line.send(*from, to, chunk);
                } else {
                    line.send(*from, gate, chunk);
                    line.send(gate, to, chunk);
                }
            }
        }
    }
}

/// For each place a chain inside that ends there, and a double tree between those of that place.
fn rail_trees(domains: &[Vec<u32>], payload: u128, line: &mut Line<'_>) {
    let x = domains[0].len();
    let share = payload.div_ceil(x as u128);
    for place in 0..x {
        for members in domains {
            for at in 1..x {
                let (far, near) = (members[(place + at) % x], members[(place + at - 1) % x]);
                line.send(far, near, share);
                line.send(near, far, share);
            }
        }
        let rail: Vec<u32> = domains.iter().map(|members| members[place]).collect();
        trees(&rail, share, line);
    }
}

/// Both halves of the vector up a tree to its root and down again. The trees are built here by
/// cutting the line of members into halves, independently of any bit trick.
fn trees(ranks: &[u32], payload: u128, line: &mut Line<'_>) {
    let n = ranks.len();
    let half = payload.div_ceil(2);
    for (second, bytes) in [(false, half), (true, payload - half)] {
        let label = |position: usize| match (second, n.is_multiple_of(2)) {
            (false, _) => position,
            (true, true) => n - 1 - position,
            (true, false) => (position + 1) % n,
        };
        let mut edges = Vec::new();
        in_order(1, n.next_power_of_two(), n, 0, &mut edges);
        assert_eq!(edges.len(), n - 1, "a tree");
        for (child, parent) in edges {
            line.send(ranks[label(child)], ranks[label(parent)], bytes);
            line.send(ranks[label(parent)], ranks[label(child)], bytes);
        }
    }
}

/// The perfect in-order tree over positions low..high below `parent`; positions beyond the last
/// member do not exist, and their left subtrees take their place.
fn in_order(low: usize, high: usize, n: usize, parent: usize, edges: &mut Vec<(usize, usize)>) {
    if low >= high {
        return;
    }
    let middle = usize::midpoint(low, high);
    if middle < n {
        edges.push((middle, parent));
        in_order(low, middle, n, middle, edges);
        in_order(middle + 1, high, n, middle, edges);
    } else {
        in_order(low, middle, n, parent, edges);
    }
}

/// Reduce inside each domain, across domains at equal places, gather inside.
fn hierarchical(
    collective: Collective,
    flat: FlatAlgorithm,
    domains: &[Vec<u32>],
    payload: u128,
    line: &mut Line<'_>,
) {
    let x = domains[0].len();
    assert!(domains.iter().all(|members| members.len() == x), "domains are alike");
    if collective != Collective::AllGather {
        for members in domains {
            reduction(Collective::ReduceScatter, flat, members, payload, line);
        }
    }
    for place in 0..x {
        let rail: Vec<u32> = domains.iter().map(|members| members[place]).collect();
        reduction(collective, flat, &rail, payload / x as u128, line);
    }
    if collective != Collective::ReduceScatter {
        for members in domains {
            reduction(Collective::AllGather, flat, members, payload, line);
        }
    }
}

/// All-to-all: each message first to the place of its target in the sender's domain.
fn forwarded(domains: &[Vec<u32>], payload: u128, line: &mut Line<'_>) {
    let n: usize = domains.iter().map(Vec::len).sum();
    let share = payload / n as u128;
    for (d, from_domain) in domains.iter().enumerate() {
        for from in from_domain {
            for (e, to_domain) in domains.iter().enumerate() {
                for (place, to) in to_domain.iter().enumerate() {
                    let relay = from_domain[place];
                    if relay != *from {
                        line.send(*from, relay, share);
                    }
                    if d != e {
                        line.send(relay, *to, share);
                    }
                }
            }
        }
    }
}

/// Each sender's tokens: once to each domain along the rail, and there once to each member.
fn tokens(
    ranks: &[u32],
    domains: &[Vec<u32>],
    even: bool,
    routing: Routing,
    payload: u128,
    line: &mut Line<'_>,
) {
    let copies =
        |places: usize| (payload as f64 * hit_share(places as u32, routing)).ceil() as u128;
    if !even {
        for (from, to) in pairs(ranks.len()) {
            line.send(ranks[from], ranks[to], copies(ranks.len()));
        }
        return;
    }
    for (d, from_domain) in domains.iter().enumerate() {
        for (place, from) in from_domain.iter().enumerate() {
            for (e, to_domain) in domains.iter().enumerate() {
                let entry = to_domain[place];
                if d != e {
                    line.send(*from, entry, copies(domains.len()));
                }
                for to in to_domain.iter().filter(|to| **to != entry) {
                    line.send(entry, *to, copies(ranks.len()));
                }
            }
        }
    }
}
