//! Results read back: the JSON that `planner design` once wrote, as plain values for the gate.
//! The third rim beside spec and report; it trusts nothing that it reads, and knows no command.

mod problem;
mod read;
mod sweep;

pub use problem::ResultProblem;
pub use read::{LONGEST_BYTES, looks_like_json, read_snapshot};
pub use sweep::read_sweep;
