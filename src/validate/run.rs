//! Runs the planner on measured rows and sums the differences up.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::case::read_cases;
use super::measured_rows::{RowRole, find_role};
use super::sets::{SETS, ValidationSet};
use super::{DataProblem, ValidationCase};
use crate::hardware::{Gpu, Node};
use crate::memory::{MemoryFit, memory_ledger};
use crate::step::Step;
use crate::timing::{
    Interval, MeasuredPrediction, NetworkModel, StepTime, measured_predictions, model_flops,
    shortest_step_time, step_efficiency,
};
use crate::units::{Bytes, Seconds};
use crate::workload::Framework;

/// The presets that rows refer to by name.
#[derive(Clone, Copy, Debug)]
pub struct ValidationBench<'a> {
    pub nodes: &'a BTreeMap<String, Node>,
    pub frameworks: &'a BTreeMap<String, Framework>,
}

/// One row, predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct RowResult {
    pub case: ValidationCase,
    pub time: StepTime,
    /// What the row is for.
    pub role: RowRole,
    /// Predicted over measured time, less one, by constants fitted without its source; `None` where
    /// no time was measured.
    pub unseen: Option<f64>,
    /// Share of the peak that the measured step reached with the model's FLOPs; `None` as `unseen`.
    pub measured_mfu: Option<f64>,
    /// Between which shares of the predicted time 80 of 100 such steps lie, by steps of other sources
    /// alone; `None` as `unseen`.
    pub interval: Option<Interval>,
    /// Predicted memory of the fullest GPU, as allocated at the peak: what the sources measure.
    pub memory: Bytes,
    /// Predicted memory with what the allocator reserves besides.
    pub reserved: Bytes,
    /// Memory that a GPU has.
    pub capacity: Bytes,
}

impl RowResult {
    /// Predicted over measured time, less one; `None` where no time was measured.
    #[must_use]
    pub fn time_error(&self) -> Option<f64> {
        self.case.seconds.map(|measured| self.time.total_time() / measured - 1.0)
    }

    /// Whether the layout, which ran, fits as counted; of sources that count memory and ran
    /// nothing it does.
    #[must_use]
    pub fn memory_fit(&self) -> MemoryFit {
        match self.case.seconds {
            None => MemoryFit::Fits,
            Some(_) => MemoryFit::of_total(self.reserved, self.capacity),
        }
    }

    /// Predicted memory in GiB.
    #[must_use]
    pub fn memory_gib(&self) -> f64 {
        self.memory.as_f64() / Bytes::from_gib(1).as_f64()
    }

    /// Predicted over measured memory, less one; `None` where none was measured.
    #[must_use]
    pub fn memory_error(&self) -> Option<f64> {
        self.case.memory_gib.map(|measured| self.memory_gib() / measured - 1.0)
    }
}

/// One set, predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct SetResult {
    pub set: ValidationSet,
    pub rows: Vec<RowResult>,
}

/// Relative errors summed up, as shares of the measured value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub rows: usize,
    /// Mean of the absolute errors.
    pub mean: f64,
    pub largest: f64,
    /// Mean of the signed errors: positive is too slow, or too large.
    pub bias: f64,
}

impl Statistics {
    pub(super) fn from_errors(errors: impl Iterator<Item = f64>) -> Self {
        let errors: Vec<f64> = errors.collect();
        if errors.is_empty() {
            return Self::default();
        }
        let rows = errors.len();
        Self {
            rows,
            mean: errors.iter().map(|error| error.abs()).sum::<f64>() / rows as f64,
            largest: errors.iter().fold(0.0, |largest: f64, error| largest.max(error.abs())),
            bias: errors.iter().sum::<f64>() / rows as f64,
        }
    }

    /// Mean, largest, bias; nothing where nothing was measured.
    pub(super) fn errors_text(&self) -> String {
        if self.rows == 0 {
            return String::new();
        }
        let (mean, largest) = (100.0 * self.mean, 100.0 * self.largest);
        format!("{mean:.1} %, {largest:.1} %, {}", format_percent(self.bias))
    }
}

/// A signed percentage; what rounds to zero has no sign.
pub(super) fn format_percent(share: f64) -> String {
    let text = format!("{:+.1} %", 100.0 * share);
    if text.trim_start_matches(['+', '-']) == "0.0 %" { "0.0 %".to_owned() } else { text }
}

impl SetResult {
    /// Errors in time.
    #[must_use]
    pub fn time_errors(&self) -> Statistics {
        Statistics::from_errors(self.rows.iter().filter_map(RowResult::time_error))
    }

