//! A configuration of torchtitan as a draft: TOML up to 0.2, fields set in Python or by flags
//! since. The model is a name in it, whose shape it does not say.

mod log;
mod python;

use toml::{Table, Value as Toml};

use super::draft::{self, Draft, DraftValue, UserChoices};
use super::flavors;
use super::problems::ImportProblem;

const TRAINING: &str = "training";
const PARALLEL: &str = "parallelism";
const FRAMEWORK: &str = "framework";

/// Most ranks in one direction; more are no layout.
const MOST_RANKS: u64 = 1 << 20;

/// Whether a text is such a file.
pub(super) fn is_torchtitan(text: &str) -> bool {
    let read = |table: &Table, section: &str, key: &str| {
        table.get(section).and_then(Toml::as_table).is_some_and(|inner| inner.contains_key(key))
    };
    log::is_log(text)
        || python::is_python(text)
        || text.parse::<Table>().is_ok_and(|file| {
            let batch = ["local_batch_size", "batch_size"];
            let degrees = ["tensor_parallel_degree", "data_parallel_shard_degree"];
            batch.iter().any(|key| read(&file, "training", key))
                || degrees
                    .iter()
                    .any(|key| read(&file, "parallelism", key) || read(&file, "training", key))
                || read(&file, "model", "flavor")
        })
}

/// The file, with what was read of it.
struct TorchtitanFile {
    tables: Table,
    /// It is of 0.3 or later.
    python: bool,
}

impl TorchtitanFile {
    fn get(&self, section: &str, key: &str) -> Option<&Toml> {
        self.tables.get(section)?.as_table()?.get(key)
    }

    fn integer_value(&self, section: &str, key: &str, usual: i64) -> Result<i64, ImportProblem> {
        let Some(value) = self.get(section, key) else { return Ok(usual) };
        value.as_integer().ok_or_else(|| ImportProblem::Value {
            key: format!("{section}.{key}"),
            value: value.to_string(),
            wanted: "a whole number",
        })
    }

    fn positive_value(&self, section: &str, key: &str, usual: i64) -> Result<u64, ImportProblem> {
        match self.integer_value(section, key, usual)? {
            value @ 1.. => Ok(value.unsigned_abs()),
            value => Err(ImportProblem::Value {
                key: format!("{section}.{key}"),
                value: value.to_string(),
                wanted: "a whole number from 1",
            }),
        }
    }

    fn parallel_degree(&self, key: &str) -> Result<u64, ImportProblem> {
        Ok(self.positive_value("parallelism", key, 1)?.min(MOST_RANKS))
    }

    fn text_value(&self, section: &str, key: &str) -> &str {
        self.get(section, key).and_then(Toml::as_str).unwrap_or_default()
    }
}

/// The draft of a file.
pub(super) fn import_torchtitan(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "torchtitan".to_owned());
    let mut draft = Draft::new("a configuration of torchtitan".to_owned(), name);
    let file = if log::is_log(text) {
        let (tables, shape) = log::parse_log(text)?;
        shape.into_iter().for_each(|(key, value)| draft.set_count("model", key, value));
        TorchtitanFile { tables, python: false }
    } else if python::is_python(text) {
        if text.contains("Flux") {
            let (name, reason) = ("flux".to_owned(), PICTURES);
            return Err(ImportProblem::Refused { name, reason });
        }
        let (tables, lost) = python::parse_tables(&python::chosen_function(text, wanted.line)?);
        draft.lost.extend(lost);
        TorchtitanFile { tables, python: true }
    } else {
        let tables = text.parse::<Table>().map_err(|error| ImportProblem::Format {
            reason: format!(": as TOML it fails with {}", error.message()),
        })?;
        TorchtitanFile { tables, python: false }
    };
    let file = renamed_file(file)?;
    refuse_models(&file)?;
    let (model, flavor) = (file.text_value("model", "name"), file.text_value("model", "flavor"));
    let layers = match &wanted.preset {
        // The log of a run has the shape itself.
        None if !draft.entries.is_empty() => {
            draft.set_flag("model", "gated_ffn", true);
            draft.set_flag("model", "tied_embeddings", false);
            None
        }
        None if flavors::write_flavor(model, flavor, &mut draft) => {
            flavors::flavor_layers(model, flavor)
        }
        None => {
            let looked = match format!("{model} {flavor}").trim() {
                "" => "the file, where a registry makes it".to_owned(),
                named => format!("the file, and `{named}` is not known"),
            };
            draft::put_preset(wanted, &looked, &mut draft)?;
            None
        }
        Some(_) => {
            draft.entries.clear();
            draft::put_preset(wanted, "", &mut draft)?;
            wanted.layers
        }
    };
    let wanted = &UserChoices { layers, ..wanted.clone() };
    let sequence = file.integer_value("training", "seq_len", 2048)?.unsigned_abs();
    draft.set_count("model", "sequence", sequence);
    write_run(&file, wanted, sequence, &mut draft)?;
    draft::put_usual_node(wanted, &mut draft);
    Ok(draft)
}

