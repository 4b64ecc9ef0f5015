//! Logs of Megatron-LM: the arguments that it prints first, and a line for each step. A log may hold
//! several runs, each with its arguments.

use super::log::{RunInProgress, number_after, strip_prefix_and_colour};
use super::problem::StepsProblem;
use super::run::MeasuredRun;

/// What stands above the arguments, and below them.
const ARGUMENTS: &str = "--- arguments ---";
const END: &str = "--- end of arguments ---";
/// What stands before the milliseconds of a step.
const TIME: &str = "elapsed time per iteration (ms):";
const MILLI: f64 = 1e-3;

/// Arguments that are a key of a spec as they stand; `None` is printed where one is not used.
const KEYS: [(&str, &str); 19] = [
    ("world_size", "cluster.gpus"),
    ("tensor_model_parallel_size", "parallelism.tensor"),
    ("pipeline_model_parallel_size", "parallelism.pipeline"),
    ("virtual_pipeline_model_parallel_size", "parallelism.interleave"),
    ("context_parallel_size", "parallelism.context"),
    ("data_parallel_size", "parallelism.data"),
    ("expert_model_parallel_size", "parallelism.expert"),
    ("expert_tensor_parallel_size", "parallelism.expert_tensor"),
    ("micro_batch_size", "training.micro_batch"),
    ("global_batch_size", "training.global_batch"),
    ("seq_length", "model.sequence"),
    ("num_layers", "model.layers"),
    ("hidden_size", "model.hidden"),
    ("ffn_hidden_size", "model.ffn"),
    ("num_attention_heads", "model.heads"),
    ("kv_channels", "model.head_dim"),
    ("padded_vocab_size", "model.vocab"),
    ("num_experts", "model.moe.experts"),
    ("moe_router_topk", "model.moe.top_k"),
];
/// Switches that are one as they stand.
const SWITCHES: [(&str, &str); 4] = [
    ("sequence_parallel", "parallelism.sequence_parallel"),
    ("overlap_grad_reduce", "framework.overlap_data"),
    ("tp_comm_overlap", "framework.overlap_tensor"),
    ("swiglu", "model.gated_ffn"),
];

/// Whether it is such a log.
pub(super) fn is_megatron_log(text: &str) -> bool {
    text.contains(TIME)
}

/// Its runs.
pub(super) fn megatron_runs(text: &str) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let mut all: Vec<RunInProgress> = Vec::new();
    let mut inside = false;
    for (at, line) in text.lines().enumerate() {
        let line = strip_prefix_and_colour(line);
        if line.contains(END) {
            inside = false;
            if let Some(run) = all.last_mut() {
                derive_spec_keys(run);
            }
        } else if line.contains(ARGUMENTS) {
            inside = true;
            all.push(RunInProgress { line: at + 1, ..RunInProgress::default() });
        } else if let (true, Some(run), Some((name, value))) =
            (inside, all.last_mut(), parse_argument(&line))
        {
            run.settings.push((name.to_owned(), value.to_owned()));
        } else if line.contains(TIME) {
            let Some(time) = number_after(&line, TIME) else {
                return Err(StepsProblem::for_line(at + 1, "the step has no time in milliseconds"));
            };
            let Some(run) = all.last_mut() else {
                let reason = "steps before any arguments: the log has to begin with those";
                return Err(StepsProblem::for_line(at + 1, reason));
            };
            run.times.push(time * MILLI);
        }
    }
    let several = all.len() > 1;
    let named = |(place, run): (usize, RunInProgress)| {
        run.finish_run(&if several { format!("run {}", place + 1) } else { "the log".to_owned() })
    };
    all.into_iter().enumerate().map(named).collect()
}

/// Name and value of a line such as `  micro_batch_size ................ 1`, after any prefix.
fn parse_argument(line: &str) -> Option<(&str, &str)> {
    let (before, after) = line.split_once(" ..")?;
    let name = before.split_whitespace().next_back()?;
    let value = after.trim_start_matches('.').trim();
    (!value.is_empty()).then_some((name, value))
}

/// Turns the arguments of a run into keys of a spec.
fn derive_spec_keys(run: &mut RunInProgress) {
    let arguments = std::mem::take(&mut run.settings);
    let read = |name: &str| {
        let found = arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        found.filter(|value| *value != "None")
    };
    let is = |name: &str| read(name) == Some("True");
    for (name, key) in KEYS {
        if let Some(value) = read(name) {
            run.set_key(key, value);
        }
    }
    for (name, key) in SWITCHES {
        if let Some(value) = read(name) {
            run.set_key(key, if value == "True" { "true" } else { "false" });
        }
    }
    if let Some(groups) = read("num_query_groups").filter(|_| is("group_query_attention")) {
        run.set_key("model.kv_heads", groups);
    } else if let Some(heads) = read("num_attention_heads") {
        run.set_key("model.kv_heads", heads);
    }
    if let Some(value) = read("untie_embeddings_and_output_weights") {
        run.set_key("model.tied_embeddings", value != "True");
    }
    if let Some(ffn) = read("moe_ffn_hidden_size").filter(|_| read("num_experts").is_some()) {
        run.set_key("model.moe.ffn", ffn);
    }
    if read("use_distributed_optimizer").is_some() {
        run.set_key("parallelism.zero", u8::from(is("use_distributed_optimizer")));
    }
    let narrow =
        read("fp8").map(|_| if read("fp8_recipe") == Some("mxfp8") { "mxfp8" } else { "fp8" });
    let wide = || ["bf16", "fp16"].into_iter().find(|name| is(name));
    if let Some(precision) = narrow.or_else(wide) {
        run.set_key("training.precision", precision);
    }
    if arguments.iter().any(|(name, _)| name == "recompute_granularity") {
        run.set_key("training.recompute", read("recompute_granularity").unwrap_or("none"));
    }
}
