//! `planner domain` against published curves over the size of an HB domain, and as scripts see it.

use std::path::Path;

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

fn points(arguments: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = planner_in(folder, &[&["domain"], arguments, &["--format", "json"]].concat());
    assert_eq!((program.status, program.stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&program.stdout).expect("it is JSON")
}

/// GPUs of a domain and seconds of a step.
fn steps(found: &Value) -> Vec<(u64, f64)> {
    let each = found["points"].as_array().expect("a list").iter();
    each.map(|point| {
        let step = point["step_s"].as_f64().expect("it has a design");
        (point["domain_gpus"].as_u64().expect("a size"), step)
    })
    .collect()
}

const HB: &str = "hb-32,hb-64,hb-128,hb-256,hb-512,hb-1024";

/// arXiv 2307.12169 v1, Fig. 7a: GPT-3 on 32,768 GPUs, read off the figure to 0.02 s.
#[test]
fn the_curve_of_the_rail_only_paper_over_k() {
    let published =
        [(32, 2.308), (64, 1.890), (128, 1.692), (256, 1.592), (512, 1.532), (1024, 1.512)];
    let found = steps(&points(&["rail-only-2023-gpt3", "--over", HB]));
    assert_eq!(found.len(), published.len());
    for ((domain, step), (asked, seconds)) in found.into_iter().zip(published) {
        assert_eq!(domain, asked);
        assert!((step - seconds).abs() <= 0.02, "K = {domain}: {step:.3} s, not {seconds} s");
    }
}

/// DeepSeek-V3 with experts over 64 GPUs, whose exchanges nothing hides: each doubling up to 64 pays,
/// none beyond. A step that keeps exchanges on rails in part moves (64 − K)/63 of them there.
#[test]
fn mixture_of_experts_gains_until_a_domain_holds_the_experts() {
    let found = points(&[
        "deepseek-v3-h800-2048",
        "--set=cluster.gpus=4096",
        "--set=parallelism.data=256",
        "--set=training.global_batch=16384",
        "--set=framework.preset=megatron-2024",
        "--over=nvlink4",
        "--sizes=16,32,64,128",
    ]);
    assert_eq!(found["answers"][0]["knee_domain_gpus"], 64);
    let step: Vec<f64> = steps(&found).into_iter().map(|pair| pair.1).collect();
    let fall = |from: usize| 1.0 - step[from + 1] / step[from];
    assert!(fall(0) > 0.1 && fall(1) > 0.3 && fall(2) < 0.01, "{step:?}");
    // Nobody has a price of that chip: what a larger domain may cost stands in its place.
    assert!(found["points"][2]["worth_usd_per_gpu"].is_null(), "the smallest has no price either");
}

/// A family of known prices: what is in the table follows from counts and prices, by hand.
#[test]
fn prices_inside_a_domain_follow_from_its_chips_and_cables() {
    let found = points(&[
        "starter",
        "--set=cluster.gpus=576",
        "--set=training.global_batch=576",
        // Where nothing fails no tray is left to spare.
        "--set=failures.gpu=0",
        "--set=failures.memory=0",
        "--set=failures.host=0",
        "--over=nvlink5",
        "--sizes=8,72",
    ]);
    let [small, large] = [0, 1].map(|place| found["points"][place].clone());
    let number = |point: &Value, key: &str| point[key].as_f64().unwrap_or_else(|| panic!("{key}"));
    assert_eq!(number(&small, "hb_usd_per_gpu"), 0.0, "on its board");
    // 18 chips of $21,000 and 1,296 cables of $56 for 72 GPUs.
    let by_hand = (18.0 * 21_000.0 + 1_296.0 * 56.0) / 72.0;
    assert!((number(&large, "hb_usd_per_gpu") - by_hand).abs() < 1e-6);
    let more = number(&large, "machine_usd_per_gpu") - number(&small, "machine_usd_per_gpu");
    assert!((more - by_hand).abs() < 1e-6, "{more}");
    assert_eq!(large["chips"], 18);
    assert_eq!(found["answers"][0]["cheapest_domain_gpus"], 8, "dense training stays on boards");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = fresh_folder("threads");
    let run = |jobs: &str, format: &str| {
        let words = [
            "domain",
            "starter",
            "--gpus=256,512",
            "--over=nvlink4",
            "--sizes=8,16,32",
            "--format",
            format,
            "--jobs",
            jobs,
        ];
        let program = planner_in(&folder, &words);
        assert_eq!((program.status, program.stderr.as_str()), (0, ""));
        program.stdout
    };
    for format in ["table", "json", "csv", "svg", "html"] {
        let one = run("1", format);
        assert_eq!(one, run("3", format), "{format}");
        assert!(!one.is_empty());
    }
}
