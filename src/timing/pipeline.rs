//! Duration and bubble of a pipeline; what a stage brings to it, and how micro-batches move
//! through.

#[cfg(test)]
mod message_driven_tests;
#[cfg(test)]
mod tests;

use super::block_time::BlockTime;
use super::stage_work::OncePerStep;
use super::step_time::{CallTime, LinkBusyTime};
use crate::parallel::{Layout, Schedule};
use crate::units::Seconds;

/// Times of one micro-batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StageTimes {
    pub(super) count: u32,
    pub(super) slowest: Seconds,
    pub(super) sum: Seconds,
    /// Weight gradients of the slowest stage, which a zero-bubble schedule can put off.
    pub(super) weight_gradient: Seconds,
    /// Layers of the slowest stage.
    pub(super) layers: u32,
}

/// What moves through the stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PipelineMessages {
    pub(super) schedule: Schedule,
    pub(super) micro_batches: u64,
    /// Virtual stages v per GPU.
    pub(super) chunks: u32,
    /// Messages of one boundary, one direction.
    pub(super) message: Seconds,
    /// Time by which the messages of a micro-batch outlast the stage's compute because other
    /// communication keeps the links busy.
    pub(super) queue: Seconds,
    pub(super) overlapped: bool,
}

/// Time from the first forward to the last backward pass of a step.
///
/// - GPipe (arXiv 1811.06965): fill and drain take one pass through all stages; in between the
///   slowest stage sets the pace, and its messages where they are not overlapped.
/// - 1F1B (arXiv 2104.04473 §2.2): the same, but the pace is also that of the round trip of a
///   micro-batch over the p in flight.
/// - Interleaved (ibid.): fill and drain pass one chunk of each stage, 1/v of it or the largest
///   where its layers do not divide; messages grow by v, and the steady state waits for them
///   unless they are overlapped.
/// - Zero bubble (ZB-H1, arXiv 2401.10241 table 2): weight gradients leave the round trip and
///   fill two of three parts of the bubble: (p−1)(F + B − W) in place of (p−1)(F + B + W).
/// - Stages by themselves (docs/equations.md §10.5): each runs its micro-batches, all at once or
///   one stage after the other.
/// - Message-driven (arXiv 2110.13005): a stage runs whatever has arrived, with p micro-batches in
///   flight: their round trip sets the pace as under 1F1B, or the messages of a stage, two for each
///   micro-batch, one where it is an end.
///
/// With one stage there is no message and no bubble: m times the stage. Never less than that.
pub(super) fn pipeline_duration(stages: &StageTimes, flow: &PipelineMessages) -> Seconds {
    let m = flow.micro_batches as f64;
    let p = f64::from(stages.count);
    let v = f64::from(flow.chunks.max(1));
    let others = stages.sum - stages.slowest;
    let fill = flow.message * (2.0 * (p - 1.0));
    if stages.count < 2 {
        return stages.slowest * m;
    }
    match flow.schedule {
        Schedule::Independent => stages.slowest * m,
        Schedule::InTurn => stages.sum * m,
        Schedule::MessageDriven => {
            let sent = flow.message * (p - 1.0).min(2.0);
            let round_trip = (stages.sum + fill) / p;
            let pace = (stages.slowest + flow.queue).max(sent).max(round_trip);
            stages.sum + fill + pace * (m - 1.0)
        }
        Schedule::GPipe => {
            let pace = stages.slowest + steady_messages(flow, 1.0);
            stages.sum + fill + pace * (m - 1.0)
        }
        Schedule::ZeroBubble => {
            let put_off = (stages.weight_gradient / stages.slowest).min(HALF);
            let round_trip = (stages.sum * (1.0 - put_off) + fill) / p;
            let bubble = others * (1.0 - put_off / HALF);
            let pace = (stages.slowest + flow.queue).max(round_trip);
            stages.slowest + bubble + fill + pace * (m - 1.0)
        }
        _ if flow.chunks > 1 => {
            let steady = (stages.slowest + steady_messages(flow, v)) * m;
            steady + others * largest_chunk(stages.layers, flow.chunks) + fill
        }
        Schedule::OneFOneB | Schedule::Interleaved => {
            let pace = (stages.slowest + flow.queue).max((stages.sum + fill) / p);
            stages.sum + fill + pace * (m - 1.0)
        }
    }
}

