//! The order in which pipeline stages take micro-batches, against the figures of the papers.

use planner::ledger::{MicroBatchTurn, PassDirection, stage_turns};
use planner::parallel::{Layout, Order, Schedule, Zero};
use planner::workload::Recompute;

fn layout(pipeline: u32, interleave: u32, schedule: Schedule) -> Layout {
    Layout {
        tensor: 1,
        pipeline,
        data: 1,
        context: 1,
        expert: 1,
        expert_tensor: 1,
        interleave,
        micro_batch: 1,
        sequence_parallel: false,
        zero: Zero::None,
        shard: None,
        recompute: Recompute::None,
        order: Order::DP_INSIDE_PP,
        schedule,
    }
}

/// As `F0 B0`, with the chunk behind a dot where there are several.
fn shown(layout: &Layout, micro_batches: u64, stage: u32) -> String {
    let word = |MicroBatchTurn { way, micro_batch, chunk }: MicroBatchTurn| {
        let way = if way == PassDirection::Forward { 'F' } else { 'B' };
        let chunk = if layout.interleave > 1 { format!(".{chunk}") } else { String::new() };
        format!("{way}{micro_batch}{chunk}")
    };
    stage_turns(layout, micro_batches, stage).into_iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn stages_take_turns_as_the_figures_of_the_papers_show() {
    let plain = layout(3, 1, Schedule::OneFOneB);
    assert_eq!(shown(&plain, 4, 0), "F0 F1 F2 B0 F3 B1 B2 B3");
    assert_eq!(shown(&plain, 4, 2), "F0 B0 F1 B1 F2 B2 F3 B3");
    assert_eq!(shown(&plain, 1, 0), "F0 B0");
    let gpipe = layout(3, 1, Schedule::GPipe);
    assert_eq!(shown(&gpipe, 3, 1), "F0 F1 F2 B0 B1 B2");
    // arXiv 2104.04473, figure 4: two stages, two chunks, four micro-batches.
    let twice = layout(2, 2, Schedule::Interleaved);
    let first = "F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 B2.1 B3.1 B2.0 B3.0";
    assert_eq!(shown(&twice, 4, 0), first);
    assert_eq!(
        shown(&twice, 4, 1),
        "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0"
    );
}

#[test]
fn no_turn_is_missing_and_none_comes_before_what_it_needs() {
    for schedule in Schedule::ALL {
        for (stages, chunks, micro_batches) in [(1, 1, 3), (4, 1, 2), (4, 2, 8), (3, 3, 7)] {
            if (chunks > 1) != (schedule == Schedule::Interleaved) {
                continue;
            }
            let layout = layout(stages, chunks, schedule);
            for stage in 0..stages {
                let all = stage_turns(&layout, micro_batches, stage);
                let mut sorted = all.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len() as u64, 2 * micro_batches * u64::from(chunks));
                for (at, turn) in all.iter().enumerate() {
                    let forward = MicroBatchTurn { way: PassDirection::Forward, ..*turn };
                    assert!(all[..=at].contains(&forward), "{schedule:?} {turn:?}");
                }
            }
        }
    }
}
