//! How long the stages of a pipeline take for all micro-batches of a step, from the time of
//! each stage alone. Knows nothing of what the stages do.

use crate::parallel::Schedule;
use crate::units::Seconds;

/// Times of one micro-batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stages {
    /// Number p of stages.
    pub(super) count: u32,
    /// The slowest stage.
    pub(super) slowest: Seconds,
    /// All stages together.
    pub(super) sum: Seconds,
    /// Weight gradients of the slowest stage, which a zero-bubble schedule can put off.
    pub(super) weight_gradient: Seconds,
}

/// What moves through the stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flow {
    /// How.
    pub(super) schedule: Schedule,
    /// Micro-batches m.
    pub(super) micro_batches: u64,
    /// Virtual stages v per GPU.
    pub(super) chunks: u32,
    /// Messages of one boundary, one direction.
    pub(super) message: Seconds,
    /// Messages run beside compute.
    pub(super) overlapped: bool,
}

/// Time from the first forward to the last backward pass of a step.
///
/// - 1F1B and GPipe: fill and drain take one pass through all stages; in between the slowest
///   stage sets the pace, or the round trip of a micro-batch over the p in flight.
/// - Interleaved (arXiv 2104.04473 §2.2): fill and drain shrink by v, messages grow by v, and
///   the steady state waits for them unless they are overlapped.
/// - Zero bubble (ZB-H1, arXiv 2401.10241 table 2): weight gradients fill two of three parts
///   of the bubble: (p−1)(F + B − W) in place of (p−1)(F + B + W).
/// - Stages by themselves (docs/equations.md §10.5): each runs its micro-batches, all at once or one
///   stage after the other.
/// - Message-driven (arXiv 2110.13005): messages hide behind compute in the steady state.
///
/// With one stage there is no message and no bubble: m times the stage.
pub(super) fn duration(stages: &Stages, flow: &Flow) -> Seconds {
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
            let pace = stages.slowest.max(flow.message * 2.0);
            stages.sum + fill + pace * (m - 1.0)
        }
        Schedule::ZeroBubble => {
            let put_off = 2.0 * (stages.weight_gradient / stages.slowest);
            let bubble = others * (1.0 - put_off).max(0.0) / v;
            (stages.slowest + steady_messages(flow, v)) * m + bubble + fill
        }
        _ if flow.chunks > 1 => (stages.slowest + steady_messages(flow, v)) * m + others / v + fill,
        Schedule::GPipe | Schedule::OneFOneB | Schedule::Interleaved => {
            let pace = stages.slowest.max((stages.sum + fill) / p);
            stages.sum + fill + pace * (m - 1.0)
        }
    }
}

/// Messages that a micro-batch waits for in the steady state.
fn steady_messages(flow: &Flow, chunks: f64) -> Seconds {
    if flow.overlapped { Seconds::ZERO } else { flow.message * (2.0 * chunks) }
}

#[cfg(test)]
mod tests {
    use super::{Flow, Stages, duration};
    use crate::parallel::Schedule;
    use crate::units::Seconds;

    /// Share of a micro-batch's time that the forward pass takes in the simulation.
    const FORWARD: f64 = 1.0 / 3.0;

    /// When a task can start, and how long it takes: chunk, micro-batch, forward or backward.
    type Task = (usize, usize, bool);

    /// Runs every stage's list of tasks in order; a forward task waits for the chunk before it, a
    /// backward task for the chunk after it. Stage `i` holds the chunks i, i + p, i + 2p, ….
    fn simulate(times: &[f64], chunks: usize, m: usize, lists: &[Vec<Task>]) -> f64 {
        let p = times.len();
        let last = p * chunks - 1;
        let mut done = std::collections::BTreeMap::<Task, f64>::new();
        let mut next = vec![0; p];
        let mut free = vec![0.0_f64; p];
        while done.len() < 2 * m * p * chunks {
            let before = done.len();
            for stage in 0..p {
                while let Some(task @ (chunk, batch, forward)) = lists[stage].get(next[stage]) {
                    let needs = match (*forward, *chunk) {
                        (true, 0) => None,
                        (true, chunk) => Some((chunk - 1, *batch, true)),
                        (false, chunk) if chunk == last => Some((chunk, *batch, true)),
                        (false, chunk) => Some((chunk + 1, *batch, false)),
                    };
                    let ready = match needs {
                        None => 0.0,
                        Some(needed) => match done.get(&needed) {
                            Some(end) => *end,
                            None => break,
                        },
                    };
                    let share = if *forward { FORWARD } else { 1.0 - FORWARD };
                    let time = times[*chunk % p] * share / chunks as f64;
                    free[stage] = free[stage].max(ready) + time;
                    done.insert(*task, free[stage]);
                    next[stage] += 1;
                }
            }
            assert!(done.len() > before, "the schedule is stuck");
        }
        free.iter().fold(0.0, |latest, end| latest.max(*end))
    }

