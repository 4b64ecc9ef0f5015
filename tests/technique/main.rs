//! Training techniques against their papers' printed numbers, and as a user switches them on.

mod axonn;
mod command;
mod demo;
#[path = "../support/job.rs"]
mod job;
mod multilevel;
#[path = "../support/program.rs"]
mod program;
mod sums;
