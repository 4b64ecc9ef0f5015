//! Recorded calls, and which parallelism each belongs to.

use std::collections::BTreeMap;

use crate::collective::{CollectiveFlow, Policy};
use crate::parallel::{Group, Placed, Rank};
use crate::step::{Moment, Operation, Step, TrafficKind};

/// What a record says of the reason of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedCause {
    /// A kind of parallelism.
    Kind(TrafficKind),
    /// What the matrix leaves out, by name: scalars of the gradient norm and the like.
    LeftOut(&'static str),
    /// Gradients of what every rank of a tensor group holds whole: left out where that is norms and
    /// a router alone.
    Replicated,
}

/// One call of one rank, or several alike.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedCall {
    pub rank: Rank,
    pub operation: Operation,
    /// Members of the group in its order; of a send the sender and the receiver, or the sender
    /// alone where the record has no receiver.
    pub members: Vec<Rank>,
    /// Payload D of one call, in bytes.
    pub payload: u128,
    pub times: u64,
    /// Of an all-to-all, what goes to each member, in any unit; empty: as much to each.
    pub splits: Vec<u64>,
    /// Why, where the record says so.
    pub cause: Option<RecordedCause>,
    /// Whom the caller sends how much, where the record says so; else the planner's own algorithm
    /// is taken.
    pub flows: Option<Vec<CollectiveFlow>>,
}

/// A recorded run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Every call, in no order.
    pub calls: Vec<RecordedCall>,
    /// Steps that they were made in; at least 1.
    pub steps: u64,
}

/// Payload of a call over the least one that is predicted for such a call on such a group, below
/// which it is none of them: a scalar, a count, one value a token.
const SMALL: f64 = 0.05;

/// What a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AssignedParallelism {
    /// Traffic of a kind, on groups of the layout where they are some; and the payload of the call
    /// that it is a message of, where one is predicted.
    Kind(TrafficKind, Option<Group>, Option<u128>),
    /// Something that the matrix leaves out.
    LeftOut(String),
    /// A call that sends nothing: its group has one member.
    Nothing,
}

/// A communication of the step, as calls are held against it.
struct Predicted {
    kind: TrafficKind,
    group: Group,
    operation: Operation,
    /// Payload of one of its messages, and of the call that they are.
    payload: u128,
    whole: u128,
    moment: Moment,
}

/// What a step predicts on each of its groups.
pub(super) struct Groups<'a> {
    placed: &'a Placed,
    predicted: Vec<Predicted>,
    policies: BTreeMap<TrafficKind, Policy>,
}

impl<'a> Groups<'a> {
    /// What the step predicts.
    pub(super) fn new(step: &Step, placed: &'a Placed) -> Self {
        let mut predicted = Vec::new();
        for communication in &step.communications {
            for stage in 0..step.stages.len() {
                let payload = communication.payload(stage).count();
                if payload > 0 && step.calls_per_step(communication, stage) > 0 {
                    predicted.push(Predicted {
                        kind: communication.kind,
                        group: communication.group,
                        operation: communication.collective.operation(),
                        payload: payload.div_ceil(communication.messages_per_call(stage).into()),
                        whole: payload,
                        moment: communication.moment,
                    });
                }
            }
        }
        let policies = step
            .communications
            .iter()
            .map(|communication| (communication.kind, Policy::from(communication.by)));
        Self { placed, predicted, policies: policies.collect() }
    }

    /// The algorithms of a call: those of its kind.
    pub(super) fn call_policy(&self, parallelism: &AssignedParallelism) -> Policy {
        let own = match parallelism {
            AssignedParallelism::Kind(kind, ..) => self.policies.get(kind).copied(),
            AssignedParallelism::LeftOut(_) | AssignedParallelism::Nothing => None,
        };
        own.unwrap_or_default()
    }

