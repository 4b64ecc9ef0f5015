//! Points of a sweep where more GPUs make a step longer. Says nothing about why.

use super::table::{Sweep, SweepRow};
use crate::units::Seconds;
use crate::units::text::parse_count;

/// Key of the axis whose larger values should be faster.
const GPUS: &str = "cluster.gpus";
/// Key of the column that says how fast a point is.
const STEP: &str = "step.time_s";

/// Two points that differ in the number of GPUs alone, next to each other in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowerWithMoreGpus<'a> {
    /// The one with more GPUs, whose step is longer.
    pub more: &'a SweepRow,
    /// Its step.
    pub takes: Seconds,
    /// The one with fewer GPUs.
    pub fewer: &'a SweepRow,
    /// Its step.
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
    /// Every such pair, in the order of the rows; none where the sweep varies no GPUs or shows no step
    /// time.
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

#[cfg(test)]
mod tests {
    use crate::sweep::table::{Sweep, SweepRow};
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
