//! The rail-only paper (arXiv 2307.12169 v5) says of GPTs of 146B to 1T: over 99 % of GPU pairs
//! carry no traffic in a step, and over 75 % of all bytes stay inside tensor-parallel groups. Its
//! layouts are not printed; here the published ones of models of those sizes, from the text of a
//! spec to the matrix. A layout that does not fit the memory would be refused.

use planner::design::step_and_traffic;
use planner::spec::{SpecText, presets, read_scenario};
use planner::step::TrafficKind;

/// Idle pairs and bytes of tensor parallelism, as shares of all.
fn shares(source: &SpecText) -> (f64, f64) {
    let scenario = read_scenario(source, &[]).expect("the spec is sound");
    let (_, matrix) = step_and_traffic(&scenario).expect("the layout fits");
    let summary = matrix.summary();
    let tensor = summary.bytes_of_kind(TrafficKind::Tensor).as_f64() / summary.total.as_f64();
    (summary.idle_share(), tensor)
}

#[track_caller]
fn check(name: &str, source: &SpecText) {
    let (idle, tensor) = shares(source);
    assert!(idle > 0.99, "{name}: {idle} of pairs idle, published > 0.99");
    assert!(tensor > 0.75, "{name}: {tensor} of bytes are tensor-parallel, published > 0.75");
}

/// Layouts of Narayanan et al. 2021 (arXiv 2104.04473), table 1; one sequence a micro-batch.
#[test]
fn more_than_99_percent_of_pairs_are_idle_from_146b_to_1t() {
    for (model, gpus, pipeline, batch) in [
        ("gpt-145b", 1536, 8, 2304),
        ("gpt-310b", 1920, 16, 2160),
        ("mt-nlg-530b", 2520, 35, 2520),
        ("gpt-1t", 3072, 64, 3072),
    ] {
        let text = format!(
            r#"
            model = {{ preset = "{model}" }}
            training = {{ global_batch = {batch}, micro_batch = 1, precision = "fp16", recompute = "full" }}
            parallelism = {{ tensor = 8, pipeline = {pipeline} }}
            framework = {{ preset = "megatron-2021" }}
            cluster = {{ gpus = {gpus}, node = "dgx-a100-80gb" }}
            "#
        );
        check(model, &SpecText::new("model.toml", &text));
    }
    let ready = presets::ready_spec("gpt-1t-h100-32768").expect("it ships");
    check("gpt-1t on 32,768 GPUs", &ready);
}
