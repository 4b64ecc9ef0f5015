//! The calls of each stage in the order of its turns.

use std::collections::BTreeMap;

use super::schedule::{self, Block, CallEntry, CallId, MicroBatchTurn, PassDirection, stage_turns};
use crate::collective::{Algorithm, CollectiveFlow, GroupSpread, Policy, Scope, collective_flows};
use crate::parallel::{Placed, Rank};
use crate::step::{BlockKind, Cadence, Collective, Communication, Hiding, Moment, Pass, Step};

/// A message between stages by what it carries: the turn that sends it.
type Sent = (u32, MicroBatchTurn);

/// The calls of one step on GPUs.
#[derive(Clone, Debug)]
pub struct Ledger<'a> {
    step: &'a Step,
    placed: &'a Placed,
    /// What a call of each communication sends, by stage.
    flows: Vec<Vec<Vec<CollectiveFlow>>>,
    /// Where each message stands among its stage's calls.
    sent: BTreeMap<Sent, CallId>,
}

impl<'a> Ledger<'a> {
    /// The ledger of a step whose ranks sit like that.
    #[must_use]
    pub fn new(step: &'a Step, placed: &'a Placed) -> Self {
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
        let mut ledger = Self { step, placed, flows, sent: BTreeMap::new() };
        let mut sent = BTreeMap::new();
        for stage in 0..step.layout.pipeline {
            ledger.walk_stage(stage, |entry, turn| {
                if let Some(turn) = turn
                    && matches!(
                        ledger.communication_of_entry(entry).cadence,
                        Cadence::PerBoundary { .. }
                    )
                {
                    sent.insert((stage, *turn), entry.id);
                }
            });
        }
        ledger.sent = sent;
        ledger
    }

    /// Calls of a step on one rank of each stage, so many lines at most: what listing them costs.
    #[must_use]
    pub fn max_lines(step: &Step) -> u64 {
        let of_stage = |stage| {
            let calls = step
                .communications
                .iter()
                .map(|communication| step.calls_per_step(communication, stage));
            calls.fold(0, u64::saturating_add)
        };
        (0..step.stages.len()).map(of_stage).fold(0, u64::saturating_add)
    }

