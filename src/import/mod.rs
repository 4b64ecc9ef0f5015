//! Files of others in, a spec out: configurations of models and of training stacks as the text of a
//! spec. No I/O, and no reading of specs: what comes out is TOML for a person to look through. What
//! a file does not say is written down as assumed, and what a spec can't say as lost; neither is
//! left out in silence.

mod deepspeed;
mod draft;
mod flavors;
mod hugging_face;
mod layers;
mod megatron;
mod problems;
mod questions;
mod shell;
mod shorten;
mod torchtitan;
mod vocabulary;

pub use draft::{Draft, UserChoices};
pub use problems::ImportProblem;
pub use questions::Question;
pub use shell::{Command, Evaluation, Hole, HoleKind, Holes, Place, ScriptInput, evaluate_script};

/// The draft of a spec that a text makes, whatever its format, with nothing beside it.
///
/// # Errors
/// Where the text is in no known format, says what no spec can say, or leaves something open.
pub fn import_text(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    import_file(text, "script.sh", wanted, &|_| None)
}

/// The draft of a spec that a file makes; `read_file` has the texts of files beside it, by their
/// paths below its folder.
///
/// # Errors
/// As those of [`import_text`].
pub fn import_file(
    text: &str,
    name: &str,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Draft, ImportProblem> {
    let made = read_draft(text, name, wanted, read_file);
    made.map(shorten::shorten_draft).map_err(shorten::shorten_problem)
}

fn read_draft(
    text: &str,
    name: &str,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Draft, ImportProblem> {
    let plain = deepspeed::strip_comments(text);
    if plain.trim_start().starts_with('{') {
        return match serde_json::from_str(&plain) {
            Ok(serde_json::Value::Object(file)) if deepspeed::is_deepspeed(&file) => {
                deepspeed::import_deepspeed(&file, wanted)
            }
            _ => hugging_face::import_hugging_face(text, wanted),
        };
    }
    if megatron::is_bridge(text) {
        return megatron::import_bridge(text, wanted);
    }
    if torchtitan::is_torchtitan(text) {
        return torchtitan::import_torchtitan(text, wanted);
    }
    if let Some(draft) = megatron::import_recipe(text, wanted, read_file)? {
        return Ok(draft);
    }
    if megatron::is_printed(text) {
        return megatron::import_printed(text, wanted);
    }
    let script = megatron::import_script(text, name, wanted, read_file)?;
    script.ok_or_else(|| ImportProblem::Format { reason: describe_unknown(text, name) })
}

/// What a file looks like that is in no known format.
fn describe_unknown(text: &str, name: &str) -> String {
    const TIMES: [&str; 5] =
        [":::MLLOG", "elapsed time per iteration", "train_step_timing", "tps: ", "NCCL INFO"];
    if TIMES.iter().any(|words| text.contains(words)) {
        return ": it is a log without a model, whose times `planner calibrate` reads".to_owned();
    }
    let is_yaml = name.ends_with(".yaml") || name.ends_with(".yml");
    match is_yaml.then(|| megatron::yaml_keys(text)).flatten() {
        Some(keys) => format!(": no training stack has the keys {keys}"),
        None => String::new(),
    }
}

/// Whether a text is the configuration of a model rather than a spec: an object of JSON that names
/// its type or its class. For whoever reads a spec and finds something else.
#[must_use]
pub fn is_foreign(text: &str) -> bool {
    let keys = ["\"model_type\"", "\"architectures\""];
    text.trim_start().starts_with('{') && keys.iter().any(|key| text.contains(key))
}
