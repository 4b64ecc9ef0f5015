//! The walk through the calls of one stage: turn by turn, block by block, message by message.

use std::collections::BTreeMap;

use super::schedule::{self, Block, CallEntry, CallId, MicroBatchTurn, PassDirection, stage_turns};
use crate::collective::CollectiveFlow;
use crate::parallel::Placed;
use crate::step::{BlockKind, Cadence, Collective, Communication, Hiding, Moment, Pass, Step};
use crate::units::Bytes;

/// A message between stages by what it carries: the turn that sends it.
pub(super) type Sent = (u32, MicroBatchTurn);

/// What the calls of a step follow from.
#[derive(Clone, Debug)]
pub(super) struct StepCalls<'a> {
    pub(super) step: &'a Step,
    pub(super) placed: &'a Placed,
    /// What a call of each communication sends, by stage.
    pub(super) flows: Vec<Vec<Vec<CollectiveFlow>>>,
    /// Where each message stands among its stage's calls.
    pub(super) sent: BTreeMap<Sent, CallId>,
    /// Calls whose payload goes in several messages are listed message by message.
    pub(super) by_message: bool,
}

impl StepCalls<'_> {
    /// Payload of a call, or of one of its messages.
    pub(super) fn payload_of_message(
        &self,
        communication: usize,
        stage: u32,
        message: Option<u64>,
    ) -> Bytes {
        let communication = &self.step.communications[communication];
        // Halves of a share too: two trees carry one each.
        let unit = 2 * u128::from(self.placed.grid().group_size(communication.group));
        message.map_or_else(
            || communication.payload(stage as usize),
            |message| communication.message_payload(stage as usize, message, unit),
        )
    }

    /// Every call of a stage in order, with the turn that it belongs to.
    pub(super) fn walk_stage(
        &self,
        stage: u32,
        mut take: impl FnMut(&CallEntry, Option<&MicroBatchTurn>),
    ) {
        let mut walk = StageWalk {
            calls: self,
            stage,
            place: 0,
            last: None,
            arrived: Vec::new(),
            reached: BTreeMap::new(),
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
    calls: &'b StepCalls<'a>,
    stage: u32,
    place: u64,
    last: Option<CallId>,
    /// Messages from other stages that no call has waited for yet.
    arrived: Vec<CallId>,
    /// Blocks that each communication's messages of a micro-batch have come to.
    reached: BTreeMap<(usize, u64), u64>,
    take: &'b mut F,
}

impl<F: FnMut(&CallEntry, Option<&MicroBatchTurn>)> StageWalk<'_, '_, F> {
    /// Calls once a step.
    fn visit_step_calls(&mut self, is: impl Fn(&Communication) -> bool) {
        for at in 0..self.calls.step.communications.len() {
            let communication = &self.calls.step.communications[at];
            if communication.cadence == Cadence::PerStep && is(communication) {
                self.visit_messages(at, None, None);
            }
        }
    }

    /// One micro-batch through one chunk.
    fn visit_turn(&mut self, turn: &MicroBatchTurn, blocks: &[Block], of_blocks: &BlockCalls) {
        let before = self.calls.preceding_turn(self.stage, turn);
        self.arrived.extend(before.and_then(|sent| self.calls.sent.get(&sent).copied()));
        let layout = &self.calls.step.layout;
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
                for block in blocks {
                    self.visit_messages_of_block(turn, block, pass, true);
                    self.visit_block(turn, block, pass, of_blocks);
                    self.visit_messages_of_block(turn, block, pass, false);
                }
            }
            PassDirection::Backward => {
                for block in blocks.iter().rev() {
                    self.visit_messages_of_block(turn, block, pass, true);
                    self.visit_block(turn, block, Pass::Recompute, of_blocks);
                    self.visit_block(turn, block, Pass::Backward, of_blocks);
                    self.visit_messages_of_block(turn, block, pass, false);
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
        let layout = &self.calls.step.layout;
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
        of_blocks: &BlockCalls,
    ) {
        for at in of_blocks.calls_of_block(block.kind, pass) {
            self.visit_call(*at, Some(turn), Some(pass), Some(block), None);
        }
    }

    /// Messages of a micro-batch that a block waits for, or leaves behind: as many of all as it is
    /// of the blocks with such parameters.
    fn visit_messages_of_block(
        &mut self,
        turn: &MicroBatchTurn,
        block: &Block,
        pass: Pass,
        before: bool,
    ) {
        let step = self.calls.step;
        for (at, communication) in step.communications.iter().enumerate() {
            let each = communication.cadence == Cadence::PerMicroBatch { pass };
            let parameters = communication.moment == Moment::Parameters;
            let of_experts = communication.group.is_of_experts();
            if !each
                || parameters != before
                || !self.is_sent_by_block(communication)
                || !block.kind.has_parameters(of_experts)
            {
                continue;
            }
            let all = communication.messages_per_call(self.stage as usize);
            let blocks = step.stages[self.stage as usize].blocks_with_parameters(of_experts);
            let reached = self.reached.entry((at, turn.micro_batch)).or_default();
            let due = |place: u64| {
                if before { (place * all).div_ceil(blocks) } else { place * all / blocks }
            };
            let messages = due(*reached)..due(*reached + 1);
            *reached += 1;
            for message in messages {
                self.visit_call(at, Some(turn), Some(pass), Some(block), Some(message));
            }
        }
    }

    /// True where a call of a micro-batch is listed message by message, beside blocks.
    fn is_sent_by_block(&self, communication: &Communication) -> bool {
        self.calls.by_message
            && matches!(communication.cadence, Cadence::PerMicroBatch { .. })
            && communication.messages_per_call(self.stage as usize) > 1
    }

    /// A call outside blocks, in its messages where these are listed.
    fn visit_messages(
        &mut self,
        communication: usize,
        turn: Option<&MicroBatchTurn>,
        pass: Option<Pass>,
    ) {
        let called = &self.calls.step.communications[communication];
        let count = called.messages_per_call(self.stage as usize);
        if !self.calls.by_message || count == 1 {
            return self.visit_call(communication, turn, pass, None, None);
        }
        for message in 0..count {
            self.visit_call(communication, turn, pass, None, Some(message));
        }
    }

    fn visit_outside_blocks(
        &mut self,
        turn: &MicroBatchTurn,
        pass: Pass,
        is: impl Fn(&Communication) -> bool,
    ) {
        for at in 0..self.calls.step.communications.len() {
            let communication = &self.calls.step.communications[at];
            if is(communication) && !self.is_sent_by_block(communication) {
                self.visit_messages(at, Some(turn), Some(pass));
            }
        }
    }

    fn visit_call(
        &mut self,
        communication: usize,
        turn: Option<&MicroBatchTurn>,
        pass: Option<Pass>,
        block: Option<&Block>,
        message: Option<u64>,
    ) {
        let this_communication = &self.calls.step.communications[communication];
        let ends = [0, self.calls.step.layout.pipeline - 1];
        let idle = self.calls.flows[communication][self.stage as usize].is_empty()
            || self.calls.payload_of_message(communication, self.stage, message).is_zero()
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
            message,
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
