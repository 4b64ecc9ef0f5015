//! What a doubling of the GPUs costs where each has as much work as before: series of measured rows
//! that differ in the number of GPUs and in nothing else.

use std::collections::BTreeMap;

use planner::validate::RowResult;

use crate::validation::results;

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
            let read = |time: &dyn Fn(&RowResult) -> f64| {
                slope(
                    &rows.iter().map(|row| (gpus(row).log2(), time(row).ln())).collect::<Vec<_>>(),
                )
            };
            let measured = |row: &RowResult| row.case.seconds.expect("it was").get();
            [read(&measured), read(&|row| row.time.total_time().get())]
        })
        .collect();
    assert!(slopes.len() >= 12, "{} series", slopes.len());
    let mean =
        |place: usize| slopes.iter().map(|values| values[place]).sum::<f64>() / slopes.len() as f64;
    let [measured, predicted] = [mean(0), mean(1)];
    assert!(measured > 0.006, "{measured}");
    assert!((measured - predicted).abs() < 0.003, "{measured} measured, {predicted} predicted");
}

/// Lines of the page's table of series, each as its cells.
fn lines() -> Vec<Vec<String>> {
    let page = planner::validate::validation_page(&results(), &super::calls());
    let part = page.split("## What a doubling of the GPUs costs").nth(1).expect("the page has it");
    let part = part.split("\n## ").next().unwrap_or_default();
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
    part.lines().filter(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

#[test]
fn the_page_has_every_series_with_what_was_measured() {
    let lines = lines();
    let share = |text: &str| text.trim_end_matches(" %").parse::<f64>().expect("a percentage");
    // By hand: NVIDIA's recipe of Nemotron-4 340B in 16 bits, 4.61, 4.70 and 4.84 s on 128, 512 and 2,048
    // GPUs, slope of the logarithm over four doublings.
    let by_hand = 100.0 * (4.84_f64 / 4.61).ln() / 4.0;
    let texts = lines.iter().find(|line| line[2].starts_with("Nemotron4-340B bf16 128 H100"));
    assert!(
        (share(&texts.expect("it is a series")[5]) - by_hand).abs() < 0.006,
        "{by_hand} {texts:?}"
    );
    let (mean, series) = lines.split_last().expect("there are lines");
    assert_eq!(mean[3], series.len().to_string());
    assert!(series.len() >= 15, "{}", series.len());
    assert!(share(&mean[7]).abs() < 0.3, "{mean:?}");
}
