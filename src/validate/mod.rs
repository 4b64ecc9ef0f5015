//! Predicted against published: measured training steps with their sources, and how far the
//! clock and the memory ledger are from them. Reads nothing but data compiled into the library.

mod case;
mod document;
mod problem;
mod run;
mod sets;
mod table;

pub use case::Case;
pub use document::page;
pub use problem::DataProblem;
pub use run::{Bench, RowResult, SetResult, Statistics, validate};
pub use sets::{SETS, Set};
