//! How often intervals hold what was measured, and series over sizes.

use std::collections::BTreeMap;

use super::{SetResult, ValidationCase};
use crate::parallel::Layout;
use crate::timing::{MeasuredPrediction, measured_predictions};
use crate::workload::Training;

/// Rows that a group needs before a share of them means anything.
const ENOUGH: usize = 10;

/// Rows of one kind of model on one GPU in formats of one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    pub experts: bool,
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

/// Rows with a measured time, and the share of them inside their interval.
#[must_use]
pub fn coverage_of_all(sets: &[SetResult]) -> (usize, f64) {
    coverage_groups(sets, |_| ()).next().map_or((0, 0.0), |((), rows, inside)| (rows, inside))
}

/// The sets of ten rows or more: name, rows, and the share of them inside their interval. A set
/// whose errors are alike lies on one side of an interval that others share.
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

/// A series of two rows or more.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalingSeries {
    pub set: &'static str,
    /// Name of its first row.
    pub first: String,
    pub rows: usize,
    /// Least and largest number of GPUs.
    pub gpus: [u64; 2],
    /// How much the measured time grows with each doubling, as a share.
    pub measured: f64,
    /// How much the predicted time does.
    pub predicted: f64,
}

/// The series of all sets, in the order of their first rows.
#[must_use]
pub fn scaling_series(sets: &[SetResult]) -> Vec<ScalingSeries> {
    let mut all = Vec::new();
    for result in sets {
        let mut groups: Vec<(ValidationCase, Vec<[f64; 3]>)> = Vec::new();
        for row in &result.rows {
            let Some(measured) = row.case.seconds else { continue };
            let gpus = row.case.layout.gpus() as f64;
            let point = [gpus.log2(), measured.get().ln(), row.time.total_time().get().ln()];
            let key = case_of_one_replica(&row.case);
            match groups.iter_mut().find(|(known, _)| is_same_series(known, &key)) {
                Some((_, points)) => points.push(point),
                None => {
                    groups.push((ValidationCase { id: row.case.id.clone(), ..key }, vec![point]))
                }
            }
        }
        for (case, points) in groups {
            let along = |place: usize| {
                line_slope(&points.iter().map(|point| (point[0], point[place])).collect::<Vec<_>>())
            };
            let (Some(measured), Some(predicted)) = (along(1), along(2)) else { continue };
            let gpus = points.iter().map(|point| point[0].exp2().round() as u64);
            all.push(ScalingSeries {
                set: result.set.name,
                first: case.id,
                rows: points.len(),
                gpus: [gpus.clone().min().unwrap_or(0), gpus.max().unwrap_or(0)],
                measured,
                predicted,
            });
        }
    }
    all
}

/// Slope of the straight line through points; `None` where all stand at one place.
pub(super) fn line_slope(points: &[(f64, f64)]) -> Option<f64> {
    let middle = points.iter().map(|(at, _)| at).sum::<f64>() / points.len() as f64;
    let spread: f64 = points.iter().map(|(at, _)| (at - middle).powi(2)).sum();
    let rise: f64 = points.iter().map(|(at, value)| (at - middle) * value).sum();
    (spread > 0.0).then(|| rise / spread)
}

/// The row with one replica and its share of the batch.
fn case_of_one_replica(case: &ValidationCase) -> ValidationCase {
    let each = case.training.global_batch / u64::from(case.layout.data.max(1));
    ValidationCase {
        training: Training { global_batch: each, ..case.training.clone() },
        layout: Layout { data: 1, ..case.layout.clone() },
        ..case.clone()
    }
}

/// Whether two rows ask for one step on one replica.
fn is_same_series(one: &ValidationCase, other: &ValidationCase) -> bool {
    let bare = |case: &ValidationCase| ValidationCase {
        id: String::new(),
        seconds: None,
        memory_gib: None,
        ..case.clone()
    };
    bare(one) == bare(other)
}
