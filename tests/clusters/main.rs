//! Several clusters designed together: parts, stages, and workloads that share one.

#[path = "../support/program.rs"]
mod program;
#[expect(dead_code, reason = "these specs are written here")]
#[path = "../support/scenario.rs"]
mod scenario;

mod clusters;
mod split;
mod stages;
mod workloads;
