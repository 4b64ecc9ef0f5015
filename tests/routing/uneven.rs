//! Designs whose ranks do not divide HB domains, against a simulation that shares nothing with the
//! clock's closed forms: every message is written down from the algorithms' description
//! (docs/equations.md §3.9), walked over the wired graph, and the slowest link timed.

use std::collections::BTreeMap;

use planner::collective::Policy;
use planner::design::{Plan, RoutingReport, wiring};
use planner::fabric::{FabricGraph, FabricKind};
use planner::parallel::{Group, Placed, Placement, Rank, Seats};
use planner::scenario::Scenario;
use planner::spec::{SpecText, read_scenario};
use planner::step::{Collective, Communication, Step};
use planner::traffic::InterfaceLoads;
use planner::units::{Bandwidth, Bytes};

use crate::routing::walked;
use crate::support::dice::Dice;
use crate::support::scenario::design;

/// A message between two ranks.
pub(crate) type Message = (u32, u32, f64);

/// Machines of 4 to 9 GPUs on switches of 8 or 16 ports.
fn drawn(dice: &mut Dice) -> String {
    let gpus = dice.between(4, 9);
    let nics = if gpus.is_multiple_of(2) && dice.chance(30) { gpus / 2 } else { gpus };
    let tensor = [1, 2, 4][dice.roll(3) as usize];
    let pipeline = [1, 2, 4][dice.roll(3) as usize];
    let data = dice.between(3, 12);
    let order = ["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"][dice.roll(2) as usize];
    let fabric = ["rail-only", "clos", "rail-optimized"][dice.roll(3) as usize];
    let ports = [8, 16][dice.roll(2) as usize];
    let ranks = tensor * pipeline * data;
    let batch = data * pipeline * 2;
    let cost = ["capex", "usd-per-token"][dice.roll(2) as usize];
    format!(
        r#"
[model]
preset = "llama3-8b"
[training]
global_batch = {batch}
tokens = "1T"
[parallelism]
tensor = {tensor}
pipeline = {pipeline}
data = {data}
order = "{order}"
[collectives]
all = "hierarchical"
[cluster]
gpus = {ranks}
node = "box"
switches = "tiny"
max_planes = 1
fabric = "{fabric}"
[hardware.gpus.own]
peak_bf16 = "1000 TFLOP/s"
memory = "900 GiB"
memory_bandwidth = "3 TB/s"
power = "165 W"
[hardware.nodes.box]
gpu = "own"
gpus = {gpus}
hb_bandwidth = "900 GB/s"
nics = {nics}
nic = "ndr-400g"
power = "5 kW"
price = "$100k"
[hardware.switches.tiny]
ports = {ports}
port_speed = "400 Gb/s"
power = "100 W"
price = "$1000"
[objective]
minimize = "{cost}"
max_slowdown = 2.0
"#
    )
}

/// The ranks of every group of a kind.
fn groups(step: &Step, group: Group) -> Vec<Vec<u32>> {
    let size = step.grid.group_size(group);
    let first = |rank: &u32| step.grid.position_in_group(Rank(*rank), group) == 0;
    let members =
        |rank: u32| (0..size).map(|p| step.grid.group_member(Rank(rank), group, p).0).collect();
    (0..step.grid.ranks()).filter(first).map(members).collect()
}

/// Ranks of a group by domain, in their order.
fn by_domain(ranks: &[u32], used: u32) -> Vec<Vec<u32>> {
    let mut domains: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for rank in ranks {
        domains.entry(rank / used).or_default().push(*rank);
    }
    domains.into_values().collect()
}