/// Keys of older releases: the section and name that each had, and those that it has in 0.2.
const OLDER: [(&str, &str, &str, &str); 14] = [
    ("training", "batch_size", "training", "local_batch_size"),
    ("training", "data_parallel_shard_degree", "parallelism", "data_parallel_shard_degree"),
    ("training", "data_parallel_replicate_degree", "parallelism", "data_parallel_replicate_degree"),
    ("training", "data_parallel_degree", "parallelism", "data_parallel_shard_degree"),
    ("training", "tensor_parallel_degree", "parallelism", "tensor_parallel_degree"),
    ("experimental", "pipeline_parallel_degree", "parallelism", "pipeline_parallel_degree"),
    ("experimental", "pipeline_parallel_schedule", "parallelism", "pipeline_parallel_schedule"),
    ("experimental", "context_parallel_degree", "parallelism", "context_parallel_degree"),
    (
        "experimental",
        "context_parallel_rotate_method",
        "parallelism",
        "context_parallel_rotate_method",
    ),
    ("experimental", "enable_async_tensor_parallel", "parallelism", "enable_async_tensor_parallel"),
    ("training", "fsdp_reshard_after_forward", "parallelism", "fsdp_reshard_after_forward"),
    ("training", "enable_async_tensor_parallel", "parallelism", "enable_async_tensor_parallel"),
    ("training", "context_parallel_degree", "parallelism", "context_parallel_degree"),
    ("training", "pipeline_parallel_degree", "parallelism", "pipeline_parallel_degree"),
];

/// The file with the keys of 0.2. Two keys of one thing are an error.
fn renamed_file(mut file: TorchtitanFile) -> Result<TorchtitanFile, ImportProblem> {
    for (section, key, new_section, new_key) in OLDER {
        let table = file.tables.get_mut(section).and_then(Toml::as_table_mut);
        let Some(value) = table.and_then(|table| table.remove(key)) else { continue };
        let table = file.tables.entry(new_section).or_insert_with(|| Toml::Table(Table::new()));
        let Some(table) = table.as_table_mut() else { continue };
        if let Some(other) = table.get(new_key).filter(|other| **other != value) {
            return Err(ImportProblem::Value {
                key: format!("{section}.{key}"),
                value: value.to_string(),
                wanted: if other.is_integer() {
                    "the same as its newer name"
                } else {
                    "stated once"
                },
            });
        }
        table.insert(new_key.to_owned(), value);
    }
    Ok(file)
}

/// Models that are no language models.
const PICTURES: &str = "it makes or reads pictures";

fn refuse_models(file: &TorchtitanFile) -> Result<(), ImportProblem> {
    let name = file.text_value("model", "name");
    let pictures = ["flux", "vlm", "multimodal"].iter().any(|part| name.contains(part));
    let sections =
        ["encoder", "inference"].iter().any(|section| file.tables.contains_key(*section));
    if pictures || sections || file.get("training", "img_size").is_some() {
        return Err(ImportProblem::Refused { name: name.to_owned(), reason: PICTURES });
    }
    Ok(())
}

