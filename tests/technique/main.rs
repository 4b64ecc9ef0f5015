//! Training techniques against their papers' printed numbers, and as a user switches them on.

mod axonn;
mod command;
mod demo;
#[path = "../support/job.rs"]
mod job;
mod multilevel;
mod page;
#[path = "../support/program.rs"]
mod program;
mod sums;
