//! The blocks of a stage in the order in which they run, and the calls of each in theirs.

use crate::step::{BlockKind, Cadence, Communication, Moment, Pass, PipelineStage};

/// A block of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// Which of the stage's layers, from 0; `None` for embedding and head.
    pub(super) layer: Option<u32>,
}

/// Blocks of each chunk of a stage, forward: the embedding in the first, heads in the last, layers
/// spread over all of them, one more in the first ones where they do not divide.
pub(super) fn stage_chunks(stage: &PipelineStage) -> Vec<Vec<Block>> {
    let count = |kind| stage.block_count(kind);
    let kinds = stage.layers().flat_map(|(kind, count)| (0..count).map(move |_| kind));
    let mut layers = kinds.enumerate().map(|(at, kind)| Block { kind, layer: Some(at as u32) });
    let all = stage.layer_count();
    let many = stage.chunks.max(1);
    let outside = |kind| (0..count(kind)).map(move |_| Block { kind, layer: None });
    (0..many)
        .map(|chunk| {
            let own = all / many + u32::from(chunk < all % many);
            let mut blocks: Vec<Block> = Vec::new();
            if chunk == 0 {
                blocks.extend(outside(BlockKind::Embedding));
            }
            blocks.extend(layers.by_ref().take(own as usize));
            if chunk + 1 == many {
                blocks.extend(outside(BlockKind::Head));
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
    for (at, communication) in communications.iter().enumerate() {
        let Cadence::PerBlock { block, pass, times } = communication.cadence else { continue };
        if block == kind && pass == of_pass {
            // A layer without a mixer has its second half alone.
            let half = kind.layer().map_or(0, |layer| u32::from(layer.mixer().is_none()));
            let of_time = |time| (call_place(communication.moment, [time, half], pass), at);
            calls.extend((0..times).map(of_time));
        }
    }
    calls.sort_unstable();
    calls.into_iter().map(|(_, at)| at).collect()
}

/// Half of the block, of which it may lack the first, and place in it. Backward the feed-forward half comes first, and attention
/// before the heads that it took.
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
