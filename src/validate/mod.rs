//! Predicted against published: measured training steps with their sources, and how far the
//! clock and the memory ledger are from them. Reads nothing but data compiled into the library.

mod aims;
mod case;
mod coverage;
mod document;
mod fit;
mod problem;
mod role;
mod run;
mod scaling;
mod sets;
mod table;
mod target;

pub use case::Case;
pub use coverage::{Coverage, coverage, coverage_of_sets};
pub use document::page;
pub use fit::{
    Calibrated, Constant, Fitted, Held, MeasuredStep, Moved, NoCalibration, Refit, Refusal, Unseen,
    calibrate, refit,
};
pub use problem::DataProblem;
pub use role::Role;
pub use run::{Bench, RowResult, SetResult, Statistics, validate};
pub use scaling::{Series, series};
pub use sets::{SETS, Set};
pub use target::{Measure, Miss, TARGETS, Target};
