//! What came of the points of a grid, as rows and columns. Nothing here is rounded or formatted.

use super::front::{BetterDirection, front};
use super::grid::Grid;
use super::origin::SweepOrigin;
use super::shard::Shard;
use crate::gate::Snapshot;

/// A grid with what came of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Name of the spec.
    pub name: String,
    /// What it was made from: parts of one sweep have the same.
    pub origin: SweepOrigin,
    /// The grid.
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
    /// Place of its column.
    pub column: usize,
    /// Which way it gets better.
    pub sense: BetterDirection,
}

/// A point with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow {
    /// Place in the grid.
    pub place: usize,
    /// What came of it.
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
