//! Launch files: their exact text, that the stacks' own readers took it, and that what is written is
//! what is read back.

#[path = "../support/program.rs"]
#[allow(dead_code, reason = "these commands need no folder of their own")]
mod program;

mod accepted;
mod foreign;
mod round_trip;
