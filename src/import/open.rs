//! Keys that a file leaves open, whatever its format: the user states them, or the usual is assumed
//! aloud.

use super::draft::{Draft, Value, Wanted};

/// The run and the cluster of a spec whose file says nothing of them, as `planner init` has them.
pub(super) fn run(wanted: &Wanted, draft: &mut Draft) {
    let count = |of: Option<u64>| of.map(Value::Count);
    let batch = ("training", "global_batch");
    draft.open(batch, count(wanted.global_batch), Value::Count(1024), "sequences in one step");
    draft.open(("cluster", "gpus"), count(wanted.gpus), Value::Count(1024), "GPUs of the cluster");
    node(wanted, draft);
}

/// The machine.
pub(super) fn node(wanted: &Wanted, draft: &mut Draft) {
    let node = wanted.node.clone().map(Value::Word);
    let usual = Value::Word("dgx-h100".to_owned());
    draft.open(("cluster", "node"), node, usual, "the machine; `planner presets list` has others");
}

/// The model of a file that names none.
pub(super) fn preset(wanted: &Wanted, draft: &mut Draft) {
    let stated = wanted.preset.clone().map(Value::Word);
    let usual = Value::Word("llama3-70b".to_owned());
    let comment = "the model; give `--preset NAME`, or put its shape here";
    draft.open(("model", "preset"), stated, usual, comment);
}
