//! The points of a grid: every combination of values, the last axis fastest. Knows no spec: keys
//! and values are text.

use std::fmt;

use crate::units::parse::shorten_for_message;

/// Most points of a grid. A design takes milliseconds to seconds; who needs more wants a search.
pub const MOST_POINTS: usize = 100_000;

/// Between keys that vary together, and between their values.
const ZIP: char = ':';

/// One key and its values, or several keys that vary together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepAxis {
    /// Dotted key of the spec; of several that vary together all, as `a.b:c.d`.
    pub key: String,
    /// Its values, as they would be typed behind `--set KEY=`; at least one.
    pub values: Vec<String>,
}

/// All combinations of some axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    axes: Vec<SweepAxis>, // Invariant: one or more, each with values, keys differ, few enough points.
}

/// Why there is no such grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridError {
    /// Not `KEY=A,B,C`.
    Shape { text: String },
    /// A key that varies twice.
    Twice { key: String },
    /// More points than anyone waits for.
    TooMany {
        /// How many; the most that can be counted where there are more.
        points: usize,
    },
    /// No axis at all.
    Empty,
}

impl SweepAxis {
    /// Reads `KEY=A,B,C`. Commas inside quotes or brackets belong to a value.
    ///
    /// # Errors
    /// Where there is no key, no value, or an empty value.
    pub fn parse(text: &str) -> Result<Self, GridError> {
        let shape = || GridError::Shape { text: shorten_axis_text(text) };
        let (key, list) = text.split_once('=').ok_or_else(shape)?;
        let key = key.trim();
        let values = split_values(list);
        if key.is_empty() || values.iter().any(String::is_empty) {
            return Err(shape());
        }
        let axis = Self { key: key.to_owned(), values };
        let keys = axis.keys();
        let alike = |value: &String| {
            let parts = axis.split_value(value);
            parts.len() == keys.len() && parts.iter().all(|part| !part.is_empty())
        };
        if keys.iter().any(|key| key.is_empty()) || !axis.values.iter().all(alike) {
            return Err(shape());
        }
        Ok(axis)
    }

    /// Keys that vary together, in their order: usually one, several in `a.b:c.d`.
    #[must_use]
    pub fn keys(&self) -> Vec<&str> {
        self.key.split(ZIP).map(str::trim).collect()
    }

    /// The values of those keys in one of the values, as in `8:16`.
    #[must_use]
    pub fn split_value<'v>(&self, value: &'v str) -> Vec<&'v str> {
        if !self.key.contains(ZIP) {
            return vec![value];
        }
        value.split(ZIP).map(str::trim).collect()
    }
}

/// The values of a list, split at commas outside quotes and brackets.
fn split_values(list: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let (mut quote, mut depth) = (None, 0_usize);
    for c in list.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(value) = values.last_mut() {
            value.push(c);
        }
    }
    values.iter().map(|value| value.trim().to_owned()).collect()
}

impl Grid {
    /// The grid of those axes.
    ///
    /// # Errors
    /// Where there is no axis, a key stands twice, or the points are too many.
    pub fn new(axes: Vec<SweepAxis>) -> Result<Self, GridError> {
        if axes.is_empty() || axes.iter().any(|axis| axis.values.is_empty()) {
            return Err(GridError::Empty);
        }
        for (place, axis) in axes.iter().enumerate() {
            let same = |other: &SweepAxis| other.keys().iter().any(|key| axis.keys().contains(key));
            if axes[..place].iter().any(same) {
                return Err(GridError::Twice { key: shorten_axis_text(&axis.key) });
            }
        }
        let count = |points: usize, axis: &SweepAxis| points.saturating_mul(axis.values.len());
        let points = axes.iter().fold(1, count);
        if points > MOST_POINTS {
            return Err(GridError::TooMany { points });
        }
        Ok(Self { axes })
    }

    /// Its axes, slowest first.
    #[must_use]
    pub fn axes(&self) -> &[SweepAxis] {
        &self.axes
    }

    /// How many points it has; at least one.
    #[must_use]
    pub fn point_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// The values of a point, one for each axis; places beyond the last wrap around.
    #[must_use]
    pub fn point_values(&self, place: usize) -> Vec<&str> {
        let mut rest = place;
        let mut values: Vec<&str> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let value = axis.values[rest % axis.values.len()].as_str();
                rest /= axis.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }
}

/// As much of an axis as a message repeats.
fn shorten_axis_text(text: &str) -> String {
    const MOST: usize = 60;
    shorten_for_message(text, MOST)
}

impl GridError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Shape { .. } | Self::Empty => {
                "write it like `--vary cluster.gpus=1024,2048,4096`".to_owned()
            }
            Self::Twice { .. } => "name all its values in one list".to_owned(),
            Self::TooMany { .. } => format!("at most {MOST_POINTS} are done: leave values out"),
        }
    }
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { text } => write!(f, "`{text}` is no KEY=A,B,C"),
            Self::Twice { key } => write!(f, "`{key}` varies twice"),
            Self::TooMany { points: usize::MAX } => f.write_str("the grid has too many points"),
            Self::TooMany { points } => write!(f, "the grid has {points} points"),
            Self::Empty => f.write_str("nothing varies"),
        }
    }
}

impl std::error::Error for GridError {}

#[cfg(test)]
mod tests {
    use super::{Grid, GridError, SweepAxis};

    fn axis(text: &str) -> SweepAxis {
        SweepAxis::parse(text).expect("the text is an axis")
    }

    #[test]
    fn commas_inside_quotes_and_brackets_belong_to_a_value() {
        assert_eq!(axis("a.b=1, 2,x").values, ["1", "2", "x"]);
        let both = axis("a.b:c=1:x, 2:y");
        assert_eq!((both.keys(), both.split_value("2:y")), (vec!["a.b", "c"], vec!["2", "y"]));
        assert_eq!(axis("a=[\"x\",\"y\"],'p,q'").values, ["[\"x\",\"y\"]", "'p,q'"]);
        for rubbish in
            ["", "a", "=1", "a=", "a=1,,2", "a=1,", "a:b=1", "a:b=1:2,3", ":b=1:2", "a:b=1:"]
        {
            assert!(SweepAxis::parse(rubbish).is_err(), "{rubbish}");
        }
    }

    #[test]
    fn every_combination_stands_once_and_the_last_axis_is_fastest() {
        let grid = Grid::new(vec![axis("a=1,2"), axis("b=x,y,z")]).expect("it is small");
        assert_eq!(grid.point_count(), 6);
        let points: Vec<String> = (0..6).map(|place| grid.point_values(place).concat()).collect();
        assert_eq!(points, ["1x", "1y", "1z", "2x", "2y", "2z"]);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        assert_eq!(Grid::new(vec![]), Err(GridError::Empty));
        let twice = Grid::new(vec![axis("a=1"), axis("a=2")]);
        assert!(matches!(twice, Err(GridError::Twice { .. })));
        let many = vec!["1"; 50_000].join(",");
        let axes = ["a", "b", "c", "d", "e"].map(|key| axis(&format!("{key}={many}")));
        assert!(matches!(Grid::new(axes.to_vec()), Err(GridError::TooMany { .. })));
    }
}
