//! The 80 % interval holds about eight of ten rows that the constants had not seen.

use planner::timing::{Interval, MeasuredPrediction, measured_predictions};
use planner::validate::interval_coverage;

use crate::validation::results;

#[test]
fn seven_to_nine_of_ten_rows_of_every_group_lie_inside() {
    let groups = interval_coverage(&results());
    assert!(groups.len() >= 8, "{groups:?}");
    for group in groups {
        assert!((0.70..=0.90).contains(&group.inside), "{group:?}");
    }
}

#[test]
fn coverage_is_that_of_a_count_by_hand() {
    let inside = |row: &&MeasuredPrediction| {
        let interval = Interval::for_step_kind(&row.step_kind());
        let ratio = 1.0 / (1.0 + row.unseen_error());
        interval.low <= ratio && ratio <= interval.high
    };
    for experts in [false, true] {
        let rows: Vec<&MeasuredPrediction> =
            measured_predictions().iter().filter(|row| row.experts == experts).collect();
        let held = rows.iter().filter(|row| inside(row)).count();
        let share = held as f64 / rows.len() as f64;
        assert!((0.74..=0.90).contains(&share), "{share} of {} rows", rows.len());
    }
}
