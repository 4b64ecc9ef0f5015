//! Message-driven stages against a simulation of them, event by event: every stage computes one
//! task at a time and sends one message at a time, takes whatever has arrived, backward passes
//! first, and p micro-batches are in flight (arXiv 2110.13005). It shares nothing with the formula.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::{PipelineMessages, StageTimes, pipeline_duration};
use crate::parallel::Schedule;
use crate::units::Seconds;

/// Ticks of a forward pass, a backward pass and a message.
#[derive(Clone, Copy)]
struct Ticks {
    forward: u64,
    backward: u64,
    message: u64,
}

/// A task of a stage: backward (0) or forward (1), micro-batch.
type Task = (u8, usize);

/// When a task of a stage ends, or arrives there as a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Done(usize, Task),
    Arrived(usize, Task),
}

struct Pipeline {
    ticks: Ticks,
    waiting: Vec<BTreeSet<Task>>,
    computes_until: Vec<u64>,
    sends_until: Vec<u64>,
    events: BinaryHeap<Reverse<(u64, usize, Event)>>,
    order: usize, // of events at one time: as they were made
}

impl Pipeline {
    fn schedule_event(&mut self, time: u64, event: Event) {
        self.order += 1;
        self.events.push(Reverse((time, self.order, event)));
    }

    fn start_task(&mut self, stage: usize, now: u64) {
        if self.computes_until[stage] > now {
            return;
        }
        let Some(task) = self.waiting[stage].pop_first() else { return };
        let ticks = if task.0 == 1 { self.ticks.forward } else { self.ticks.backward };
        self.computes_until[stage] = now + ticks;
        self.schedule_event(now + ticks, Event::Done(stage, task));
    }

    fn send_message(&mut self, from: usize, to: usize, task: Task, now: u64) {
        self.sends_until[from] = self.sends_until[from].max(now) + self.ticks.message;
        self.schedule_event(self.sends_until[from], Event::Arrived(to, task));
    }
}

/// Ticks until the last of m micro-batches has come back to the first of p stages.
fn simulate_ticks(p: usize, m: usize, ticks: Ticks) -> u64 {
    let mut pipeline = Pipeline {
        ticks,
        waiting: vec![BTreeSet::new(); p],
        computes_until: vec![0; p],
        sends_until: vec![0; p],
        events: BinaryHeap::new(),
        order: 0,
    };
    let mut started = p.min(m);
    pipeline.waiting[0].extend((0..started).map(|batch| (1, batch)));
    pipeline.start_task(0, 0);
    let mut end = 0;
    while let Some(Reverse((now, _, event))) = pipeline.events.pop() {
        let stage = match event {
            Event::Arrived(stage, task) => {
                pipeline.waiting[stage].insert(task);
                stage
            }
            Event::Done(stage, (1, batch)) if stage + 1 == p => {
                pipeline.waiting[stage].insert((0, batch));
                stage
            }
            Event::Done(stage, task @ (1, _)) => {
                pipeline.send_message(stage, stage + 1, task, now);
                stage
            }
            Event::Done(0, _) => {
                end = now;
                if started < m {
                    pipeline.waiting[0].insert((1, started));
                    started += 1;
                }
                0
            }
            Event::Done(stage, task) => {
                pipeline.send_message(stage, stage - 1, task, now);
                stage
            }
        };
        pipeline.start_task(stage, now);
    }
    end
}

fn formula_ticks(p: usize, m: usize, ticks: Ticks) -> f64 {
    let time = (ticks.forward + ticks.backward) as f64;
    let stages = StageTimes {
        count: p as u32,
        slowest: Seconds::from_f64(time),
        sum: Seconds::from_f64(time * p as f64),
        weight_gradient: Seconds::ZERO,
        layers: 0,
    };
    let flow = PipelineMessages {
        schedule: Schedule::MessageDriven,
        micro_batches: m as u64,
        chunks: 1,
        message: Seconds::from_f64(ticks.message as f64),
        queue: Seconds::ZERO,
        overlapped: false,
    };
    pipeline_duration(&stages, &flow).get()
}

/// How many times as long as the formula the simulation takes.
fn simulated_over_formula(p: usize, message: u64) -> f64 {
    const MICRO_BATCHES: usize = 400;
    let ticks = Ticks { forward: 10, backward: 20, message };
    simulate_ticks(p, MICRO_BATCHES, ticks) as f64 / formula_ticks(p, MICRO_BATCHES, ticks)
}

#[track_caller]
fn assert_within(what: (usize, u64), found: f64, least: f64, most: f64) {
    assert!((least..=most).contains(&found), "{what:?}: {found} times the formula");
}

/// Nothing waits for a link: the bubble is that of 1F1B.
#[test]
fn messages_of_no_length_leave_the_bubble_of_1f1b() {
    for p in [1, 2, 3, 4, 8] {
        assert_within((p, 0), simulated_over_formula(p, 0), 0.995, 1.005);
    }
}

/// Where messages are longer than compute, two of them for each micro-batch leave every stage but
/// the ends: three stages take what the formula says, two stages wait for the round trip.
#[test]
fn two_messages_for_each_micro_batch_set_the_pace() {
    for (p, message) in [(2, 5), (2, 60), (2, 500), (3, 60), (3, 200), (3, 1000)] {
        assert_within((p, message), simulated_over_formula(p, message), 0.99, 1.005);
    }
}

/// Whatever arrives first runs first, which is not always best: the formula is the best order, and
/// the simulation takes up to a third longer where stages are many and messages long.
#[test]
fn no_pipeline_is_faster_than_the_formula() {
    for p in [3, 4, 6, 8] {
        for message in [1, 5, 10, 30, 60, 120, 500] {
            assert_within((p, message), simulated_over_formula(p, message), 0.99, 1.35);
        }
    }
}
