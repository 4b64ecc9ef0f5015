//! What the stacks' own readers made of each file is the layout that `planner step` prints for the same
//! words. `parsed.jsonl` has it in the names of the stacks, as `accept.py` recorded it: nothing here reads
//! a launch file.

use std::fs;

use planner::scenario::{Scenario, Workload};
use planner::spec::{Override, SpecText, presets, read_scenario};
use serde_json::{Map, Value};

use crate::launch::accepted::{CASES, beside, root};
use crate::support::program::planner_in;

type Fields = Map<String, Value>;

/// A field of a file's reading against what the planner has for it.
struct Held<'a> {
    file: &'a str,
    found: &'a Fields,
    wrong: Vec<String>,
}

impl Held<'_> {
    fn same(&mut self, name: &str, wanted: impl Into<Value>) {
        let (found, wanted) = (self.found.get(name).unwrap_or(&Value::Null), wanted.into());
        if *found != wanted {
            self.wrong.push(format!("{}: {name} is {found}, planned {wanted}", self.file));
        }
    }

    /// Stages of all ranks, and the layers in them together.
    fn stages(&mut self, wanted: u64, layers: u32) {
        let Some(stages) = self.found.get("layers_of_each_stage") else { return };
        let mut flat = Vec::new();
        for stage in stages.as_array().expect("a list") {
            flat.extend(stage.as_array().map_or(vec![stage], |rank| rank.iter().collect()));
        }
        let sum: u64 = flat.iter().filter_map(|value| value.as_u64()).sum();
        if (flat.len() as u64, sum) != (wanted, u64::from(layers)) {
            let found = flat.len();
            self.wrong.push(format!("{}: {sum} layers in {found} stages", self.file));
        }
    }
}

/// The layout as JSON has it.
struct Planned<'a>(&'a Fields);

impl Planned<'_> {
    fn count(&self, key: &str) -> u64 {
        self.0[key].as_u64().expect("a count")
    }

    fn word(&self, key: &str) -> &str {
        self.0[key].as_str().expect("a word")
    }

    fn gpus(&self) -> u64 {
        ["tensor", "pipeline", "data", "context"].iter().map(|key| self.count(key)).product()
    }

    fn stages(&self) -> u64 {
        self.count("pipeline") * self.count("interleave")
    }

    fn is_sequence_parallel(&self) -> bool {
        self.0["sequence_parallel"] == Value::Bool(true) && self.count("tensor") > 1
    }
}

/// The first word of a command line names a ready spec; `--set` changes it.
fn workload(line: &str) -> Workload {
    let mut words = line.split_whitespace();
    let name = words.next().expect("a spec");
    let ready = presets::ready_spec(name).expect("it ships");
    let mut overrides = Vec::new();
    while let Some(word) = words.next() {
        if word == "--set" {
            overrides.push(Override::new(words.next().expect("a key and its value")));
        }
    }
    let scenario: Scenario =
        read_scenario(&SpecText::new(name, ready.text), &overrides).expect("a sound spec");
    scenario.lead_workload().clone()
}

