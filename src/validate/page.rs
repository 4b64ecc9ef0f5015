//! The results as a page of Markdown: `docs/validation.md` is what this writes, and a test holds
//! the two together. Computes nothing.

use std::fmt::Write;

use super::collectives::write_collectives;
use super::coverage::scaling_series;
use super::run::format_percent;
use super::targets::{Measure, TARGETS};
use super::{CollectiveRow, RowResult, RowRole, SetResult, group_in_order};
use crate::memory::MemoryFit;
use crate::timing::{MeasuredPrediction, measured_predictions};
use crate::units::Bytes;

const HEAD: &str = "\
# Predicted against published

Written by the program from `presets/validation/`: change the data or the model, not this page.
Errors are predicted over published, less one: positive is too slow, or too large. One set of
constants per GPU generation and training stack (`presets/calibrations.toml`, `frameworks.toml`); \
none
belongs to a row. *Fitted* says that rows of the set took part in fitting them
(`presets/validation/roles.csv` says which). *Not seen* is the error by constants that were fitted
without the row's source: its publication, and of Megatron-Bridge and of NVIDIA's recipes its model.
`planner validate --refit` fits all of them anew, from what was known before any row, and what it gives ships.
Memory is counted, nothing in it is fitted.

| set | rows | time: mean, largest, bias | not seen: mean, largest, bias | memory: mean, largest, \
bias | fitted | reference tool |
|---|---|---|---|---|---|---|
";

/// The page: errors of each set, targets, coverage, what sources leave out.
#[must_use]
pub fn validation_page(sets: &[SetResult], calls: &[CollectiveRow]) -> String {
    let mut page = errors_page(sets, calls);
    page.push_str(SOURCES);
    for result in sets {
        let set = &result.set;
        let _ = writeln!(page, "- **{}**, {}: {}.", set.name, set.title, set.rule);
    }
    write_overfull(sets, &mut page);
    page
}

/// The page with every row beside its prediction.
#[must_use]
pub fn validation_rows_page(sets: &[SetResult], calls: &[CollectiveRow]) -> String {
    let mut page = errors_page(sets, calls);
    for result in sets {
        let set = &result.set;
        let _ = write!(page, "\n## {}: {}\n\n", set.name, set.title);
        let _ = writeln!(page, "What the source leaves out: {}.\n", set.rule);
        page.push_str(ROWS);
        for row in &result.rows {
            write_row(row, &mut page);
        }
    }
    write_overfull(sets, &mut page);
    page
}

/// What both begin with.
fn errors_page(sets: &[SetResult], calls: &[CollectiveRow]) -> String {
    let mut page = HEAD.to_owned();
    for result in sets {
        let set = &result.set;
        let reference =
            set.reference.map_or_else(String::new, |(error, name)| format!("{error} % ({name})"));
        // Writing to a String can't fail.
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {reference} |",
            set.name,
            result.rows.len(),
            result.time_errors().errors_text(),
            result.unseen_errors().errors_text(),
            result.memory_errors().errors_text(),
            if result.is_fitted() { "yes" } else { "no" },
        );
    }
    write_targets(sets, &mut page);
    write_coverage(sets, &mut page);
    coverage_of_sets(sets, &mut page);
    write_scaling(sets, &mut page);
    write_chosen(&mut page);
    write_collectives(calls, &mut page);
    page
}

const SOURCES: &str = "
## What each source leaves out

Every row beside its prediction: `planner validate --format markdown --all`.

";

const ROWS: &str = "\
| row | published | predicted | error | not seen | use | source |
|---|---|---|---|---|---|---|
";

/// Fitted, or why only judged.
fn row_purpose(role: &RowRole) -> String {
    if role.fitted { "fitted".to_owned() } else { format!("judged: {}", role.why) }
}

const COVERAGE: &str = "
## How often the 80 % interval holds

The interval of a step comes from the errors, not seen, of the narrowest group around it that has \
ten rows:
model, GPU, number format and stack; then without the stack; then of the generation; then of the \
model.
Its ends are the values that one measured step in ten is expected beyond. Here each row has the \
interval that it would
have if **none of its source** were known.

| model | GPU | format | rows | inside |
|---|---|---|---|---|
";

/// How many rows of each group of ten or more lie inside their interval.
fn write_coverage(sets: &[SetResult], page: &mut String) {
    page.push_str(COVERAGE);
    for group in super::interval_coverage(sets) {
        let _ = writeln!(
            page,
            "| {} | {} | {} bits | {} | {:.0} % |",
            if group.experts { "experts" } else { "dense" },
            group.gpu,
            group.bits,
            group.rows,
            100.0 * group.inside,
        );
    }
    let (rows, inside) = super::coverage_of_all(sets);
    let _ = writeln!(page, "| all | | | {rows} | {:.0} % |", 100.0 * inside);
}

const COVERAGE_OF_SETS: &str = "
By set, where one has ten rows: rows of one source err alike, so a set lies more often inside or \
outside than
eight times in ten. GPT-OSS comes out fast in every row, most of all on B200 and GB200: do not plan \
with its interval.

| set | rows | inside |
|---|---|---|
";

/// How many rows of each set of ten or more lie inside their interval.
fn coverage_of_sets(sets: &[SetResult], page: &mut String) {
    page.push_str(COVERAGE_OF_SETS);
    for (set, rows, inside) in super::coverage_of_sets(sets) {
        let _ = writeln!(page, "| {set} | {rows} | {:.0} % |", 100.0 * inside);
    }
}

const CHOSEN: &str = "
## Chosen against tuned

The jobs whose layouts NVIDIA tuned, with the layout left open: the predicted step of the layout that
is chosen beside the measured step of theirs, less one. Below zero the choice promises more than
their tuning reached; what the same rows err by in the vendor's own layout stands beside it.

