//! The time of a collective by its volumes, against its messages put on links one by one and
//! shared max-min fairly until the last is done.

use planner::collective::{Policy, Scope, Spread, flows, volumes};
use planner::parallel::{Group, Layout, Placed, Placement, Rank, RankGrid};
use planner::routing::{Flow, finish};
use planner::spec::{presets, read};
use planner::step::{Cadence, Collective, Step};
use planner::units::{Bandwidth, Bytes, Seconds};

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
    let spread = Spread::of(placed, group);
    let capacity: Vec<Bandwidth> = (0..grid.ranks() as usize * LINKS)
        .map(|link| if link % LINKS < 2 { machines.hb } else { machines.nic })
        .collect();
    let mut total = Seconds::ZERO;
    for scope in [Scope::Whole, Scope::Inside, Scope::Across] {
        let mut messages = Vec::new();
        for of in flows(collective, payload, spread, &Policy::default()) {
            if of.scope != scope {
                continue;
            }
            let digits: Vec<_> =
                grid.digits().iter().filter(|digit| scope.spans(group, digit, placed)).collect();
            let size: u32 = digits.iter().map(|digit| digit.size).product();
            for from in 0..grid.ranks() {
                let mut position = 0;
                let mut weight = 1;
                for digit in &digits {
                    position += weight * (from / digit.stride % digit.size);
                    weight *= digit.size;
                }
                for target in of.shape.targets(position, size) {
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
                    messages.push(Flow { bytes: of.bytes, route });
                }
            }
        }
        if !messages.is_empty() {
            total += finish(&messages, &capacity);
        }
    }
    total
}

#[test]
fn collectives_end_when_their_volumes_say() {
    let machines = Machines { hb: Bandwidth::gigabytes(450.0), nic: Bandwidth::gigabytes(50.0) };
    let payload = Bytes::new(3 << 30);
    let source = presets::ready("starter").expect("it ships");
    let scenario = read(&source, &[]).expect("ready specs are sound");
    let workload = &scenario.workload;
    let mut compared = 0;
    // Data-parallel groups of 32 inside and across domains of 8, one NIC a GPU.
    for (tensor, data) in [(1, 32), (2, 16), (4, 8), (8, 4)] {
        let layout = Layout { tensor, data, pipeline: 1, context: 1, expert: 1, ..base() };
        let grid = RankGrid::new(&layout).expect("degrees are not zero");
        let placed = Placed::new(&grid, Placement::packed(8, 8));
        for collective in [Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather]
        {
            let found = simulated(collective, payload, Group::Data, &placed, &machines);
            let step = Step::new(&workload.model, &workload.training, &workload.framework, &layout);
            let step = step.expect("the layout carries the model");
            let communication = step
                .communications
                .iter()
                .find(|of| of.group == Group::Data && matches!(of.cadence, Cadence::PerStep))
                .expect("gradients are reduced")
                .clone()
                .with_payload(vec![payload]);
            let mut communication = communication;
            communication.collective = collective;
            let volumes = volumes(&communication, 0, &placed, &Policy::default());
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
    let source = presets::ready("starter").expect("it ships");
    let scenario = read(&source, &[]).expect("ready specs are sound");
    planner::design::design(&scenario).expect("it has a design").layout
}
