//! `[collectives]` as a user states it: what the matrix, the clock and the report make of it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program::{fresh_folder, planner_in};

fn folder(name: &str, spec: &str) -> PathBuf {
    let folder = fresh_folder(name);
    fs::write(folder.join("model.toml"), spec).expect("the folder is this test's own");
    folder
}

#[track_caller]
fn asked(folder: &Path, command: &str, more: &[&str]) -> Value {
    let run = planner_in(folder, &[&[command, "--format", "json"], more].concat());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn number(value: &Value, at: &str) -> f64 {
    value
        .pointer(at)
        .and_then(Value::as_f64)
        .unwrap_or_else(|| panic!("{at} is no number: {value}"))
}

/// Fully sharded on two nodes of eight.
const SHARDED: &str = r#"
name = "sharded"
model = { layers = 8, hidden = 1024, heads = 8, ffn = 4096, vocab = 1024, sequence = 128 }
training = { global_batch = 16, micro_batch = 1, precision = "bf16", recompute = "none" }
parallelism = { tensor = 1, pipeline = 1, data = 16, zero = 3 }
framework = { single_ring_sharding = false }
cluster = { gpus = 16, node = "dgx-h100" }
"#;

#[test]
fn gathers_and_scatters_leave_nodes_as_nccl_s_rings_do() {
    let folder = folder("collectives-sharded", SHARDED);
    let bytes = |by: &str| {
        let set = format!("collectives.data={by}");
        let found = asked(&folder, "traffic", &["--set", &set]);
        ["along_rail", "across_rails"]
            .map(|text| number(&found, &format!("/traffic/bytes_by_locality/{text}")))
    };
    let [rings, none] = bytes("nccl");
    let [levels, neither] = bytes("hierarchical");
    assert_eq!([none, neither], [0.0; 2]);
    // (n − 1)/n of 16 ranks against (y − 1)/y of 2 nodes, but for rounding to whole bytes.
    assert!((rings / levels / (15.0 / 16.0 * 2.0) - 1.0).abs() < 1e-5, "{rings} against {levels}");
    // One ring in the order of the ranks leaves a node once, and so along no rail.
    let [along, across] = bytes("ring");
    assert_eq!(along, 0.0);
    assert!((across / rings - 1.0).abs() < 1e-5, "{across} against {rings}");
    let [along, across] = bytes("direct");
    assert!((across / along / 7.0 - 1.0).abs() < 1e-9, "seven of eight are on another rail");
}

#[test]
fn what_a_report_assumes_names_the_library() {
    let folder = folder("collectives-assumed", SHARDED);
    let topics = |more: &[&str]| -> Vec<String> {
        let found = asked(&folder, "step", more);
        let all = found["assumptions"].as_array().expect("assumptions").clone();
        all.iter().map(|value| format!("{} {}", value["topic"], value["text"])).collect()
    };
    assert!(topics(&[]).iter().any(|text| text.contains("NCCL 2.30.7")), "{:?}", topics(&[]));
    let ring = topics(&["--set", "collectives.all=ring"]);
    assert!(!ring.iter().any(|text| text.contains("NCCL")), "{ring:?}");
    let run = planner_in(&folder, &["step", "--set", "collectives.all=nvlink"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("hierarchical-direct"), "{}", run.stderr);
}

#[test]
fn one_ring_is_slower_than_a_ring_for_each_rail() {
    let folder = folder("collectives-clock", SHARDED);
    let time = |by: &str| {
        let set = format!("collectives.all={by}");
        number(&asked(&folder, "step", &["--set", &set]), "/step/time_s")
    };
    let [nccl, ring] = ["nccl", "ring"].map(time);
    assert!(ring > nccl, "{ring} s on one ring, {nccl} s on eight");
}

/// arXiv 2307.12169 v1, figures 3a and 3b, from the preset that ships by one command each.
#[test]
fn figures_3_of_the_rail_only_paper_are_one_command_each() {
    let folder = folder("collectives-paper", "");
    let direct = ["rail-only-2023-gpt3", "--set", "collectives.all=hierarchical-direct"];
    let pairs = asked(&folder, "traffic", &direct);
    let idle = 100.0 * number(&pairs, "/traffic/idle_pair_share");
    assert!((idle - 99.496).abs() < 1e-3, "{idle} % of pairs exchange nothing");
    let bytes = asked(&folder, "traffic", &["rail-only-2023-gpt3"]);
    let all = number(&bytes, "/traffic/total_bytes");
    let share = |text: &str| 100.0 * number(&bytes, &format!("/traffic/{text}")) / all;
    let rails = share("bytes_by_locality/along_rail");
    assert!((rails - 1.2).abs() < 0.1, "{rails} % along rails");
    let tensor = share("bytes_by_kind/tensor");
    assert!((tensor - 59.8).abs() < 0.5, "{tensor} % within tensor groups");
}

/// 32 GPUs on four nodes without overheads, all communication seen.
fn exposed(more: &str, zero: u32, sequence: u32, layers: u32) -> String {
    format!(
        r#"
name = "astra"
training = {{ global_batch = 32, micro_batch = 1, precision = "bf16", recompute = "none" }}
framework = {{ preset = "rail-only-paper", gradient_bytes = 4, parameter_bytes = 2, overlap_data = false, overlap_expert = false, dispatcher = "all-to-all", single_ring_sharding = false }}
collectives = {{ all = "hierarchical" }}
cluster = {{ gpus = 32, node = "dgx-h100", fabric = "rail-only" }}
limits = {{ within_rail = 1 }}
objective = {{ max_slowdown = 10 }}
[parallelism]
tensor = 1
pipeline = 1
data = 32
zero = {zero}
{}
[model]
layers = {layers}
hidden = 4096
heads = 32
ffn = 16384
vocab = 32000
sequence = {sequence}
tied_embeddings = false
{more}
"#,
        if more.is_empty() { "" } else { "expert = 32" }
    )
}

/// What ASTRA-sim (c459ab6, analytical, congestion-unaware, one chunk, rings, all-to-alls one peer at
/// a time) took for the Chakra traces of these steps: docs/halls.md, "The ledger".
#[test]
fn the_clock_agrees_with_astra_sim_over_two_levels() {
    let experts = "moe = { experts = 32, top_k = 2, ffn = 1024 }";
    for (name, spec, nanoseconds) in [
        ("all-reduce", exposed("", 0, 128, 8), 49_217_227.0),
        ("halves", exposed("", 1, 128, 8), 36_912_932.0),
        ("all-to-all", exposed(experts, 0, 4096, 4), 26_414_681.0),
    ] {
        let folder = folder(&format!("collectives-astra-{name}"), &spec);
        let found = asked(&folder, "design", &[]);
        let kinds = ["data", "expert"]
            .map(|text| number(&found, &format!("/step/exposed_communication_s/{text}")) * 1e9);
        let own: f64 = kinds.iter().sum();
        assert!((own / nanoseconds - 1.0).abs() < 1e-4, "{name}: {own} ns, not {nanoseconds}");
    }
}

/// As above, 16 GPUs on two nodes: the traces have a gather a block and pass and a scatter a block, of
/// embedding, 16 layers and head, and ASTRA-sim took 38,295,685 ns for these 54 calls.
#[test]
fn astra_sim_runs_a_fully_sharded_step_call_by_call() {
    let spec = exposed("", 3, 16, 16)
        .replace("overlap_data", "embedding = true, overlap_data")
        .replace("global_batch = 32", "global_batch = 16")
        .replace("gpus = 32", "gpus = 16")
        .replace("data = 32", "data = 16")
        .replace("hidden = 4096", "hidden = 2048\nkv_heads = 8\ngated_ffn = true")
        .replace("ffn = 16384", "ffn = 8192")
        .replace("vocab = 32000", "vocab = 128256");
    let folder = folder("collectives-astra-sharded", &spec);
    let ledger = planner_in(&folder, &["traffic", "--format", "ledger"]);
    let messages = |line: &str| serde_json::from_str::<Value>(line).ok()?["messages"].as_u64();
    assert_eq!(ledger.stdout.lines().filter_map(messages).sum::<u64>(), 54, "{}", ledger.stderr);
    // Sixteen tokens hide nothing: what compute takes is communication that the clock hides in it.
    let own = number(&asked(&folder, "design", &[]), "/step/time_s") * 1e9;
    assert!((own / 38_295_685.0 - 1.0).abs() < 1e-4, "{own} ns");
}