/// What a call sends from domain to domain, message by message.
pub(crate) fn messages(
    step: &Step,
    communication: &Communication,
    placed: &Placed,
    policy: &Policy,
) -> Vec<Message> {
    let used = placed.placement().used_gpus_per_domain();
    let groups = groups(step, communication.group);
    let split: Vec<Vec<Vec<u32>>> = groups.iter().map(|ranks| by_domain(ranks, used)).collect();
    let fewest = if policy.hierarchical {
        split.iter().flatten().map(Vec::len).min().unwrap_or(1)
    } else {
        1
    };
    let mut all = Vec::new();
    for (ranks, domains) in groups.iter().zip(&split) {
        let stage = |rank: u32| step.grid.pipeline_stage(Rank(rank)) as usize;
        let bytes = |rank: u32| match step.calls_per_step(communication, stage(rank)) {
            0 => 0.0,
            _ => communication.payload(stage(rank)).as_f64(),
        };
        let payload = bytes(ranks[0]);
        let count = ranks.len();
        let halves = if communication.collective == Collective::AllReduce { 2.0 } else { 1.0 };
        match communication.collective {
            Collective::ShiftUp => {
                all.extend((0..count).map(|p| (ranks[p], ranks[(p + 1) % count], bytes(ranks[p]))));
            }
            Collective::ShiftDown => all.extend(
                (0..count).map(|p| (ranks[p], ranks[(p + count - 1) % count], bytes(ranks[p]))),
            ),
            Collective::EndsAllReduce => {
                let (first, last) = (ranks[0], ranks[count - 1]);
                all.extend([(first, last, payload), (last, first, payload)]);
            }
            _ if domains.len() < 2 => {}
            // Each place of a domain reduces its share with the same place of the others.
            _ if placed.is_aligned() && policy.hierarchical => {
                let (inside, across) = (domains[0].len(), domains.len());
                let each = payload / inside as f64 * (across - 1) as f64 / across as f64 * halves;
                for (p, domain) in domains.iter().enumerate() {
                    let next = &domains[(p + 1) % across];
                    all.extend(domain.iter().zip(next).map(|(from, to)| (*from, *to, each)));
                }
            }
            // As many rings as the domain with the fewest members has interfaces for.
            _ => {
                let each = payload * (count - 1) as f64 / count as f64 * halves / fewest as f64;
                for (p, domain) in domains.iter().enumerate() {
                    let next = &domains[(p + 1) % domains.len()];
                    let last = &domain[domain.len() - fewest..];
                    all.extend(last.iter().zip(next).map(|(from, to)| (*from, *to, each)));
                }
            }
        }
    }
    all.retain(|(from, to, bytes)| from / used != to / used && *bytes > 0.0);
    all
}

/// The slowest link of one call, where a spine takes a share of what goes to another rail and the
/// sender's domain forwards the rest.
fn slowest(
    graph: &FabricGraph,
    messages: &[Message],
    placement: Placement,
    nics: u32,
    straight: f64,
    link: Bandwidth,
) -> f64 {
    let nic =
        |rank: u32, rail: u32| (rank / placement.used_gpus_per_domain() * nics + rail) as usize;
    let rail = |rank: u32| placement.rail_of(Rank(rank));
    let mut flows = Vec::new();
    for (from, to, bytes) in messages {
        let share = if rail(*from) == rail(*to) { 1.0 } else { straight };
        let part = |share: f64| Bytes::new((bytes * share) as u128);
        for (start, bytes) in [(rail(*from), part(share)), (rail(*to), part(1.0 - share))] {
            if !bytes.is_zero() {
                flows.push((nic(*from, start), nic(*to, rail(*to)), bytes));
            }
        }
    }
    let loads = walked(graph, &flows);
    let most = loads.into_values().fold(0.0, f64::max);
    most / link.get()
}

/// Holds every communication of a design against the simulation. Returns how many there were.
fn check(text: &str, scenario: &Scenario, plan: &Plan) -> usize {
    let workload = scenario.lead_workload();
    let step = Step::new(&workload.model, &workload.training, &workload.framework, &plan.layout)
        .expect("the plan's own layout");
    let node = &plan.nodes.node;
    let seated = |seats| Placement::place_groups_whole(&step.grid, node.gpus, node.nics, seats);
    let placement = [Seats::Even, Seats::Most]
        .map(seated)
        .into_iter()
        .find(|placement| placement.used_gpus_per_domain() == plan.nodes.used)
        .expect("one of the two ways");
    let placed = Placed::new(&step.grid, placement);
    let graph = wiring(plan).expect("a design can be wired");
    let Some(RoutingReport::Routed(routed)) = &plan.routing else { panic!("{text}: not routed") };
    assert!(routed.holds, "{text}: {:?}", routed.worst_call());
    let mut reported = routed.calls.iter();
    let mut checked = 0;
    for communication in &step.communications {
        let messages = messages(&step, communication, &placed, &Policy::from(communication.by));
        if messages.is_empty() {
            continue;
        }
        let call = reported.next().expect("a call is reported");
        assert_eq!(call.label, communication.label, "{text}");
        let across = plan.fabric.across_rails;
        let off_rail = 1.0_f64.max(placement.cross_rail_share());
        // A spine that carries part of it may carry as much as it can, or nothing.
        let shares = match plan.fabric.kind {
            FabricKind::RailOnly => vec![0.0],
            _ => vec![0.0, placement.spine_share_of_bytes(across), (across / off_rail).min(1.0)],
        };
        let times: Vec<f64> = shares
            .into_iter()
            .map(|share| slowest(&graph, &messages, placement, node.nics, share, plan.fabric.link))
            .collect();
        let granted = call.granted.get();
        let close = |time: &f64| (granted / time - 1.0).abs() < 1e-4;
        assert!(times.iter().any(close), "{text}{}: {granted} for {times:?}", communication.label);
        checked += 1;
    }
    checked
}

