//! The log of a run of torchtitan as the tables that its TOML has: the model with its arguments, the
//! mesh, the batch.

use toml::{Table, Value as Toml};

use crate::import::flavors::llama_width;
use crate::import::problems::ImportProblem;

/// What stands before the model's name, and before its arguments.
const MODEL: &str = "Building ";
const ARGUMENTS: &str = "ModelArgs(";
const MESH: &str = "-D device mesh with ";
const BATCH: &str = "local batch size ";

/// Names of the mesh, with the degrees that they are.
const DEGREES: [(&str, &str); 5] = [
    ("dp_replicate", "data_parallel_replicate_degree"),
    ("dp_shard", "data_parallel_shard_degree"),
    ("tp", "tensor_parallel_degree"),
    ("pp", "pipeline_parallel_degree"),
    ("cp", "context_parallel_degree"),
];

/// What is said where linear layers get a narrow format, with the converter that does it.
const SWAPPED: [(&str, &str); 2] =
    [("Swapped to Float8Linear", "float8"), ("Swapped to MXLinear", "mx")];

/// Keys of the model with their sizes; may be empty.
type Shape = Vec<(&'static str, u64)>;

/// Whether a text is such a log.
pub(super) fn is_log(text: &str) -> bool {
    text.lines().any(|line| line.contains(MODEL) && line.contains(ARGUMENTS))
}

/// The tables of the log, and the shape where its arguments have one.
///
/// # Errors
/// Where the mesh has a direction that is not known.
pub(super) fn parse_log(text: &str) -> Result<(Table, Shape), ImportProblem> {
    let mut tables = Table::new();
    let mut put = |section: &str, key: &str, value: Toml| {
        let table = tables.entry(section).or_insert_with(|| Toml::Table(Table::new()));
        if let Some(table) = table.as_table_mut() {
            table.insert(key.to_owned(), value);
        }
    };
    let mut shape = Vec::new();
    let mut mode = "none";
    put("parallelism", "data_parallel_shard_degree", Toml::Integer(1));
    for line in text.lines() {
        if let Some((before, arguments)) = line.split_once(ARGUMENTS)
            && let Some((_, named)) = before.split_once(MODEL)
        {
            let mut words = named.split_whitespace();
            let (model, flavor) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            put("model", "name", Toml::String(model.to_owned()));
            put("model", "flavor", Toml::String(flavor.to_owned()));
            let plain = ["llama2", "llama3"].contains(&model);
            shape = shape_of_arguments(arguments).filter(|_| plain).unwrap_or_default();
        }
        if let Some((_, mesh)) = line.split_once(MESH)
            && let Some((names, degrees)) = mesh.split_once("], [")
        {
            let bare = |text: &str| text.trim_matches(['[', ']', ' ', '\'', '.']).to_owned();
            for (name, degree) in names.split(',').map(bare).zip(degrees.split(',').map(bare)) {
                let key = DEGREES.iter().find(|(known, _)| *known == name);
                match (key, degree.parse()) {
                    (Some((_, key)), Ok(degree)) => put("parallelism", key, Toml::Integer(degree)),
                    (None, Ok(1)) => {}
                    _ => {
                        let (key, value) = ("device mesh".to_owned(), format!("`{name}`"));
                        let wanted = "of dp_replicate, dp_shard, tp, pp and cp";
                        return Err(ImportProblem::Value { key, value, wanted });
                    }
                }
            }
        }
        for (lead, key) in [
            (BATCH, "local_batch_size"),
            ("global batch size ", "global_batch_size"),
            ("sequence length ", "seq_len"),
            ("total steps ", "steps"),
        ] {
            if let (true, Some(number)) = (line.contains(BATCH), number_behind(line, lead)) {
                put("training", key, Toml::Integer(number.cast_signed()));
            }
        }
        for (lead, converter) in SWAPPED {
            if line.contains(lead) {
                let list = vec![Toml::String(converter.to_owned())];
                put("model", "converters", Toml::Array(list));
            }
        }
        for kind in ["selective", "full"] {
            if line.contains(&format!("Applied {kind} activation checkpointing")) {
                mode = kind;
            }
        }
    }
    put("activation_checkpoint", "mode", Toml::String(mode.to_owned()));
    Ok((tables, shape))
}

/// The shape of a Llama by its arguments; `None` where one is missing.
fn shape_of_arguments(text: &str) -> Option<Shape> {
    let word = |name: &str| {
        let named =
            |part: &'_ str| part.trim().strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
        text.split([',', ')']).find_map(named)
    };
    let get = |name: &str| word(name)?.parse::<u64>().ok().filter(|number| *number > 0);
    let (hidden, heads, multiple) = (get("dim")?, get("n_heads")?, get("multiple_of")?);
    let factor = word("ffn_dim_multiplier").and_then(|text| text.parse::<f64>().ok());
    Some(vec![
        ("layers", get("n_layers")?),
        ("hidden", hidden),
        ("heads", heads),
        ("kv_heads", get("n_kv_heads").unwrap_or(heads)),
        ("ffn", llama_width(hidden as f64, multiple as f64, factor) as u64),
        ("vocab", get("vocab_size")?),
    ])
}

/// The whole number behind a text, at its first place.
fn number_behind(line: &str, lead: &str) -> Option<u64> {
    let (_, rest) = line.split_once(lead)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