    /// What a call is.
    pub(super) fn assign_parallelism(&self, call: &RecordedCall) -> AssignedParallelism {
        if call.members.len() < 2 && call.operation != Operation::Send {
            return AssignedParallelism::Nothing;
        }
        match &call.cause {
            Some(RecordedCause::Kind(kind)) => {
                return AssignedParallelism::Kind(*kind, self.group_of(call, *kind), None);
            }
            Some(RecordedCause::LeftOut(what)) => {
                return AssignedParallelism::LeftOut((*what).to_owned());
            }
            Some(RecordedCause::Replicated) => {
                let summed = |predicted: &&Predicted| {
                    (predicted.kind, predicted.moment) == (TrafficKind::Tensor, Moment::Tied)
                        && self.is_group(predicted.group, call)
                };
                return match self.predicted.iter().find(summed) {
                    Some(found) => AssignedParallelism::Kind(found.kind, Some(found.group), None),
                    None => AssignedParallelism::LeftOut(
                        "gradients that every tensor rank holds whole".to_owned(),
                    ),
                };
            }
            None => {}
        }
        let fits = |predicted: &&Predicted| {
            predicted.operation == call.operation && self.is_group(predicted.group, call)
        };
        let candidates: Vec<&Predicted> = self.predicted.iter().filter(fits).collect();
        let exact = candidates.iter().find(|predicted| predicted.payload == call.payload);
        let near = || {
            let distance = |predicted: &&&Predicted| predicted.payload.abs_diff(call.payload);
            candidates.iter().min_by_key(distance)
        };
        let Some(found) = exact.or_else(near) else {
            return match self.matching_groups(call).next() {
                Some(group) => AssignedParallelism::LeftOut(format!("on {} groups", group.name())),
                None => AssignedParallelism::LeftOut("on no group of the layout".to_owned()),
            };
        };
        // Gradients and parameters come in buckets of any size.
        let bucket = found.kind == TrafficKind::Data && call.operation != Operation::AllReduce;
        let least = candidates
            .iter()
            .filter(|predicted| predicted.kind == found.kind)
            .map(|predicted| predicted.payload)
            .min();
        let small = least.is_some_and(|least| (call.payload as f64) < SMALL * least as f64);
        if small && !bucket {
            return AssignedParallelism::LeftOut(format!(
                "small, on {} groups",
                found.group.name()
            ));
        }
        let whole = (found.whole > found.payload).then_some(found.whole);
        AssignedParallelism::Kind(found.kind, Some(found.group), whole)
    }

    /// The group of a call of a known kind.
    fn group_of(&self, call: &RecordedCall, kind: TrafficKind) -> Option<Group> {
        let of_kind = |group: &Group| {
            self.predicted
                .iter()
                .any(|predicted| predicted.kind == kind && predicted.group == *group)
        };
        self.matching_groups(call).find(of_kind)
    }

    /// Kinds of group that the members of a call are one of.
    fn matching_groups<'b>(&'b self, call: &'b RecordedCall) -> impl Iterator<Item = Group> + 'b {
        self.placed.grid().group_kinds().filter(|group| self.is_group(*group, call))
    }

    /// True where the members of the call are a group of that kind, or the ends of one; of a send,
    /// where both are neighbours in one.
    fn is_group(&self, group: Group, call: &RecordedCall) -> bool {
        let grid = self.placed.grid();
        let n = grid.group_size(group);
        if call.members.iter().any(|rank| rank.0 >= grid.ranks()) || n < 2 {
            return false;
        }
        let member = |at| grid.group_member(call.rank, group, at);
        if call.operation == Operation::Send && call.flows.is_none() {
            let Some(to) = call.members.get(1) else { return true };
            let (p, q) =
                (grid.position_in_group(call.rank, group), grid.position_in_group(*to, group));
            return member(q) == *to && ((p + 1) % n == q || (q + 1) % n == p);
        }
        let mut members = call.members.clone();
        members.sort_unstable();
        let mut own: Vec<Rank> = (0..n).map(member).collect();
        own.sort_unstable();
        let ends = group == Group::Pipeline && members == [own[0], own[own.len() - 1]];
        members == own || ends
    }
}
