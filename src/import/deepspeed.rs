//! DeepSpeed's JSON file as a draft. The model and its sequences are the training script's.

use serde_json::{Map, Value as Json};

use super::draft::{self, Draft, DraftValue, UserChoices, whole_number};
use super::problems::ImportProblem;

/// What is told as lost where states, weights or shards stand elsewhere than a spec says.
pub(super) const STATES_ON_HOST: &str = "states on the host (see technique.offload)";
pub(super) const WEIGHTS_ON_HOST: &str = "weights on the host (see technique.swap)";
pub(super) const SHARDS_IN_DOMAIN: &str = "sharding inside a domain";

const TRAINING: &str = "training";
const PARALLEL: &str = "parallelism";
const FRAMEWORK: &str = "framework";
/// The framework preset of DeepSpeed by its own defaults.
const STACK: &str = "deepspeed-2026";

/// Whether an object of JSON is such a file.
pub(super) fn is_deepspeed(file: &Map<String, Json>) -> bool {
    let keys = ["train_batch_size", "train_micro_batch_size_per_gpu", "zero_optimization"];
    // GPT-NeoX has DeepSpeed's keys beside those of its own, which are not read.
    let is_neox = ["num_layers", "num-layers"].iter().any(|key| file.contains_key(*key));
    !is_neox && keys.iter().any(|key| file.contains_key(*key))
}

/// A text without lines of comments, which its reader (Hjson) allows and JSON does not.
pub(super) fn strip_comments(text: &str) -> String {
    let comment =
        |line: &&str| !line.trim_start().starts_with("//") && !line.trim_start().starts_with('#');
    text.lines().filter(comment).collect::<Vec<_>>().join("\n")
}

