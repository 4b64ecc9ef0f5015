//! Durations against simulations that run every task of a schedule in its order.

use super::{PipelineMessages, StageTimes, largest_chunk, pipeline_duration};
use crate::parallel::Schedule;
use crate::units::Seconds;

/// Share of a micro-batch's time that the forward pass takes in the simulation.
const FORWARD: f64 = 1.0 / 3.0;

/// When a task can start, and how long it takes: chunk, micro-batch, forward or backward.
type Task = (usize, usize, bool);

/// Runs every stage's list of tasks in order; a forward task waits for the chunk before it, a
/// backward task for the chunk after it. Stage `i` holds the chunks i, i + p, i + 2p, ….
fn simulate_task_lists(times: &[f64], chunks: usize, m: usize, lists: &[Vec<Task>]) -> f64 {
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
fn interleaved_tasks(p: usize, v: usize, m: usize) -> Vec<Vec<Task>> {
    let total = m * v;
    let forward = |i: usize, stage: usize| (i / p % v * p + stage, i / (p * v) * p + i % p, true);
    let backward =
        |i: usize, stage: usize| ((v - 1 - i / p % v) * p + stage, i / (p * v) * p + i % p, false);
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

fn formula_time(times: &[f64], chunks: u32, m: usize, schedule: Schedule) -> f64 {
    let slowest = times.iter().fold(0.0_f64, |most, time| most.max(*time));
    let stages = StageTimes {
        count: times.len() as u32,
        slowest: Seconds::from_f64(slowest),
        sum: Seconds::from_f64(times.iter().sum()),
        weight_gradient: Seconds::from_f64(slowest * FORWARD),
        layers: 0,
    };
    pipeline_duration(&stages, &messages_without_time(schedule, m, chunks)).get()
}

fn messages_without_time(schedule: Schedule, m: usize, chunks: u32) -> PipelineMessages {
    PipelineMessages {
        schedule,
        micro_batches: m as u64,
        chunks,
        message: Seconds::ZERO,
        queue: Seconds::ZERO,
        overlapped: false,
    }
}

#[test]
fn even_stages_take_what_a_simulation_of_the_schedule_takes() {
    for (p, m) in [(1, 4), (2, 2), (4, 8), (8, 8), (5, 17)] {
        let times = vec![3.0; p];
        let simulated = simulate_task_lists(&times, 1, m, &one_f_one_b(p, m));
        let formula = formula_time(&times, 1, m, Schedule::OneFOneB);
        assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {m}: {formula} {simulated}");
    }
}

#[test]
fn interleaved_even_stages_take_what_a_simulation_takes() {
    for (p, v, m) in [(2, 2, 4), (4, 2, 8), (4, 3, 16), (8, 4, 32)] {
        let times = vec![3.0; p];
        let simulated = simulate_task_lists(&times, v, m, &interleaved_tasks(p, v, m));
        let formula = formula_time(&times, v as u32, m, Schedule::Interleaved);
        assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {v} {m}: {formula} {simulated}");
    }
}

#[test]
fn uneven_stages_are_never_too_fast_and_most_of_a_micro_batch_too_slow_at_worst() {
    for times in [vec![3.0, 3.0, 3.0, 4.0], vec![2.0, 3.0, 3.0, 3.0], vec![3.0, 4.0, 3.0, 2.0]] {
        for m in [4, 16] {
            let p = times.len();
            let simulated = simulate_task_lists(&times, 1, m, &one_f_one_b(p, m));
            let formula = formula_time(&times, 1, m, Schedule::OneFOneB);
            // The fill of the stages before the slowest overlaps its first micro-batches.
            let slowest = times.iter().fold(0.0_f64, |most, time| most.max(*time));
            let late = (formula - simulated) / slowest;
            assert!((-1e-9..=0.6).contains(&late), "{times:?}: {formula} {simulated}");
        }
    }
}

/// ZB-H1: as 1F1B, with the weight gradient of a micro-batch as many micro-batches later as
/// stages stand before this one, so that p are in flight on each. Every stage runs its list
/// of (forward 0, backward 1, weights 2; micro-batch) in order.
fn simulate_zero_bubble(p: usize, m: usize, times: [f64; 3]) -> f64 {
    let list = |stage: usize| {
        let warm = (p - stage - 1).min(m);
        let mut list: Vec<(usize, usize)> = (0..warm).map(|batch| (0, batch)).collect();
        for batch in 0..m + stage {
            list.extend((batch + warm < m).then_some((0, batch + warm)));
            list.extend((batch < m).then_some((1, batch)));
            list.extend(batch.checked_sub(stage).map(|late| (2, late)));
        }
        list
    };
    let lists: Vec<_> = (0..p).map(list).collect();
    let mut done = std::collections::BTreeMap::new();
    let (mut next, mut free) = (vec![0; p], vec![0.0_f64; p]);
    while done.len() < 3 * m * p {
        let before = done.len();
        for stage in 0..p {
            while let Some((kind, batch)) = lists[stage].get(next[stage]).copied() {
                let needs = match kind {
                    0 => stage.checked_sub(1).map(|before| (0, batch, before)),
                    1 if stage + 1 == p => Some((0, batch, stage)),
                    1 => Some((1, batch, stage + 1)),
                    _ => Some((1, batch, stage)),
                };
                let Some(ready) = needs.map_or(Some(0.0), |pair| done.get(&pair).copied()) else {
                    break;
                };
                free[stage] = free[stage].max(ready) + times[kind];
                done.insert((kind, batch, stage), free[stage]);
                next[stage] += 1;
            }
        }
        assert!(done.len() > before, "the schedule is stuck");
    }
    free.iter().fold(0.0, |latest, end| latest.max(*end))
}

#[test]
fn a_zero_bubble_schedule_takes_what_a_simulation_of_it_takes() {
    for (p, m, parts) in [
        (2, 4, [1.0, 1.0, 1.0]),
        (4, 8, [1.0, 1.0, 1.0]),
        (4, 16, [1.0, 1.0, 1.0]),
        (8, 24, [1.0, 1.0, 1.0]),
        (4, 12, [1.0, 1.25, 0.75]),
        (8, 32, [1.0, 2.0, 1.0]),
    ] {
        let simulated = simulate_zero_bubble(p, m, parts);
        let time: f64 = parts.iter().sum();
        let stages = StageTimes {
            count: p as u32,
            slowest: Seconds::from_f64(time),
            sum: Seconds::from_f64(time * p as f64),
            weight_gradient: Seconds::from_f64(parts[2]),
            layers: 0,
        };
        let formula =
            pipeline_duration(&stages, &messages_without_time(Schedule::ZeroBubble, m, 1)).get();
        assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {m}: {formula} {simulated}");
    }
}

/// All forward passes, then all backward passes.
fn gpipe_tasks(p: usize, m: usize) -> Vec<Vec<Task>> {
    let all = |stage: usize| {
        let pass = move |forward| (0..m).map(move |batch| (stage, batch, forward));
        pass(true).chain(pass(false)).collect()
    };
    (0..p).map(all).collect()
}

#[test]
fn even_stages_under_gpipe_take_what_a_simulation_takes() {
    for (p, m) in [(1, 4), (2, 2), (4, 8), (8, 8), (5, 17)] {
        let times = vec![3.0; p];
        let simulated = simulate_task_lists(&times, 1, m, &gpipe_tasks(p, m));
        let formula = formula_time(&times, 1, m, Schedule::GPipe);
        assert!((formula / simulated - 1.0).abs() < 1e-9, "{p} {m}: {formula} {simulated}");
    }
}

#[test]
fn no_schedule_is_faster_than_its_slowest_stage() {
    for schedule in Schedule::ALL {
        for times in [vec![1.0, 5.0, 1.0], vec![3.0; 6], vec![4.0, 1.0]] {
            let slowest = times.iter().fold(0.0_f64, |most, time| most.max(*time));
            assert!(
                formula_time(&times, 1, 9, schedule) >= 9.0 * slowest,
                "{schedule:?} {times:?}"
            );
        }
    }
}

#[test]
fn chunks_that_do_not_divide_a_stage_are_as_long_as_the_largest() {
    assert_eq!(largest_chunk(16, 8), largest_chunk(16, 9));
    assert_eq!(largest_chunk(12, 3), 1.0 / 3.0);
    assert_eq!(largest_chunk(7, 4), 2.0 / 7.0);
}

#[test]
fn a_zero_bubble_schedule_idles_a_third_of_the_bubble() {
    let times = vec![3.0; 4];
    let busy = 8.0 * 3.0;
    let plain = formula_time(&times, 1, 8, Schedule::OneFOneB) - busy;
    let zero = formula_time(&times, 1, 8, Schedule::ZeroBubble) - busy;
    assert!((zero / plain - 1.0 / 3.0).abs() < 1e-12, "{zero} {plain}");
}
