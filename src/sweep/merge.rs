//! Parts of one sweep put together: the same as if one job had done it all.

use std::collections::BTreeMap;
use std::fmt;

use super::shard::Shard;
use super::table::{Row, Sweep};

/// Why parts don't make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There is none.
    Empty,
    /// Parts of different sweeps: other specs, other axes, other columns.
    Different {
        /// Position of the part that differs from the first, from 1.
        part: usize,
    },
    /// Points that no part has.
    Missing {
        /// How many.
        points: usize,
        /// The part of the first of them, as `3/8`.
        shard: String,
    },
}

/// The whole of which those are parts; the same point may be in several.
///
/// # Errors
/// Where they are not of one sweep, or points are missing.
pub fn merge(parts: &[Sweep]) -> Result<Sweep, MergeError> {
    let first = parts.first().ok_or(MergeError::Empty)?;
    // A part without any design can't know what the columns are called in one.
    let model = parts.iter().find(|part| part.designs() > 0).unwrap_or(first);
    let same = |part: &Sweep| {
        let shape =
            part.name == model.name && part.origin == model.origin && part.grid == model.grid;
        shape
            && (part.designs() == 0
                || (part.columns == model.columns && part.objectives == model.objectives))
    };
    if let Some(place) = parts.iter().position(|part| !same(part)) {
        return Err(MergeError::Different { part: place + 1 });
    }
    let points = model.grid.points();
    let rows: BTreeMap<usize, &Row> = parts
        .iter()
        .flat_map(|part| &part.rows)
        .filter(|row| row.place < points)
        .map(|row| (row.place, row))
        .collect();
    if rows.len() < points {
        let missing = (0..points).find(|place| !rows.contains_key(place)).unwrap_or_default();
        let of = parts.iter().map(|part| part.shard.of()).max().unwrap_or(1);
        let shard = Shard::new(missing % of + 1, of).unwrap_or(Shard::WHOLE).to_string();
        return Err(MergeError::Missing { points: points - rows.len(), shard });
    }
    let rows = rows.into_values().cloned().collect();
    Ok(Sweep { shard: Shard::WHOLE, rows, ..model.clone() })
}

impl MergeError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::Missing { .. } => "name the files of all shards",
            Self::Different { .. } => {
                "every shard needs the same spec, `--set`, `--vary`, `--show` and `--pareto`"
            }
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing to merge"),
            Self::Different { part } => {
                write!(f, "file {part} is of another sweep than the others")
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