    /// The step whose calls these are.
    #[must_use]
    pub const fn step(&self) -> &'a Step {
        self.step
    }

    /// Where its ranks sit.
    #[must_use]
    pub const fn placed_ranks(&self) -> &'a Placed {
        self.placed
    }

    /// The communication that an entry calls.
    #[must_use]
    pub fn communication_of_entry(&self, entry: &CallEntry) -> &'a Communication {
        &self.step.communications[entry.communication]
    }

    /// What a rank that takes part sends in a call of the entry.
    #[must_use]
    pub fn call_flows(&self, entry: &CallEntry) -> &[CollectiveFlow] {
        &self.flows[entry.communication][entry.id.stage as usize]
    }

    /// The algorithm of a call of the entry.
    #[must_use]
    pub fn call_algorithm(&self, entry: &CallEntry) -> Algorithm {
        let communication = self.communication_of_entry(entry);
        let payload = communication.payload(entry.id.stage as usize);
        Policy::from(communication.by).choose_algorithm(
            communication.collective,
            payload,
            GroupSpread::spread_of_group(self.placed, communication.group),
        )
    }

    /// The ranks that make a call of the entry together with `rank`, in the order of the group:
    /// those of one domain where the call stays inside domains, of equal place where it only leaves
    /// them, and the two ends where only they take part.
    #[must_use]
    pub fn call_members(&self, entry: &CallEntry, rank: Rank) -> Vec<Rank> {
        let communication = self.communication_of_entry(entry);
        let grid = self.placed.grid();
        let n = grid.group_size(communication.group);
        if communication.collective == Collective::EndsAllReduce {
            return [0, n - 1].map(|at| grid.group_member(rank, communication.group, at)).to_vec();
        }
        let scopes: Vec<Scope> = self.call_flows(entry).iter().map(|flow| flow.scope).collect();
        let only = |scope| scopes.iter().all(|this_scope| *this_scope == scope);
        let placement = self.placed.placement();
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
        self.walk_stage(stage, |entry, _| take(entry));
    }

    /// Every call of a stage in order, with the turn that it belongs to.
    fn walk_stage(&self, stage: u32, mut take: impl FnMut(&CallEntry, Option<&MicroBatchTurn>)) {
        let mut walk = StageWalk {
            ledger: self,
            stage,
            place: 0,
            last: None,
            arrived: Vec::new(),
            take: &mut take,
        };
        walk.visit_step_calls(|communication| {
            communication.moment == Moment::Parameters
                && communication.hiding == Hiding::FirstForward
        });
        let chunks = schedule::stage_chunks(&self.step.stages[stage as usize]);
        let blocks = BlockCalls::new(&self.step.communications);
        for turn in stage_turns(&self.step.layout, self.step.micro_batches, stage) {
            walk.visit_turn(&turn, &chunks[turn.chunk as usize], &blocks);
        }
        walk.visit_step_calls(|communication| communication.moment == Moment::Gradients);
        walk.visit_step_calls(|communication| communication.moment == Moment::Tied);
        walk.visit_step_calls(|communication| {
            communication.moment == Moment::Parameters
                && communication.hiding != Hiding::FirstForward
        });
    }

    /// The turn of another stage whose message a turn needs; `None` at the ends of the model.
    fn preceding_turn(&self, stage: u32, turn: &MicroBatchTurn) -> Option<Sent> {
        let layout = &self.step.layout;
        let chunks = u64::from(layout.interleave.max(1));
        let stages = u64::from(layout.pipeline);
        let own = u64::from(turn.chunk) * stages + u64::from(stage);
        let other = match turn.way {
            PassDirection::Forward => own.checked_sub(1)?,
            PassDirection::Backward => Some(own + 1).filter(|other| *other < stages * chunks)?,
        };
        Some(((other % stages) as u32, MicroBatchTurn { chunk: (other / stages) as u32, ..*turn }))
    }
}

/// The calls of each kind of block in each pass.
struct BlockCalls(BTreeMap<(BlockKind, Pass), Vec<usize>>);

impl BlockCalls {
    fn new(communications: &[Communication]) -> Self {
        let passes = [Pass::Forward, Pass::Recompute, Pass::Backward];
        let both =
            BlockKind::all_kinds().into_iter().flat_map(|kind| passes.map(|pass| (kind, pass)));
        Self(
            both.map(|item| (item, schedule::block_calls(communications, item.0, item.1)))
                .collect(),
        )
    }

    fn calls_of_block(&self, kind: BlockKind, pass: Pass) -> &[usize] {
        self.0.get(&(kind, pass)).map_or(&[], Vec::as_slice)
    }
}

/// A walk through the calls of one stage.
struct StageWalk<'a, 'b, F> {
    ledger: &'b Ledger<'a>,
    stage: u32,
    place: u64,
    last: Option<CallId>,
    /// Messages from other stages that no call has waited for yet.
    arrived: Vec<CallId>,
    take: &'b mut F,
}

impl<F: FnMut(&CallEntry, Option<&MicroBatchTurn>)> StageWalk<'_, '_, F> {
    /// Calls once a step.
    fn visit_step_calls(&mut self, is: impl Fn(&Communication) -> bool) {
        for at in 0..self.ledger.step.communications.len() {
            let communication = &self.ledger.step.communications[at];
            if communication.cadence == Cadence::PerStep && is(communication) {
                self.visit_call(at, None, None, None);
            }
        }
    }

