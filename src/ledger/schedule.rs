//! Order of micro-batches and blocks in a stage; `CallId`, `CallEntry`.

use std::collections::BTreeMap;

use crate::parallel::{Layout, Schedule};
use crate::step::{BlockKind, Cadence, Communication, Moment, Pass, PipelineStage};

/// Through a chunk of layers, one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PassDirection {
    /// From tokens to loss.
    Forward,
    /// From loss to gradients, with what is computed again for it.
    Backward,
}

/// One micro-batch through one chunk of a stage's layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MicroBatchTurn {
    pub way: PassDirection,
    /// Micro-batch, from 0.
    pub micro_batch: u64,
    /// Virtual stage on the GPU, from 0.
    pub chunk: u32,
}

/// The turns of a stage in one step.
///
/// - GPipe (arXiv 1811.06965): all forward, then all backward.
/// - 1F1B (arXiv 2104.04473 §2.2): p − 1 − stage forward passes, then one forward and one backward
///   in turn. Zero bubble (arXiv 2401.10241) and message-driven stages send in that order too.
/// - Interleaved (ibid.): micro-batches in groups of p, each group through chunk after chunk;
///   2·(p − 1 − stage) + (v − 1)·p forward passes first, all of them where m = p (Megatron-Core,
///   `schedules.py`).
/// - Stages by themselves: each micro-batch forward and backward.
#[must_use]
pub fn stage_turns(layout: &Layout, micro_batches: u64, stage: u32) -> Vec<MicroBatchTurn> {
    let (stages, chunks) = (u64::from(layout.pipeline), u64::from(layout.interleave.max(1)));
    let behind = stages.saturating_sub(1 + u64::from(stage));
    let all = micro_batches * chunks;
    let first = match layout.schedule {
        Schedule::GPipe => all,
        Schedule::Independent | Schedule::InTurn => 0,
        _ if chunks > 1 && micro_batches == stages => all,
        _ if chunks > 1 => 2 * behind + (chunks - 1) * stages,
        _ => behind,
    };
    let first = first.min(all);
    let order =
        forward_visits(micro_batches, chunks, if chunks > 1 { stages } else { micro_batches });
    let last = layout.interleave.max(1) - 1;
    let forward = |at: u64| {
        let (micro_batch, chunk) = order[at as usize];
        MicroBatchTurn { way: PassDirection::Forward, micro_batch, chunk }
    };
    let backward = |at: u64| {
        let (micro_batch, chunk) = order[at as usize];
        MicroBatchTurn { way: PassDirection::Backward, micro_batch, chunk: last - chunk }
    };
    let mut turns: Vec<MicroBatchTurn> = (0..first).map(forward).collect();
    for at in first..all {
        turns.extend([forward(at), backward(at - first)]);
    }
    turns.extend((all - first..all).map(backward));
    turns
}

/// Micro-batch and chunk of each forward pass: groups of micro-batches, each through every chunk.
fn forward_visits(micro_batches: u64, chunks: u64, group: u64) -> Vec<(u64, u32)> {
    let mut visits = Vec::with_capacity((micro_batches * chunks) as usize);
    let mut low = 0;
    while low < micro_batches {
        let high = (low + group.max(1)).min(micro_batches);
        for chunk in 0..chunks as u32 {
            visits.extend((low..high).map(|micro_batch| (micro_batch, chunk)));
        }
        low = high;
    }
    visits
}

/// A block of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// Which of the stage's layers, from 0; `None` for embedding and head.
    pub(super) layer: Option<u32>,
}

