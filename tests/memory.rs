//! Memory counted by hand where the count is short.

use planner::design::step;
use planner::memory::Memory;
use planner::spec::{Override, presets, read};
use planner::workload::Model;

/// Llama 3 8B on one GPU of a node, nothing recomputed, in that precision.
fn memory(precision: &str) -> (Model, Memory) {
    let source = presets::ready("starter").expect("the starter ships");
    let mut changes = vec![format!("training.precision={precision}")];
    changes.extend(
        [
            "model.preset=llama3-8b",
            "training.recompute=none",
            "training.micro_batch=1",
            "training.global_batch=8",
            "parallelism.tensor=1",
            "parallelism.pipeline=1",
            "parallelism.data=8",
            "parallelism.sequence_parallel=false",
            "cluster.gpus=8",
            "cluster.node=hgx-b200",
        ]
        .map(String::from),
    );
    let changes: Vec<Override> = changes.iter().map(Override::new).collect();
    let scenario =
        read(&source, &changes).unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    let plan = step(&scenario).expect("the layout is legal");
    (scenario.workload.model, plan.memory)
}

#[test]
fn fp8_keeps_inputs_of_multiplications_in_one_byte() {
    let (model, wide) = memory("bf16");
    let (_, narrow) = memory("fp8");
    let tokens = u128::from(model.sequence);
    // A byte less for two norms' outputs and for what leaves the gate; a byte more for the
    // projection's own copy of what attention keeps in 16 bits.
    let saved = 2 * model.hidden + model.ffn - model.heads * model.head_dim;
    let expected = u128::from(model.layers) * tokens * u128::from(saved);
    let difference = wide.activations.count() - narrow.activations.count();
    assert!(difference.abs_diff(expected) <= 1, "{difference} for {expected}");
}
