//! A configuration of torchtitan as a draft: TOML up to 0.2, fields set in Python or by flags
//! since. The model is a name in it, whose shape it does not say.

mod python;

use toml::{Table, Value as Toml};

use super::draft::{self, Draft, DraftValue, ImportProblem, UserChoices};

const TRAINING: &str = "training";
const PARALLEL: &str = "parallelism";
const FRAMEWORK: &str = "framework";

/// Whether a text is such a file.
pub(super) fn is_torchtitan(text: &str) -> bool {
    let read = |table: &Table, section: &str, key: &str| {
        table.get(section).and_then(Toml::as_table).is_some_and(|inner| inner.contains_key(key))
    };
    python::is_python(text)
        || text.parse::<Table>().is_ok_and(|file| {
            read(&file, "training", "local_batch_size")
                || read(&file, "parallelism", "tensor_parallel_degree")
                || read(&file, "parallelism", "data_parallel_shard_degree")
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

    fn parallel_degree(&self, key: &str) -> Result<u64, ImportProblem> {
        Ok(self.integer_value("parallelism", key, 1)?.max(1).unsigned_abs())
    }

    fn text_value(&self, section: &str, key: &str) -> &str {
        self.get(section, key).and_then(Toml::as_str).unwrap_or_default()
    }
}

/// The draft of a file.
pub(super) fn import_torchtitan(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "torchtitan".to_owned());
    let mut draft = Draft::new("a configuration of torchtitan".to_owned(), name);
    let file = if python::is_python(text) {
        let (tables, lost) = python::parse_tables(text);
        draft.lost.extend(lost);
        draft.lost.push(
            "the model, which `model_registry` makes: the file does not say its shape".into(),
        );
        TorchtitanFile { tables, python: true }
    } else {
        let tables = text.parse::<Table>().map_err(|error| ImportProblem::Format {
            reason: format!(": as TOML it fails with {}", error.message()),
        })?;
        TorchtitanFile { tables, python: false }
    };
    let model = [file.text_value("model", "name"), file.text_value("model", "flavor")].join(" ");
    if !model.trim().is_empty() {
        draft.lost.push(format!("model `{}`: the file does not say its shape", model.trim()));
    }
    draft::put_usual_preset(wanted, &mut draft);
    let sequence = file.integer_value("training", "seq_len", 2048)?.unsigned_abs();
    draft.set_count("model", "sequence", sequence);
    write_run(&file, wanted, sequence, &mut draft)?;
    draft::put_usual_node(wanted, &mut draft);
    Ok(draft)
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
    let replica = tensor * pipeline * context;
    let replicate = file.parallel_degree("data_parallel_replicate_degree")?;
    let shard = match file.integer_value("parallelism", "data_parallel_shard_degree", -1)? {
        // All that the others leave.
        -1 => wanted.gpus.map(|gpus| (gpus / (replica * replicate)).max(1)),
        degree => Some(degree.unsigned_abs().max(1)),
    };
    let data = shard.map(|shard| shard * replicate);
    let local = file.integer_value("training", "local_batch_size", 8)?.unsigned_abs().max(1);
    let batch = match file.integer_value("training", "global_batch_size", -1)? {
        -1 => data.map(|data| local * data),
        batch => Some(batch.unsigned_abs()),
    };
    let batch = batch.or(wanted.global_batch);
    let steps = file.integer_value("training", "steps", 10_000)?.unsigned_abs();
    let key = (TRAINING, "global_batch");
    draft.put_or_assume(
        key.0,
        key.1,
        batch.map(DraftValue::Count),
        DraftValue::Count(1024),
        "sequences in one step",
    );
    let micro =
        file.integer_value("parallelism", "pipeline_parallel_microbatch_size", 1)?.unsigned_abs();
    draft.set_count(TRAINING, "micro_batch", if pipeline > 1 { micro } else { local });
    if let Some(tokens) = batch.and_then(|count| count.checked_mul(sequence)?.checked_mul(steps)) {
        draft.set_key(TRAINING, "tokens", DraftValue::Word(tokens.to_string()), "");
    }
    draft.set_key(TRAINING, "precision", DraftValue::Word(precision_name(file).to_owned()), "");
    let recompute = match file.text_value("activation_checkpoint", "mode") {
        "none" => "none",
        "full" => "full",
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
    let gpus = wanted.gpus.or(data.map(|data| data * replica)).map(DraftValue::Count);
    let comment = "ranks of one replica; give `--gpus` for all";
    draft.put_or_assume("cluster", "gpus", gpus, DraftValue::Count(replica), comment);
    Ok(())
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
        "" | "1F1B" => "1f1b",
        "Interleaved1F1B" => "interleaved",
        "GPipe" => "gpipe",
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
        (Some(layers), each) => Some(((layers + ends).div_ceil(each) / pipeline).max(1)),
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
