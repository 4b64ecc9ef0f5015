//! Predicted against published: measured training steps with their sources, and how far the
//! clock and the memory ledger are from them. Reads nothing but data compiled into the library.

mod case;
mod chosen;
mod collectives;
mod coverage;
mod fit;
mod measured_rows;
mod page;
mod run;
mod sets;
mod targets;

pub use case::ValidationCase;
pub use collectives::{
    CollectiveErrors, CollectiveRow, LARGE_CALL, collective_errors, predict_collectives,
};
pub use coverage::{
    Coverage, ScalingSeries, coverage_of_all, coverage_of_sets, interval_coverage, scaling_series,
};
pub use fit::{
    Calibrated, CalibratedNetwork, ConstantSet, Fitted, FittedConstant, JudgedCall, JudgedStep,
    MeasuredCall, MeasuredStep, MovedConstant, NoCalibration, Refit, Refusal, Unseen,
    calibrate_gpu, calibrate_network, fit_calibration_constants,
};
pub use measured_rows::{DataProblem, RowRole};
pub use page::{validation_page, validation_rows_page};
pub use run::{RowResult, SetResult, Statistics, ValidationBench, group_in_order, validate_sets};
pub use sets::{SETS, ValidationSet};
pub use targets::{Measure, MissedTarget, TARGETS, Target};
