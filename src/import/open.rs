//! Keys that a file leaves open, whatever its format: the user states them, or the usual is assumed
//! aloud.

use super::draft::{Draft, DraftValue, UserChoices};

/// The run and the cluster of a spec whose file says nothing of them, as `planner init` has them.
pub(super) fn put_usual_run(wanted: &UserChoices, draft: &mut Draft) {
    let count = |number: Option<u64>| number.map(DraftValue::Count);
    let batch = ("training", "global_batch");
    draft.put_or_assume(
        batch,
        count(wanted.global_batch),
        DraftValue::Count(1024),
        "sequences in one step",
    );
    draft.put_or_assume(
        ("cluster", "gpus"),
        count(wanted.gpus),
        DraftValue::Count(1024),
        "GPUs of the cluster",
    );
    put_usual_node(wanted, draft);
}

/// The machine.
pub(super) fn put_usual_node(wanted: &UserChoices, draft: &mut Draft) {
    let node = wanted.node.clone().map(DraftValue::Word);
    let usual = DraftValue::Word("dgx-h100".to_owned());
    draft.put_or_assume(
        ("cluster", "node"),
        node,
        usual,
        "the machine; `planner presets list` has others",
    );
}

/// The model of a file that names none.
pub(super) fn put_usual_preset(wanted: &UserChoices, draft: &mut Draft) {
    let stated = wanted.preset.clone().map(DraftValue::Word);
    let usual = DraftValue::Word("llama3-70b".to_owned());
    let comment = "the model; give `--preset NAME`, or put its shape here";
    draft.put_or_assume(("model", "preset"), stated, usual, comment);
}