    /// One forward, one backward, after p − i − 1 forward passes to warm up.
    fn one_f_one_b(p: usize, m: usize) -> Vec<Vec<Task>> {
        (0..p)
            .map(|stage| {
                let warm = (p - stage - 1).min(m);
                let mut list: Vec<Task> = (0..warm).map(|b| (stage, b, true)).collect();
                for batch in 0..m {
                    if batch + warm < m {
                        list.push((stage, batch + warm, true));
                    }
                    list.push((stage, batch, false));
                }
                list
            })
            .collect()
    }

    /// The interleaved schedule of Megatron-LM: rounds of p micro-batches through all chunks.
    fn interleaved(p: usize, v: usize, m: usize) -> Vec<Vec<Task>> {
        let total = m * v;
        let forward =
            |i: usize, stage: usize| (i / p % v * p + stage, i / (p * v) * p + i % p, true);
        let backward = |i: usize, stage: usize| {
            ((v - 1 - i / p % v) * p + stage, i / (p * v) * p + i % p, false)
        };
        (0..p)
            .map(|stage| {
                let warm = ((p - stage - 1) * 2 + (v - 1) * p).min(total);
                let mut list: Vec<Task> = (0..warm).map(|i| forward(i, stage)).collect();
                for i in 0..total {
                    if i + warm < total {
                        list.push(forward(i + warm, stage));
                    }
                    list.push(backward(i, stage));
                }
                list
            })
            .collect()
    }

    fn formula(times: &[f64], chunks: u32, m: usize, schedule: Schedule) -> f64 {
        let slowest = times.iter().fold(0.0_f64, |most, time| most.max(*time));
        let stages = Stages {
            count: times.len() as u32,
            slowest: Seconds::of(slowest),
            sum: Seconds::of(times.iter().sum()),
            weight_gradient: Seconds::of(slowest * FORWARD),
        };
        let flow = Flow {
            schedule,
            micro_batches: m as u64,
            chunks,
            message: Seconds::ZERO,
            overlapped: false,
        };
        duration(&stages, &flow).get()
    }

    #[test]
    fn even_stages_take_what_a_simulation_of_the_schedule_takes() {
        for (p, m) in [(1, 4), (2, 2), (4, 8), (8, 8), (5, 17)] {
            let times = vec![3.0; p];
            let simulated = simulate(&times, 1, m, &one_f_one_b(p, m));
            let formula = formula(&times, 1, m, Schedule::OneFOneB);
            assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {m}: {formula} {simulated}");
        }
    }

    #[test]
    fn interleaved_even_stages_take_what_a_simulation_takes() {
        for (p, v, m) in [(2, 2, 4), (4, 2, 8), (4, 3, 16), (8, 4, 32)] {
            let times = vec![3.0; p];
            let simulated = simulate(&times, v, m, &interleaved(p, v, m));
            let formula = formula(&times, v as u32, m, Schedule::Interleaved);
            assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {v} {m}: {formula} {simulated}");
        }
    }

    #[test]
    fn uneven_stages_are_never_too_fast_and_most_of_a_micro_batch_too_slow_at_worst() {
        for times in [vec![3.0, 3.0, 3.0, 4.0], vec![2.0, 3.0, 3.0, 3.0], vec![3.0, 4.0, 3.0, 2.0]]
        {
            for m in [4, 16] {
                let p = times.len();
                let simulated = simulate(&times, 1, m, &one_f_one_b(p, m));
                let formula = formula(&times, 1, m, Schedule::OneFOneB);
                // The fill of the stages before the slowest overlaps its first micro-batches.
                let slowest = times.iter().fold(0.0_f64, |most, time| most.max(*time));
                let late = (formula - simulated) / slowest;
                assert!((-1e-9..=0.6).contains(&late), "{times:?}: {formula} {simulated}");
            }
        }
    }

    #[test]
    fn a_zero_bubble_schedule_idles_a_third_of_the_bubble() {
        let times = vec![3.0; 4];
        let busy = 8.0 * 3.0;
        let plain = formula(&times, 1, 8, Schedule::OneFOneB) - busy;
        let zero = formula(&times, 1, 8, Schedule::ZeroBubble) - busy;
        assert!((zero / plain - 1.0 / 3.0).abs() < 1e-12, "{zero} {plain}");
    }
}
