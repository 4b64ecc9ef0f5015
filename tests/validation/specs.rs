//! Every measured row written down as a spec: `planner step` on it takes what validation says.

use std::fmt::Write as _;

use planner::design::plan_step;
use planner::spec::{SpecText, presets, read_scenario};
use planner::validate::{ValidationBench, ValidationCase, validate_sets};

/// Steps of the two ways may differ by this share: a spec rounds nothing, so by no more than sums
/// in another order do.
const ROUNDING: f64 = 1e-9;

/// A row as somebody would write it.
fn spec(case: &ValidationCase) -> String {
    let (model, training, layout) = (&case.model, &case.training, &case.layout);
    let mut text = String::new();
    let mut line = |key: &str, value: &dyn std::fmt::Display| {
        writeln!(text, "{key} = {value}").expect("memory suffices");
    };
    line("model.layers", &model.layers);
    line("model.hidden", &model.hidden);
    line("model.heads", &model.heads);
    line("model.kv_heads", &model.kv_heads);
    line("model.head_dim", &model.head_dim);
    line("model.ffn", &model.ffn);
    line("model.gated_ffn", &model.gated_ffn);
    line("model.vocab", &model.vocab);
    line("model.sequence", &model.sequence);
    line("model.tied_embeddings", &model.tied_embeddings);
    line("model.attention_sinks", &model.attention_sinks);
    line("model.mtp_layers", &model.mtp_layers);
    if let Some(moe) = &model.moe {
        line("model.moe.experts", &moe.experts);
        line("model.moe.top_k", &moe.top_k);
        line("model.moe.shared_experts", &moe.shared_experts);
        line("model.moe.ffn", &moe.ffn);
        line("model.moe.dense_layers", &moe.dense_layers);
        line("model.moe.biases", &moe.biases);
        if let Some(width) = moe.shared_ffn {
            line("model.moe.shared_ffn", &width);
        }
        if let Some(width) = moe.latent {
            line("model.moe.latent", &width);
        }
        if let Some(limit) = &moe.limit {
            line("model.moe.groups", &limit.groups);
            line("model.moe.groups_per_token", &limit.most);
        }
    }
    if let Some(pattern) = &model.pattern {
        line("model.pattern", &format!("\"{pattern}\""));
    }
    if let Some(mamba) = &model.mamba {
        line("model.mamba.heads", &mamba.heads);
        line("model.mamba.head_dim", &mamba.head_dim);
        line("model.mamba.state", &mamba.state);
        line("model.mamba.groups", &mamba.groups);
    }
    if let Some(latent) = &model.latent_attention {
        line("model.latent_attention.q_lora", &latent.q_lora);
        line("model.latent_attention.kv_lora", &latent.kv_lora);
        line("model.latent_attention.qk_nope", &latent.qk_nope);
        line("model.latent_attention.qk_rope", &latent.qk_rope);
        line("model.latent_attention.v_dim", &latent.v_dim);
    }
    if let Some(window) = &model.window {
        line("model.window.tokens", &window.tokens);
        line("model.window.layers", &window.layers);
    }
    line("training.global_batch", &training.global_batch);
    line("training.micro_batch", &layout.micro_batch);
    line("training.precision", &format!("{:?}", training.precision.name()));
    line("training.recompute", &format!("{:?}", layout.recompute.name()));
    if let Some(modules) = training.recompute_modules {
        line(
            "training.recompute_modules",
            &format!("{:?}", modules.module_names().collect::<Vec<_>>()),
        );
    }
    line("training.offload_layers", &training.offload_layers);
    line("parallelism.tensor", &layout.tensor);
    line("parallelism.pipeline", &layout.pipeline);
    line("parallelism.data", &layout.data);
    line("parallelism.context", &layout.context);
    line("parallelism.expert", &layout.expert);
    line("parallelism.expert_tensor", &layout.expert_tensor);
    line("parallelism.interleave", &layout.interleave);
    line("parallelism.sequence_parallel", &layout.sequence_parallel);
    line("parallelism.zero", &layout.zero.stage_number());
    if let Some(shard) = layout.shard {
        line("parallelism.shard", &shard);
    }
    line("parallelism.schedule", &format!("{:?}", layout.schedule.name()));
    line("framework.preset", &format!("{:?}", case.framework));
    for (key, value) in &case.overrides {
        let bare = value.parse::<f64>().is_ok() || ["true", "false"].contains(&value.as_str());
        let value = if bare { value.clone() } else { format!("{value:?}") };
        line(&format!("framework.{key}"), &value);
    }
    line("cluster.gpus", &layout.gpus());
    line("cluster.node", &format!("{:?}", case.node));
    text
}

#[test]
fn a_row_written_as_a_spec_takes_the_step_that_validation_says() {
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let mut rows = 0;
    for set in validate_sets(&bench).expect("the shipped rows are sound") {
        for row in &set.rows {
            let id = &row.case.id;
            if row.case.machine_rate < 1.0 {
                continue; // no spec says so
            }
            let source = SpecText::new("row.toml", spec(&row.case));
            let mut scenario = read_scenario(&source, &[])
                .unwrap_or_else(|problems| panic!("{id}: {}", problems.render(false)));
            if let Some(nics) = row.case.nics {
                scenario.cluster.nodes[0].nics = nics;
            }
            let plan = plan_step(&scenario).unwrap_or_else(|reason| panic!("{id}: {reason}"));
            let [spec, row] = [&plan.step.time, &row.time].map(|time| time.total_time().get());
            // A command without a design seats ranks evenly in a rack; validation as is faster.
            let most = if scenario.cluster.nodes[0].gpus > 8 { 0.01 } else { ROUNDING };
            let slower = spec / row - 1.0;
            assert!(-ROUNDING < slower && slower < most, "{id}: {spec} s as a spec, {row} s");
            rows += 1;
        }
    }
    assert!(rows > 200, "{rows} rows");
}

#[test]
fn memory_of_a_row_is_that_of_its_spec() {
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    for set in validate_sets(&bench).expect("the shipped rows are sound") {
        for row in &set.rows {
            let source = SpecText::new("row.toml", spec(&row.case));
            let scenario = read_scenario(&source, &[]).expect("read before");
            let plan = plan_step(&scenario).expect("stepped before");
            assert_eq!(plan.memory.allocated_bytes(), row.memory, "{}", row.case.id);
        }
    }
}

#[test]
fn no_interface_carries_bytes_for_longer_than_a_step_whatever_overlaps() {
    let (nodes, frameworks) = (presets::preset_nodes(), presets::preset_frameworks());
    let bench = ValidationBench { nodes: &nodes, frameworks: &frameworks };
    let mut full = 0;
    for set in validate_sets(&bench).expect("the shipped rows are sound") {
        for row in &set.rows {
            let id = &row.case.id;
            let source = SpecText::new("row.toml", spec(&row.case));
            // On thinner links more has to share them.
            for thinner in [1.0, 20.0, 400.0] {
                let mut scenario = read_scenario(&source, &[]).expect("read before");
                for node in &mut scenario.cluster.nodes {
                    node.nic.bandwidth = node.nic.bandwidth / thinner;
                }
                let plan = plan_step(&scenario).expect("stepped before");
                let time = &plan.step.time;
                let busy = time.interfaces_busy / time.total_time();
                assert!(busy <= 1.0 + ROUNDING, "{id}, links thinner by {thinner}: {busy}");
                full += usize::from(busy > 0.9);
            }
        }
    }
    assert!(full > 20, "in {full} steps only the interfaces were full");
}