fn megatron(held: &mut Held<'_>, plan: &Planned<'_>, job: &Workload) {
    let model = &job.model;
    held.same("world_size", plan.gpus());
    held.same("tensor_model_parallel_size", plan.count("tensor"));
    held.same("pipeline_model_parallel_size", plan.count("pipeline"));
    held.same("context_parallel_size", plan.count("context"));
    held.same("data_parallel_size", plan.count("data"));
    held.same("expert_model_parallel_size", plan.count("expert"));
    if model.moe.is_some() {
        held.same("expert_tensor_parallel_size", plan.count("expert_tensor"));
    }
    let chunks = plan.count("interleave");
    let virtual_stages = if chunks > 1 { Value::from(chunks) } else { Value::Null };
    held.same("virtual_pipeline_model_parallel_size", virtual_stages);
    held.same("sequence_parallel", plan.is_sequence_parallel());
    let zero = plan.count("zero");
    held.same("use_megatron_fsdp", zero > 1);
    if zero < 2 {
        held.same("use_distributed_optimizer", zero == 1);
        if zero == 1 && held.found.contains_key("num_distributed_optimizer_instances") {
            let copies = plan.count("data") / plan.count("shard");
            held.same("num_distributed_optimizer_instances", copies);
        }
    } else {
        let shards = ["optim_grads", "optim_grads_params"][zero as usize - 2];
        held.same("data_parallel_sharding_strategy", shards);
    }
    held.same("use_tp_pp_dp_mapping", plan.word("order") == "tp-cp-ep-pp-dp");
    held.same("micro_batch_size", plan.count("micro_batch"));
    held.same("num_microbatches", plan.count("micro_batches"));
    held.same("global_batch_size", job.training.global_batch);
    let recompute = plan.word("recompute");
    let recompute = if recompute == "none" { Value::Null } else { recompute.into() };
    held.same("recompute_granularity", recompute);
    let precision = job.training.precision.name();
    held.same("fp16", precision == "fp16");
    held.same("bf16", precision != "fp16");
    match precision {
        "fp8" => held.same("fp8_recipe", "tensorwise"),
        "mxfp8" => held.same("fp8_recipe", "mxfp8"),
        _ => held.same("fp8", Value::Null),
    }
    for (name, wanted) in [
        ("num_layers", u64::from(model.layers)),
        ("hidden_size", model.hidden),
        ("ffn_hidden_size", model.ffn),
        ("num_attention_heads", model.heads),
        ("seq_length", model.sequence),
    ] {
        held.same(name, wanted);
    }
    held.same("swiglu", model.gated_ffn);
    held.same("untie_embeddings_and_output_weights", !model.tied_embeddings);
    if let Some(moe) = &model.moe {
        held.same("num_experts", moe.experts);
        held.same("moe_router_topk", moe.top_k);
        held.same("moe_ffn_hidden_size", moe.ffn);
    }
    held.same("overlap_grad_reduce", job.framework.overlap_data);
    // Without virtual stages there is nothing to overlap, which the file says.
    held.same("overlap_p2p_comm", job.framework.overlap_pipeline && chunks > 1);
    held.stages(plan.stages(), model.layers);
}

fn torchtitan(held: &mut Held<'_>, plan: &Planned<'_>, job: &Workload) {
    held.same("world_size", plan.gpus());
    for (name, key) in [("tp", "tensor"), ("pp", "pipeline"), ("cp", "context"), ("ep", "expert")] {
        held.same(name, plan.count(key));
    }
    let field = |name: &str| held.found.get(name).and_then(Value::as_u64).expect("a count");
    let replicas = field("dp_replicate") * field("dp_shard");
    // Micro-batches one after the other, or all at once through a pipeline.
    let micro_batches = match plan.count("pipeline") {
        1 => field("gradient_accumulation_steps"),
        _ => field("pipeline_microbatches") * field("gradient_accumulation_steps"),
    };
    assert_eq!(replicas, plan.count("data"), "{}", held.file);
    if plan.count("zero") > 0 {
        held.same("dp_shard", plan.count("shard"));
    }
    assert_eq!(micro_batches, plan.count("micro_batches"), "{}", held.file);
    let micro = if plan.count("pipeline") > 1 {
        "pipeline_parallel_microbatch_size"
    } else {
        "local_batch_size"
    };
    held.same(micro, plan.count("micro_batch"));
    held.same("global_batch_size", job.training.global_batch);
    held.same("seq_len", job.model.sequence);
    held.same("activation_checkpoint", plan.word("recompute"));
    let reshard = if plan.count("zero") == 3 { "always" } else { "never" };
    held.same("fsdp_reshard_after_forward", reshard);
    held.same(
        "enable_async_tensor_parallel",
        job.framework.overlap_tensor && plan.count("tensor") > 1,
    );
    if plan.count("pipeline") > 1 {
        held.same("stages_per_rank", plan.count("interleave"));
        let class = match plan.word("schedule") {
            "interleaved" => "ScheduleInterleaved1F1B",
            "gpipe" => "ScheduleGPipe",
            _ => "Schedule1F1B",
        };
        held.same("schedule_class", class);
    }
    held.stages(plan.stages(), job.model.layers);
}

