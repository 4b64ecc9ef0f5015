//! How long the stages of a pipeline take for all micro-batches of a step, from the time of
//! each stage alone. Knows nothing of what the stages do.

use crate::parallel::Schedule;
use crate::units::Seconds;

/// Times of one micro-batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StageTimes {
    /// Number p of stages.
    pub(super) count: u32,
    /// The slowest stage.
    pub(super) slowest: Seconds,
    /// All stages together.
    pub(super) sum: Seconds,
    /// Weight gradients of the slowest stage, which a zero-bubble schedule can put off.
    pub(super) weight_gradient: Seconds,
    /// Layers of the slowest stage.
    pub(super) layers: u32,
}

/// What moves through the stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PipelineMessages {
    /// How.
    pub(super) schedule: Schedule,
    /// Micro-batches m.
    pub(super) micro_batches: u64,
    /// Virtual stages v per GPU.
    pub(super) chunks: u32,
    /// Messages of one boundary, one direction.
    pub(super) message: Seconds,
    /// Time by which the messages of a micro-batch outlast the stage's compute because other
    /// communication keeps the links busy.
    pub(super) queue: Seconds,
    /// Messages run beside compute.
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
/// - Stages by themselves (docs/equations.md §10.5): each runs its micro-batches, all at once or one
///   stage after the other.
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

/// What [`pipeline_duration`] is not below, whatever the messages, however much longer each stage takes than here and
/// whichever is the slowest then.
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

#[cfg(test)]
mod message_driven;
#[cfg(test)]
mod tests;
