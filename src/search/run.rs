//! All layouts of a space on threads, and the threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::kernel_bounds::KernelBounds;
use super::layout_pieces::{LayoutShapes, StepPieces};
use super::ranking::{Question, RankedLayout, Ranking, RankingRequest};
use super::space::Space;
use super::walk::Walk;
use crate::parallel::Layout;
use crate::units::{Bytes, Seconds};

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// The best layouts that fit into memory, best first.
    pub best: Vec<RankedLayout>,
    /// Layouts that break no rule. Rank orders that seat all ranks alike, as far as the clock
    /// can tell, are one layout.
    pub legal: u64,
    /// Of those, layouts that fit into memory.
    pub fitting: u64,
    /// Memory of the fullest GPU in the legal layout that needs least; `None` without any.
    pub least: Option<Bytes>,
}

/// How much of a search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProgress {
    /// Layouts looked at, roughly.
    pub done: u64,
    pub total: u64,
}

/// With what the search is run. Nothing of it changes what is found.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Threads that share the work.
    pub threads: NonZeroUsize,
    /// Told now and then, from any thread, how far the search is.
    pub progress: &'a (dyn Fn(SearchProgress) + Sync),
}

impl Effort<'_> {
    /// One thread that says nothing.
    pub const SINGLE: Self = Self { threads: NonZeroUsize::MIN, progress: &|_| {} };
}

/// The best layouts of a space that fit into the GPU's memory.
///
/// Equal to timing every combination of the space by itself; layouts that do not fit are counted,
/// not timed. The same whatever the effort.
#[must_use]
pub fn search_space(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
) -> SearchResult {
    walk_space(question, space, wanted, effort, None)
}

/// [`search_space`] of those that are no worse than `limit` by what layouts are ranked by. The others may be
/// left out: layouts that fit are not counted, and neither is the least memory where any is found.
#[must_use]
pub fn best_layouts_within(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    limit: Seconds,
) -> SearchResult {
    walk_space(question, space, wanted, effort, Some((limit, None)))
}

/// [`best_layouts_within`] where it is known what layouts of the space take at least. None is counted.
pub(super) fn best_layout_given(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    limit: Seconds,
    silent: &KernelBounds,
) -> SearchResult {
    walk_space(question, space, wanted, effort, Some((limit, Some(silent))))
}

/// The best layouts that are better than `beaten` by what layouts are ranked by.
pub(super) fn better_layouts(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    beaten: Seconds,
    silent: &KernelBounds,
) -> Vec<RankedLayout> {
    let found = best_layout_given(question, space, wanted, effort, beaten, silent);
    found.best.into_iter().filter(|layout| wanted.by.score_of(layout) < beaten).collect()
}

/// Layouts of a space that break no rule.
pub(super) fn count_legal_layouts(question: &Question<'_>, space: &Space) -> u64 {
    let (shapes, pieces) = (LayoutShapes::new(question, space), StepPieces::new(question));
    let of_degrees = |layout: Layout| -> Option<u64> {
        let all = shapes.legal_layouts(&layout);
        let first = all.first()?;
        let outer = pieces.stages_by_rank_order(
            first,
            &space.order,
            pieces.stages_by_zero(first, &space.zero)?,
        );
        let ways = all.iter().map(|shape| shapes.legal_schedules(shape, &outer.staged.held).len());
        let settings = space.recompute.len() * space.zero.len() * outer.seats.len();
        Some((settings * ways.sum::<usize>()) as u64)
    };
    let cells = space.degree_cells(question.training, question.gpus);
    let pairs = cells.iter().flat_map(|(cell, _)| space.pipeline.iter().map(move |p| (cell, *p)));
    let layouts =
        pairs.filter_map(|(cell, pipeline)| shapes.simplest_layout_of_cell(cell, pipeline));
    layouts.filter_map(of_degrees).sum()
}

fn walk_space(
    question: &Question<'_>,
    space: &Space,
    wanted: RankingRequest,
    effort: &Effort<'_>,
    limit: Option<(Seconds, Option<&KernelBounds>)>,
) -> SearchResult {
    let mut cells = space.degree_cells(question.training, question.gpus);
    // The largest first, so that no thread is left with one of them at the end.
    cells.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    // Good layouts are found early where they may be: others need not be looked at then.
    if let Some((_, Some(silent))) = limit {
        cells.sort_by(|(one, _), (other, _)| {
            silent.cell_bound(one).total_cmp(&silent.cell_bound(other))
        });
    }
    let count = cells.iter().map(|(_, weight)| weight).sum();
    let done = AtomicU64::new(0);
    let walks = run_on_threads(
        cells.len(),
        effort.threads,
        || Walk::new(question, space, wanted, limit),
        |walk, task| {
            let (cell, weight) = &cells[task];
            walk.walk_cell(cell);
            let done = done.fetch_add(*weight, Ordering::Relaxed) + weight;
            (effort.progress)(SearchProgress { done, total: count });
        },
    );
    let mut found = SearchResult::default();
    let mut ranking = Ranking::new(wanted);
    for walk in walks {
        found.legal += walk.legal;
        found.fitting += walk.fitting;
        found.least = found.least.into_iter().chain(walk.least_memory).min();
        walk.ranking.into_sorted().into_iter().for_each(|candidate| ranking.add(candidate));
    }
    SearchResult { best: ranking.into_sorted(), ..found }
}

/// Has `threads` workers take tasks `0..tasks` one by one, each the next that is left, and
/// returns the workers. One thread works where the caller stands.
fn run_on_threads<W: Send>(
    tasks: usize,
    threads: NonZeroUsize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) + Sync,
) -> Vec<W> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut own = worker();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return own;
            }
            work(&mut own, task);
        }
    };
    let others = threads.get().min(tasks.max(1)) - 1;
    thread::scope(|scope| {
        let helpers: Vec<_> = (0..others).map(|_| scope.spawn(run)).collect();
        let mut workers = vec![run()];
        workers.extend(helpers.into_iter().map(|helper| match helper.join() {
            Ok(worker) => worker,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        workers
    })
}

/// What `work` makes of tasks `0..tasks`, in their order.
pub(crate) fn map_on_threads<T: Send>(
    tasks: usize,
    threads: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let made = |own: &mut Vec<(usize, T)>, task| own.push((task, work(task)));
    let mut all: Vec<(usize, T)> =
        run_on_threads(tasks, threads, Vec::new, made).into_iter().flatten().collect();
    all.sort_by_key(|(task, _)| *task);
    all.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::{map_on_threads, run_on_threads};

    #[test]
    fn what_is_made_has_the_order_of_the_tasks() {
        for threads in [1, 2, 3, 16] {
            let threads = NonZeroUsize::new(threads).expect("above zero");
            let squares: Vec<usize> = map_on_threads(50, threads, |task| task * task);
            assert_eq!(squares, (0..50).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_task_is_done_once_whatever_the_number_of_threads() {
        for threads in [1, 2, 3, 16] {
            let threads = NonZeroUsize::new(threads).expect("above zero");
            for tasks in [0, 1, 5, 100] {
                let push = |own: &mut Vec<usize>, task| own.push(task);
                let mut done: Vec<usize> =
                    run_on_threads(tasks, threads, Vec::new, push).into_iter().flatten().collect();
                done.sort_unstable();
                assert_eq!(done, (0..tasks).collect::<Vec<_>>());
            }
        }
    }
}
