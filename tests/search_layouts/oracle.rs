//! Full enumeration: every combination of a space, each legal one built and timed by itself.

use std::collections::BTreeMap;

use planner::memory::memory_ledger;
use planner::parallel::{Layout, Order, Schedule, Zero};
use planner::search::{Question, SearchResult, Space};
use planner::step::Step;
use planner::timing::step_time;
use planner::workload::Recompute;

/// A layout but for its rank order.
type Key = ([u32; 7], u64, bool, Zero, Recompute, Schedule);

/// A layout in one rank order: its time, and whether it fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    order: Order,
    pub(super) seconds: f64,
    pub(super) fits: bool,
}

/// Every legal layout of a space.
pub(super) fn enumerate(question: &Question<'_>, space: &Space) -> BTreeMap<Key, Vec<Entry>> {
    let mut all: BTreeMap<Key, Vec<Entry>> = BTreeMap::new();
    for layout in layouts(question.gpus, space) {
        let plain = layout.schedule == Schedule::OneFOneB;
        // With one stage the first schedule that needs no virtual ones stands for all, on one
        // tensor rank there are no norms to shard, and 1F1B with virtual stages is the
        // interleaved schedule.
        let first = space.schedule.iter().find(|schedule| **schedule != Schedule::Interleaved);
        let alone =
            layout.pipeline < 2 && (layout.interleave > 1 || Some(&layout.schedule) != first);
        let nothing_to_shard =
            layout.tensor < 2 && layout.sequence_parallel != space.sequence_parallel[0];
        if alone || nothing_to_shard || plain && layout.interleave > 1 {
            continue;
        }
        let (model, training, framework) = (question.model, question.training, question.framework);
        let Ok(step) = Step::new(model, training, framework, &layout) else { continue };
        let memory = memory_ledger(framework, &step).total_on_gpu();
        let time = step_time(&step, question.gpu, question.network, framework);
        all.entry(key(&layout)).or_default().push(Entry {
            order: layout.order,
            seconds: time.total_time().get(),
            fits: memory <= question.gpu.memory,
        });
    }
    all
}

/// What the search found is what enumeration finds: each layout in each order with its time, but
/// for orders that take the very time of one that is listed.
#[track_caller]
pub(super) fn agree(found: &SearchResult, all: &BTreeMap<Key, Vec<Entry>>) {
    let mut listed: BTreeMap<Key, Vec<f64>> = BTreeMap::new();
    for layout in &found.best {
        let seconds = layout.time.total_time().get();
        let entries = &all[&key(&layout.layout)];
        let own = entries.iter().find(|entry| entry.order == layout.layout.order);
        let own = own.unwrap_or_else(|| panic!("{:?} is not in the space", layout.layout));
        assert!(own.fits && own.seconds == seconds, "{:?}: {own:?}, not {seconds}", layout.layout);
        listed.entry(key(&layout.layout)).or_default().push(seconds);
    }
    for (key, entries) in all {
        for entry in entries.iter().filter(|entry| entry.fits) {
            let times = listed.get(key).map_or(&[][..], Vec::as_slice);
            assert!(times.contains(&entry.seconds), "{key:?} {entry:?} is not among {times:?}");
        }
    }
    let fastest = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::INFINITY, f64::min);
    let fitting = all.values().flatten().filter(|entry| entry.fits);
    let best = fastest(&mut fitting.map(|entry| entry.seconds));
    let first = found.best.first().map_or(f64::INFINITY, |layout| layout.time.total_time().get());
    assert_eq!(first, best, "the best layout");
    assert!(found.best.is_sorted_by_key(|layout| layout.time.total_time().get()));
}

fn key(layout: &Layout) -> Key {
    let degrees = [
        layout.tensor,
        layout.pipeline,
        layout.data,
        layout.context,
        layout.expert,
        layout.expert_tensor,
        layout.interleave,
    ];
    let sharded = layout.sequence_parallel;
    (degrees, layout.micro_batch, sharded, layout.zero, layout.recompute, layout.schedule)
}

fn layouts(gpus: u32, space: &Space) -> Vec<Layout> {
    let mut all = vec![Layout::ONE_GPU];
    fn with<T: Copy>(all: &mut Vec<Layout>, values: &[T], set: impl Fn(&mut Layout, T)) {
        *all = all
            .iter()
            .flat_map(|layout| values.iter().map(move |value| (layout.clone(), *value)))
            .map(|(mut layout, value)| {
                set(&mut layout, value);
                layout
            })
            .collect();
    }
    with(&mut all, &space.tensor, |layout, value| layout.tensor = value);
    with(&mut all, &space.context, |layout, value| layout.context = value);
    with(&mut all, &space.pipeline, |layout, value| layout.pipeline = value);
    all.retain(|layout| gpus.is_multiple_of(layout.tensor * layout.context * layout.pipeline));
    for layout in &mut all {
        layout.data = gpus / (layout.tensor * layout.context * layout.pipeline);
    }
    all.retain(|layout| space.data.contains(&layout.data));
    with(&mut all, &space.expert, |layout, value| layout.expert = value);
    with(&mut all, &space.expert_tensor, |layout, value| layout.expert_tensor = value);
    with(&mut all, &space.micro_batch, |layout, value| layout.micro_batch = value);
    with(&mut all, &space.sequence_parallel, |layout, value| layout.sequence_parallel = value);
    with(&mut all, &space.zero, |layout, value| layout.zero = value);
    with(&mut all, &space.recompute, |layout, value| layout.recompute = value);
    with(&mut all, &space.order, |layout, value| layout.order = value);
    with(&mut all, &space.schedule, |layout, value| layout.schedule = value);
    with(&mut all, &space.interleave, |layout, value| layout.interleave = value);
    all
}
