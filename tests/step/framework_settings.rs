//! Each setting of the training stack decides something: set otherwise, a step takes other time,
//! memory or bytes. And each is named in the table of keys.

use std::path::Path;

use planner::design::{StepPlan, plan_step};
use planner::spec::{Override, SpecText, read_scenario, schema};

/// A job that a setting acts on, the setting, and another value of it.
struct Setting {
    key: &'static str,
    job: &'static str,
    value: &'static str,
}

const fn setting(key: &'static str, job: &'static str, value: &'static str) -> Setting {
    Setting { key, job, value }
}

/// A dense model over everything that a dense model can be split by.
const DENSE: &str = "
model = { preset = \"llama3-70b\" }
training = { global_batch = 256, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 4, pipeline = 4, context = 2, data = 8, interleave = 5, zero = 1 }
framework = { preset = \"megatron-2024\" }
cluster = { gpus = 256, node = \"dgx-h100\" }
";
/// A dense model without sequence parallelism: a message between stages is split or not.
const PLAIN: &str = "
model = { preset = \"gpt3-175b\" }
training = { global_batch = 256, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 8, pipeline = 8, data = 4, sequence_parallel = false, zero = 0 }
framework = { preset = \"megatron-2021\" }
cluster = { gpus = 256, node = \"dgx-a100-80gb\" }
";
/// Experts over several machines.
const EXPERTS: &str = "
model = { preset = \"qwen3-235b-a22b\" }
training = { global_batch = 1024, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 1, pipeline = 8, data = 32, expert = 32, zero = 1 }
framework = { preset = \"megatron-2026\" }
cluster = { gpus = 256, node = \"dgx-h100\" }
";
/// Experts with exchanges of tokens beside compute.
const OVERLAPPED: &str = "
model = { preset = \"qwen3-235b-a22b\" }
training = { global_batch = 1024, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 1, pipeline = 8, data = 32, expert = 32, zero = 1 }
framework = { preset = \"megatron-2026\", overlap_expert = true }
cluster = { gpus = 256, node = \"dgx-h100\" }
";
/// A dense model in 8 bits.
const NARROW: &str = "
model = { preset = \"llama3-70b\" }
training = { global_batch = 256, micro_batch = 1, precision = \"fp8\", recompute = \"none\" }
parallelism = { tensor = 4, pipeline = 4, data = 16, zero = 1 }
framework = { preset = \"megatron-2026\" }
cluster = { gpus = 256, node = \"dgx-h100\" }
";
/// Experts over several machines in 8 bits.
const NARROW_EXPERTS: &str = "
model = { preset = \"qwen3-235b-a22b\" }
training = { global_batch = 1024, micro_batch = 1, precision = \"fp8\", recompute = \"none\" }
parallelism = { tensor = 1, pipeline = 8, data = 32, expert = 32, zero = 1 }
framework = { preset = \"megatron-2026\" }
cluster = { gpus = 256, node = \"dgx-h100\" }
";
/// Parameters sharded over all GPUs of several machines.
const SHARDED: &str = "
model = { preset = \"gpt3-175b\" }
training = { global_batch = 1536, micro_batch = 1, precision = \"bf16\", recompute = \"full\" }
parallelism = { tensor = 1, pipeline = 1, data = 384, zero = 3 }
framework = { preset = \"megatron-2024\" }
cluster = { gpus = 384, node = \"dgx-a100-80gb\" }
";
/// A vocabulary that is large beside the layers, all on one stage.
const VOCABULARY: &str = "
model = { preset = \"llama3-8b\" }
training = { global_batch = 64, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 1, pipeline = 1, data = 64, zero = 1 }
framework = { preset = \"megatron-2024\" }
cluster = { gpus = 64, node = \"dgx-h100\" }
";
/// Layers that do not divide the stages.
const UNEVEN: &str = "
model = { preset = \"llama3-405b\" }
training = { global_batch = 128, micro_batch = 1, precision = \"bf16\", recompute = \"none\" }
parallelism = { tensor = 8, pipeline = 16, data = 2 }
framework = { preset = \"megatron-2024\" }
cluster = { gpus = 256, node = \"dgx-h100\" }
";

const SETTINGS: [Setting; 37] = [
    setting("preset", DENSE, "\"megatron-2022\""),
    setting("gradient_bytes", DENSE, "4"),
    setting("parameter_bytes", DENSE, "4"),
    setting("moment_bytes", DENSE, "2"),
    setting("gradient_copy_bytes", DENSE, "4"),
    setting("overlap_data", DENSE, "false"),
    setting("overlap_tensor", DENSE, "false"),
    setting("overlap_pipeline", DENSE, "false"),
    setting("overlap_context", DENSE, "false"),
    setting("overlap_expert", EXPERTS, "true"),
    setting("expert_overlap_visible", OVERLAPPED, "0.15"),
    setting("tensor_overlap_visible", DENSE, "0.1"),
    setting("sharding_overlap_visible", SHARDED, "0.9"),
    setting("context_overlap_visible", DENSE, "0.1"),
    setting("fused_weight_gradient", DENSE, "false"),
    setting("flash_attention", DENSE, "false"),
    setting("earlier_attention", DENSE, "true"),
    setting("first_attention", DENSE, "true"),
    setting("causal_attention", DENSE, "false"),
    setting("fused_elementwise", DENSE, "false"),
    setting("fused_loss", VOCABULARY, "true"),
    setting("native_pytorch", VOCABULARY, "true"),
    setting("fp8_attention", NARROW, "true"),
    setting("balanced_stages", UNEVEN, "true"),
    setting("single_ring_sharding", SHARDED, "true"),
    setting("bucket_all_reduce", DENSE, "true"),
    setting("narrow_dispatch", NARROW_EXPERTS, "true"),
    setting("padded_experts", EXPERTS, "true"),
    setting("scatter_pipeline", PLAIN, "false"),
    setting("context_exchange", DENSE, "\"all-to-all\""),
    setting("cuda_graphs", EXPERTS, "\"full\""),
    setting("dispatcher", EXPERTS, "\"all-to-all\""),
    setting("attention_scores", DENSE, "false"),
    setting("embedding", DENSE, "false"),
    setting("overheads", DENSE, "false"),
    setting("fragmentation", DENSE, "0.0"),
    setting("production_factor", DENSE, "1.2"),
];

fn planned(job: &str, changes: &[&str]) -> StepPlan {
    let source = SpecText::new("job.toml", job);
    let changes: Vec<Override> = changes.iter().map(|text| Override::new(*text)).collect();
    let mut scenario = read_scenario(&source, &changes)
        .unwrap_or_else(|problems| panic!("{}", problems.render(false)));
    // No generation that ships gains from attention in 8 bits: one that does shows the switch.
    for node in &mut scenario.cluster.nodes {
        node.gpu.calibration.attention_fp8_gain = 1.3;
    }
    plan_step(&scenario).unwrap_or_else(|reason| panic!("{reason}"))
}

/// Settings of the presets' own origin: words, not switches.
const WORDS: [&str; 3] = ["source", "date", "note"];

#[test]
fn every_setting_that_the_format_has_is_tried() {
    let schema: serde_json::Value =
        serde_json::from_str(&schema::json_schema().to_string()).expect("it is JSON");
    let framework = find(&schema, "single_ring_sharding").expect("the schema has the table");
    let mut known: Vec<&str> = framework.keys().map(String::as_str).collect();
    known.retain(|key| !WORDS.contains(key));
    let mut tried: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
    tried.sort_unstable();
    known.sort_unstable();
    assert_eq!(known, tried);
}

/// The object that has such a key, wherever it stands.
fn find<'a>(
    value: &'a serde_json::Value,
    key: &str,
) -> Option<&'a serde_json::Map<String, serde_json::Value>> {
    match value {
        serde_json::Value::Object(map) if map.contains_key(key) => Some(map),
        serde_json::Value::Object(map) => map.values().find_map(|inner| find(inner, key)),
        serde_json::Value::Array(list) => list.iter().find_map(|inner| find(inner, key)),
        _ => None,
    }
}

#[test]
fn every_setting_changes_time_memory_or_traffic() {
    let mut idle = Vec::new();
    for Setting { key, job, value } in SETTINGS {
        let (plain, other) =
            (planned(job, &[]), planned(job, &[&format!("framework.{key}={value}")]));
        let same = plain.step.time == other.step.time
            && plain.memory == other.memory
            && plain.traffic == other.traffic;
        if same {
            idle.push(format!("{key} = {value}"));
        }
    }
    assert!(idle.is_empty(), "{idle:?} change nothing");
}

#[test]
fn every_setting_is_in_the_table_of_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/spec.md");
    let page = std::fs::read_to_string(path).expect("the page ships");
    for Setting { key, .. } in SETTINGS {
        assert!(page.contains(&format!("| `{key}` |")), "docs/spec.md leaves out {key}");
    }
}

#[test]
fn a_stack_that_is_not_stated_is_named_with_its_reason() {
    let job = DENSE.replace("framework = { preset = \"megatron-2024\" }\n", "");
    let plan = planned(&job, &[]);
    let said = plan.assumptions.iter().find(|assumption| assumption.topic == "framework.preset");
    assert!(said.is_some_and(|assumption| assumption.text.contains("megatron-2026")), "{said:?}");
}