/// Blocks of each chunk of a stage, forward: the embedding in the first, heads in the last, layers
/// spread over all of them, one more in the first ones where they do not divide. What layers that
/// predict further tokens read stands before the last of them.
pub(super) fn stage_chunks(stage: &PipelineStage) -> Vec<Vec<Block>> {
    let count = |kind| stage.block_count(kind);
    let kinds = stage.layers().flat_map(|(kind, count)| (0..count).map(move |_| kind));
    let mut layers = kinds.enumerate().map(|(at, kind)| Block { kind, layer: Some(at as u32) });
    let all = stage.layer_count();
    let further = count(BlockKind::Projection);
    let many = stage.chunks.max(1);
    let outside = |kind, count| (0..count).map(move |_| Block { kind, layer: None });
    (0..many)
        .map(|chunk| {
            let own = all / many + u32::from(chunk < all % many);
            let mut blocks: Vec<Block> = Vec::new();
            if chunk == 0 {
                blocks.extend(outside(BlockKind::Embedding, count(BlockKind::Embedding) - further));
            }
            let last = chunk + 1 == many;
            let behind = if last { further.min(own) } else { 0 };
            blocks.extend(layers.by_ref().take((own - behind) as usize));
            if last {
                blocks.extend(outside(BlockKind::Embedding, further));
                blocks.extend(outside(BlockKind::Projection, further));
                blocks.extend(layers.by_ref().take(behind as usize));
                blocks.extend(outside(BlockKind::Head, count(BlockKind::Head)));
            }
            blocks
        })
        .collect()
}

/// Communications that a block calls in a pass, each as often as it is called, in their order.
pub(super) fn block_calls(
    communications: &[Communication],
    kind: BlockKind,
    of_pass: Pass,
) -> Vec<usize> {
    let mut calls = Vec::new();
    let mut made: BTreeMap<Moment, u32> = BTreeMap::new();
    for (at, communication) in communications.iter().enumerate() {
        let Cadence::PerBlock { block, pass, times } = communication.cadence else { continue };
        if block == kind && pass == of_pass {
            // A layer without a mixer has its second half alone.
            let half = kind.layer().map_or(0, |layer| u32::from(layer.mixer().is_none()));
            let before = made.entry(communication.moment).or_default();
            let of_time = |time| (call_place(communication.moment, [time, half], pass), at);
            calls.extend((*before..*before + times).map(of_time));
            *before += times;
        }
    }
    calls.sort_unstable();
    calls.into_iter().map(|(_, at)| at).collect()
}

/// Half of the block, of which it may lack the first, and place in it. Backward the feed-forward
/// half comes first, and attention before the heads that it took.
fn call_place(moment: Moment, [time, first]: [u32; 2], pass: Pass) -> (u32, Moment) {
    let backward = pass == Pass::Backward;
    let (half, moment) = match moment {
        Moment::Dispatch if time > 0 => (1, Moment::Combine),
        Moment::Dispatch
        | Moment::ShardsGather
        | Moment::ShardsScatter
        | Moment::Combine
        | Moment::Rejoin => (1, moment),
        Moment::Heads if backward => (0, Moment::Attention),
        Moment::Attention if backward => (0, Moment::Heads),
        Moment::Heads | Moment::Attention => (0, moment),
        _ => ((time + first).min(1), moment),
    };
    (if backward { 1 - half } else { half }, moment)
}

/// A call by its stage and its place among those of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId {
    pub stage: u32,
    /// Place in the order of the stage's calls, from 0.
    pub place: u64,
}

/// One call. All groups of its kind on the stage make it at the same place of their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEntry {
    pub id: CallId,
    /// Place of its communication among those of the step.
    pub communication: usize,
    /// Pass that it belongs to; `None` where it is one of the step as a whole.
    pub pass: Option<Pass>,
    /// Micro-batch; likewise.
    pub micro_batch: Option<u64>,
    /// Virtual stage on the GPU; likewise.
    pub chunk: Option<u32>,
    /// Kind of block, and which of the stage's layers, from 0; `None` outside blocks. Embedding
    /// and head have no layer.
    pub block: Option<(BlockKind, Option<u32>)>,
    /// Which of the call's messages it is, from 0, where a ledger lists these one by one; `None`
    /// for the call as a whole.
    pub message: Option<u64>,
    /// Calls that end before it starts: the one before it on its stage, and the message that its
    /// turn needs from another stage.
    pub waits: Vec<CallId>,
}
