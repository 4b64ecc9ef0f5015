//! Shards of a grid and their origin.

use std::fmt;

/// Part `index` of `total`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    index: usize, // Invariant: 1 ≤ index ≤ total.
    total: usize,
}

/// The text is no `I/N` with I from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardError;

impl Shard {
    /// The whole grid.
    pub const WHOLE: Self = Self { index: 1, total: 1 };

    /// Part `index` of `total`.
    ///
    /// # Errors
    /// Where there is no such part.
    pub const fn new(index: usize, total: usize) -> Result<Self, ShardError> {
        if index >= 1 && index <= total { Ok(Self { index, total }) } else { Err(ShardError) }
    }

    /// Reads `3/8`.
    ///
    /// # Errors
    /// Where the text is no such thing.
    pub fn parse(text: &str) -> Result<Self, ShardError> {
        let (index, total) = text.split_once('/').ok_or(ShardError)?;
        let number = |text: &str| text.trim().parse().map_err(|_| ShardError);
        Self::new(number(index)?, number(total)?)
    }

    /// Which part.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// Of how many.
    #[must_use]
    pub const fn shard_count(self) -> usize {
        self.total
    }

    /// Whether the point of that place is one of its own.
    #[must_use]
    pub const fn has_point(self, place: usize) -> bool {
        place % self.total == self.index - 1
    }

    /// Places of its points in a grid of so many.
    pub fn point_indices(self, points: usize) -> impl Iterator<Item = usize> {
        (self.index - 1..points).step_by(self.total)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.total)
    }
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a shard is I/N with I from 1 to N, such as 3/8")
    }
}

impl std::error::Error for ShardError {}

/// The program, the parts and the question of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepOrigin {
    pub planner: String,
    /// Stands for the source that the program was built from.
    pub build: String,
    /// Stands for the parts and prices that ship with it.
    pub catalogue: String,
    /// Stands for the spec, `--set`, `--part`, `--prices` and the solver.
    pub question: String,
}

/// In what two sweeps differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The version of the program.
    Version,
    /// The parts and prices that ship with it.
    Catalogue,
    /// The source that it was built from.
    Build,
    /// What is asked.
    Question,
    /// The name of the spec.
    Name,
    /// `--vary`.
    Axes,
    /// `--show`.
    Columns,
    /// `--pareto`.
    Objectives,
}

impl SweepOrigin {
    /// The first thing in which it differs from another; `None` where both are alike.
    #[must_use]
    pub fn mismatch(&self, other: &Self) -> Option<Mismatch> {
        [
            (self.planner != other.planner, Mismatch::Version),
            (self.catalogue != other.catalogue, Mismatch::Catalogue),
            (self.build != other.build, Mismatch::Build),
            (self.question != other.question, Mismatch::Question),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }
}

impl Mismatch {
    /// What to do about it.
    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Version | Self::Catalogue | Self::Build => "run all shards with the same program",
            _ => {
                "every shard needs the same spec, `--set`, `--part`, `--prices`, `--solver`, \
                 `--vary`, `--show` and `--pareto`"
            }
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "another version of planner made it",
            Self::Catalogue => "a planner with another catalogue of parts or prices made it",
            Self::Build => "another build of planner made it",
            Self::Question => {
                "it answers another spec, or other `--set`, `--part`, `--prices` or `--solver`"
            }
            Self::Name => "its spec has another name",
            Self::Axes => "it varies other keys or values",
            Self::Columns => "it shows other figures",
            Self::Objectives => "its trade-off is of other figures",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Mismatch, Shard, SweepOrigin};

    #[test]
    fn shards_share_a_grid_without_gap_or_overlap() {
        for (points, place) in [(0, 3), (1, 3), (10, 3), (10, 10), (10, 64)] {
            let mut all: Vec<usize> = (1..=place)
                .flat_map(|index| {
                    Shard::new(index, place).expect("it exists").point_indices(points)
                })
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..points).collect::<Vec<_>>());
        }
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(Shard::parse("3/8"), Shard::new(3, 8));
        for rubbish in ["", "3", "0/8", "9/8", "-1/8", "1/0", "a/b", "1/8/9"] {
            assert!(Shard::parse(rubbish).is_err(), "{rubbish}");
        }
    }

    #[test]
    fn what_differs_is_said() {
        let text = |name: &str| name.to_owned();
        let origin = SweepOrigin {
            planner: text("1"),
            build: text("2"),
            catalogue: text("3"),
            question: text("4"),
        };
        let other = |change: fn(&mut SweepOrigin)| {
            let mut other = origin.clone();
            change(&mut other);
            origin.mismatch(&other)
        };
        assert_eq!(other(|_| ()), None);
        assert_eq!(other(|sweep_origin| sweep_origin.planner.push('x')), Some(Mismatch::Version));
        assert_eq!(other(|sweep_origin| sweep_origin.build.push('x')), Some(Mismatch::Build));
        assert_eq!(
            other(|sweep_origin| sweep_origin.catalogue.push('x')),
            Some(Mismatch::Catalogue)
        );
        assert_eq!(other(|sweep_origin| sweep_origin.question.push('x')), Some(Mismatch::Question));
    }
}
