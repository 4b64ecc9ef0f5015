//! The page's part on targets: what is aimed at, what is reached on steps not seen, and where one is
//! missed, why. And what a doubling of the GPUs costs. Computes nothing.

use std::fmt::Write;

use super::scaling::scaling_series;
use super::target::{Measure, TARGETS};
use super::{ScalingSeries, SetResult};

const TARGETS_HEAD: &str = "
## Targets for steps not seen

Mean absolute errors by constants that had not seen the source of a row, over the rows that are fitted, or
over all of a set that is only judged.

| kind of run | sets | of | target | reached | |
|---|---|---|---|---|---|
";

const WITHOUT_TARGET: &str = "
Two sets that are only judged have no target and stand in the first table: GPT-OSS under Megatron-Bridge and FSDP on A100,
of both of which it is not published which kernels ran. Rows of a fitted set that are only judged, as their recipe is
not known, count in the first table and not in this one.
";

const MISSES_HEAD: &str = "
### Where a target is missed

For each the physical reason, and two ways that were tried with what they gave. None is a constant for one row.

";

const SCALING_HEAD: &str = "
## What a doubling of the GPUs costs

Rows that differ in the number of GPUs and in nothing else, each GPU with as much work as before: how much the
time of a step grows with each doubling. The target is 0.3 % a doubling for the mean of the series. One series
says less: its times are printed to three or four digits and taken from single runs, and most have two sizes. The
largest difference is that of llm-foundry on 128 and 512 GPUs, whose larger run lost 5 %, which its page does not
explain.

| set | first row | rows | GPUs | measured | predicted | difference |
|---|---|---|---|---|---|---|
";

/// Writes targets and misses.
pub(super) fn write_targets(sets: &[SetResult], page: &mut String) {
    page.push_str(TARGETS_HEAD);
    for target in &TARGETS {
        let reached = 100.0 * target.reached_error(sets);
        let text = if target.measure == Measure::Unseen { "time" } else { "memory" };
        // As it is printed: targets have no more digits than the page.
        let held = (10.0 * reached).round() <= 10.0 * target.percent;
        let held = if held { "held" } else { "missed" };
        // Writing to a String can't fail.
        let _ = writeln!(
            page,
            "| {} | {} | {text} | {} % | {reached:.1} % | {held} |",
            target.name,
            target.sets.join(", "),
            target.percent,
        );
    }
    page.push_str(WITHOUT_TARGET);
    page.push_str(MISSES_HEAD);
    for target in &TARGETS {
        let Some(miss) = target.miss else { continue };
        let [one, other] = miss.tried;
        let _ = writeln!(page, "- **{}.** {}. Tried: {one}; {other}.", target.name, miss.why);
    }
}

/// Writes what a doubling costs.
pub(super) fn write_scaling(sets: &[SetResult], page: &mut String) {
    page.push_str(SCALING_HEAD);
    let all = scaling_series(sets);
    for series in &all {
        let [least, most] = series.gpus;
        let _ = writeln!(
            page,
            "| {} | {} | {} | {least} to {most} | {} | {} | {} |",
            series.set,
            series.first,
            series.rows,
            percent_two_decimals(series.measured),
            percent_two_decimals(series.predicted),
            percent_two_decimals(series.predicted - series.measured),
        );
    }
    let mean = |part: fn(&ScalingSeries) -> f64| {
        all.iter().map(part).sum::<f64>() / all.len().max(1) as f64
    };
    let [measured, predicted] = [mean(|series| series.measured), mean(|series| series.predicted)];
    let _ = writeln!(
        page,
        "| all | mean of the series | {} | | {} | {} | {} |",
        all.len(),
        percent_two_decimals(measured),
        percent_two_decimals(predicted),
        percent_two_decimals(predicted - measured),
    );
}

/// A signed percentage with two decimals.
fn percent_two_decimals(value: f64) -> String {
    format!("{:+.2} %", 100.0 * value)
}