| set | GPU | rows | chosen | in their layout |
|---|---|---|---|---|
";

/// What is chosen for tuned jobs, by set and GPU.
fn write_chosen(page: &mut String) {
    page.push_str(CHOSEN);
    let tuned: Vec<_> =
        measured_predictions().iter().filter_map(|row| Some((row, row.chosen?))).collect();
    for ((set, gpu), rows) in group_in_order(&tuned, |(row, _)| (row.set, row.gpu)) {
        let mean = |value: fn(&(&MeasuredPrediction, f64)) -> f64| {
            format_percent(rows.iter().map(|row| value(row)).sum::<f64>() / rows.len() as f64)
        };
        let (chosen, theirs) = (mean(|(_, chosen)| *chosen), mean(|(row, _)| row.seen));
        let _ = writeln!(page, "| {set} | {gpu} | {} | {chosen} | {theirs} |", rows.len());
    }
}

const OVERFULL: &str = "
## Layouts that ran, and do not fit as counted

Every layout above ran. Those here need more than a GPU has and the ledger errs by. Llama 3 on one
context rank frees tensors of other stages early, which its paper states and the ledger does not
count. A 70B row in NVFP4 is published with weights, gradients and optimizer states of the whole
model on each GPU, which none can hold, and one in MXFP8 with two sequences a micro-batch and no
virtual stages, which its rate denies as well. One of GPT-OSS on H100 is published with four
sequences a micro-batch, where its recipe has one. The recipe of a DeepSeek-V3 row recomputes dense
feed-forward blocks alone, in three of 61 layers; those of other releases recompute up-projections,
and fit. AutoModel's GPT-OSS and torchtitan's 70B are published without saying what they recompute.

| row | counted | a GPU has | over by |
|---|---|---|---|
";

/// The layouts that ran and do not fit as counted.
fn write_overfull(sets: &[SetResult], page: &mut String) {
    page.push_str(OVERFULL);
    let gib = |bytes: Bytes| bytes.as_f64() / Bytes::from_gib(1).as_f64();
    let rows = sets.iter().flat_map(|set| &set.rows);
    for row in rows.filter(|row| row.memory_fit() == MemoryFit::TooLarge) {
        let (needs, has) = (gib(row.reserved), gib(row.capacity));
        let over = format_percent(needs / has - 1.0);
        let _ = writeln!(page, "| {} | {needs:.1} GiB | {has:.1} GiB | {over} |", row.case.id);
    }
}

fn write_row(row: &RowResult, page: &mut String) {
    let case = &row.case;
    if let (Some(published), Some(error)) = (case.seconds, row.time_error()) {
        let _ = writeln!(
            page,
            "| {} | {:.3} s | {:.3} s | {} | {} | {} | {} |",
            case.id,
            published.get(),
            row.time.total_time().get(),
            format_percent(error),
            row.unseen.map_or_else(String::new, format_percent),
            row_purpose(&row.role),
            case.source,
        );
    }
    if let (Some(published), Some(error)) = (case.memory_gib, row.memory_error()) {
        let _ = writeln!(
            page,
            "| {} | {published:.2} GiB | {:.2} GiB | {} | | counted | {} |",
            case.id,
            row.memory_gib(),
            format_percent(error),
            case.source,
        );
    }
}

const TARGETS_HEAD: &str = "
## Targets for steps not seen

Mean absolute errors by constants that had not seen the source of a row, over the rows that are \
fitted, or
over all of a set that is only judged.

| kind of run | sets | of | target | reached | |
|---|---|---|---|---|---|
";

const WITHOUT_TARGET: &str = "
Sets that are only judged and have no target stand in the first table: GPT-OSS under Megatron-Bridge, \
FSDP on A100,
of which it is not published which kernels ran, and rows that were kept to judge by (mlperf but for 8B, \
nemo-2025, bloom-scan,
llm-foundry but for the first FlashAttention on H100). Rows of a fitted set that are only judged, as their recipe is not known, count in the \
first table and not in this one.
";

const MISSES_HEAD: &str = "
### Where a target is missed

For each the physical reason, and two ways that were tried with what they gave, most of them before \
collectives had NCCL's cost model. None is a constant
for one row.

";

const SCALING_HEAD: &str = "
## What a doubling of the GPUs costs

Rows that differ in the number of GPUs and in nothing else, each GPU with as much work as before: \
how much the
time of a step grows with each doubling. The target is 0.3 % a doubling for the median of the \
series. The largest
difference is llm-foundry's 1B on 32 and 64 A100, whose smaller run took 1.22 times as long a step.

| set | first row | rows | GPUs | measured | predicted | difference |
|---|---|---|---|---|---|---|
";

/// Writes targets and misses.
fn write_targets(sets: &[SetResult], page: &mut String) {
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
fn write_scaling(sets: &[SetResult], page: &mut String) {
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
    let [measured, predicted, difference] = [
        median(all.iter().map(|series| series.measured)),
        median(all.iter().map(|series| series.predicted)),
        median(all.iter().map(|series| series.predicted - series.measured)),
    ];
    let _ = writeln!(
        page,
        "| all | median of the series | {} | | {} | {} | {} |",
        all.len(),
        percent_two_decimals(measured),
        percent_two_decimals(predicted),
        percent_two_decimals(difference),
    );
}

/// The value in the middle; zero of none.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let middle = |place: usize| sorted.get(place).copied().unwrap_or_default();
    middle(sorted.len() / 2).midpoint(middle(sorted.len().saturating_sub(1) / 2))
}

/// A signed percentage with two decimals.
fn percent_two_decimals(value: f64) -> String {
    format!("{:+.2} %", 100.0 * value)
}
