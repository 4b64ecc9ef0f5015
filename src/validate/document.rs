//! The results as a page of Markdown: `docs/validation.md` is what this writes, and a test holds
//! the two together. Computes nothing.

use std::fmt::Write;

use super::{RowResult, SetResult, Statistics};
use crate::units::Bytes;

const HEAD: &str = "\
# Predicted against published

Written by the program from `presets/validation/`: change the data or the model, not this page.
Errors are predicted over published, less one: positive is too slow, or too large. One set of
constants per GPU generation (`presets/calibrations.toml`); none belongs to a row. *Fitted* says
that rows of the set took part in fitting them. Memory is counted, nothing in it is fitted.

| set | rows | time: mean, largest, bias | memory: mean, largest, bias | fitted | reference tool |
|---|---|---|---|---|---|
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
            "| {} | {} | {} | {} | {} | {reference} |",
            set.name,
            result.rows.len(),
            statistics(&result.time()),
            statistics(&result.memory()),
            if set.calibrated { "yes" } else { "no" },
        );
    }
    for result in sets {
        let set = &result.set;
        let _ = write!(page, "\n## {}: {}\n\n", set.name, set.title);
        let _ = writeln!(page, "What the source leaves out: {}.\n", set.rule);
        page.push_str("| row | published | predicted | error | source |\n|---|---|---|---|---|\n");
        for row in &result.rows {
            write_row(row, &mut page);
        }
    }
    overfull(sets, &mut page);
    page
}

const OVERFULL: &str = "
## Layouts that ran, and do not fit as counted

Every layout above ran. Of those that the ledger says do not fit, a 530B one shards its parameters over
640 GPUs and is over by what allocators are taken to lose, the GPT-OSS rows on B200 by less than the
ledger's error; one of GPT-OSS on H100 is published with four sequences a micro-batch, where its recipe has
one; Llama 3 frees tensors of other stages early, which its paper states and the ledger does not count; a
70B row in NVFP4 is published with weights, gradients and optimizer states of the whole model on each GPU,
which none can hold, and one in MXFP8 with two sequences a micro-batch and no virtual stages, which its rate
denies as well; and the recipe of a DeepSeek-V3 row recomputes a part of the feed-forward blocks, more than
attention and less than a layer.

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
            "| {} | {:.3} s | {:.3} s | {} | {} |",
            case.id,
            published.get(),
            row.time.total().get(),
            percent(error),
            case.source,
        );
    }
    if let (Some(published), Some(error)) = (case.memory_gib, row.memory_error()) {
        let _ = writeln!(
            page,
            "| {} | {published:.2} GiB | {:.2} GiB | {} | {} |",
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
