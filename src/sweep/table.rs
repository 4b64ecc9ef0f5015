//! Rows and columns; shards merged; points where more GPUs are slower.

use std::collections::BTreeMap;
use std::fmt;

use super::front::{BetterDirection, front};
use super::grid::Grid;
use super::shard::{Mismatch, Shard, SweepOrigin};
use crate::gate::Snapshot;
use crate::units::Seconds;
use crate::units::parse::parse_count;

/// A grid with what came of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    pub name: String,
    /// What it was made from: parts of one sweep have the same.
    pub origin: SweepOrigin,
    pub grid: Grid,
    /// The part of it that was done.
    pub shard: Shard,
    /// What is shown of each point.
    pub columns: Vec<SweepColumn>,
    /// Columns whose front is shown.
    pub objectives: [SweepObjective; 2],
    /// What came of each point of the shard, by place.
    pub rows: Vec<SweepRow>,
}

/// Something that is shown of each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepColumn {
    /// Key in the JSON of a design.
    pub key: String,
}

/// One of the two figures of the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepObjective {
    pub column: usize,
    /// Which way it gets better.
    pub sense: BetterDirection,
}

/// A point with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    pub place: usize,
    pub outcome: Outcome,
}

/// What came of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A design: one entry for each column.
    Design(Vec<SweepEntry>),
    /// No design, and why.
    Impossible(String),
}

/// What a design says under a column.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepEntry {
    /// A figure in the unit of its key.
    Figure(f64),
    /// A word.
    Word(String),
    /// Nothing.
    None,
}

impl Outcome {
    /// What the columns show of a result.
    #[must_use]
    pub fn from_snapshot(result: &Snapshot, columns: &[SweepColumn]) -> Self {
        let entry = |column: &SweepColumn| {
            let figure = result.figures.get(&column.key).map(|figure| SweepEntry::Figure(*figure));
            let word = || result.words.get(&column.key).map(|word| SweepEntry::Word(word.clone()));
            figure.or_else(word).unwrap_or(SweepEntry::None)
        };
        Self::Design(columns.iter().map(entry).collect())
    }

    /// What stands under a column, exact; `None` where nothing does.
    #[must_use]
    pub fn column_text(&self, column: usize) -> Option<String> {
        match self {
            Self::Design(entries) => match entries.get(column)? {
                SweepEntry::Figure(figure) => Some(figure.to_string()),
                SweepEntry::Word(word) => Some(word.clone()),
                SweepEntry::None => None,
            },
            Self::Impossible(_) => None,
        }
    }

    /// The figure under a column, where there is one.
    #[must_use]
    pub fn column_figure(&self, column: usize) -> Option<f64> {
        match self {
            Self::Design(entries) => match entries.get(column) {
                Some(SweepEntry::Figure(figure)) => Some(*figure),
                _ => None,
            },
            Self::Impossible(_) => None,
        }
    }
}

impl Sweep {
    /// Which rows no other beats in both objectives.
    #[must_use]
    pub fn front_membership(&self) -> Vec<bool> {
        let cost = |row: &SweepRow, objective: SweepObjective| {
            row.outcome
                .column_figure(objective.column)
                .map(|figure| objective.sense.signed_cost(figure))
        };
        let [first, second] = self.objectives;
        let costs: Vec<_> =
            self.rows.iter().map(|row| Some((cost(row, first)?, cost(row, second)?))).collect();
        front(&costs)
    }

    /// How many rows have a design.
    #[must_use]
    pub fn design_count(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Design(_))).count()
    }

    /// Why its first point has no design, where not one has.
    #[must_use]
    pub fn no_design_reason(&self) -> Option<&str> {
        match &self.rows.first()?.outcome {
            Outcome::Impossible(reason) if self.design_count() == 0 => Some(reason),
            _ => None,
        }
    }
}

/// Key of the axis whose larger values should be faster.
const GPUS: &str = "cluster.gpus";
/// Key of the column that says how fast a point is.
const STEP: &str = "step.time_s";

/// Two points that differ in the number of GPUs alone, next to each other in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowerWithMoreGpus<'a> {
    /// The one with more GPUs, whose step is longer.
    pub more: &'a SweepRow,
    pub takes: Seconds,
    /// The one with fewer GPUs.
    pub fewer: &'a SweepRow,
    pub took: Seconds,
}

