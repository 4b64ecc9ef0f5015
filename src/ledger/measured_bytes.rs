//! From recorded calls to bytes by pair: each call spread over pairs by the algorithm that the
//! matrix takes for it, on the members that the record names.

use std::collections::BTreeMap;

use super::recorded_calls::{AssignedParallelism, Groups, RecordedCall};
use crate::collective::{CollectiveFlow, GroupSpread, Policy, Scope, collective_flows};
use crate::parallel::{Group, Placement, Rank};
use crate::step::{Collective, Operation, TrafficKind};
use crate::units::Bytes;

/// A sender, and the receiver where it is known.
pub(super) type Pair = (TrafficKind, Rank, Option<Rank>);

/// What was recorded of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct MeasuredBytes {
    /// Bytes of all steps by kind and pair.
    pub(super) pairs: BTreeMap<Pair, u128>,
    /// Calls and bytes of all steps by kind, group and operation.
    pub(super) calls: BTreeMap<(TrafficKind, Option<Group>, Operation), (u64, u128)>,
    /// As `calls`, of what no kind of parallelism causes, by name.
    pub(super) left_out: BTreeMap<(String, Operation), (u64, u128)>,
    pub(super) ranks: Vec<Rank>,
}

impl MeasuredBytes {
    /// All calls on pairs.
    pub(super) fn new(calls: &[RecordedCall], groups: &Groups<'_>, placement: Placement) -> Self {
        let mut all =
            Self { ranks: calls.iter().map(|call| call.rank).collect(), ..Self::default() };
        all.ranks.sort_unstable();
        all.ranks.dedup();
        for call in calls {
            let assigned = groups.assign_parallelism(call);
            let whole = match &assigned {
                AssignedParallelism::Kind(_, _, whole) => *whole,
                _ => None,
            };
            let sent = sent_bytes(call, whole, groups.call_policy(&assigned), placement);
            let bytes = sent.iter().map(|(_, bytes)| bytes).sum::<u128>() * u128::from(call.times);
            let count = |entry: &mut (u64, u128)| {
                entry.0 += call.times;
                entry.1 += bytes;
            };
            match assigned {
                AssignedParallelism::Nothing => {}
                AssignedParallelism::LeftOut(what) => {
                    count(all.left_out.entry((what, call.operation)).or_default());
                }
                AssignedParallelism::Kind(kind, group, _) => {
                    count(all.calls.entry((kind, group, call.operation)).or_default());
                    for (to, bytes) in sent {
                        let pair = (kind, call.rank, to);
                        *all.pairs.entry(pair).or_default() += bytes * u128::from(call.times);
                    }
                }
            }
        }
        all
    }
}

/// What the caller sends in one call, by receiver. Messages of one call go as the matrix takes the
/// whole of it, `whole` bytes, to go.
fn sent_bytes(
    call: &RecordedCall,
    whole: Option<u128>,
    policy: Policy,
    placement: Placement,
) -> Vec<(Option<Rank>, u128)> {
    let members = &call.members;
    if call.operation == Operation::Send && call.flows.is_none() {
        return match members.get(1) {
            Some(to) if *to == call.rank => Vec::new(),
            to => vec![(to.copied(), call.payload)],
        };
    }
    let Some(own) = members.iter().position(|member| *member == call.rank) else {
        return Vec::new();
    };
    if call.operation == Operation::AllToAll && call.flows.is_none() && !call.splits.is_empty() {
        let sum = call.splits.iter().map(|split| u128::from(*split)).sum::<u128>().max(1);
        let share = |split: &u64| (call.payload * u128::from(*split)).div_ceil(sum);
        let each = members.iter().zip(&call.splits);
        return each
            .filter(|(to, _)| **to != call.rank)
            .map(|(to, split)| (Some(*to), share(split)))
            .collect();
    }
    let spread = group_spread(members, placement);
    let planned;
    let flows: &[CollectiveFlow] = match &call.flows {
        Some(flows) => flows,
        None => {
            let whole = whole.unwrap_or(call.payload).max(1);
            let of_whole = expected_flows(call.operation, whole, spread, policy);
            let share = |flow: &CollectiveFlow| CollectiveFlow {
                bytes: Bytes::new(flow.bytes.count() * call.payload / whole),
                ..*flow
            };
            planned = of_whole.iter().map(share).collect::<Vec<_>>();
            &planned
        }
    };
    let mut sent = Vec::new();
    for flow in flows {
        let (scope, own) = members_in_scope(flow.scope, members, own, placement);
        for to in flow.shape.target_positions(own, scope.len() as u32) {
            if let Some(to) = scope.get(to as usize) {
                sent.push((Some(*to), flow.bytes.count()));
            }
        }
    }
    sent
}

/// What the matrix takes a member to send in such a call.
fn expected_flows(
    operation: Operation,
    payload: u128,
    spread: GroupSpread,
    policy: Policy,
) -> Vec<CollectiveFlow> {
    let collective = match operation {
        Operation::AllReduce => Collective::AllReduce,
        Operation::ReduceScatter => Collective::ReduceScatter,
        Operation::AllGather => Collective::AllGather,
        Operation::AllToAll => Collective::AllToAll,
        Operation::Send => Collective::ShiftUp,
    };
    collective_flows(collective, Bytes::new(payload), spread, &policy)
}

/// How the members lie on domains: as [`GroupSpread::spread_of_group`] says it of groups of a
/// layout.
fn group_spread(members: &[Rank], placement: Placement) -> GroupSpread {
    let mut domains: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for rank in members {
        domains.entry(placement.domain_of(*rank)).or_default().push(placement.index_of(*rank));
    }
    let n = members.len() as u32;
    let mut places = domains.values();
    let first = places.next().map_or(&[][..], Vec::as_slice);
    match (domains.len(), first.len() as u32) {
        (0 | 1, _) => GroupSpread::Inside { members: n },
        _ if domains.values().all(|counts| counts.len() == 1) => GroupSpread::Apart { members: n },
        (_, inside) if places.all(|counts| counts == first) => {
            GroupSpread::Nested { inside, across: n / inside }
        }
        _ => GroupSpread::Ragged { members: n },
    }
}

/// The members of a scope in their order, and the caller's position among them.
fn members_in_scope(
    scope: Scope,
    members: &[Rank],
    own: usize,
    placement: Placement,
) -> (Vec<Rank>, u32) {
    let rank = members[own];
    let read = |other: &Rank| match scope {
        Scope::Whole => true,
        Scope::Inside => placement.domain_of(*other) == placement.domain_of(rank),
        Scope::Across => placement.index_of(*other) == placement.index_of(rank),
    };
    let all: Vec<Rank> = members.iter().copied().filter(read).collect();
    let own = all.iter().position(|other| *other == rank).unwrap_or(0);
    (all, own as u32)
}
