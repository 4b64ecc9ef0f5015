//! The multi-level cycle (arXiv 2404.07999): savings of the authors' GPT-2 script, 100k steps
//! against 5k, 50k at half width and depth, 50k.

use planner::spec::{Source, read};
use planner::technique::smaller;
use serde_json::Value;

use crate::cli::{folder, json_in, number};

/// GPT-2 base as the authors train it; `more` goes on in the same place.
fn spec(more: &str) -> String {
    format!(
        r#"
        model = {{ layers = 12, hidden = 768, heads = 12, vocab = 50257, sequence = 1024 }}
        training = {{ global_batch = 512, micro_batch = 16, precision = "bf16", recompute = "none" }}
        parallelism = {{ tensor = 1, pipeline = 1, data = 8, zero = 0 }}
        cluster = {{ gpus = 8, node = "dgx-a100-80gb" }}
        {more}
        [technique.multilevel]
        "#
    )
}

/// Share that the run saves of a figure of its phases, over that of as many whole steps.
fn saved(of: &Value, figure: &str) -> f64 {
    let phases = of["phases"].as_array().expect("phases are a list");
    let sum: f64 = phases.iter().map(|of| number(of, "share_of_steps") * number(of, figure)).sum();
    1.0 - sum / number(&phases[0], figure)
}

/// 38.75 % of the layers' FLOPs, 32.89 % with embedding and LM head (6·P of each model, scores
/// left out). Tolerance 0.2 points.
#[test]
fn flops_savings_are_the_published_ones() {
    for (embedding, published) in [(false, 0.3875), (true, 0.3289)] {
        let framework =
            format!("framework = {{ attention_scores = false, embedding = {embedding} }}");
        let folder = folder(&format!("multilevel-flops-{embedding}"), &spec(&framework));
        let found = saved(&json_in(&folder, &["step"]), "model_flop");
        assert!((found - published).abs() < 0.002, "{found} against {published}");
    }
}

/// The script's run took 875 instead of 1,144 minutes: 23.5 %. On which GPUs is not said; here
/// eight A100, with the small phase timed like any other. Tolerance 8 points: the small model
/// is bound by what does not shrink with it, the LM head and memory traffic, and how far differs
/// from machine to machine. The FLOPs alone would say 33 to 39 %.
#[test]
fn the_run_saves_less_time_than_flops() {
    let of = json_in(&folder("multilevel-time", &spec("")), &["step"]);
    let (time, flops) = (saved(&of, "step_time_s"), saved(&of, "model_flop"));
    let published = 1.0 - 875.0 / 1144.0;
    assert!((time - published).abs() < 0.08, "{time} against {published}");
    assert!(time < flops, "{time} {flops}: less than the FLOPs");
}

/// Per level, against the whole model: layer FLOPs 1/8, messages between stages 1/2.
#[test]
fn a_level_divides_width_and_depth() {
    let source = Source::new("model.toml", spec(""));
    let scenario = read(&source, &[]).expect("the spec is sound");
    let model = &scenario.workload.model;
    let small = smaller(model, 2).expect("it divides");
    assert_eq!((small.layers, small.hidden, small.ffn, small.heads), (6, 384, 1536, 6));
    assert_eq!(small.head_dim, model.head_dim);
    let matrices = |of: &planner::workload::Model| {
        u128::from(of.layers) * (of.attention_parameters() + of.ffn_parameters(of.ffn))
    };
    assert_eq!(matrices(model), 8 * matrices(&small));
    assert!(smaller(model, 5).is_err(), "12 layers and heads do not divide by 5");
}
