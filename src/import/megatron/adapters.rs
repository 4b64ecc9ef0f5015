//! Keys of all stacks that say that a job does not train a whole model: adapters, frozen weights,
//! quantized ones.

use crate::import::problems::ImportProblem;

/// What says so, with what that does.
pub(super) type OtherJob = (String, &'static str);

const PART: &str = "trains a part of the model alone";
const ADAPTERS: &str = "trains adapters of a model alone";
const QUANTIZED: &str = "trains beside weights that are quantized";

/// Keys that say so by any word but one that says no.
const KEYS: [(&str, &str); 22] = [
    ("merge_method", "merges models and trains none"),
    ("finetuning_type", PART),
    ("adapter", ADAPTERS),
    ("use_peft", ADAPTERS),
    ("peft", ADAPTERS),
    ("peft_scheme", ADAPTERS),
    ("model.peft.peft_scheme", ADAPTERS),
    ("tuner_type", ADAPTERS),
    ("train_type", ADAPTERS),
    ("lora_adapter_path", ADAPTERS),
    ("relora_steps", ADAPTERS),
    ("unfrozen_parameters", PART),
    ("freeze_llm", PART),
    ("freeze_parameters_ratio", PART),
    ("actor_rollout_ref.model.lora_rank", ADAPTERS),
    ("actor_rollout_ref.model.lora.rank", ADAPTERS),
    ("actor_rollout_ref.model.lora_adapter_path", ADAPTERS),
    ("use_galore", "keeps the optimizer's states of a projection alone"),
    ("load_in_4bit", QUANTIZED),
    ("load_in_8bit", QUANTIZED),
    ("quantization_bit", QUANTIZED),
    ("task", ADAPTERS),
];

/// Words that say no.
const OFF: [&str; 8] = ["full", "none", "null", "false", "no", "0", "0.0", ""];

/// The first such key, by the text of each.
pub(super) fn find_adapters(get: &dyn Fn(&'static str) -> Option<String>) -> Option<OtherJob> {
    let is_on = |key: &str, word: &str| match key {
        // Other tasks are steps of a training.
        "task" => ["lora", "dora", "peft"].iter().any(|part| word.contains(part)),
        _ => !OFF.contains(&word),
    };
    KEYS.iter().find_map(|(key, reason)| {
        let word = get(key)?;
        is_on(key, &word.to_lowercase()).then(|| (format!("{key}: {word}"), *reason))
    })
}

/// Refuses such a job.
pub(super) fn check_adapters(
    get: &dyn Fn(&'static str) -> Option<String>,
) -> Result<(), ImportProblem> {
    match find_adapters(get) {
        Some((name, reason)) => Err(ImportProblem::Purpose { name, reason }),
        None => Ok(()),
    }
}
