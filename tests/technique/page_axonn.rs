//! The part of docs/validation.md on AxoNN's own cells: what its paper prints and what the program
//! makes of `axonn-2022-12b`.

use std::fmt::Write as _;

use crate::support::page::hold_part;
use crate::technique::axonn::{
    FIGURE_8, SHARES, both, figure_8, memory, pipeline_phase, tails, weak_share,
};
use crate::technique::cli::number;

const OPENING: &str = "\
## AxoNN's own cells

What the paper prints (arXiv 2110.13005: 12B parameters on 48 V100 of Summit, 2,048 sequences) beside `planner step
axonn-2022-12b`, message-driven stages and offload together. No constant is fitted to these rows. The node takes 12.5 GB/s
into the network, as the paper counts it; both EDR ports of a node of Summit are twice that.

```sh
planner step axonn-2022-12b
planner step axonn-2022-12b --set parallelism.pipeline=24 --set parallelism.data=2
```

The rows without offload are of the spec (`planner presets show axonn-2022-12b`) less its `[technique.offload]`; the other
sizes state GPUs, stages and micro-batches of the paper. The share of peak is `step.hfu`.

| figure | published | here |
|---|---|---|
";

const CLOSING: &str = "
One rate of a ring, 1.58 GB/s a GPU, explains both all-reduces of the paper from the bytes of a middle stage. Here the
fullest stage counts, which has the LM head besides: too long where that is half of a stage, too short where it is a tenth.
No measurement of these machines separates the two.

Seen of reduction and update together, by the buckets that are reduced in one message. The paper finds four to eight best:

| buckets a message | 1 | 2 | 4 | 8 | 16 |
|---|---|---|---|---|---|
";

const HIDDEN: &str = "
Figure 8 has the same by messages of up to 64 buckets. Apart, reduction and update take the paper 4.32 and 1.73 s: at best
a quarter of the update hides there. Here all of it hides, since the ring takes 2 of the link's 45 GB/s: the paper does not
say what held up the rest, and no constant makes up for it.

| buckets a message | 1 | 4 | 8 | 16 | 32 | 64 |
|---|---|---|---|---|---|---|
";

fn page() -> String {
    let mut page = OPENING.to_owned();
    let mut row = |figure: &str, published: &str, here: String| {
        writeln!(page, "| {figure} | {published} | {here} |").expect("a string");
    };
    let [deep, short] = both();
    let seen = |value| format!("{:.2} s", number(value, "step.exposed_communication_s.data"));
    row("passes, 24 stages x 2", "46.08 s", format!("{:.2} s", pipeline_phase(&deep)));
    row("passes, 6 stages x 8, offload", "34.05 s", format!("{:.2} s", pipeline_phase(&short)));
    row("all-reduce, 24 stages x 2", "0.62 s", seen(&deep));
    row("all-reduce, 6 stages x 8, offload", "4.32 s", seen(&short));
    let [plain, moved] = memory();
    row("memory of all GPUs, 24 stages", "520 GB", format!("{plain:.0} GB"));
    row("memory of all GPUs, 24 stages, offload", "130.24 GB", format!("{moved:.2} GB"));
    for (model, gpus, published) in SHARES {
        let here = format!("{:.1} %", 100.0 * weak_share(model));
        let figure = format!("share of peak, {model} on {gpus} GPUs");
        row(&figure, &format!("{:.2} %", 100.0 * published), here);
    }
    page.push_str(CLOSING);
    for (name, bucket) in [("4 Mi", "4194304"), ("16 M", "16000000")] {
        let cells = tails(bucket).map(|tail| format!("{tail:.3} s")).join(" | ");
        writeln!(page, "| bucket of {name} parameters | {cells} |").expect("a string");
    }
    page.push_str(HIDDEN);
    let mut row = |name: &str, cells: [f64; 6]| {
        let cells = cells.map(|tail| format!("{tail:.2} s")).join(" | ");
        writeln!(page, "| {name} | {cells} |").expect("a string");
    };
    let ours = figure_8();
    row("published", FIGURE_8.map(|(_, published)| published));
    row("here", ours.map(|(hidden, _)| hidden));
    row("here, were nothing hidden", ours.map(|(_, apart)| apart));
    page
}

#[test]
fn the_page_has_axonns_own_cells() {
    hold_part("validation.md", "axonn", &page());
}