/// A point with a design.
struct SizedPoint<'a> {
    row: &'a SweepRow,
    /// Values of the other axes.
    others: Vec<&'a str>,
    gpus: f64,
    step: Seconds,
}

impl Sweep {
    /// Every such pair, in the order of the rows; none where the sweep varies no GPUs or shows no
    /// step time.
    #[must_use]
    pub fn slower_with_more_gpus(&self) -> Vec<SlowerWithMoreGpus<'_>> {
        let axes = self.grid.axes();
        let axis = axes.iter().position(|axis| axis.key == GPUS);
        let column = self.columns.iter().position(|column| column.key == STEP);
        let (Some(axis), Some(column)) = (axis, column) else { return Vec::new() };
        let known: Vec<SizedPoint<'_>> = self
            .rows
            .iter()
            .filter_map(|row| {
                let mut others = self.grid.point_values(row.place);
                let gpus = parse_count(others.remove(axis)).ok()?;
                Some(SizedPoint {
                    row,
                    others,
                    gpus,
                    step: Seconds::from_f64(row.outcome.column_figure(column)?),
                })
            })
            .collect();
        known.iter().filter_map(|more| slower_pair(more, &known)).collect()
    }
}

/// The point and the next one with fewer GPUs, where that is faster.
fn slower_pair<'a>(
    more: &SizedPoint<'a>,
    known: &[SizedPoint<'a>],
) -> Option<SlowerWithMoreGpus<'a>> {
    let below = known.iter().filter(|point| point.others == more.others && point.gpus < more.gpus);
    let fewer = below.max_by(|a, b| a.gpus.total_cmp(&b.gpus))?;
    let (takes, took) = (more.step, fewer.step);
    (takes > took).then_some(SlowerWithMoreGpus { more: more.row, takes, fewer: fewer.row, took })
}

/// A part of a sweep with the name of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPart {
    /// What a message calls it.
    pub file: String,
    pub sweep: Sweep,
}

/// Why parts don't make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There is none.
    Empty,
    /// Parts of different sweeps.
    Different { file: String, other: String, what: Mismatch },
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

#[cfg(test)]
mod tests {
    use super::{Sweep, SweepRow};
    use crate::sweep::{
        BetterDirection, Grid, Outcome, Shard, SweepAxis, SweepColumn, SweepEntry, SweepObjective,
        SweepOrigin,
    };

    /// A sweep over GPUs and batches, with the steps of its points in seconds; 0 for none.
    fn sweep(steps: [f64; 6]) -> Sweep {
        let axes = ["cluster.gpus=64,256,128", "training.global_batch=1,2"];
        let axes = axes.iter().map(|text| SweepAxis::parse(text).expect("it is an axis")).collect();
        let objective = SweepObjective { column: 0, sense: BetterDirection::SmallerIsBetter };
        let outcome = |step: f64| match step {
            0.0 => Outcome::Impossible("too few".into()),
            step => Outcome::Design(vec![SweepEntry::Figure(step)]),
        };
        let rows = steps.into_iter().enumerate();
        Sweep {
            name: "test".into(),
            origin: SweepOrigin::default(),
            grid: Grid::new(axes).expect("it is small"),
            shard: Shard::WHOLE,
            columns: vec![SweepColumn { key: "step.time_s".into() }],
            objectives: [objective; 2],
            rows: rows.map(|(place, step)| SweepRow { place, outcome: outcome(step) }).collect(),
        }
    }

    #[test]
    fn points_are_held_against_the_next_with_fewer_gpus() {
        let pairs = |steps| -> Vec<(usize, usize)> {
            let sweep = sweep(steps);
            sweep
                .slower_with_more_gpus()
                .iter()
                .map(|gpus| (gpus.more.place, gpus.fewer.place))
                .collect()
        };
        // Places: 64 GPUs at 0 and 1, 256 at 2 and 3, 128 at 4 and 5.
        assert_eq!(pairs([4.0, 8.0, 1.0, 2.0, 2.0, 4.0]), []);
        assert_eq!(pairs([4.0, 8.0, 3.0, 2.0, 2.0, 4.0]), [(2, 4)]);
        assert_eq!(pairs([4.0, 8.0, 5.0, 2.0, 0.0, 9.0]), [(2, 0), (5, 1)]);
    }
}
