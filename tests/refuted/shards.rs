//! Shards of a sweep that name no planner: contradictory or impossible as their figures may be,
//! none reaches a table.

use crate::refuted::run::planner;

#[track_caller]
fn refused(shards: &[&str]) {
    let run = planner(&[&["sweep", "--merge"], shards].concat());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{shards:?}");
    assert!(run.stderr.contains("which planner made it"), "{}", run.stderr);
}

#[test]
fn contradictory_shards_without_a_planner_are_not_merged() {
    refused(&["shard_1.json", "shard_1_other.json", "shard_3.json"]);
}

#[test]
fn impossible_figures_without_a_planner_are_not_merged() {
    refused(&["shard_1.json", "shard_2_impossible.json", "shard_3.json"]);
}
