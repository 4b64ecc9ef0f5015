//! The ledger of a step as files: JSON lines, and inputs of simulators. Everything is written to a
//! writer that the caller owns, one stage or one rank at a time; no file is opened here.

mod chakra;
mod htsim;
mod lines;
mod simai;
mod wire;

pub use self::chakra::{Chakra, TooMany};
pub use self::htsim::{most_bytes, write_flows};
pub use self::lines::write_call_lines;
pub use self::simai::write_simai_workload;
