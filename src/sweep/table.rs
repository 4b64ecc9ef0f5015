//! What came of the points of a grid, as rows and columns. Nothing here is rounded or formatted.

use super::front::{Sense, front};
use super::grid::Grid;
use super::origin::Origin;
use super::shard::Shard;
use crate::gate::Snapshot;

/// A grid with what came of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Name of the spec.
    pub name: String,
    /// What it was made from: parts of one sweep have the same.
    pub origin: Origin,
    /// The grid.
    pub grid: Grid,
    /// The part of it that was done.
    pub shard: Shard,
    /// What is shown of each point.
    pub columns: Vec<Column>,
    /// Columns whose front is shown.
    pub objectives: [Objective; 2],
    /// What came of each point of the shard, by place.
    pub rows: Vec<Row>,
}

/// Something that is shown of each point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Key in the JSON of a design.
    pub key: String,
}

/// One of the two figures of the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Place of its column.
    pub column: usize,
    /// Which way it gets better.
    pub sense: Sense,
}

/// A point with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Place in the grid.
    pub place: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A design: one entry for each column.
    Design(Vec<Entry>),
    /// No design, and why.
    Impossible(String),
}

/// What a design says under a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
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
    pub fn of(result: &Snapshot, columns: &[Column]) -> Self {
        let entry = |column: &Column| {
            let figure = result.figures.get(&column.key).map(|figure| Entry::Figure(*figure));
            let word = || result.words.get(&column.key).map(|word| Entry::Word(word.clone()));
            figure.or_else(word).unwrap_or(Entry::None)
        };
        Self::Design(columns.iter().map(entry).collect())
    }

    /// What stands under a column, exact; `None` where nothing does.
    #[must_use]
    pub fn text(&self, column: usize) -> Option<String> {
        match self {
            Self::Design(entries) => match entries.get(column)? {
                Entry::Figure(figure) => Some(figure.to_string()),
                Entry::Word(word) => Some(word.clone()),
                Entry::None => None,
            },
            Self::Impossible(_) => None,
        }
    }

    /// The figure under a column, where there is one.
    #[must_use]
    pub fn figure(&self, column: usize) -> Option<f64> {
        match self {
            Self::Design(entries) => match entries.get(column) {
                Some(Entry::Figure(figure)) => Some(*figure),
                _ => None,
            },
            Self::Impossible(_) => None,
        }
    }
}

impl Sweep {
    /// Which rows no other beats in both objectives.
    #[must_use]
    pub fn front(&self) -> Vec<bool> {
        let cost = |row: &Row, of: Objective| {
            row.outcome.figure(of.column).map(|figure| of.sense.cost(figure))
        };
        let [first, second] = self.objectives;
        let costs: Vec<_> =
            self.rows.iter().map(|row| Some((cost(row, first)?, cost(row, second)?))).collect();
        front(&costs)
    }

    /// How many rows have a design.
    #[must_use]
    pub fn designs(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.outcome, Outcome::Design(_))).count()
    }

    /// Why its first point has no design, where not one has.
    #[must_use]
    pub fn nothing(&self) -> Option<&str> {
        match &self.rows.first()?.outcome {
            Outcome::Impossible(reason) if self.designs() == 0 => Some(reason),
            _ => None,
        }
    }
}