/// The draft of a file.
pub(super) fn import_deepspeed(
    file: &Map<String, Json>,
    wanted: &UserChoices,
) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "deepspeed".to_owned());
    let mut draft = Draft::new("a configuration of DeepSpeed".to_owned(), name);
    draft::put_preset(wanted, "the file", &mut draft)?;
    let sequence = wanted.sequence.map(DraftValue::Count);
    let comment = "the training script cuts the sequences";
    draft.put_or_assume("model", "sequence", sequence, DraftValue::Count(4096), comment);
    let degree =
        |keys: &[&str]| Ok::<u64, ImportProblem>(nested_count(file, keys)?.unwrap_or(1).max(1));
    let tensor = degree(&["tensor_parallel", "autotp_size"])?;
    let context = degree(&["sequence_parallel_size"])?;
    let pipeline = degree(&["pipeline", "stages"])?;
    let batch = nested_count(file, &["train_batch_size"])?;
    let micro = nested_count(file, &["train_micro_batch_size_per_gpu"])?;
    let steps = nested_count(file, &["gradient_accumulation_steps"])?;
    let replica = tensor.saturating_mul(context).saturating_mul(pipeline);
    let stated = wanted.gpus.map(|gpus| (gpus / replica).max(1));
    let data = match (batch, micro, steps) {
        (Some(batch), Some(micro), Some(steps)) if micro > 0 && steps > 0 => {
            Some(batch / micro.saturating_mul(steps))
        }
        _ => stated,
    };
    // Of batch, micro-batch and accumulation one follows from the other two.
    let micro = micro.or_else(|| Some((batch? / data? / steps.unwrap_or(1).max(1)).max(1)));
    let derived = || micro?.checked_mul(steps.unwrap_or(1))?.checked_mul(data?);
    let usual = batch.or_else(derived).or(wanted.global_batch).map(DraftValue::Count);
    draft.put_or_assume(
        TRAINING,
        "global_batch",
        usual,
        DraftValue::Count(1024),
        "sequences in one step",
    );
    let comment = "sequences of a micro-batch";
    draft.put_or_assume(
        TRAINING,
        "micro_batch",
        micro.map(DraftValue::Count),
        DraftValue::Count(1),
        comment,
    );
    if let (Some(batch), Some(micro), Some(ranks)) = (batch, micro, stated)
        && !batch.is_multiple_of(micro.saturating_mul(ranks))
    {
        return Err(ImportProblem::Value {
            key: "train_batch_size".to_owned(),
            value: batch.to_string(),
            wanted: "a multiple of the micro-batch times the data ranks of `--gpus`",
        });
    }
    let switch_of = |key: &str| nested_value(file, &[key, "enabled"]);
    let on = |key: &str| switch_of(key).and_then(Json::as_bool) == Some(true);
    let left_open = |key: &str| switch_of(key).and_then(Json::as_str) == Some("auto");
    let precision = match () {
        () if on("bf16") => Some("bf16"),
        () if on("fp16") => Some("fp16"),
        () if left_open("bf16") || left_open("fp16") => None,
        () => Some("fp32"),
    };
    let stated = precision.map(|word| DraftValue::Word(word.to_owned()));
    let usual = DraftValue::Word("bf16".to_owned());
    draft.put_or_assume(TRAINING, "precision", stated, usual, "the launcher fills \"auto\" in");
    let kept = nested_count(file, &["pipeline", "activation_checkpoint_interval"])?;
    let recompute = kept
        .filter(|_| pipeline > 1)
        .map(|every| DraftValue::Word(if every > 0 { "full" } else { "none" }.to_owned()));
    let comment = "the model's code decides what is recomputed";
    let none = DraftValue::Word("none".to_owned());
    draft.put_or_assume(TRAINING, "recompute", recompute, none, comment);
    for (key, degree) in [("tensor", tensor), ("pipeline", pipeline), ("context", context)] {
        draft.set_count(PARALLEL, key, degree);
    }
    draft.set_key(FRAMEWORK, "preset", DraftValue::Word(STACK.to_owned()), "");
    let zero = nested_count(file, &["zero_optimization", "stage"])?.unwrap_or(0);
    draft.set_count(PARALLEL, "zero", zero);
    let switch = |key: &str| nested_value(file, &["zero_optimization", key])?.as_bool();
    draft.set_flag(FRAMEWORK, "overlap_data", switch("overlap_comm").unwrap_or(zero == 3));
    if matches!(zero, 1 | 2) {
        let buckets = switch("use_multi_rank_bucket_allreduce").unwrap_or(true);
        draft.set_flag(FRAMEWORK, "bucket_all_reduce", buckets);
    }
    let wide =
        nested_value(file, &["communication_data_type"]).and_then(Json::as_str) == Some("fp32");
    draft.set_count(
        FRAMEWORK,
        "gradient_bytes",
        if wide || precision == Some("fp32") { 4 } else { 2 },
    );
    if context > 1 {
        let ulysses = DraftValue::Word("all-to-all".to_owned());
        draft.set_key(FRAMEWORK, "context_exchange", ulysses, "");
    }
    draft.lost.extend(lost_keys(file));
    let gpus = wanted.gpus.or(data.map(|data| data.saturating_mul(replica))).map(DraftValue::Count);
    let comment = "ranks of one replica; give `--gpus` for all";
    draft.put_or_assume("cluster", "gpus", gpus, DraftValue::Count(replica), comment);
    draft::put_usual_node(wanted, &mut draft);
    Ok(draft)
}

/// What a file says that a spec has no word for.
pub(super) fn lost_keys(file: &Map<String, Json>) -> Vec<String> {
    let mut lost = Vec::new();
    for (key, what) in [("offload_optimizer", STATES_ON_HOST), ("offload_param", WEIGHTS_ON_HOST)] {
        let device =
            nested_value(file, &["zero_optimization", key, "device"]).and_then(Json::as_str);
        if device.is_some_and(|device| device != "none") {
            lost.push(format!("zero_optimization.{key}: {what}"));
        }
    }
    for key in ["zero_hpz_partition_size", "mics_shard_size"] {
        if nested_value(file, &["zero_optimization", key])
            .and_then(Json::as_i64)
            .is_some_and(|count| count > 1)
        {
            lost.push(format!("zero_optimization.{key}: {SHARDS_IN_DOMAIN}"));
        }
    }
    lost
}

fn nested_value<'a>(file: &'a Map<String, Json>, keys: &[&str]) -> Option<&'a Json> {
    let (first, rest) = keys.split_first()?;
    rest.iter().try_fold(file.get(*first)?, |value, key| value.as_object()?.get(*key))
}

/// A whole number; `auto`, which a launcher fills in, is none.
fn nested_count(file: &Map<String, Json>, keys: &[&str]) -> Result<Option<u64>, ImportProblem> {
    match nested_value(file, keys) {
        None => Ok(None),
        Some(value) if value.as_str() == Some("auto") => Ok(None),
        Some(value) => whole_number(value).map(Some).ok_or_else(|| ImportProblem::Value {
            key: keys.join("."),
            value: value.to_string(),
            wanted: "a whole number",
        }),
    }
}
