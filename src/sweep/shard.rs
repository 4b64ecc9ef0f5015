//! The part of a grid that one of several jobs does: every N-th point, so that each gets dear and
//! cheap ones alike.

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

#[cfg(test)]
mod tests {
    use super::Shard;

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
}
