//! The results as a page of Markdown: `docs/validation.md` is what this writes, and a test holds
//! the two together. Computes nothing.

use std::fmt::Write;

use super::aims;
use super::{Role, RowResult, SetResult, Statistics};
use crate::units::Bytes;

const HEAD: &str = "\
# Predicted against published

Written by the program from `presets/validation/`: change the data or the model, not this page.
Errors are predicted over published, less one: positive is too slow, or too large. One set of
constants per GPU generation and training stack (`presets/calibrations.toml`, `frameworks.toml`); none
belongs to a row. *Fitted* says that rows of the set took part in fitting them
(`presets/validation/roles.csv` says which). *Not seen* is the error by constants that were fitted
without the row's source: its publication, and of Megatron-Bridge and of NVIDIA's recipes its model.
`planner validate --refit` fits all of them anew. Memory is counted, nothing in it is fitted.

| set | rows | time: mean, largest, bias | not seen: mean, largest, bias | memory: mean, largest, bias | fitted | reference tool |
|---|---|---|---|---|---|---|
";

/// The page.
#[must_use]
pub fn page(sets: &[SetResult]) -> String {
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
            statistics(&result.time()),
            statistics(&result.unseen()),
            statistics(&result.memory()),
            if result.is_fitted() { "yes" } else { "no" },
        );
    }
    aims::targets(sets, &mut page);
    coverage(sets, &mut page);
    aims::scaling(sets, &mut page);
    for result in sets {
        let set = &result.set;
        let _ = write!(page, "\n## {}: {}\n\n", set.name, set.title);
        let _ = writeln!(page, "What the source leaves out: {}.\n", set.rule);
        page.push_str(ROWS);
        for row in &result.rows {
            write_row(row, &mut page);
        }
    }
    overfull(sets, &mut page);
    page
}

const ROWS: &str = "\
| row | published | predicted | error | not seen | use | source |
|---|---|---|---|---|---|---|
";

/// Fitted, or why only judged.
fn purpose(role: &Role) -> String {
    if role.fitted { "fitted".to_owned() } else { format!("judged: {}", role.why) }
}

const COVERAGE: &str = "
## How often the 80 % interval holds

The interval of a step comes from the errors, not seen, of the narrowest group around it that has ten rows:
model, GPU, number format and stack; then without the stack; then of the generation; then of the model.
Its ends are the values that one measured step in ten is expected beyond.

| model | GPU | format | rows | inside |
|---|---|---|---|---|
";

/// How many rows of each group of ten or more lie inside their interval.
fn coverage(sets: &[SetResult], page: &mut String) {
    page.push_str(COVERAGE);
    for group in super::coverage(sets) {
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
}

const OVERFULL: &str = "
## Layouts that ran, and do not fit as counted

Every layout above ran. Of those that the ledger says do not fit, a 530B one shards its parameters over
640 GPUs and is over by what allocators are taken to lose, the GPT-OSS rows on B200 by less than the
ledger's error; one of GPT-OSS on H100 is published with four sequences a micro-batch, where its recipe has
one; Llama 3 frees tensors of other stages early, which its paper states and the ledger does not count; a
70B row in NVFP4 is published with weights, gradients and optimizer states of the whole model on each GPU,
which none can hold, and one in MXFP8 with two sequences a micro-batch and no virtual stages, which its rate
denies as well; the recipe of a DeepSeek-V3 row recomputes a part of the feed-forward blocks, more than
attention and less than a layer; Nemotron-4 340B on 128 GPUs and Kimi K2 under AutoModel are over by less
than the ledger's error; and AutoModel's GPT-OSS row is published without saying what it recomputes.

| row | counted | a GPU has | over by |
|---|---|---|---|
";

/// The layouts that ran and do not fit as counted.
fn overfull(sets: &[SetResult], page: &mut String) {
    page.push_str(OVERFULL);
    let gib = |bytes: Bytes| bytes.as_f64() / Bytes::gib(1).as_f64();
    for row in sets.iter().flat_map(|set| &set.rows).filter(|row| !row.fits()) {
        let (needs, has) = (gib(row.reserved), gib(row.capacity));
        let over = percent(needs / has - 1.0);
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
            row.time.total().get(),
            percent(error),
            row.unseen.map_or_else(String::new, percent),
            purpose(&row.role),
            case.source,
        );
    }
    if let (Some(published), Some(error)) = (case.memory_gib, row.memory_error()) {
        let _ = writeln!(
            page,
            "| {} | {published:.2} GiB | {:.2} GiB | {} | | counted | {} |",
            case.id,
            row.memory_gib(),
            percent(error),
            case.source,
        );
    }
}

/// Mean, largest, bias; nothing where nothing was measured.
fn statistics(of: &Statistics) -> String {
    if of.rows == 0 {
        return String::new();
    }
    format!("{:.1} %, {:.1} %, {}", 100.0 * of.mean, 100.0 * of.largest, percent(of.bias))
}

/// A signed percentage; what rounds to zero has no sign.
fn percent(share: f64) -> String {
    let text = format!("{:+.1} %", 100.0 * share);
    if text.trim_start_matches(['+', '-']) == "0.0 %" { "0.0 %".to_owned() } else { text }
}