    /// Errors in time by constants that had not seen the source of a row.
    #[must_use]
    pub fn unseen_errors(&self) -> Statistics {
        Statistics::from_errors(self.rows.iter().filter_map(|row| row.unseen))
    }

    /// Constants were fitted on rows of the set.
    #[must_use]
    pub fn is_fitted(&self) -> bool {
        self.rows.iter().any(|row| row.role.fitted)
    }

    /// Errors in memory.
    #[must_use]
    pub fn memory_errors(&self) -> Statistics {
        Statistics::from_errors(self.rows.iter().filter_map(RowResult::memory_error))
    }
}

/// Rows by what tells them apart, in the order of the first of each.
pub fn group_in_order<'a, T, K: PartialEq>(
    rows: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&'a T>)> = Vec::new();
    for row in rows {
        let own = key(row);
        match groups.iter_mut().find(|(known, _)| *known == own) {
            Some((_, alike)) => alike.push(row),
            None => groups.push((own, vec![row])),
        }
    }
    groups
}

/// Predicts every row of every set.
///
/// # Errors
/// A row that can't be read, or that names what the presets lack.
pub fn validate_sets(bench: &ValidationBench<'_>) -> Result<Vec<SetResult>, DataProblem> {
    SETS.iter()
        .map(|set| {
            let rows = read_cases(set.rows)?
                .into_iter()
                .map(|case| predict_row(bench, set.name, case))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(SetResult { set: *set, rows })
        })
        .collect()
}

fn predict_row(
    bench: &ValidationBench<'_>,
    set: &'static str,
    case: ValidationCase,
) -> Result<RowResult, DataProblem> {
    let role = find_role(set, &case.id)?;
    let measured = measured_predictions().iter().find(|row| row.set == set && row.id == case.id);
    let timed = prepare_case(bench, &case)?;
    let time = timed.predicted_time();
    let memory = memory_ledger(&timed.stack, &timed.step);
    let (memory, reserved) = (memory.allocated_bytes(), memory.total_on_gpu());
    Ok(RowResult {
        time,
        role,
        unseen: measured.map(MeasuredPrediction::unseen_error),
        measured_mfu: case.seconds.map(|seconds| timed.measured_mfu(&case, seconds)),
        interval: measured.map(Interval::without_own_source),
        memory,
        reserved,
        capacity: timed.gpu.memory,
        case,
    })
}

/// A row as the clock wants it.
#[derive(Clone, Debug)]
pub(super) struct TimedStep {
    pub(super) gpu: Gpu,
    /// As [`ValidationCase::machine_rate`].
    pub(super) machine_rate: f64,
    pub(super) network: NetworkModel,
    pub(super) stack: Framework,
    pub(super) step: Step,
}

impl TimedStep {
    pub(super) fn predicted_time(&self) -> StepTime {
        let mut gpu = Cow::Borrowed(&self.gpu);
        if self.machine_rate < 1.0 {
            gpu.to_mut().calibration.slow_multiplications(self.machine_rate);
        }
        shortest_step_time(&self.step, &gpu, &self.network, &self.stack)
    }

    /// Share of the peak that a step of that time reaches with the model's FLOPs.
    pub(super) fn measured_mfu(&self, case: &ValidationCase, time: Seconds) -> f64 {
        let work = model_flops(&case.model, &case.training, &self.stack);
        step_efficiency(&self.step, &case.training, &self.gpu, work, time).mfu
    }
}

pub(super) fn prepare_case(
    bench: &ValidationBench<'_>,
    case: &ValidationCase,
) -> Result<TimedStep, DataProblem> {
    let unknown = |what, name: &str| DataProblem::Unknown { what, name: name.to_owned() };
    let node = bench.nodes.get(&case.node).ok_or_else(|| unknown("node", &case.node))?;
    let preset = bench
        .frameworks
        .get(&case.framework)
        .ok_or_else(|| unknown("framework", &case.framework))?;
    let stack = case.case_framework(preset)?;
    let step =
        Step::new(&case.model, &case.training, &stack, &case.layout).map_err(|problems| {
            let rules = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            DataProblem::Layout { id: case.id.clone(), rules }
        })?;
    let (gpu, network) = (node.gpu.clone(), network_model(node, case.nics));
    Ok(TimedStep { gpu, machine_rate: case.machine_rate, network, stack, step })
}

/// The measured machines stood on full-bisection fabrics.
fn network_model(node: &Node, nics: Option<u32>) -> NetworkModel {
    let own = NetworkModel::non_blocking(node, &node.nic);
    NetworkModel { nics: nics.unwrap_or(own.nics), ..own }
}
