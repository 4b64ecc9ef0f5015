//! Parts of one sweep put together: the same as if one job had done it all. Where two parts can't
//! both be right, it takes neither.

use std::collections::BTreeMap;
use std::fmt;

use super::origin::Mismatch;
use super::shard::Shard;
use super::table::{Sweep, SweepRow};

/// A part of a sweep with the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPart {
    /// What a message calls it.
    pub file: String,
    /// What it holds.
    pub sweep: Sweep,
}

/// Why parts don't make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There is none.
    Empty,
    /// Parts of different sweeps.
    Different {
        /// The part that differs.
        file: String,
        /// From which.
        other: String,
        /// In what.
        what: Mismatch,
    },
    /// Two parts have other results of one point.
    Contradiction {
        /// The part that was read later.
        file: String,
        /// The part that it contradicts; the same where it contradicts itself.
        other: String,
        /// Place of the point, from 0.
        point: usize,
    },
    /// Points that no part has.
    Missing {
        /// How many.
        points: usize,
        /// The part of the first of them, as `3/8`.
        shard: String,
    },
}

/// The whole of which those are parts; the same point may be in several, with the same result.
///
/// # Errors
/// Where they are not of one sweep, contradict each other, or points are missing.
pub fn merge_sweeps(parts: &[SweepPart]) -> Result<Sweep, MergeError> {
    let first = parts.first().ok_or(MergeError::Empty)?;
    // A part without any design can't know what the columns are called in one.
    let model = parts.iter().find(|part| part.sweep.design_count() > 0).unwrap_or(first);
    for part in parts {
        if let Some(what) = find_mismatch(&part.sweep, &model.sweep) {
            let (file, other) = (part.file.clone(), model.file.clone());
            return Err(MergeError::Different { file, other, what });
        }
    }
    let mut rows: BTreeMap<usize, (&SweepRow, &str)> = BTreeMap::new();
    for part in parts {
        for row in &part.sweep.rows {
            let (known, other) = *rows.entry(row.place).or_insert((row, &part.file));
            if known.outcome != row.outcome {
                return Err(MergeError::Contradiction {
                    file: part.file.clone(),
                    other: other.to_owned(),
                    point: row.place,
                });
            }
        }
    }
    let points = model.sweep.grid.point_count();
    if rows.len() < points {
        let missing = (0..points).find(|place| !rows.contains_key(place)).unwrap_or_default();
        let index = parts.iter().map(|part| part.sweep.shard.shard_count()).max().unwrap_or(1);
        let shard = Shard::new(missing % index + 1, index).unwrap_or(Shard::WHOLE).to_string();
        return Err(MergeError::Missing { points: points - rows.len(), shard });
    }
    let rows = rows.into_values().map(|(row, _)| row.clone()).collect();
    Ok(Sweep { shard: Shard::WHOLE, rows, ..model.sweep.clone() })
}

/// In what a part differs from the one that all are held against.
fn find_mismatch(part: &Sweep, model: &Sweep) -> Option<Mismatch> {
    let named = part.design_count() > 0;
    part.origin.mismatch(&model.origin).or_else(|| {
        [
            (part.name != model.name, Mismatch::Name),
            (part.grid != model.grid, Mismatch::Axes),
            (named && part.columns != model.columns, Mismatch::Columns),
            (named && part.objectives != model.objectives, Mismatch::Objectives),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    })
}

impl MergeError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::Missing { .. } => "name the files of all shards",
            Self::Different { what, .. } => what.hint(),
            Self::Contradiction { .. } => "one of them was edited or damaged: run its shard again",
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing to merge"),
            Self::Different { file, other, what } => {
                write!(f, "`{file}` is of another sweep than `{other}`: {what}")
            }
            Self::Contradiction { file, other, point } if file == other => {
                write!(f, "`{file}` has two results of point {point}")
            }
            Self::Contradiction { file, other, point } => {
                write!(f, "`{file}` has another result of point {point} than `{other}`")
            }
            Self::Missing { points: 1, shard } => {
                write!(f, "one point is missing, of shard {shard}")
            }
            Self::Missing { points, shard } => {
                write!(f, "{points} points are missing, the first of shard {shard}")
            }
        }
    }
}

impl std::error::Error for MergeError {}
