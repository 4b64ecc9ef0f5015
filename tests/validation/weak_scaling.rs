//! What a doubling of the GPUs costs where each has as much work as before: series of measured rows
//! that differ in the number of GPUs and in nothing else.

use std::collections::BTreeMap;

use planner::validate::RowResult;

use crate::results;

/// How much the time grows with each doubling: the slope of its logarithm over that of the GPUs.
fn slope(points: &[(f64, f64)]) -> f64 {
    let rows = points.len() as f64;
    let [x, y] = [
        points.iter().map(|at| at.0).sum::<f64>() / rows,
        points.iter().map(|at| at.1).sum::<f64>() / rows,
    ];
    let rise: f64 = points.iter().map(|at| (at.0 - x) * (at.1 - y)).sum();
    rise / points.iter().map(|at| (at.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn a_doubling_costs_what_was_measured() {
    let sets = results();
    let mut series: BTreeMap<String, Vec<&RowResult>> = BTreeMap::new();
    for set in &sets {
        for row in set.rows.iter().filter(|row| row.role.fitted) {
            let case = &row.case;
            let mut layout = case.layout.clone();
            let each = case.training.global_batch / u64::from(layout.data);
            layout.data = 1;
            let key = format!(
                "{} {} {} {:?} {:?} {layout:?} {each} {:?}",
                set.set.name,
                case.node,
                case.framework,
                case.overrides,
                case.model,
                case.training.precision
            );
            series.entry(key).or_default().push(row);
        }
    }
    let gpus = |row: &RowResult| row.case.layout.gpus() as f64;
    let slopes: Vec<[f64; 2]> = series
        .values()
        .filter(|rows| rows.iter().any(|row| gpus(row) > gpus(rows[0])))
        .map(|rows| {
            let of = |time: &dyn Fn(&RowResult) -> f64| {
                slope(
                    &rows.iter().map(|row| (gpus(row).log2(), time(row).ln())).collect::<Vec<_>>(),
                )
            };
            let measured = |row: &RowResult| row.case.seconds.expect("it was").get();
            [of(&measured), of(&|row| row.time.total().get())]
        })
        .collect();
    assert!(slopes.len() >= 12, "{} series", slopes.len());
    let mean = |place: usize| slopes.iter().map(|of| of[place]).sum::<f64>() / slopes.len() as f64;
    let [measured, predicted] = [mean(0), mean(1)];
    assert!(measured > 0.006, "{measured}");
    assert!((measured - predicted).abs() < 0.003, "{measured} measured, {predicted} predicted");
}
