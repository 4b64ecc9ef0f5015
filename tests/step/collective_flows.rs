//! The time of a collective by its volumes, against its messages put on links one by one and
//! shared max-min fairly until the last is done.

use planner::collective::{GroupSpread, Policy, Scope, call_volumes, collective_flows, hit_share};
use planner::parallel::{Group, Layout, Placed, Placement, Rank, RankGrid};
use planner::routing::{Flow, max_min_finish_time};
use planner::spec::{presets, read_scenario};
use planner::step::{Cadence, Collective, Step};
use planner::units::{Bandwidth, Bytes, Seconds};
use planner::workload::{GroupLimit, Routing};

/// Links of a GPU: out of and into its HB domain, out of and into its NIC.
const LINKS: usize = 4;

struct Machines {
    hb: Bandwidth,
    nic: Bandwidth,
}

/// Time of one call on all ranks: levels of a hierarchical collective follow each other, so each
/// scope's messages start when those before are done.
fn simulated(
    collective: Collective,
    payload: Bytes,
    group: Group,
    placed: &Placed,
    machines: &Machines,
) -> Seconds {
    let grid = placed.grid();
    let placement = placed.placement();
    let spread = GroupSpread::spread_of_group(placed, group);
    let capacity: Vec<Bandwidth> = (0..grid.ranks() as usize * LINKS)
        .map(|link| if link % LINKS < 2 { machines.hb } else { machines.nic })
        .collect();
    let mut total = Seconds::ZERO;
    for scope in [Scope::Whole, Scope::Inside, Scope::Across] {
        let mut messages = Vec::new();
        for flow in collective_flows(collective, payload, spread, &Policy::default()) {
            if flow.scope != scope {
                continue;
            }
            let digits: Vec<_> = grid
                .digits()
                .iter()
                .filter(|digit| scope.has_members_along_digit(group, digit, placed))
                .collect();
            let size: u32 = digits.iter().map(|digit| digit.size).product();
            for from in 0..grid.ranks() {
                let mut position = 0;
                let mut weight = 1;
                for digit in &digits {
                    position += weight * (from / digit.stride % digit.size);
                    weight *= digit.size;
                }
                for target in flow.shape.target_positions(position, size) {
                    let (mut to, mut rest) = (from, target);
                    for digit in &digits {
                        let own = to / digit.stride % digit.size;
                        to = to - own * digit.stride + rest % digit.size * digit.stride;
                        rest /= digit.size;
                    }
                    let near = placement.domain_of(Rank(from)) == placement.domain_of(Rank(to));
                    let first = if near { 0 } else { 2 };
                    let route =
                        vec![from as usize * LINKS + first, to as usize * LINKS + first + 1];
                    messages.push(Flow { bytes: flow.bytes, route });
                }
            }
        }
        if !messages.is_empty() {
            total += max_min_finish_time(&messages, &capacity);
        }
    }
    total
}

#[test]
fn collectives_end_when_their_volumes_say() {
    let machines =
        Machines { hb: Bandwidth::from_gigabytes(450.0), nic: Bandwidth::from_gigabytes(50.0) };
    let payload = Bytes::new(3 << 30);
    let source = presets::ready_spec("starter").expect("it ships");
    let scenario = read_scenario(&source, &[]).expect("ready specs are sound");
    let workload = scenario.lead_workload();
    let mut compared = 0;
    // Data-parallel groups of 32 inside and across domains of 8, one NIC a GPU.
    for (tensor, data) in [(1, 32), (2, 16), (4, 8), (8, 4)] {
        let layout = Layout { tensor, data, pipeline: 1, context: 1, expert: 1, ..base() };
        let grid = RankGrid::new(&layout).expect("degrees are not zero");
        let placed = Placed::new(&grid, Placement::with_packed_domains(8, 8));
        for collective in [Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather]
        {
            let found = simulated(collective, payload, Group::Data, &placed, &machines);
            let step = Step::new(&workload.model, &workload.training, &workload.framework, &layout);
            let step = step.expect("the layout carries the model");
            let communication = step
                .communications
                .iter()
                .find(|this_communication| {
                    this_communication.group == Group::Data
                        && matches!(this_communication.cadence, Cadence::PerStep)
                })
                .expect("gradients are reduced")
                .clone()
                .with_payload(vec![payload]);
            let mut communication = communication;
            communication.collective = collective;
            let volumes = call_volumes(&communication, 0, &placed, &Policy::default());
            let expected = volumes.inside / machines.hb + volumes.across / machines.nic;
            let close = (found / expected - 1.0).abs() < 1e-6;
            assert!(close, "{collective:?} tensor {tensor}: {found:?} instead of {expected:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 12);
}

/// Any layout; its degrees are replaced.
fn base() -> Layout {
    let source = presets::ready_spec("starter").expect("it ships");
    let scenario = read_scenario(&source, &[]).expect("ready specs are sound");
    planner::design::design(&scenario).expect("it has a design").layout
}

/// DeepSeek-V3's router as it runs (arXiv 2412.19437 §2.1.2), on scores drawn at random: groups by
/// the sum of their `best` largest scores, then the experts with the largest. Groups that a token
/// meets, on average.
fn met(best: usize, draws: u32) -> f64 {
    const EXPERTS: usize = 256;
    const GROUPS: usize = 8;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut score = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut met = 0;
    for _ in 0..draws {
        let scores: Vec<f64> = (0..EXPERTS).map(|_| score()).collect();
        let descending = |pairs: &mut Vec<(f64, usize)>| pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut groups: Vec<(f64, usize)> = scores
            .chunks(EXPERTS / GROUPS)
            .map(|values| {
                let mut values = values.to_vec();
                values.sort_by(f64::total_cmp);
                values.iter().rev().take(best).sum()
            })
            .zip(0..)
            .collect();
        descending(&mut groups);
        let open: Vec<usize> = groups[..4].iter().map(|(_, group)| *group).collect();
        let group = |expert: usize| expert * GROUPS / EXPERTS;
        let mut candidates: Vec<(f64, usize)> = scores
            .into_iter()
            .zip(0..)
            .filter(|(_, expert)| open.contains(&group(*expert)))
            .collect();
        descending(&mut candidates);
        let mut visited: Vec<usize> =
            candidates[..8].iter().map(|(_, expert)| group(*expert)).collect();
        visited.sort_unstable();
        visited.dedup();
        met += visited.len();
    }
    met as f64 / f64::from(draws)
}

#[test]
fn a_token_of_deepseek_v3_meets_the_groups_that_its_router_opens() {
    let deepseek =
        Routing { experts: 256, top_k: 8, limit: Some(GroupLimit { groups: 8, most: 4 }) };
    let own = 8.0 * hit_share(8, deepseek);
    for (best, within) in [(1, 0.002), (2, 0.01)] {
        let drawn = met(best, 20_000);
        assert!((own / drawn - 1.0).abs() < within, "best {best}: {own}, drawn {drawn}");
    }
    // Any 8 of 256 experts meet 5.29 of 8 groups.
    let free = 8.0 * hit_share(8, Routing { limit: None, ..deepseek });
    assert!((free - 5.294_652).abs() < 1e-6, "{free}");
}
