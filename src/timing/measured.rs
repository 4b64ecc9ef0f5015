//! Measured steps as the clock would have predicted them without having seen their source: what the
//! intervals of predictions come from. Reads what `planner validate --refit --format csv` wrote.

use std::sync::OnceLock;

use super::kind::{ExtrapolationAxis, StepKind};
use crate::workload::Precision;

const ROWS: &str = include_str!("../../presets/validation/unseen.csv");

/// One measured step.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPrediction {
    /// Its set.
    pub set: &'static str,
    /// Its name.
    pub id: &'static str,
    /// A mixture of experts.
    pub experts: bool,
    /// Calibration of its GPU.
    pub gpu: &'static str,
    /// Number format.
    pub precision: Precision,
    /// Training stack.
    pub stack: &'static str,
    /// Its extent, in the order of [`ExtrapolationAxis::ALL`].
    pub extent: [u64; ExtrapolationAxis::ALL.len()],
    /// Predicted over measured time, less one, by constants fitted on all fitted rows.
    pub seen: f64,
    /// Measured over predicted time, by constants that had not seen its source.
    pub ratio: f64,
}

impl MeasuredPrediction {
    /// What its interval depends on.
    #[must_use]
    pub const fn step_kind(&self) -> StepKind<'static> {
        StepKind {
            experts: self.experts,
            gpu: self.gpu,
            precision: self.precision,
            stack: self.stack,
            extent: self.extent,
        }
    }

    /// Predicted over measured time, less one, by constants that had not seen its source.
    #[must_use]
    pub fn unseen_error(&self) -> f64 {
        1.0 / self.ratio - 1.0
    }
}

/// All of them.
#[must_use]
pub fn measured_predictions() -> &'static [MeasuredPrediction] {
    static ALL: OnceLock<Vec<MeasuredPrediction>> = OnceLock::new();
    ALL.get_or_init(|| ROWS.lines().skip(1).filter_map(parse_measured_row).collect())
}

/// A row; `None` where it is none. A test compares their number with that of the lines.
fn parse_measured_row(line: &'static str) -> Option<MeasuredPrediction> {
    let mut fields = line.split(',');
    let (set, id) = (fields.next()?, fields.next()?);
    // Source and use are for readers of the file.
    let mut fields = fields.skip(2);
    let experts = fields.next()? == "experts";
    let gpu = fields.next()?;
    let precision = Precision::parse(fields.next()?)?;
    let stack = fields.next()?;
    let mut extent = [0; ExtrapolationAxis::ALL.len()];
    for value in &mut extent {
        *value = fields.next()?.parse().ok()?;
    }
    let seen = fields.next()?.parse().ok()?;
    let unseen: f64 = fields.next()?.parse().ok()?;
    let ratio = 1.0 / (1.0 + unseen);
    Some(MeasuredPrediction { set, id, experts, gpu, precision, stack, extent, seen, ratio })
}

#[cfg(test)]
mod tests {
    use super::{ROWS, measured_predictions};

    #[test]
    fn every_line_is_a_row() {
        assert_eq!(measured_predictions().len(), ROWS.lines().count() - 1);
        assert!(measured_predictions().iter().all(|row| row.ratio > 0.2 && row.ratio < 5.0));
    }
}
