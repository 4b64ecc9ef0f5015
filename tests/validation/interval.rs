//! The 80 % interval holds about eight of ten rows that neither the constants nor the interval had
//! seen anything of their source.

use planner::timing::{Interval, MeasuredGroup, MeasuredPrediction, measured_predictions};
use planner::validate::{coverage_of_all, interval_coverage};

use crate::validation::results;

#[test]
fn about_eight_of_ten_rows_lie_inside_an_interval_without_their_source() {
    let (rows, inside) = coverage_of_all(&results());
    assert!(rows > 450 && (0.75..=0.88).contains(&inside), "{inside} of {rows}");
    let groups = interval_coverage(&results());
    assert!(groups.len() >= 8, "{groups:?}");
}

#[test]
fn an_interval_without_a_source_counts_no_row_of_it() {
    let words = |row: &MeasuredPrediction| row.gpu.to_owned() + row.precision.name() + row.stack;
    for own in measured_predictions() {
        let interval = Interval::without_own_source(own);
        let others: Vec<&MeasuredPrediction> = measured_predictions()
            .iter()
            .filter(|row| row.source != own.source && row.experts == own.experts)
            .collect();
        let alike = others.iter().filter(|row| words(row) == words(own)).count();
        match interval.group {
            MeasuredGroup::Stack => assert!(interval.rows >= alike.max(10), "{own:?}"),
            MeasuredGroup::Model => assert_eq!(interval.rows, others.len(), "{own:?}"),
            _ => assert!(alike < 10 && interval.rows <= others.len(), "{own:?}"),
        }
    }
}
