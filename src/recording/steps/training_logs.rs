//! Reads step times from logs of Megatron-LM and torchtitan.

use super::table::{MeasuredRun, StepsProblem};
use crate::units::Seconds;

/// Steps at the start of a run that compile, allocate and fill caches.
const WARM_UP: usize = 3;

/// A run while its lines are read.
#[derive(Default)]
pub(super) struct RunInProgress {
    /// Line at which it begins, from 1.
    line: usize,
    settings: Vec<(String, String)>,
    /// Seconds of its steps, in order.
    times: Vec<f64>,
}

impl RunInProgress {
    /// One that begins at that line.
    pub(super) fn at_line(line: usize) -> Self {
        Self { line, ..Self::default() }
    }

    /// States a key, unless it is stated.
    pub(super) fn set_key(&mut self, key: &str, value: impl ToString) {
        if !self.settings.iter().any(|(text, _)| text == key) {
            self.settings.push((key.to_owned(), value.to_string()));
        }
    }

    /// True where a step was timed.
    pub(super) fn has_steps(&self) -> bool {
        !self.times.is_empty()
    }

    /// Times of further steps, in seconds; none where a line states none.
    pub(super) fn add_steps(&mut self, seconds: impl IntoIterator<Item = f64>) {
        self.times.extend(seconds);
    }

    /// The run, with the median of its steps after the first ones.
    fn finish_run(self, name: &str, first: usize) -> Result<MeasuredRun, StepsProblem> {
        let mut times: Vec<f64> = self.times.into_iter().skip(first).collect();
        times.sort_by(f64::total_cmp);
        let Some(last) = times.len().checked_sub(1) else {
            return Err(StepsProblem::NoSteps { file: String::new(), line: self.line });
        };
        let time = Seconds::from_f64(f64::midpoint(times[last / 2], times[times.len() / 2]));
        let (name, place) = (name.to_owned(), format!("line {}", self.line));
        Ok(MeasuredRun { name, place, time, settings: self.settings })
    }
}

/// All runs of a log, each with the median of its steps after the first ones.
pub(super) fn finish_runs(
    all: impl IntoIterator<IntoIter: ExactSizeIterator<Item = RunInProgress>>,
    first: usize,
) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let all = all.into_iter();
    let several = all.len() > 1;
    let name_of_run =
        |place| if several { format!("run {}", place + 1) } else { "the log".to_owned() };
    all.enumerate().map(|(place, run)| run.finish_run(&name_of_run(place), first)).collect()
}

/// A line without the escape sequences that colour it.
fn strip_prefix_and_colour(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = after.find(|c: char| c.is_ascii_alphabetic()).map_or("", |end| &after[end + 1..]);
    }
    text + rest
}

/// The number that follows those words; separators of thousands are left out.
fn number_after(line: &str, after: &str) -> Option<f64> {
    let rest = line.split_once(after)?.1.trim_start();
    let end = rest.find(|c: char| !matches!(c, '0'..='9' | '.' | ',' | 'e' | 'E' | '+' | '-'));
    let digits = rest[..end.unwrap_or(rest.len())].trim_end_matches([',', '.']);
    digits.replace(',', "").parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0)
}

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
            all.push(RunInProgress::at_line(at + 1));
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
    finish_runs(all, WARM_UP)
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

/// Tokens a second of a GPU, as it is called since 2025 and was before.
const RATES: [&str; 2] = ["tps:", "wps:"];
const MESH: &str = "device mesh with [";
const BATCH: &str = "global batch size";
const SEQUENCE: &str = "sequence length";
const MICRO: &str = "local batch size";
/// Names of a mesh's axes, and the keys of their degrees; replicas and shards together are data
/// parallelism.
const AXES: [(&str, &str); 3] =
    [("pp", "parallelism.pipeline"), ("cp", "parallelism.context"), ("tp", "parallelism.tensor")];

/// Whether it is such a log.
pub(super) fn is_torchtitan_log(text: &str) -> bool {
    text.contains(BATCH) && RATES.iter().any(|rate| text.contains(rate))
}

/// A run with the degrees of its mesh.
struct Titan {
    reading: RunInProgress,
    gpus: f64,
    tokens: f64,
}

/// Its runs: each begins with a mesh.
pub(super) fn torchtitan_runs(text: &str) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let mut all: Vec<Titan> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = strip_prefix_and_colour(line);
        if let Some((_, mesh)) = line.split_once(MESH) {
            // Every rank prints it.
            if all.last().is_none_or(|run| !run.reading.times.is_empty()) {
                all.push(start_run(at + 1, mesh)?);
            }
        } else if let (Some(run), Some(batch), Some(sequence)) =
            (all.last_mut(), number_after(&line, BATCH), number_after(&line, SEQUENCE))
        {
            run.tokens = batch * sequence;
            run.reading.set_key("training.global_batch", batch);
            run.reading.set_key("model.sequence", sequence);
            if let Some(micro) = number_after(&line, MICRO) {
                run.reading.set_key("training.micro_batch", micro);
            }
        } else if let (Some(rate), true) =
            (RATES.iter().find_map(|rate| number_after(&line, rate)), line.contains("step:"))
        {
            let run = all.last_mut().filter(|run| run.tokens > 0.0);
            let Some(run) = run else {
                let reason = "steps before the device mesh and the batch of the run";
                return Err(StepsProblem::for_line(at + 1, reason));
            };
            run.reading.times.push(run.tokens / (rate * run.gpus));
        }
    }
    finish_runs(all.into_iter().map(|run| run.reading), WARM_UP)
}

/// A run on the mesh that follows the words: `'dp_shard', 'tp'], [32, 8]`.
fn start_run(line: usize, mesh: &str) -> Result<Titan, StepsProblem> {
    let unread = || StepsProblem::for_line(line, "the device mesh can't be read");
    let (names, sizes) = mesh.split_once("], [").ok_or_else(unread)?;
    let sizes = sizes.split(']').next().unwrap_or_default();
    let names = names.split(',').map(|name| name.trim().trim_matches('\''));
    let mut reading = RunInProgress::at_line(line);
    let (mut gpus, mut data, mut shards) = (1u64, 1u64, 1u64);
    for (name, size) in names.zip(sizes.split(',')) {
        let size: u64 = size.trim().parse().map_err(|_| unread())?;
        gpus = gpus.checked_mul(size).ok_or_else(unread)?;
        match AXES.iter().find(|(axis, _)| *axis == name) {
            Some((_, key)) => reading.set_key(key, size),
            None if name.starts_with("dp") => {
                data *= size;
                shards *= if name == "dp_shard" || name == "dp" { size } else { 1 };
            }
            None => {
                return Err(StepsProblem::for_line(line, format!("no axis of a mesh is `{name}`")));
            }
        }
    }
    // A mesh has the axes that are longer than one; a spec would leave the others to a search.
    for (_, key) in AXES {
        reading.set_key(key, 1);
    }
    reading.set_key("cluster.gpus", gpus);
    reading.set_key("parallelism.data", data);
    reading.set_key("parallelism.zero", if shards > 1 { 3 } else { 0 });
    if shards > 1 && shards < data {
        reading.set_key("parallelism.shard", shards);
    }
    Ok(Titan { reading, gpus: gpus as f64, tokens: 0.0 })
}
