//! Memory counted by hand where the count is short.

use planner::design::plan_step;
use planner::memory::Memory;
use planner::spec::{Override, presets, read_scenario};
use planner::workload::Model;

/// Llama 3 8B on one GPU of a node, nothing recomputed, in that precision.
fn memory(precision: &str) -> (Model, Memory) {
    planned(precision, &[])
}

/// That memory with other settings.
fn planned(precision: &str, settings: &[&str]) -> (Model, Memory) {
    let source = presets::ready_spec("starter").expect("the starter ships");
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
    changes.extend(settings.iter().map(|setting| (*setting).to_owned()));
    let changes: Vec<Override> = changes.iter().map(Override::new).collect();
    let scenario = read_scenario(&source, &changes)
        .unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    let plan = plan_step(&scenario).expect("the layout is legal");
    (scenario.lead_workload().model.clone(), plan.memory)
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

#[test]
fn activations_on_the_host_leave_the_gpu_but_for_the_layer_that_moves() {
    let (model, all) = memory("bf16");
    let (_, some) = planned("bf16", &["training.offload_layers=12"]);
    // Norm inputs and outputs, queries, keys and values before and after rotation, what attention
    // puts out and its statistics, both halves of the gate and what leaves it; one in flight.
    let tokens = u128::from(model.sequence);
    let (h, d) = (model.hidden, model.head_dim);
    let attention = (2 * model.heads + 3 * model.kv_heads) * d + model.heads * d;
    let kept = tokens * u128::from(2 * (4 * h + attention + 3 * model.ffn) + 4 * model.heads);
    assert_eq!(all.activations.count() - some.activations.count(), 11 * kept);
    assert_eq!(some.host.count() - all.host.count(), 12 * kept);
}

#[test]
fn moments_in_16_bits_halve_what_they_take() {
    let (model, wide) = memory("bf16");
    let (_, narrow) = planned("bf16", &["framework.moment_bytes=2"]);
    let padded = model.vocab.div_ceil(128) * 128 - model.vocab;
    let parameters = model.parameters() + u128::from(2 * padded * model.hidden);
    // Eight ranks share the optimizer's states; norms after the last layer are not on any stage.
    let expected = 4 * parameters / 8;
    let saved = wide.optimizer.count() - narrow.optimizer.count();
    assert!(saved.abs_diff(expected) < u128::from(model.hidden), "{saved} for {expected}");
}

#[test]
fn a_fused_loss_keeps_no_fp32_logits() {
    let (model, separate) = planned("bf16", &["framework.preset=megatron-2024"]);
    let (_, fused) =
        planned("bf16", &["framework.preset=megatron-2024", "framework.fused_loss=true"]);
    let logits = u128::from(model.sequence * model.vocab.div_ceil(128) * 128);
    let saved = separate.activations.count() - fused.activations.count();
    assert_eq!(saved, 6 * logits);
}

#[test]
fn fragments_are_a_share_of_all_that_is_allocated() {
    let (_, memory) = planned("bf16", &["framework.fragmentation=0.047"]);
    let expected = memory.allocated_bytes().count() * 47 / 1000;
    assert!(memory.fragmentation.count().abs_diff(expected) <= 1, "{:?}", memory.fragmentation);
    let (_, none) = planned("bf16", &["framework.fragmentation=0.0"]);
    assert_eq!(none.total_on_gpu(), memory.allocated_bytes());
    assert_eq!(memory.total_on_gpu(), memory.allocated_bytes() + memory.fragmentation);
}