    /// One micro-batch through one chunk.
    fn visit_turn(&mut self, turn: &MicroBatchTurn, blocks: &[Block], calls: &BlockCalls) {
        let before = self.ledger.preceding_turn(self.stage, turn);
        self.arrived.extend(before.and_then(|sent| self.ledger.sent.get(&sent).copied()));
        let layout = &self.ledger.step.layout;
        let last = turn.chunk + 1 == layout.interleave.max(1);
        let (first_of_batch, last_of_batch) = match turn.way {
            PassDirection::Forward => (turn.chunk == 0, last),
            PassDirection::Backward => (last, turn.chunk == 0),
        };
        let pass = match turn.way {
            PassDirection::Forward => Pass::Forward,
            PassDirection::Backward => Pass::Backward,
        };
        let each = Cadence::PerMicroBatch { pass };
        if first_of_batch {
            self.visit_outside_blocks(turn, pass, |communication| {
                communication.cadence == each && communication.moment == Moment::Parameters
            });
        }
        if before.is_some() {
            self.visit_outside_blocks(turn, pass, |communication| {
                communication.cadence == Cadence::PerArrival { pass }
            });
        }
        match turn.way {
            PassDirection::Forward => {
                blocks.iter().for_each(|block| self.visit_block(turn, block, pass, calls))
            }
            PassDirection::Backward => {
                for block in blocks.iter().rev() {
                    self.visit_block(turn, block, Pass::Recompute, calls);
                    self.visit_block(turn, block, Pass::Backward, calls);
                }
            }
        }
        if self.has_next(turn) {
            self.visit_outside_blocks(turn, pass, |communication| {
                communication.cadence == Cadence::PerBoundary { pass }
            });
        }
        if last_of_batch {
            self.visit_outside_blocks(turn, pass, |communication| {
                communication.cadence == each && communication.moment != Moment::Parameters
            });
        }
    }

    fn has_next(&self, turn: &MicroBatchTurn) -> bool {
        let layout = &self.ledger.step.layout;
        match turn.way {
            PassDirection::Forward => {
                self.stage + 1 < layout.pipeline || turn.chunk + 1 < layout.interleave.max(1)
            }
            PassDirection::Backward => self.stage > 0 || turn.chunk > 0,
        }
    }

    fn visit_block(
        &mut self,
        turn: &MicroBatchTurn,
        block: &Block,
        pass: Pass,
        calls: &BlockCalls,
    ) {
        for at in calls.calls_of_block(block.kind, pass) {
            self.visit_call(*at, Some(turn), Some(pass), Some(block));
        }
    }

    fn visit_outside_blocks(
        &mut self,
        turn: &MicroBatchTurn,
        pass: Pass,
        is: impl Fn(&Communication) -> bool,
    ) {
        for at in 0..self.ledger.step.communications.len() {
            if is(&self.ledger.step.communications[at]) {
                self.visit_call(at, Some(turn), Some(pass), None);
            }
        }
    }

    fn visit_call(
        &mut self,
        communication: usize,
        turn: Option<&MicroBatchTurn>,
        pass: Option<Pass>,
        block: Option<&Block>,
    ) {
        let this_communication = &self.ledger.step.communications[communication];
        let ends = [0, self.ledger.step.layout.pipeline - 1];
        let idle = self.ledger.flows[communication][self.stage as usize].is_empty()
            || (this_communication.collective == Collective::EndsAllReduce
                && !ends.contains(&self.stage));
        if idle {
            return;
        }
        let id = CallId { stage: self.stage, place: self.place };
        let entry = CallEntry {
            id,
            communication,
            pass,
            micro_batch: turn.map(|turn| turn.micro_batch),
            chunk: turn.map(|turn| turn.chunk),
            block: block.map(|block| (block.kind, block.layer)),
            waits: self.last.into_iter().chain(self.arrived.drain(..)).collect(),
        };
        (self.take)(&entry, turn);
        // What is only needed for the gradient of the weights holds nothing up.
        if this_communication.hiding == Hiding::Exposed
            || this_communication.moment != Moment::Again
        {
            self.last = Some(id);
        }
        self.place += 1;
    }
}
