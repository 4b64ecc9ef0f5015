//! Fits the constants of the step-time model anew on the rows that ship, and predicts each row by
//! constants that were fitted without its source. Changes no preset.

mod calibrate;
mod constant;
mod descent;
mod network;
mod rows;

pub use calibrate::{
    Calibrated, JudgedStep, MeasuredStep, MovedConstant, NoCalibration, calibrate_gpu,
};
pub use constant::{ConstantSet, FittedConstant};
pub use network::{CalibratedNetwork, JudgedCall, MeasuredCall, calibrate_network};

use std::collections::BTreeSet;

use super::measured_rows::{DataProblem, RowRole};
use super::run::ValidationBench;
use super::sets::ValidationSet;
use crate::timing::ExtrapolationAxis;
use crate::workload::Precision;
use constant::END;
use descent::{CoordinateFit, rows_moved_by_constant};
use rows::{FitRow, fit_rows};

/// Rounds over all widths of the search: from the priors, so that nothing of what ships goes into
/// a fit, and from the constants fitted on all rows.
const ROUNDS: usize = 6;
const ROUNDS_AGAIN: usize = 1;

/// A constant, fitted.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub constant: FittedConstant,
    pub shipped: f64,
    pub value: f64,
    /// Rows that it moves and that were fitted.
    pub rows: usize,
    /// Least and largest value over the fits that leave a source out.
    pub spread: [f64; 2],
}

/// Why a value is not to be shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer than two rows, so that it would be a constant for one row.
    Rows,
    /// It ran into the end of the range that physics allows.
    Range,
}

impl Fitted {
    /// Why the value is not to be shipped; `None` where it may be.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let FittedConstant { least, most, .. } = self.constant;
        let room = (self.value - least).min(most - self.value);
        if self.rows < 2 {
            Some(Refusal::Rows)
        } else {
            (room < END * (most - least)).then_some(Refusal::Range)
        }
    }
}

/// A row, predicted in sample and by constants that did not see its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen {
    pub set: &'static str,
    pub id: String,
    pub role: RowRole,
    /// What the interval of a prediction of such a step depends on.
    pub experts: bool,
    pub gpu: String,
    pub precision: Precision,
    pub stack: String,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
    /// Share of the peak that the measured step reached with the model's FLOPs.
    pub mfu: f64,
    /// Predicted over measured time, less one, by the fit on all fitted rows.
    pub seen: f64,
    /// That by the fit without its source.
    pub unseen: f64,
    /// Predicted time of the layout that a spec gets which leaves it open, over the measured time of
    /// the vendor's tuned layout, less one; `None` where nobody tuned it.
    pub chosen: Option<f64>,
}

/// What a refit gives.
#[derive(Clone, Debug)]
pub struct Refit {
    pub constants: Vec<Fitted>,
    /// All rows with a measured time.
    pub rows: Vec<Unseen>,
}

/// Fits all constants, on all fitted rows of those sets and without each source.
///
/// # Errors
/// A row or a constant that can't be read.
pub fn fit_calibration_constants(
    bench: &ValidationBench<'_>,
    sets: &[ValidationSet],
) -> Result<Refit, DataProblem> {
    let constants = constant::read_constants()?;
    let rows = fit_rows(bench, sets)?;
    let shipped: Vec<f64> =
        constants.iter().map(|fitted_constant| shipped_value(fitted_constant, &rows)).collect();
    let priors: Vec<f64> = constants.iter().map(|constant| constant.prior).collect();
    let moved = rows_moved_by_constant(&constants, &rows, &priors);
    let mut whole = CoordinateFit::new(&constants, &rows, &moved, &priors, |row| row.role.fitted);
    whole.run_descent(ROUNDS);
    let sources: BTreeSet<&str> = rows.iter().map(|row| row.role.source.as_str()).collect();
    let sources: Vec<&str> = sources.into_iter().collect();
    let without = |source: &str| {
        let mut fit = CoordinateFit::new(&constants, &rows, &moved, &whole.values, |row| {
            row.role.fitted && row.role.source != source
        });
        fit.run_descent(ROUNDS_AGAIN);
        (fit.values.clone(), fit.row_errors())
    };
    // Each source by itself, as none knows of another.
    let folds: Vec<(Vec<f64>, Vec<f64>)> = sources.iter().map(|source| without(source)).collect();
    let seen_all = whole.row_errors();
    let fold_of = |row: &FitRow| sources.iter().position(|source| *source == row.role.source);
    Ok(Refit {
        constants: constants
            .iter()
            .enumerate()
            .map(|(place, constant)| Fitted {
                constant: constant.clone(),
                shipped: shipped[place],
                value: whole.values[place],
                rows: whole.count_moved_rows(place),
                spread: folds.iter().fold([f64::INFINITY, 0.0], |[low, high], (values, _)| {
                    [f64::min(low, values[place]), f64::max(high, values[place])]
                }),
            })
            .collect(),
        rows: rows
            .iter()
            .enumerate()
            .map(|(place, row)| {
                let share = |error: f64| error.exp() - 1.0;
                let seen = seen_all[place];
                let unseen = fold_of(row).map_or(seen, |fold| folds[fold].1[place]);
                Unseen {
                    set: row.set,
                    id: row.id.clone(),
                    role: row.role.clone(),
                    experts: row.experts,
                    gpu: row.timed.gpu.calibration.name.clone(),
                    precision: row.precision,
                    stack: row.timed.stack.name.clone(),
                    extent: row.extent,
                    mfu: row.mfu,
                    seen: share(seen),
                    unseen: share(unseen),
                    chosen: row.chosen,
                }
            })
            .collect(),
    })
}

/// What the presets say; the prior where no row's GPU or stack has the constant.
fn shipped_value(constant: &FittedConstant, rows: &[FitRow]) -> f64 {
    rows.iter()
        .find_map(|row| {
            constant.set_value(
                &mut row.timed.gpu.clone(),
                &mut row.timed.stack.clone(),
                constant.prior,
            )
        })
        .unwrap_or(constant.prior)
}
