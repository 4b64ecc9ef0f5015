//! The order in which a pipeline stage takes micro-batches forward and backward. No calls, no times.

use crate::parallel::{Layout, Schedule};

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
    /// Which way.
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
