//! Work spread over threads: the one place below the command line that starts any. Knows nothing
//! of layouts. What comes out of it may not depend on which worker took which task: the search
//! adds counts up and ranks in a total order, so that neither does (`tests/search_layouts`).

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Has `threads` workers take tasks `0..tasks` one by one, each the next that is left, and
/// returns the workers. One thread works where the caller stands.
pub(super) fn run_on_threads<W: Send>(
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
