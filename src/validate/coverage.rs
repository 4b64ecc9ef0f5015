//! How often the 80 % interval of a prediction holds the measured time, by kind of step.

use std::collections::BTreeMap;

use super::SetResult;
use crate::timing::{MeasuredPrediction, measured_predictions};

/// Rows that a group needs before a share of them means anything.
const ENOUGH: usize = 10;

/// Rows of one kind of model on one GPU in formats of one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// Mixtures of experts.
    pub experts: bool,
    /// Calibration of the GPU.
    pub gpu: &'static str,
    /// Bits of a number.
    pub bits: u32,
    /// Rows with a measured time.
    pub rows: usize,
    /// Share of them inside their interval.
    pub inside: f64,
}

/// The groups of ten rows or more, by model, GPU and width.
#[must_use]
pub fn interval_coverage(sets: &[SetResult]) -> Vec<Coverage> {
    let bits = |row: &MeasuredPrediction| (row.precision.operand_bytes() * 8.0) as u32;
    coverage_groups(sets, |row| (row.experts, row.gpu, bits(row)))
        .map(|((experts, gpu, bits), rows, inside)| Coverage { experts, gpu, bits, rows, inside })
        .collect()
}

/// The sets of ten rows or more: name, rows, and the share of them inside their interval. A set whose
/// errors are alike lies on one side of an interval that others share.
#[must_use]
pub fn coverage_of_sets(sets: &[SetResult]) -> Vec<(&'static str, usize, f64)> {
    coverage_groups(sets, |row| row.set).collect()
}

/// Groups of ten rows or more in the order of their keys, each with the share that lies inside.
fn coverage_groups<K: Ord>(
    sets: &[SetResult],
    key: impl Fn(&MeasuredPrediction) -> K,
) -> impl Iterator<Item = (K, usize, f64)> {
    let mut groups: BTreeMap<K, (usize, usize)> = BTreeMap::new();
    for row in measured_predictions() {
        let of_set = sets.iter().find(|set| set.set.name == row.set);
        let result =
            of_set.and_then(|set| set.rows.iter().find(|row_result| row_result.case.id == row.id));
        let Some(interval) = result.and_then(|row_result| row_result.interval.as_ref()) else {
            continue;
        };
        let (rows, inside) = groups.entry(key(row)).or_default();
        *rows += 1;
        *inside += usize::from(interval.low <= row.ratio && row.ratio <= interval.high);
    }
    groups
        .into_iter()
        .filter(|(_, (rows, _))| *rows >= ENOUGH)
        .map(|(key, (rows, inside))| (key, rows, inside as f64 / rows as f64))
}