fn write_run(
    file: &TorchtitanFile,
    wanted: &UserChoices,
    sequence: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let tensor = file.parallel_degree("tensor_parallel_degree")?;
    let pipeline = file.parallel_degree("pipeline_parallel_degree")?;
    let context = file.parallel_degree("context_parallel_degree")?;
    let replica = tensor.saturating_mul(pipeline).saturating_mul(context);
    let replicate = file.parallel_degree("data_parallel_replicate_degree")?;
    let shard = match file.integer_value("parallelism", "data_parallel_shard_degree", -1)? {
        // All that the others leave.
        -1 => wanted.gpus.map(|gpus| (gpus / replica.saturating_mul(replicate)).max(1)),
        _ => Some(file.parallel_degree("data_parallel_shard_degree")?),
    };
    let least = least_shards(file, tensor * context)? * replicate;
    let data = shard.map(|shard| shard * replicate);
    let local = file.positive_value("training", "local_batch_size", 8)?;
    let batch = match file.integer_value("training", "global_batch_size", -1)? {
        -1 => data.map(|data| local.saturating_mul(data)),
        batch => Some(batch.unsigned_abs()),
    };
    let batch = wanted.global_batch.or(batch);
    let steps = file.integer_value("training", "steps", 10_000)?.unsigned_abs();
    let key = (TRAINING, "global_batch");
    draft.put_or_assume(
        key.0,
        key.1,
        batch.map(DraftValue::Count),
        DraftValue::Count(local.saturating_mul(least)),
        "a local batch of each data rank; give `--gpus` for all",
    );
    // Before 0.2 their number was stated, and was that of the stages where it was not.
    let cut =
        file.integer_value("experimental", "pipeline_parallel_microbatches", 0)?.unsigned_abs();
    let micro = match cut {
        0 => file
            .integer_value("parallelism", "pipeline_parallel_microbatch_size", 1)?
            .unsigned_abs(),
        cut => (local / cut).max(1),
    };
    if file.text_value("fault_tolerance", "semi_sync_method") == "diloco" {
        draft.lost.push("fault_tolerance.semi_sync_method = diloco: the outer step".to_owned());
    }
    draft.set_count(TRAINING, "micro_batch", if pipeline > 1 { micro } else { local });
    if let Some(tokens) = batch.and_then(|count| count.checked_mul(sequence)?.checked_mul(steps)) {
        draft.set_key(TRAINING, "tokens", DraftValue::Word(tokens.to_string()), "");
    }
    draft.set_key(TRAINING, "precision", DraftValue::Word(precision_name(file).to_owned()), "");
    let every = file.get("activation_checkpoint", "selective_ac_option").map(Toml::to_string);
    let every = every
        .map(|text| text.trim_matches('"').to_owned())
        .filter(|text| text.parse::<u64>().is_ok());
    let recompute = match file.text_value("activation_checkpoint", "mode") {
        "none" => "none",
        "full" => "full",
        // Whole layers, but not all of them.
        "selective" if every.as_deref() == Some("1") => "full",
        "selective" | "" if every.is_some() => {
            let every = every.unwrap_or_default();
            draft.lost.push(format!(
                "activation_checkpoint.selective_ac_option = {every}: every {every}th layer whole; here selective in all"
            ));
            "selective"
        }
        "memory_budget" => {
            draft
                .lost
                .push("activation_checkpoint.mode = memory_budget: taken as selective".into());
            "selective"
        }
        _ => "selective",
    };
    draft.set_key(TRAINING, "recompute", DraftValue::Word(recompute.to_owned()), "");
    for (key, degree) in [("tensor", tensor), ("pipeline", pipeline), ("context", context)] {
        draft.set_count(PARALLEL, key, degree);
    }
    let expert = file.parallel_degree("expert_parallel_degree")?;
    if file.get("parallelism", "expert_parallel_degree").is_some() {
        draft.set_count(PARALLEL, "expert", expert);
        draft.set_count(
            PARALLEL,
            "expert_tensor",
            file.parallel_degree("expert_tensor_parallel_degree")?,
        );
    }
    // Up to 0.2 sequence parallelism always comes with it.
    let split = file.get("parallelism", "enable_sequence_parallel").and_then(Toml::as_bool);
    draft.set_flag(PARALLEL, "sequence_parallel", tensor > 1 && split.unwrap_or(true));
    write_schedule(file, wanted, pipeline, draft)?;
    let zero = match (shard, file.text_value("parallelism", "fsdp_reshard_after_forward")) {
        (Some(1), _) => 0,
        (_, "always") => 3,
        (_, "never") => 2,
        _ if pipeline > 1 => 2,
        _ => 3,
    };
    draft.set_count(PARALLEL, "zero", zero);
    if zero > 0 && replicate > 1 {
        let sharing = shard.map(DraftValue::Count);
        let comment = "replicas that share one copy of the parameters (HSDP); give `--gpus`";
        draft.put_or_assume(PARALLEL, "shard", sharing, DraftValue::Count(1), comment);
    }
    write_framework(file, context, draft);
    let gpus = wanted.gpus.or(data.map(|data| data.saturating_mul(replica))).map(DraftValue::Count);
    let comment = "the least that hold the layout; `--gpus` states all";
    draft.put_or_assume(
        "cluster",
        "gpus",
        gpus,
        DraftValue::Count(replica.saturating_mul(least)),
        comment,
    );
    Ok(())
}

