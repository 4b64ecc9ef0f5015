//! A `config.json` of Hugging Face transformers as a draft.

mod approximations;
mod config;
mod experts;
mod families;
mod layer_kinds;

use serde_json::{Map, Value};

use super::draft::{self, Draft, UserChoices};
use super::problems::ImportProblem;
use config::Config;

/// Defaults of the configuration classes, by `model_type`: the keys that are read here. Written by
/// tests/import/make.py from the package of that version.
const CLASSES: &str = include_str!("classes.json");

/// The draft that a configuration makes.
pub(super) fn import_hugging_face(
    text: &str,
    wanted: &UserChoices,
) -> Result<Draft, ImportProblem> {
    let reason = |reason: String| ImportProblem::Format { reason };
    let file: Value = serde_json::from_str(&without_infinity(text))
        .map_err(|error| reason(format!(": as JSON it fails with {error}")))?;
    let Value::Object(file) = file else {
        return Err(reason(": it is no object of JSON".to_owned()));
    };
    let typed = file.get("model_type").and_then(Value::as_str);
    let class = || file.get("architectures")?.get(0)?.as_str();
    let Some(outer) = typed.or_else(|| families::family_of_class(class()?)) else {
        let known = "neither a `model_type` nor one of `architectures` that is known";
        return Err(reason(format!(": it has {known}")));
    };
    let classes: Map<String, Value> = serde_json::from_str(CLASSES).unwrap_or_default();
    let inner = file.get("text_config").and_then(Value::as_object);
    let own = inner.and_then(|inner| inner.get("model_type")).and_then(Value::as_str);
    let tower = families::tower_family(own.unwrap_or(outer));
    if let Some(reason) = families::refusal_reason(&tower) {
        return Err(ImportProblem::Refused { name: tower, reason });
    }
    let name = families::base_family(&tower);
    let Some(family) = families::model_family(name) else {
        return Err(ImportProblem::Family { name: tower });
    };
    let adapt = approximations::find_approximation(&tower);
    if adapt.is_some() && !wanted.approximate {
        return Err(ImportProblem::Approximate { name: tower });
    }
    let defaults_of = if classes.contains_key(&tower) { tower.as_str() } else { name };
    let class = classes.get(defaults_of).and_then(Value::as_object);
    let config = Config::new(inner.unwrap_or(&file), class);
    let title = wanted.name.clone().unwrap_or_else(|| config_title(&file, &tower));
    let mut draft = Draft::new(format!("a Hugging Face configuration of {outer}"), title);
    let tied = inner.and_then(|_| file.get("tie_word_embeddings")).and_then(Value::as_bool);
    let pattern = layer_kinds::hybrid_pattern(&config, &tower)?;
    let layers = pattern.as_ref().map(layer_kinds::HybridPattern::layers);
    let shape = config::write_shape(&config, &tower, family, layers, tied, &mut draft)?;
    write_sequence(&config, wanted, &mut draft)?;
    match &pattern {
        None => {
            experts::write_experts(&config, &tower, shape.layers, shape.ffn, &mut draft)?;
            let layers = shape.layers;
            let approximated = adapt.is_some();
            layer_kinds::write_windows(&config, &tower, family, layers, approximated, &mut draft)?;
        }
        Some(pattern) => {
            layer_kinds::write_hybrid(&config, &tower, pattern, &mut draft)?;
            if pattern.has_letter('E') {
                config.required_count(&experts::EXPERTS)?;
                experts::write_experts_of_pattern(&config, &tower, shape.ffn, &mut draft)?;
            }
        }
    }
    if let Some(adapt) = adapt {
        adapt(&config, &mut draft)?;
        draft.write_approximation();
    }
    if inner.is_some() || file.contains_key("vision_config") {
        draft
            .lost
            .push("what stands beside the language model (`text_config` alone is read)".into());
    }
    let taken = config.keys_from_class_defaults();
    if !taken.is_empty() {
        let version = classes.get("transformers").and_then(Value::as_str).unwrap_or_default();
        draft.assumed.push(format!(
            "{}: the file lacks them; defaults of {defaults_of} in transformers {version}",
            taken.join(", ")
        ));
    }
    draft.unread = config.unread_keys();
    draft::put_usual_run(wanted, &mut draft);
    Ok(draft)
}

/// A text without the numbers that Python writes into JSON and JSON does not have: they become null.
fn without_infinity(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // What stands in quotes is every second part, but for quotes behind a backslash.
    let (mut quoted, mut rest) = (false, text);
    while !rest.is_empty() {
        let stop = match quoted {
            true => rest
                .char_indices()
                .scan(false, |escaped, (at, c)| {
                    let ends = c == '"' && !*escaped;
                    *escaped = c == '\\' && !*escaped;
                    Some((at, ends))
                })
                .find(|(_, ends)| *ends)
                .map_or(rest.len(), |(at, _)| at),
            false => rest.find('"').unwrap_or(rest.len()),
        };
        let (part, behind) = rest.split_at(stop);
        match quoted {
            true => out.push_str(part),
            false => out.push_str(
                &part
                    .replace("-Infinity", "null")
                    .replace("Infinity", "null")
                    .replace("NaN", "null"),
            ),
        }
        if let Some(behind) = behind.strip_prefix('"') {
            out.push('"');
            quoted = !quoted;
            rest = behind;
        } else {
            rest = "";
        }
    }
    out
}

/// The name that a configuration has for itself, or else its family's.
fn config_title(file: &Map<String, Value>, family: &str) -> String {
    let path = file.get("_name_or_path").and_then(Value::as_str).unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if last.is_empty() { family.to_owned() } else { last.to_owned() }
}

/// The length of training sequences: a configuration only bounds it.
fn write_sequence(
    config: &Config<'_>,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    /// Tokens of a sequence in most published pre-training runs since 2024.
    const USUAL: u64 = 8192;
    let keys =
        ["max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length"];
    let most = config.optional_count(&keys)?;
    let usual = most.unwrap_or(USUAL).min(USUAL);
    let comment = match most {
        Some(most) => format!("the length of training sequences; the model takes up to {most}"),
        None => "the length of training sequences".to_owned(),
    };
    let stated = wanted.sequence.map(draft::DraftValue::Count);
    draft.put_or_assume("model", "sequence", stated, draft::DraftValue::Count(usual), &comment);
    Ok(())
}