fn deepspeed(held: &mut Held<'_>, plan: &Planned<'_>, job: &Workload) {
    held.same("ranks", plan.gpus());
    held.same("world_size", plan.count("data"));
    held.same("train_batch_size", job.training.global_batch);
    held.same("train_micro_batch_size_per_gpu", plan.count("micro_batch"));
    held.same("gradient_accumulation_steps", plan.count("micro_batches"));
    held.same("zero_stage", plan.count("zero"));
    held.same("overlap_comm", job.framework.overlap_data);
    if (1..=2).contains(&plan.count("zero")) {
        held.same("use_multi_rank_bucket_allreduce", job.framework.bucket_all_reduce);
    }
    held.same("sequence_parallel_size", plan.count("context"));
    let tensor = plan.count("tensor");
    // It says 0 where its own tensor parallelism is off.
    held.same("autotp_size", if tensor == 1 { 0 } else { tensor });
    held.same("bf16", job.training.precision.name() == "bf16");
    held.same("fp16", job.training.precision.name() == "fp16");
    let stages = held.found["pipeline"]["stages"].as_u64();
    assert_eq!(stages, Some(plan.count("pipeline")), "{}", held.file);
}

/// What Bridge's own translator makes of the flags of the job is what stands in our overrides.
fn bridge(held: &mut Held<'_>) {
    let path = beside("cases").join(held.file);
    let text = fs::read_to_string(path).expect("a file of this test");
    let ours: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.trim_matches('\'').split_once('='))
        .filter(|(key, _)| !key.starts_with('#'))
        .collect();
    let mut shared = 0;
    for (key, theirs) in held.found {
        let Some((_, own)) = ours.iter().find(|(own, _)| own == key) else { continue };
        shared += 1;
        if theirs.as_str() != Some(*own) {
            held.wrong.push(format!("{}: {key} is {own}, translated {theirs}", held.file));
        }
    }
    assert!(shared >= 20, "{}: only {shared} keys in both", held.file);
    for degree in ["tensor_model_parallel", "pipeline_model_parallel", "context_parallel"] {
        let key = format!("model.{degree}_size");
        assert!(held.found.contains_key(&key) && ours.iter().any(|(own, _)| *own == key), "{key}");
    }
}

#[test]
fn each_reader_has_found_the_layout_that_was_planned() {
    let text = fs::read_to_string(beside("parsed.jsonl")).expect("a file of this test");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut wrong = Vec::new();
    for (file, line) in CASES {
        let read = lines.iter().find(|read| read["file"] == file).expect("accept.py has read it");
        let found = read["values"].as_object().expect("fields");
        let (words, stack) = line.split_once(" --for ").expect("a stack");
        let (stack, set) = stack.split_once(' ').unwrap_or((stack, ""));
        let typed = format!("step {words} {set} --format json");
        let run = planner_in(root(), &typed.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.status, 0, "{typed}: {}", run.stderr);
        let step: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let plan = Planned(step["layout"].as_object().expect("a layout"));
        let job = workload(&format!("{words} {set}"));
        let mut held = Held { file, found, wrong: Vec::new() };
        match stack {
            "megatron" => megatron(&mut held, &plan, &job),
            "torchtitan" | "torchtitan-python" => torchtitan(&mut held, &plan, &job),
            "deepspeed" => deepspeed(&mut held, &plan, &job),
            _ => bridge(&mut held),
        }
        wrong.extend(held.wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
