//! The calls of each stage in the order of its turns.

use std::collections::BTreeMap;

use super::schedule::CallEntry;
use super::stage_walk::StepCalls;
use crate::collective::{Algorithm, CollectiveFlow, GroupSpread, Policy, Scope, collective_flows};
use crate::parallel::{Placed, Rank};
use crate::step::{Cadence, Collective, Communication, Step};
use crate::units::Bytes;

/// The calls of one step on GPUs.
#[derive(Clone, Debug)]
pub struct Ledger<'a> {
    calls: StepCalls<'a>,
}

impl<'a> Ledger<'a> {
    /// The ledger of a step whose ranks sit like that.
    #[must_use]
    pub fn new(step: &'a Step, placed: &'a Placed) -> Self {
        Self::list_calls(step, placed, false)
    }

    /// The ledger of messages, as a library of collectives is called: what a block needs or
    /// leaves of a micro-batch's gathers and sums stands before or behind it, buckets of a step
    /// one after the other.
    #[must_use]
    pub fn list_messages(step: &'a Step, placed: &'a Placed) -> Self {
        Self::list_calls(step, placed, true)
    }

    fn list_calls(step: &'a Step, placed: &'a Placed, by_message: bool) -> Self {
        let sends = |communication: &Communication, stage| {
            let spread = GroupSpread::spread_of_group(placed, communication.group);
            collective_flows(
                communication.collective,
                communication.payload(stage),
                spread,
                &Policy::from(communication.by),
            )
        };
        let each = |communication| {
            (0..step.stages.len()).map(|stage| sends(communication, stage)).collect()
        };
        let flows = step.communications.iter().map(each).collect();
        let mut calls = StepCalls { step, placed, flows, sent: BTreeMap::new(), by_message };
        let mut sent = BTreeMap::new();
        for stage in 0..step.layout.pipeline {
            calls.walk_stage(stage, |entry, turn| {
                if let Some(turn) = turn
                    && matches!(
                        step.communications[entry.communication].cadence,
                        Cadence::PerBoundary { .. }
                    )
                {
                    sent.insert((stage, *turn), entry.id);
                }
            });
        }
        calls.sent = sent;
        Self { calls }
    }

    /// Calls of a step on one rank of each stage, so many lines at most: what listing them costs.
    #[must_use]
    pub fn max_lines(step: &Step) -> u64 {
        sum_over_stages(step, |communication, stage| step.calls_per_step(communication, stage))
    }

    /// Messages of a step on one rank of each stage, so many lines at most.
    #[must_use]
    pub fn max_messages(step: &Step) -> u64 {
        sum_over_stages(step, |communication, stage| {
            let each = communication.messages_per_call(stage);
            step.calls_per_step(communication, stage).saturating_mul(each)
        })
    }

    /// The step whose calls these are.
    #[must_use]
    pub const fn step(&self) -> &'a Step {
        self.calls.step
    }

    /// Where its ranks sit.
    #[must_use]
    pub const fn placed_ranks(&self) -> &'a Placed {
        self.calls.placed
    }

    /// The communication that an entry calls.
    #[must_use]
    pub fn communication_of_entry(&self, entry: &CallEntry) -> &'a Communication {
        &self.calls.step.communications[entry.communication]
    }

    /// Payload of what an entry stands for: a call, or one of its messages, which all members have
    /// the same share of, as far as they have of the call.
    #[must_use]
    pub fn payload_of_entry(&self, entry: &CallEntry) -> Bytes {
        self.calls.payload_of_message(entry.communication, entry.id.stage, entry.message)
    }

    /// What a rank that takes part sends in a call of the entry, in all its messages.
    #[must_use]
    pub fn call_flows(&self, entry: &CallEntry) -> &[CollectiveFlow] {
        &self.calls.flows[entry.communication][entry.id.stage as usize]
    }

    /// The algorithm of a call of the entry.
    #[must_use]
    pub fn call_algorithm(&self, entry: &CallEntry) -> Algorithm {
        let communication = self.communication_of_entry(entry);
        let payload = communication.payload(entry.id.stage as usize);
        Policy::from(communication.by).choose_algorithm(
            communication.collective,
            payload,
            GroupSpread::spread_of_group(self.calls.placed, communication.group),
        )
    }

    /// The ranks that make a call of the entry together with `rank`, in the order of the group:
    /// those of one domain where the call stays inside domains, of equal place where it only leaves
    /// them, and the two ends where only they take part.
    #[must_use]
    pub fn call_members(&self, entry: &CallEntry, rank: Rank) -> Vec<Rank> {
        let communication = self.communication_of_entry(entry);
        let grid = self.calls.placed.grid();
        let n = grid.group_size(communication.group);
        if communication.collective == Collective::EndsAllReduce {
            return [0, n - 1].map(|at| grid.group_member(rank, communication.group, at)).to_vec();
        }
        let scopes: Vec<Scope> = self.call_flows(entry).iter().map(|flow| flow.scope).collect();
        let only = |scope| scopes.iter().all(|this_scope| *this_scope == scope);
        let placement = self.calls.placed.placement();
        let together = |other: &Rank| {
            if only(Scope::Inside) {
                placement.domain_of(*other) == placement.domain_of(rank)
            } else {
                !only(Scope::Across) || placement.index_of(*other) == placement.index_of(rank)
            }
        };
        (0..n).map(|at| grid.group_member(rank, communication.group, at)).filter(together).collect()
    }

    /// The calls of a rank of `stage`, in order.
    #[must_use]
    pub fn stage_calls(&self, stage: u32) -> Vec<CallEntry> {
        let mut entries = Vec::new();
        self.for_each_call(stage, |entry| entries.push(entry.clone()));
        entries
    }

    /// Every call of a rank of `stage`, in order.
    pub fn for_each_call(&self, stage: u32, mut take: impl FnMut(&CallEntry)) {
        self.calls.walk_stage(stage, |entry, _| take(entry));
    }
}

fn sum_over_stages(step: &Step, count: impl Fn(&Communication, usize) -> u64) -> u64 {
    let of_stage = |stage| {
        let each = step.communications.iter().map(|communication| count(communication, stage));
        each.fold(0, u64::saturating_add)
    };
    (0..step.stages.len()).map(of_stage).fold(0, u64::saturating_add)
}
