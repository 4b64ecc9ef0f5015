//! The ledger of a step as files: JSON lines, and inputs of simulators. Everything is written to a
//! writer that the caller owns, one stage or one rank at a time; no file is opened here.

mod chakra;
mod json_lines;
mod simulators;

pub use chakra::{Chakra, TooMany};
pub use json_lines::write_call_lines;
pub use simulators::{most_bytes, write_flows, write_simai_workload};
