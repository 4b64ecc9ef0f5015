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

pub use case::ValidationCase;
pub use coverage::{Coverage, coverage_of_sets, interval_coverage};
pub use document::validation_page;
pub use fit::{
    Calibrated, Fitted, FittedConstant, JudgedStep, MeasuredStep, MovedConstant, NoCalibration,
    Refit, Refusal, Unseen, calibrate_gpu, fit_calibration_constants,
};
pub use problem::DataProblem;
pub use role::RowRole;
pub use run::{RowResult, SetResult, Statistics, ValidationBench, validate_sets};
pub use scaling::{ScalingSeries, scaling_series};
pub use sets::{SETS, ValidationSet};
pub use target::{Measure, MissedTarget, TARGETS, Target};
