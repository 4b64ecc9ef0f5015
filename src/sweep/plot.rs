//! What a sweep draws on request: one quantity over another, a line for each value of a third. It
//! only looks up what the sweep has.

use std::fmt;

use super::table::{Sweep, SweepRow};
use crate::gate::resolve_figure_name;

/// What is to be drawn, as typed: `x=…,y=…,series=…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotRequest {
    /// What goes to the right: a key that varies, or a figure.
    pub x: String,
    /// What goes up: a figure.
    pub y: String,
    /// What each line has one value of: a key that varies, or a figure; `None` for all keys that
    /// vary but `x`, or the first where `x` is a figure.
    pub series: Option<String>,
}

/// Lines that were looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Plotted {
    /// Key of what goes to the right.
    pub x: String,
    /// Key of what goes up.
    pub y: String,
    /// Name and points of each line, from left to right.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Why something can't be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlotError {
    /// Not `x=KEY,y=KEY`.
    Shape,
    /// Neither a key that varies nor a figure that is shown.
    NoSuch { name: String },
    /// No point has a number for both.
    NoNumbers {
        /// What goes to the right.
        x: String,
        y: String,
    },
}

impl PlotRequest {
    /// Reads `x=KEY,y=KEY` with or without `series=KEY`.
    ///
    /// # Errors
    /// Where one of the first two is missing, or anything else stands there.
    pub fn parse(text: &str) -> Result<Self, PlotError> {
        let (mut x, mut y, mut series) = (None, None, None);
        for part in text.split(',') {
            let (name, key) = part.split_once('=').ok_or(PlotError::Shape)?;
            let place = match name.trim() {
                "x" => &mut x,
                "y" => &mut y,
                "series" => &mut series,
                _ => return Err(PlotError::Shape),
            };
            if key.trim().is_empty() || place.replace(key.trim().to_owned()).is_some() {
                return Err(PlotError::Shape);
            }
        }
        Ok(Self { x: x.ok_or(PlotError::Shape)?, y: y.ok_or(PlotError::Shape)?, series })
    }

    /// Names of all that it takes.
    pub fn figure_names(&self) -> impl Iterator<Item = &str> {
        [&self.x, &self.y].into_iter().chain(&self.series).map(String::as_str)
    }

    /// The lines.
    ///
    /// # Errors
    /// Where the sweep has no such key, or no numbers for it.
    pub fn plot_sweep(&self, sweep: &Sweep) -> Result<Plotted, PlotError> {
        let x = PlotSource::from_name(&self.x, sweep)?;
        let y = PlotSource::from_name(&self.y, sweep)?;
        let by = self.series.as_ref().map(|name| PlotSource::from_name(name, sweep)).transpose()?;
        let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for row in &sweep.rows {
            let number = |source: &PlotSource| source.row_text(sweep, row)?.parse::<f64>().ok();
            let (Some(across), Some(up)) = (number(&x), number(&y)) else { continue };
            let name = match &by {
                Some(by) => by.row_text(sweep, row).unwrap_or_default(),
                None => remaining_key_values(sweep, row, &x),
            };
            match series.iter_mut().find(|(known, _)| *known == name) {
                Some((_, line)) => line.push((across, up)),
                None => series.push((name, vec![(across, up)])),
            }
        }
        for (_, line) in &mut series {
            line.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        if series.is_empty() {
            return Err(PlotError::NoNumbers { x: x.source_key(sweep), y: y.source_key(sweep) });
        }
        Ok(Plotted { x: x.source_key(sweep), y: y.source_key(sweep), series })
    }
}

/// Values of the keys that vary, but for what goes to the right, or the first where that is a
/// figure.
fn remaining_key_values(sweep: &Sweep, row: &SweepRow, x: &PlotSource) -> String {
    let left_out = match x {
        PlotSource::Axis(axis, _) => *axis,
        PlotSource::Column(_) => 0,
    };
    let values = sweep.grid.point_values(row.place).into_iter().enumerate();
    let others = values.filter(|(place, _)| *place != left_out);
    others.map(|(_, value)| value.to_owned()).collect::<Vec<_>>().join(", ")
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlotSource {
    /// An axis, and which of its keys where several vary together.
    Axis(usize, usize),
    /// A column.
    Column(usize),
}

impl PlotSource {
    fn from_name(name: &str, sweep: &Sweep) -> Result<Self, PlotError> {
        for (axis, sweep_axis) in sweep.grid.axes().iter().enumerate() {
            if let Some(part) = sweep_axis.keys().iter().position(|key| *key == name) {
                return Ok(Self::Axis(axis, part));
            }
        }
        let keys: Vec<&str> = sweep.columns.iter().map(|column| column.key.as_str()).collect();
        let found = resolve_figure_name(name, keys.clone()).ok();
        let found = found.and_then(|key| keys.iter().position(|known| *known == key));
        found.map(Self::Column).ok_or_else(|| PlotError::NoSuch { name: name.to_owned() })
    }

    fn source_key(self, sweep: &Sweep) -> String {
        let key = match self {
            Self::Axis(axis, part) => {
                sweep.grid.axes().get(axis).and_then(|axis| axis.keys().get(part).copied())
            }
            Self::Column(column) => sweep.columns.get(column).map(|column| column.key.as_str()),
        };
        key.unwrap_or_default().to_owned()
    }

    fn row_text(self, sweep: &Sweep, row: &SweepRow) -> Option<String> {
        match self {
            Self::Axis(axis, part) => {
                let value = *sweep.grid.point_values(row.place).get(axis)?;
                sweep
                    .grid
                    .axes()
                    .get(axis)?
                    .split_value(value)
                    .get(part)
                    .map(|text| (*text).to_owned())
            }
            Self::Column(column) => row.outcome.column_text(column),
        }
    }
}

impl PlotError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Shape => "write it like `--plot x=cluster.gpus,y=step.time,series=cluster.node`",
            Self::NoSuch { .. } => "take a key of `--vary`, or a figure: `--show` has its name",
            Self::NoNumbers { .. } => "both need numbers at one point at least",
        }
        .to_owned()
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str("a plot needs `x=KEY,y=KEY`"),
            Self::NoSuch { name } => write!(f, "the sweep has no `{name}` to draw"),
            Self::NoNumbers { x, y } => write!(f, "no point has numbers for `{x}` and `{y}`"),
        }
    }
}

impl std::error::Error for PlotError {}