/// The time of every communication is that of its slowest link, whatever the domains divide.
#[test]
fn the_time_of_uneven_designs_is_that_of_their_messages() {
    let mut dice = Dice(20);
    let (mut designs, mut calls, mut idle) = (0, 0, 0);
    for _ in 0..DRAWS {
        let text = drawn(&mut dice);
        let Ok(scenario) = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]) else {
            continue;
        };
        let Ok(plan) = design(&scenario) else { continue };
        calls += check(&text, &scenario, &plan);
        designs += 1;
        idle += usize::from(plan.nodes.has_idle_gpus());
    }
    assert!(designs > DRAWS / 3 && calls > designs && idle > 2, "{designs} {calls} {idle}");
}

/// Random clusters.
const DRAWS: usize = 60;

/// Bytes by a place of a cluster.
type Places = BTreeMap<(u32, u32), f64>;

fn most(places: &Places) -> f64 {
    places.values().copied().fold(0.0, f64::max)
}

fn add(places: &mut Places, at: (u32, u32), bytes: f64) {
    *places.entry(at).or_default() += bytes;
}

/// Holds the loads of interfaces and of the links above leafs of so many domains against messages
/// that are added up one by one. Returns how many loads were uneven.
fn loads(step: &Step, communication: &Communication, placed: &Placed, nics: u32) -> usize {
    let messages = messages(step, communication, placed, &Policy::default());
    if messages.is_empty() {
        return 0;
    }
    let placement = placed.placement();
    let (used, domain) = (placement.used_gpus_per_domain(), placement.domain_gpus());
    let (domain_of, rail) = (|rank: u32| rank / used, |rank: u32| rank % used * nics / domain);
    let found =
        InterfaceLoads::new(step, communication, placed, &Policy::default()).expect("few messages");
    let mut uneven = 0;
    for straight in [0.0, 0.5, 1.0] {
        let (mut sent, mut received) = (Places::new(), Places::new());
        for (from, to, bytes) in &messages {
            add(&mut sent, (domain_of(*from), rail(*from)), bytes * straight);
            add(&mut sent, (domain_of(*from), rail(*to)), bytes * (1.0 - straight));
            add(&mut received, (domain_of(*to), rail(*to)), *bytes);
        }
        let expected = most(&sent).max(most(&received));
        let own = found.max_nic_bytes(straight);
        assert!((own / expected - 1.0).abs() < 1e-6, "{}: {own}, {expected}", communication.label);
        uneven += usize::from(most(&sent) != most(&received));
        for (leaf, joint) in [(1, true), (2, true), (2, false), (3, true), (3, false)] {
            let (mut up, mut down) = (Places::new(), Places::new());
            for (from, to, bytes) in &messages {
                let target = (rail(*to), domain_of(*to) / leaf);
                for (rail, share) in [(rail(*from), straight), (rail(*to), 1.0 - straight)] {
                    let start = (rail, domain_of(*from) / leaf);
                    if start != target && (joint || start.0 == target.0) {
                        add(&mut up, start, bytes * share);
                        add(&mut down, target, bytes * share);
                    }
                }
            }
            let expected = most(&up).max(most(&down));
            let own = found
                .leaf_borders(leaf, step, communication, placed, &Policy::default())
                .max_border_bytes(straight, joint);
            let close = (own - expected).abs() <= 1e-6 * expected.max(1.0);
            assert!(
                close,
                "{} at {leaf}, {straight}, {joint}: {own}, {expected}",
                communication.label
            );
            uneven += usize::from(most(&up) != most(&down));
        }
    }
    uneven
}

#[test]
fn interfaces_and_leafs_carry_what_their_messages_add_up_to() {
    let mut dice = Dice(21);
    let (mut calls, mut uneven) = (0, 0);
    for _ in 0..DRAWS {
        let text = drawn(&mut dice);
        let Ok(scenario) = read_scenario(&SpecText::new("drawn.toml", text.as_str()), &[]) else {
            continue;
        };
        let Ok(plan) = design(&scenario) else { continue };
        let work = scenario.lead_workload();
        let step = Step::new(&work.model, &work.training, &work.framework, &plan.layout)
            .expect("the plan's own layout");
        let node = &plan.nodes.node;
        for seats in Seats::ALL {
            let placement = Placement::place_groups_whole(&step.grid, node.gpus, node.nics, seats);
            let placed = Placed::new(&step.grid, placement);
            for communication in step.communications.iter().filter(|_| !placed.is_aligned()) {
                uneven += loads(&step, communication, &placed, node.nics);
                calls += 1;
            }
        }
    }
    assert!(calls > DRAWS && uneven > 0, "{calls} {uneven}");
}
