//! Fits a few constants of one GPU on a user's own measured steps: as few as predict steps best
//! that the fit has not seen. Changes no preset and reads no file.

use super::constant::{FittedConstant, constants_for_calibration};
use super::descent::{CoordinateFit, rows_moved_by_constant};
use super::rows::FitRow;
use crate::hardware::Gpu;
use crate::step::Step;
use crate::timing::NetworkModel;
use crate::units::{FlopRate, Seconds};
use crate::validate::measured_rows::RowRole;
use crate::validate::run::TimedStep;
use crate::workload::Framework;

/// Fewest measured steps that differ in more than their name.
const FEWEST: usize = 2;
/// Measured steps for each constant, fewer of which leave it to chance.
const EACH: usize = 3;
/// A constant is taken along where it lowers the mean error of steps not seen to less than this
/// share of what it was.
const WORTH: f64 = 0.95;
/// A step disagrees whose error is above this many times the median of all, and above the share.
const TIMES: f64 = 3.0;
const SHARE: f64 = 0.05;
/// A mean error of steps not seen above this share is no matter of constants: half as much again as
/// of any set that ships with its settings known.
const LARGE: f64 = 0.2;
/// Rounds over all widths of the search.
const ROUNDS: usize = 2;

/// A step that a user measured, ready to be predicted.
#[derive(Clone, Debug)]
pub struct MeasuredStep {
    pub name: String,
    pub gpu: Gpu,
    pub stack: Framework,
    pub step: Step,
    /// The network, as one that never blocks.
    pub network: NetworkModel,
    pub time: Seconds,
}

/// A constant that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedConstant {
    /// Its key in a calibration.
    pub key: String,
    /// What the values are in; empty for shares.
    pub unit: String,
    /// Value before, in that unit.
    pub before: f64,
    /// Value after.
    pub after: f64,
    /// Measured steps that it moves.
    pub rows: usize,
    /// The value as a spec writes it: of a GPU whose rates are shares of another's peaks, times
    /// that other's peak over its own.
    pub written: String,
}

/// A measured step, predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedStep {
    pub name: String,
    pub time: Seconds,
    /// Predicted over measured time, less one, by the constants that it came with.
    pub before: f64,
    /// That by constants fitted on the other steps.
    pub unseen: f64,
    /// Far from what the other steps say.
    pub disagrees: bool,
}

/// What a calibration gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    pub set: String,
    /// Constants that moved; none where the set predicts steps not seen as well without.
    pub constants: Vec<MovedConstant>,
    pub rows: Vec<JudgedStep>,
    /// Steps are fewer than three for each constant.
    pub thin: bool,
    /// Steps not seen are so far off that something else than a constant is wrong.
    pub unexplained: bool,
}

impl Calibrated {
    /// Mean absolute errors, before and of steps not seen.
    #[must_use]
    pub fn mean_errors(&self) -> [f64; 2] {
        let mean = |read: fn(&JudgedStep) -> f64| {
            self.rows.iter().map(|row| read(row).abs()).sum::<f64>() / self.rows.len().max(1) as f64
        };
        [mean(|row| row.before), mean(|row| row.unseen)]
    }
}

/// Why steps give no calibration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCalibration {
    /// Fewer steps than two that differ.
    TooFew(usize),
    /// Steps on two kinds of GPU: their names.
    TwoGpus(String, String),
}

/// Fits the constants of the steps' GPU; `shares_of` is the one whose shares of peak it has, if
/// any.
///
/// # Errors
/// Steps that are too few, or on several kinds of GPU.
pub fn calibrate_gpu(
    steps: &[MeasuredStep],
    shares_of: Option<&Gpu>,
) -> Result<Calibrated, NoCalibration> {
    let mut asked: Vec<(&Step, &Framework)> = Vec::new();
    for step in steps {
        if !asked.contains(&(&step.step, &step.stack)) {
            asked.push((&step.step, &step.stack));
        }
    }
    let first = match steps.first() {
        Some(first) if asked.len() >= FEWEST => first,
        _ => return Err(NoCalibration::TooFew(asked.len())),
    };
    if let Some(other) = steps.iter().find(|step| step.gpu.name != first.gpu.name) {
        return Err(NoCalibration::TwoGpus(first.gpu.name.clone(), other.gpu.name.clone()));
    }
    let rows: Vec<FitRow> = steps
        .iter()
        .map(|step| {
            // Repeats of one run are left out together: one would give the other away.
            let source = asked.iter().position(|known| *known == (&step.step, &step.stack));
            fit_row(step, source.unwrap_or_default())
        })
        .collect();
    let before: Vec<f64> = rows.iter().map(FitRow::log_error).collect();
    let (taken, unseen) =
        select_constants(&constants_for_calibration(&first.gpu), &rows, before.clone());
    let mut constants = fit_constants(&taken, &rows);
    for (moved, constant) in constants.iter_mut().zip(&taken) {
        let ratio = shares_of
            .and_then(|gpu| Some(peak_rate(gpu, &moved.key)? / peak_rate(&first.gpu, &moved.key)?));
        moved.written = constant.as_spec_text(moved.after * ratio.unwrap_or(1.0));
    }
    let thin = rows.len() < EACH * constants.len();
    let far = find_outliers(&unseen);
    let unexplained = mean_absolute_error(&unseen) > LARGE;
    let rows = rows.iter().enumerate().map(|(place, row)| JudgedStep {
        name: row.id.clone(),
        time: steps[place].time,
        before: before[place].exp() - 1.0,
        unseen: unseen[place].exp() - 1.0,
        disagrees: far[place],
    });
    let set = first.gpu.calibration.name.clone();
    Ok(Calibrated { set, constants, rows: rows.collect(), thin, unexplained })
}