/// What [`pipeline_duration`] is not below, whatever the messages, however much longer each stage
/// takes than here and whichever is the slowest then.
pub(super) fn duration_lower_bound(stages: &StageTimes, flow: &PipelineMessages) -> Seconds {
    match flow.schedule {
        Schedule::ZeroBubble => stages.slowest * flow.micro_batches as f64,
        _ => {
            let none = Seconds::ZERO;
            let flow = PipelineMessages { message: none, queue: none, ..*flow };
            pipeline_duration(&StageTimes { layers: 0, ..*stages }, &flow)
        }
    }
}

/// Share of a micro-batch's time that weight gradients can take from the bubble: where they are
/// half of it, twice their time is all of it.
const HALF: f64 = 0.5;

/// The largest chunk's share of a stage of so many layers.
pub(super) fn largest_chunk(layers: u32, chunks: u32) -> f64 {
    if layers == 0 {
        return 1.0 / f64::from(chunks);
    }
    f64::from(layers.div_ceil(chunks)) / f64::from(layers)
}

/// Messages that a micro-batch waits for in the steady state: none where they travel beside
/// compute, but for what queues.
fn steady_messages(flow: &PipelineMessages, chunks: f64) -> Seconds {
    if flow.overlapped { flow.queue } else { (flow.message * (2.0 * chunks)).max(flow.queue) }
}

/// What the stages of a step take, before a schedule moves micro-batches through them.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPace {
    pub(super) slowest: BlockTime, // one micro-batch
    pub(super) layers: u32,        // of the slowest stage
    pub(super) sum: Seconds,       // one micro-batch through all stages
    pub(super) once: OncePerStep,
    pub(super) optimizer: Seconds,
}

/// How micro-batches move through the stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PipelineTurn {
    pub(super) flow: PipelineMessages,
    pub(super) message: CallTime,
    pub(super) stages: u32,
    pub(super) gpus: u64,
}

impl PipelineTurn {
    /// The turn of a layout of so many micro-batches. `message`: one message between stages.
    #[must_use]
    pub fn new(layout: &Layout, micro_batches: u64, message: CallTime) -> Self {
        let flow = PipelineMessages {
            schedule: layout.schedule,
            micro_batches,
            chunks: layout.interleave,
            message: message.time,
            queue: Seconds::ZERO,
            overlapped: false,
        };
        Self { flow, message, stages: layout.pipeline, gpus: layout.gpus() }
    }

    /// This turn with such messages.
    #[must_use]
    pub fn with_message_time(self, message: CallTime) -> Self {
        Self { flow: PipelineMessages { message: message.time, ..self.flow }, message, ..self }
    }

    /// Messages that a stage sends for one micro-batch, there and back.
    pub(super) fn messages_per_micro_batch(&self) -> f64 {
        if self.stages < 2 { 0.0 } else { 2.0 * f64::from(self.flow.chunks.max(1)) }
    }
}

impl StepPace {
    /// One micro-batch through all stages.
    pub(crate) const fn micro_batch(&self) -> Seconds {
        self.sum
    }

    /// How long links are busy with one micro-batch on the slowest stage.
    pub(super) fn micro_batch_link_time(&self) -> LinkBusyTime {
        let mut busy = self.slowest.forward.busy;
        busy.add_scaled(&self.slowest.backward.busy, 1.0);
        busy
    }
}

/// Time by which messages of the first forward and the last backward pass delay the data-parallel
/// communication beside them, as both leave through the same interfaces.
pub(super) fn displaced_data_time(pace: &StepPace, turn: &PipelineTurn) -> Seconds {
    let messages = turn.message.busy.across * (turn.messages_per_micro_batch() / 2.0);
    let late = |room: Seconds| (messages - room).max(Seconds::ZERO);
    pace.once.room.into_iter().flatten().map(late).sum()
}

pub(super) fn pipeline_stage_times(pace: &StepPace, turn: &PipelineTurn) -> StageTimes {
    StageTimes {
        count: turn.stages,
        slowest: pace.slowest.total_time(),
        sum: pace.sum,
        weight_gradient: pace.slowest.weight_gradient,
        layers: pace.layers,
    }
}
