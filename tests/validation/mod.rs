//! The clock and the memory ledger against published measurements.

mod constants;
mod interval;
mod network;
mod peaks;
mod rail_only;
mod searched_peaks;
mod specs;
mod weak_scaling;

use planner::spec::presets;
use planner::validate::{
    CollectiveRow, LARGE_CALL, SetResult, TARGETS, ValidationBench, predict_collectives,
    validate_sets, validation_page,
};

use crate::support::page::hold_part;

/// Largest mean absolute error in time that a set may have, percent. Bounds are what was
/// reached, rounded up, so that no change makes the model worse in silence.
const TIME: [(&str, f64); 24] = [
    ("megatron-2020", 2.3),
    ("narayanan", 1.5),
    ("narayanan-zero3", 5.6),
    ("korthikanti", 2.6),
    ("megascale", 2.9),
    ("vtrain", 4.9),
    ("megatron-core", 11.1),
    ("llama3", 1.8),
    ("simumax", 3.5),
    ("megatron-bridge", 4.7),
    ("megatron-bridge-moe", 6.6),
    ("megatron-bridge-gpt-oss", 14.1),
    ("megatron-bridge-hybrid", 5.9),
    ("nemo-h100", 3.0),
    ("nemo-gb200", 5.1),
    ("nemo-experts", 9.0),
    ("automodel", 10.7),
    ("fsdp", 4.1),
    ("fsdp-a100", 14.9),
    ("long-context", 20.7),
    ("mlperf", 4.7),
    ("nemo-2025", 10.1),
    ("bloom-scan", 19.3),
    ("llm-foundry", 4.9),
];
/// Largest mean absolute error in time by constants that had not seen the source, percent.
const UNSEEN: [(&str, f64); 24] = [
    ("megatron-2020", 3.1),
    ("narayanan", 1.8),
    ("narayanan-zero3", 5.6),
    ("korthikanti", 2.8),
    ("megascale", 2.9),
    ("vtrain", 6.3),
    ("megatron-core", 13.0),
    ("llama3", 2.1),
    ("simumax", 6.7),
    ("megatron-bridge", 5.9),
    ("megatron-bridge-moe", 9.3),
    ("megatron-bridge-gpt-oss", 14.1),
    ("megatron-bridge-hybrid", 6.4),
    ("nemo-h100", 4.6),
    ("nemo-gb200", 7.8),
    ("nemo-experts", 9.0),
    ("automodel", 10.7),
    ("fsdp", 6.2),
    ("fsdp-a100", 14.9),
    ("long-context", 20.7),
    ("mlperf", 5.3),
    ("nemo-2025", 10.1),
    ("bloom-scan", 19.3),
    ("llm-foundry", 6.7),
];
/// Errors of memory that no set may exceed, in percent.
const MEMORY: [(&str, f64); 2] = [("korthikanti-memory", 2.8), ("simumax", 2.6)];

fn results() -> Vec<SetResult> {
    let nodes = presets::preset_nodes();
    let frameworks = presets::preset_frameworks();
    validate_sets(&ValidationBench { nodes: &nodes, frameworks: &frameworks })
        .expect("the shipped rows are sound")
}

/// Published calls, predicted.
fn calls() -> Vec<CollectiveRow> {
    let nodes = presets::preset_nodes();
    let frameworks = presets::preset_frameworks();
    predict_collectives(&ValidationBench { nodes: &nodes, frameworks: &frameworks })
        .expect("the shipped rows are sound")
}

/// Mean error of time of 10 % from 64 MiB and 25 % below, and nobody's table worse than 25 % from
/// 1 GiB.
#[test]
fn published_collectives_take_as_long_as_the_model_says() {
    let calls = calls();
    assert!(calls.len() > 200);
    for (large, most) in [(true, 0.10), (false, 0.25)] {
        let errors: Vec<f64> = calls
            .iter()
            .filter(|row| row.is_counted() && (row.bytes >= LARGE_CALL) == large)
            .map(|row| row.time_error().abs())
            .collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean <= most, "{mean} of {} rows", errors.len());
    }
    for row in calls.iter().filter(|row| row.is_counted() && row.bytes.count() >= 1 << 30) {
        assert!(row.time_error().abs() <= 0.25, "{row:?}: {}", row.time_error());
    }
}

#[test]
fn predictions_stay_within_their_bounds() {
    let sets = results();
    let find = |name: &str| sets.iter().find(|set| set.set.name == name).expect("the set ships");
    for (name, bound) in TIME {
        let reached = 100.0 * find(name).time_errors().mean;
        assert!(reached <= bound, "{name}: time {reached:.2} %, at most {bound} %");
    }
    for (name, bound) in UNSEEN {
        let reached = 100.0 * find(name).unseen_errors().mean;
        assert!(reached <= bound, "{name}: not seen {reached:.2} %, at most {bound} %");
    }
    for (name, bound) in MEMORY {
        let reached = 100.0 * find(name).memory_errors().mean;
        assert!(reached <= bound, "{name}: memory {reached:.2} %, at most {bound} %");
    }
}

#[test]
fn every_set_has_a_bound() {
    for set in results() {
        let name = set.set.name;
        let bounds = TIME.iter().chain(&MEMORY).filter(|(text, _)| *text == name);
        let measured = [set.time_errors().rows, set.memory_errors().rows];
        assert_eq!(bounds.count(), measured.iter().filter(|rows| **rows > 0).count(), "{name}");
    }
}

#[test]
fn the_parts_of_every_step_sum_to_it_and_none_is_negative() {
    for row in results().iter().flat_map(|set| &set.rows) {
        let time = &row.time;
        let parts = [
            time.compute,
            time.exposed.total_time(),
            time.bubble,
            time.optimizer,
            time.host,
            time.stragglers,
        ];
        let sum: f64 = parts.iter().map(|part| part.get()).sum();
        assert!((sum / time.total_time().get() - 1.0).abs() < 1e-12, "{}", row.case.id);
        assert!(parts.iter().all(|part| part.get() >= -1e-9 * sum), "{}: {time:?}", row.case.id);
    }
}

#[test]
fn the_page_of_results_is_up_to_date() {
    hold_part("validation.md", "steps", &validation_page(&results(), &calls()));
}

#[test]
fn a_target_that_is_missed_has_a_reason_and_two_ways() {
    let sets = results();
    for target in &TARGETS {
        let reached = (1000.0 * target.reached_error(&sets)).round() / 10.0;
        let miss = target.miss.as_ref();
        assert_eq!(reached > target.percent, miss.is_some(), "{}: {reached} %", target.name);
        let figures = |text: &str| text.contains('%') && text.contains(char::is_numeric);
        if let Some(miss) = miss {
            assert!(miss.why.len() > 40, "{}: no reason", target.name);
            assert!(miss.tried.into_iter().all(figures), "{}: no figures", target.name);
        }
    }
    // By hand: errors not seen of the five fitted rows of Megatron-Core.
    let core = TARGETS
        .iter()
        .find(|this_target| this_target.sets == ["megatron-core"])
        .expect("it is one");
    let by_hand = (0.0867 + 0.1071 + 0.0512 + 0.0509 + 0.0121) / 5.0;
    assert!((core.reached_error(&sets) - by_hand).abs() < 6e-4);
}