/// The fewest ranks with a shard each over which all experts go.
fn least_shards(file: &TorchtitanFile, stage: u64) -> Result<u64, ImportProblem> {
    let expert = file.parallel_degree("expert_parallel_degree")?;
    let experts = expert * file.parallel_degree("expert_tensor_parallel_degree")?;
    let holds = |shards: &u64| (shards * stage).is_multiple_of(experts);
    Ok((1..=expert).find(holds).unwrap_or(expert))
}

/// Schedule and virtual stages; how many follows from the layers of a stage, where the model is
/// known.
fn write_schedule(
    file: &TorchtitanFile,
    wanted: &UserChoices,
    pipeline: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let name = match file.text_value("parallelism", "pipeline_parallel_schedule") {
        "" | "1F1B" | "1f1b" => "1f1b",
        "Interleaved1F1B" | "interleaved_1f1b" => "interleaved",
        "GPipe" | "gpipe" => "gpipe",
        "ZBVZeroBubble" | "InterleavedZeroBubble" => {
            draft.lost.push("two stages of a rank under zero-bubble: here one".to_owned());
            "zero-bubble"
        }
        other => {
            draft.lost.push(format!("pipeline_parallel_schedule = {other}: taken as 1f1b"));
            "1f1b"
        }
    };
    if pipeline == 1 {
        return Ok(());
    }
    draft.set_key(PARALLEL, "schedule", DraftValue::Word(name.to_owned()), "");
    if name != "interleaved" {
        return Ok(());
    }
    let each =
        file.integer_value("parallelism", "pipeline_parallel_layers_per_stage", 0)?.unsigned_abs();
    let ends = ["first", "last"].iter().try_fold(0, |sum, end| {
        let key = format!("pipeline_parallel_{end}_stage_less_layers");
        Ok::<u64, ImportProblem>(sum + file.integer_value("parallelism", &key, 1)?.unsigned_abs())
    })?;
    let chunks = match (wanted.layers, each) {
        // What torchtitan does where nothing is said.
        (_, 0) => Some(2),
        (Some(layers), each) => {
            Some((layers.saturating_add(ends).div_ceil(each) / pipeline).max(1))
        }
        (None, _) => None,
    };
    let comment = "virtual stages; they follow from the layers of the model: give `--preset`";
    let key = (PARALLEL, "interleave");
    draft.put_or_assume(key.0, key.1, chunks.map(DraftValue::Count), DraftValue::Count(2), comment);
    Ok(())
}

fn precision_name(file: &TorchtitanFile) -> &'static str {
    let converters = file.get("model", "converters").map(Toml::to_string).unwrap_or_default();
    match () {
        () if converters.contains("float8") => "fp8",
        () if converters.contains("mx") => "mxfp8",
        () if file.text_value("training", "mixed_precision_param") == "float32" => "fp32",
        () => "bf16",
    }
}

fn write_framework(file: &TorchtitanFile, context: u64, draft: &mut Draft) {
    // Gradients are reduced in 32 bits alone.
    draft.set_count(FRAMEWORK, "gradient_bytes", 4);
    let tensor = file.get("parallelism", "enable_async_tensor_parallel").and_then(Toml::as_bool);
    draft.set_flag(FRAMEWORK, "overlap_tensor", tensor.unwrap_or(false));
    if context > 1 {
        let ring = file.text_value("parallelism", "context_parallel_rotate_method") == "alltoall";
        let kind = if ring { "ring" } else { "gather" };
        draft.set_key(FRAMEWORK, "context_exchange", DraftValue::Word(kind.to_owned()), "");
    }
    if file.python {
        let off = file.get("training", "disable_cuda_graphs").and_then(Toml::as_bool);
        let graphs = if off == Some(true) { "none" } else { "full" };
        draft.set_key(FRAMEWORK, "cuda_graphs", DraftValue::Word(graphs.to_owned()), "");
        return;
    }
    if file.get("parallelism", "expert_parallel_degree").is_some() {
        let fast = file.text_value("parallelism", "expert_parallel_comm_backend") == "deepep";
        let kind = if fast { "hybrid-ep" } else { "all-to-all" };
        draft.set_key(FRAMEWORK, "dispatcher", DraftValue::Word(kind.to_owned()), "");
    }
}