/// The constants that predict steps best which the fit has not seen, taken one after another, and
/// the errors of those steps; `unseen` are those without any.
fn select_constants(
    all: &[FittedConstant],
    rows: &[FitRow],
    mut unseen: Vec<f64>,
) -> (Vec<FittedConstant>, Vec<f64>) {
    let mut taken: Vec<FittedConstant> = Vec::new();
    while taken.len() < (rows.len() / 2).max(1) {
        let mut best: Option<(Vec<f64>, &FittedConstant)> = None;
        for constant in all {
            if taken.iter().any(|fitted_constant| fitted_constant.key == constant.key) {
                continue;
            }
            let tried: Vec<FittedConstant> = taken.iter().chain([constant]).cloned().collect();
            let Some(errors) = left_out(&tried, rows) else { continue };
            if fit_constants(&tried, rows)
                .iter()
                .zip(&tried)
                .any(|(moved_constant, by)| by.is_at_end(moved_constant.after))
            {
                continue;
            }
            if best
                .as_ref()
                .is_none_or(|(least, _)| mean_absolute_error(&errors) < mean_absolute_error(least))
            {
                best = Some((errors, constant));
            }
        }
        match best {
            Some((errors, constant))
                if mean_absolute_error(&errors) < WORTH * mean_absolute_error(&unseen) =>
            {
                taken.push(constant.clone());
                unseen = errors;
            }
            _ => break,
        }
    }
    (taken, unseen)
}

fn fit_row(step: &MeasuredStep, source: usize) -> FitRow {
    let role = RowRole {
        fitted: true,
        source: source.to_string(),
        why: String::new(),
        only: String::new(),
    };
    let timed = TimedStep {
        gpu: step.gpu.clone(),
        machine_rate: 1.0,
        network: step.network.clone(),
        stack: step.stack.clone(),
        step: step.step.clone(),
    };
    FitRow::from_user_step(&step.name, role, timed, step.time)
}

/// Error of each row by constants fitted on the others; `None` where a constant moves too few rows.
fn left_out(constants: &[FittedConstant], rows: &[FitRow]) -> Option<Vec<f64>> {
    let shipped: Vec<f64> = constants.iter().map(|constant| constant.prior).collect();
    let moved = rows_moved_by_constant(constants, rows, &shipped);
    if moved.iter().any(|rows| rows.len() < FEWEST) {
        return None;
    }
    let without = |left: usize| {
        let source = &rows[left].role.source;
        let mut fit =
            CoordinateFit::new(constants, rows, &moved, &shipped, |row| row.role.source != *source);
        fit.run_descent(ROUNDS);
        fit.row_errors()[left]
    };
    Some((0..rows.len()).map(without).collect())
}

/// The constants on all rows.
fn fit_constants(constants: &[FittedConstant], rows: &[FitRow]) -> Vec<MovedConstant> {
    let shipped: Vec<f64> = constants.iter().map(|fitted_constant| fitted_constant.prior).collect();
    let moved = rows_moved_by_constant(constants, rows, &shipped);
    let mut fit = CoordinateFit::new(constants, rows, &moved, &shipped, |_| true);
    fit.run_descent(ROUNDS);
    let read = |(place, constant): (usize, &FittedConstant)| MovedConstant {
        key: constant.key.clone(),
        unit: constant.unit.clone(),
        before: constant.prior,
        after: fit.values[place],
        rows: fit.count_moved_rows(place),
        written: constant.as_spec_text(fit.values[place]),
    };
    constants.iter().enumerate().map(read).collect()
}

/// Peak of the format of that rate.
fn peak_rate(gpu: &Gpu, key: &str) -> Option<FlopRate> {
    match key {
        "gemm_bf16" => gpu.peaks.bf16,
        "gemm_fp8" => gpu.peaks.fp8,
        "gemm_fp4" => gpu.peaks.fp4,
        _ => None,
    }
}

/// Mean absolute error.
fn mean_absolute_error(errors: &[f64]) -> f64 {
    errors.iter().map(|error| error.abs()).sum::<f64>() / errors.len().max(1) as f64
}

/// Which errors are far from all others.
fn find_outliers(errors: &[f64]) -> Vec<bool> {
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    errors.iter().map(|error| error.abs() > SHARE.max(TIMES * median)).collect()
}
