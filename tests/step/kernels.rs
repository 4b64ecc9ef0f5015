//! Kernels as they were measured on an H100 and an H200, by others' software: attention of cuDNN and of
//! FlashAttention-2, and what PyTorch takes for the biases of experts (tests/data/kernels_hopper.csv).

use std::collections::BTreeMap;

use planner::hardware::Gpu;
use planner::spec::presets;
use planner::step::Step;
use planner::timing::{NetworkModel, UplinkBalance, step_time};
use planner::workload::{Framework, LatentAttention, Model, Moe, SlidingWindow};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

/// Lines of the table, a name to each field; fields with a comma stand in quotes.
fn measured_rows() -> Vec<BTreeMap<String, String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/kernels_hopper.csv");
    let text = std::fs::read_to_string(path).expect("the table");
    let fields = |line: &str| -> Vec<String> {
        let mut all = vec![String::new()];
        let mut quoted = false;
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => all.push(String::new()),
                _ => all.last_mut().expect("a field").push(letter),
            }
        }
        all
    };
    let mut lines = text.lines();
    let names = fields(lines.next().expect("a head"));
    lines.map(|line| names.iter().cloned().zip(fields(line)).collect()).collect()
}

/// Seconds of compute of one step on one GPU.
fn compute_seconds(model: &Model, framework: &Framework, gpu: &Gpu, micro_batch: u64) -> f64 {
    let node = &presets::preset_nodes()["dgx-h100"];
    let network = NetworkModel {
        domain: node.gpus,
        hb: node.hb_bandwidth,
        nics: node.nics,
        nic: node.nic.bandwidth,
        leaf_domains: Some(8),
        within_rail: 1.0,
        across_rails: 1.0,
        planes: 1,
        forwards: true,
        has_summing_switches: false,
        seats: planner::parallel::Seats::Even,
        balance: UplinkBalance::SPRAY,
    };
    let layout = planner::parallel::Layout { micro_batch, ..layout(1, 1, 1) };
    let step = Step::new(model, &training(&layout, 1), framework, &layout).expect("one GPU");
    step_time(&step, gpu, &network, framework).compute.get()
}

fn gpu_of_row(row: &BTreeMap<String, String>) -> Gpu {
    let node = if row["gpu"].contains("H200") { "dgx-h200" } else { "dgx-h100" };
    presets::preset_nodes()[node].gpu.clone()
}

/// What attention adds to a step: with it less without it.
fn predicted_attention(row: &BTreeMap<String, String>) -> f64 {
    let count = |key: &str| row[key].parse::<u64>().expect("a count");
    let kind = &row["format"];
    let window = kind.split("window ").nth(1).map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        SlidingWindow { tokens: digits.parse().expect("tokens"), layers: 1, every: None }
    });
    let model = Model {
        heads: count("heads"),
        kv_heads: count("kv_heads"),
        head_dim: count("head_dim"),
        hidden: count("heads") * count("head_dim"),
        latent_attention: kind.contains("values 128 wide").then_some(LatentAttention {
            q_lora: 0,
            kv_lora: 512,
            qk_nope: 128,
            qk_rope: 64,
            v_dim: 128,
        }),
        sequence: count("seq"),
        attention_sinks: kind.contains("sinks"),
        window,
        ..model(1)
    };
    let with = Framework { earlier_attention: kind.contains("flash"), ..framework() };
    let without = Framework { attention_scores: false, ..with.clone() };
    let gpu = gpu_of_row(row);
    let seconds = |framework| compute_seconds(&model, framework, &gpu, count("batch"));
    seconds(&with) - seconds(&without)
}

/// Causal attention forward and backward over 1,024 to 32,768 tokens, heads 64 to 256 wide, windows,
/// sinks and latent attention: every pair that was measured, within a third, a twelfth on average.
#[test]
fn attention_takes_what_was_measured() {
    let mut pairs: BTreeMap<Vec<String>, [f64; 2]> = BTreeMap::new();
    let mut rows = BTreeMap::new();
    for row in measured_rows() {
        let timed = row["kind"] == "attention" && row["causal"] == "1" && row["regime"] == "burst";
        if !timed || !row["format"].starts_with("bf16") {
            continue;
        }
        let keys = ["gpu", "format", "batch", "heads", "kv_heads", "head_dim", "seq"];
        let key: Vec<String> = keys.iter().map(|name| row[*name].clone()).collect();
        let place = usize::from(row["pass"] == "backward");
        pairs.entry(key.clone()).or_default()[place] = row["us"].parse::<f64>().expect("a time");
        rows.insert(key, row);
    }
    let mut errors = Vec::new();
    for (key, times) in &pairs {
        if times.contains(&0.0) {
            continue;
        }
        let error = predicted_attention(&rows[key]) * 1e6 / times.iter().sum::<f64>() - 1.0;
        assert!(error.abs() < 0.35, "{key:?}: {:+.1} %", error * 100.0);
        errors.push(error.abs());
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(errors.len() > 100, "{} pairs", errors.len());
    assert!(mean < 0.085, "mean error {:.1} % of {} pairs", mean * 100.0, errors.len());
}

/// Biases that are added expert by expert, with 2 and with 16 experts on a GPU, many tokens and few.
#[test]
fn biases_of_experts_take_what_was_measured() {
    let mut measured: BTreeMap<(u64, u64), f64> = BTreeMap::new();
    for row in measured_rows().iter().filter(|row| row["format"] == "biases of experts") {
        let count = |key: &str| row[key].parse::<u64>().expect("a count");
        let shape = (count("m"), count("experts"));
        *measured.entry(shape).or_default() += row["us"].parse::<f64>().expect("a time");
    }
    assert_eq!(measured.len(), 3);
    for ((tokens, experts), time) in measured {
        let plain = Model {
            hidden: 2880,
            sequence: tokens,
            moe: Some(Moe { dense_layers: 0, ..even_experts(experts, 1, 2880) }),
            ..model(1)
        };
        let biased = Model {
            moe: plain.moe.clone().map(|moe| Moe { biases: true, ..moe }),
            ..plain.clone()
        };
        let gpu = presets::preset_nodes()["dgx-h200"].gpu.clone();
        let framework = Framework { attention_scores: false, ..framework() };
        let seconds = |model| compute_seconds(model, &framework, &gpu, 1);
        let error = (seconds(&biased) - seconds(&plain)) * 1e6 / time - 1.0;
        assert!(error.abs() < 0.30, "{tokens} tokens, {experts} experts: {:+.1} %", error * 100.0);
    }
}
