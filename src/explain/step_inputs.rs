//! Inputs from the step itself: the calls of each communication, and what a rank of a stage holds.
//! The step is made again from spec and layout, so the inputs are those that the design counted.

use std::collections::BTreeMap;

use super::explanation::ExplainedInput;
use super::inputs::{Facts, found_input};
use crate::collective::GroupSpread;
use crate::memory::{Footprint, Holding, Shares, micro_batches_in_flight};
use crate::parallel::{Group, Placed, Placement};
use crate::step::{Collective, Communication, Step, TrafficKind};
use crate::traffic::TrafficMatrix;
use crate::units::Amount;

/// The calls of one communication over all GPUs.
#[derive(Clone, Copy, Default)]
struct CommunicationCalls {
    count: f64,
    payload: f64, // bytes of all calls
    sent: f64,    // bytes that all calls send
}

/// Of everything that is communicated for that reason: how often a GPU takes part, the bytes D of
/// a call, and how many times those a GPU sends. Their products sum to the traffic.
pub(super) fn call_inputs(facts: &Facts<'_>, kind: TrafficKind) -> Vec<ExplainedInput> {
    let Some(step) = facts.step else { return Vec::new() };
    let node = &facts.plan.nodes.node;
    let placement = Placement::with_aligned_domains(&step.grid, node.gpus, node.nics);
    let placed = Placed::new(&step.grid, placement);
    let ranks = f64::from(step.grid.ranks()) / f64::from(step.layout.pipeline.max(1));
    let mut all: BTreeMap<String, (CommunicationCalls, &'static str, u32)> = BTreeMap::new();
    for communication in
        step.communications.iter().filter(|communication| communication.kind == kind)
    {
        let spread = GroupSpread::spread_of_group(&placed, communication.group);
        let members = spread.member_count();
        let experts = matches!(
            communication.group,
            Group::ExpertData | Group::ExpertShard | Group::ExpertCopies
        );
        let whose = if experts { " of routed experts" } else { "" };
        let found = all.entry(format!("{}{whose}", communication.label));
        let found = found.or_insert((
            CommunicationCalls::default(),
            payload_rule(communication, spread),
            members,
        ));
        for stage in 0..step.stages.len() {
            let calls = step.calls_per_step(communication, stage) as f64 * ranks;
            found.0.count += calls;
            found.0.payload += calls * communication.payload(stage).as_f64();
        }
        let alone = Step { communications: vec![communication.clone()], ..step.clone() };
        found.0.sent +=
            TrafficMatrix::new(&alone, placement).summary().bytes_of_kind(kind).as_f64();
    }
    all.into_iter()
        .filter(|(_, (calls, _, _))| calls.sent > 0.0)
        .flat_map(|(label, (calls, rule, members))| {
            let named = |what: &str, value, origin| {
                found_input(format!("{what}: {label}"), Amount::Number(value), origin)
            };
            [
                named("calls of all GPUs", calls.count, "counted on the step"),
                named(
                    "bytes D of a call",
                    calls.payload / calls.count,
                    "counted on the step, the mean of all stages",
                ),
                named("members n", f64::from(members), "of a group, by the layout"),
                named("times D that a GPU sends", calls.sent / calls.payload, rule),
            ]
        })
        .collect()
}

/// How many times the payload a member of a group of n sends.
fn payload_rule(communication: &Communication, spread: GroupSpread) -> &'static str {
    let nested = matches!(spread, GroupSpread::Nested { .. });
    match communication.collective {
        Collective::AllReduce | Collective::ReduceScatter | Collective::AllGather
            if nested && communication.by.is_tuned() =>
        {
            "by NCCL's algorithms along rails, docs/equations.md §3.15 to §3.19"
        }
        Collective::AllReduce => "2(n − 1)/n: an all-reduce",
        Collective::ReduceScatter | Collective::AllGather | Collective::AllToAll => {
            "(n − 1)/n: each member keeps its own share"
        }
        Collective::ReduceScatterInside | Collective::AllGatherInside => {
            "(x − 1)/x among the x members of a domain"
        }
        Collective::GatherEach { apart: false, .. } => "n − 1: to every other member",
        Collective::GatherEach { .. } => "(y − 1)/x: a share of the domain's, to the y − 1 others",
        Collective::ShiftUp | Collective::ShiftDown => {
            "1 on all stages but the last in that direction"
        }
        Collective::EndsAllReduce => "1 on the first and the last stage, 0 between",
        Collective::TokenExchange { .. } => {
            "copies of a token that leave a rank, docs/equations.md §3.13"
        }
    }
}

/// What a rank of a stage holds, and its micro-batches in flight.
pub(super) fn memory_held(facts: &Facts<'_>, stage: u32) -> Option<(Shares, f64)> {
    let step = facts.step?;
    let pipeline_stage = step.stages.get(stage as usize)?;
    let footprint = Footprint::from_step(step, &facts.scenario.lead_workload().framework);
    let holding = Holding::new(&footprint, &step.layout, pipeline_stage);
    Some((*holding.shares(), micro_batches_in_flight(&step.layout, step.micro_batches, stage)))
}

/// The stage that keeps most on the host, in the order of the ledger.
pub(super) fn host_stage(facts: &Facts<'_>) -> u32 {
    let Some(step) = facts.step else { return 0 };
    let footprint = Footprint::from_step(step, &facts.scenario.lead_workload().framework);
    let host = |stage: u32| {
        let pipeline_stage = &step.stages[stage as usize];
        let flying = micro_batches_in_flight(&step.layout, step.micro_batches, stage);
        Holding::new(&footprint, &step.layout, pipeline_stage).memory_by_category(flying).host
    };
    (0..step.layout.pipeline).rev().max_by_key(|stage| host(*stage)).unwrap_or(0)
}

/// Parameters of a rank of a stage, and over how many ranks they are sharded where `sharded`.
pub(super) fn parameter_inputs(
    facts: &Facts<'_>,
    stage: u32,
    sharded: bool,
) -> Vec<ExplainedInput> {
    let Some((shares, _)) = memory_held(facts, stage) else { return Vec::new() };
    let sharing = if sharded { shares.sharing } else { [1.0, 1.0] };
    let origin =
        if sharded { "ranks that hold the same, by the layout" } else { "1: ZeRO shards it not" };
    let number = |name: &str, value: f64, origin| found_input(name, Amount::Number(value), origin);
    const COUNTED: &str = "counted on the stage, docs/equations.md §1";
    vec![
        number("parameters of the rank without routed experts φ", shares.parameters[0], COUNTED),
        number("parameters of its routed experts φ_e", shares.parameters[1], COUNTED),
        number("ranks that share the former n", sharing[0], origin),
        number("ranks that share the latter n_e", sharing[1], origin),
    ]
}
