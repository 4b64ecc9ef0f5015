//! Files of others in, a spec out: configurations of models and of training stacks as the text of a
//! spec. No I/O, and no reading of specs: what comes out is TOML for a person to look through. What
//! a file does not say is written down as assumed, and what a spec can't say as lost; neither is
//! left out in silence.

mod deepspeed;
mod draft;
mod hugging_face;
mod layers;
mod megatron;
mod torchtitan;

pub use draft::{Draft, ImportProblem, UserChoices};

/// The draft of a spec that a file makes, whatever its format.
///
/// # Errors
/// Where the text is in no known format, or says what no spec can say.
pub fn import_text(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
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
    if megatron::is_megatron(text) {
        return megatron::import_megatron(text, wanted);
    }
    if torchtitan::is_torchtitan(text) {
        return torchtitan::import_torchtitan(text, wanted);
    }
    Err(ImportProblem::Format { reason: String::new() })
}

/// Whether a text is the configuration of a model rather than a spec: an object of JSON that names
/// its type. For whoever reads a spec and finds something else.
#[must_use]
pub fn is_foreign(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"model_type\"")
}
