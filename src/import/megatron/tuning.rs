//! Recipes in YAML of stacks that name their model: verl, LLaMA-Factory, axolotl, Primus. Their keys
//! as Megatron's flags. What their other files have is asked for or told.

use std::collections::BTreeMap;

use serde_json::Value;

use super::flags;
use super::yaml::{Recipe, read_text};
use crate::import::draft::UserChoices;

/// A stack by a key that only its recipes have.
struct Stack {
    telling: &'static str,
    origin: &'static str,
    /// Its keys, with the flags that say the same.
    keys: &'static [(&'static str, &'static str)],
}

const STACKS: [Stack; 3] = [
    Stack {
        telling: "actor_rollout_ref",
        origin: "a recipe of verl",
        keys: &[
            ("actor_rollout_ref.model.path", MODEL),
            ("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", "micro_batch_size"),
            ("actor_rollout_ref.actor.megatron.tensor_model_parallel_size", TENSOR),
            (
                "actor_rollout_ref.actor.megatron.pipeline_model_parallel_size",
                "pipeline_model_parallel_size",
            ),
            ("actor_rollout_ref.actor.megatron.context_parallel_size", "context_parallel_size"),
            (
                "actor_rollout_ref.actor.megatron.expert_model_parallel_size",
                "expert_model_parallel_size",
            ),
            (
                "actor_rollout_ref.actor.megatron.expert_tensor_parallel_size",
                "expert_tensor_parallel_size",
            ),
            (
                "actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size",
                "num_virtual_stages_per_pipeline_rank",
            ),
            ("actor_rollout_ref.actor.ulysses_sequence_parallel_size", "ds_sequence_parallel_size"),
            ("actor_rollout_ref.actor.use_dynamic_bsz", "use_dynamic_batch_size"),
            (
                "actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity",
                "recompute_granularity",
            ),
        ],
    },
    Stack {
        telling: "model_name_or_path",
        origin: "a recipe of LLaMA-Factory",
        keys: &[
            ("model_name_or_path", MODEL),
            ("per_device_train_batch_size", "micro_batch_size"),
            ("gradient_accumulation_steps", "gradient_accumulation_steps"),
            ("cutoff_len", "seq_length"),
            ("bf16", "bf16"),
            ("fp16", "fp16"),
            ("fp8", "fp8_hybrid"),
        ],
    },
    Stack {
        telling: "base_model",
        origin: "a recipe of axolotl",
        keys: &[
            ("base_model", MODEL),
            ("micro_batch_size", "micro_batch_size"),
            ("gradient_accumulation_steps", "gradient_accumulation_steps"),
            ("sequence_len", "seq_length"),
            ("tensor_parallel_size", TENSOR),
            ("expert_parallel_size", "moe_expert_parallel_size"),
            ("dp_replicate_size", "num_distributed_optimizer_instances"),
            ("context_parallel_size", "ds_sequence_parallel_size"),
            ("bf16", "bf16"),
            ("fp16", "fp16"),
            ("fp8", "fp8_hybrid"),
        ],
    },
];
const MODEL: &str = "hf_model";
const TENSOR: &str = "tensor_model_parallel_size";

/// Keys that say that adapters alone are trained, with the words that do not.
const ADAPTERS: [(&str, &[&str]); 4] = [
    ("finetuning_type", &["full"]),
    ("adapter", &[]),
    ("actor_rollout_ref.model.lora_rank", &["0"]),
    ("actor_rollout_ref.model.lora.rank", &["0"]),
];

/// The flags of such a recipe; `None` of any other file.
pub(super) fn read_tuning(
    root: &Value,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Option<Recipe> {
    let stack = STACKS.iter().find(|stack| root.get(stack.telling).is_some())?;
    let get = |path: &str| read_text(root, path);
    let mut recipe = Recipe::new(stack.origin);
    for (path, words) in ADAPTERS {
        if let Some(word) = get(path).filter(|word| !words.contains(&word.as_str())) {
            recipe.other = Some((format!("{path}: {word}"), "trains a part of the model alone"));
        }
    }
    let texts = stack.keys.iter().filter_map(|(path, flag)| Some((*flag, get(path)?)));
    let is_on =
        |(flag, text): &(&str, String)| text != "false" && (text != "auto" || *flag == "bf16");
    recipe.named = texts.filter(is_on).map(|(flag, text)| (flag.to_owned(), text)).collect();
    match stack.telling {
        "actor_rollout_ref" => read_rollouts(root, &mut recipe),
        _ => read_sharding(root, read_file, &mut recipe),
    }
    let own = ["deepspeed", "fsdp", "fsdp_config", "dp_shard_size", "stage", "rl", "defaults"];
    let is_read = |key: &str| {
        own.contains(&key) || stack.keys.iter().any(|(path, _)| path.split('.').next() == Some(key))
    };
    let keys = root.as_object().into_iter().flat_map(|table| table.keys());
    let unread: Vec<&str> = keys
        .map(String::as_str)
        .filter(|key| !is_read(key) && !flags::is_weightless(key))
        .collect();
    if !unread.is_empty() {
        recipe.lost.push(format!("keys that are not read: {}", unread.join(", ")));
    }
    if let Some(key) = unread.iter().find(|key| key.ends_with("_model_parallel_size")) {
        recipe.other = Some(((*key).to_owned(), "is of a back end whose keys are not read"));
    }
    ask_for_missing(wanted, &mut recipe);
    Some(recipe)
}

/// What of verl's keys is made of several.
fn read_rollouts(root: &Value, recipe: &mut Recipe) {
    let get = |path: &str| read_text(root, path);
    let count = |path: &str| get(path)?.parse::<u64>().ok();
    let on = || "true".to_owned();
    let mut put = |name: &str, value: String| drop(recipe.named.insert(name.to_owned(), value));
    if let (Some(prompt), Some(response)) =
        (count("data.max_prompt_length"), count("data.max_response_length"))
    {
        put("seq_length", prompt.saturating_add(response).to_string());
    }
    // Its mini-batch is of prompts.
    let each = count("actor_rollout_ref.rollout.n").unwrap_or(1);
    if let Some(prompts) = count("actor_rollout_ref.actor.ppo_mini_batch_size") {
        put("global_batch_size", prompts.saturating_mul(each).to_string());
    }
    if let (Some(nodes), Some(gpus)) = (count("trainer.nnodes"), count("trainer.n_gpus_per_node")) {
        put("world_size", nodes.saturating_mul(gpus).to_string());
    }
    put("bf16", on());
    let defaults = root.get("defaults").map(Value::to_string).unwrap_or_default();
    let own = get("actor_rollout_ref.actor.strategy").unwrap_or_default();
    let megatron = root.pointer("/actor_rollout_ref/actor/megatron").is_some();
    if own == "megatron" || defaults.contains("megatron") || megatron {
        put("use_distributed_optimizer", on());
    } else {
        put("zero_stage", "3".to_owned());
        recipe.foreign = true;
    }
    if get("actor_rollout_ref.model.enable_gradient_checkpointing").as_deref() == Some("true") {
        put("recompute_granularity", "full".to_owned());
    }
    recipe.lost.push("rollouts, the reference and rewards: the actor alone is in the spec".into());
    if root.get("defaults").is_some() {
        recipe.lost.push("defaults: the files that it names are not read".to_owned());
    }
}

/// How LLaMA-Factory and axolotl share the states of the optimizer, and what they keep.
fn read_sharding(root: &Value, read_file: &dyn Fn(&str) -> Option<String>, recipe: &mut Recipe) {
    let deepspeed = read_text(root, "deepspeed");
    let stage_by_name = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or_default();
        ["z", "zero", "stage"].iter().find_map(|word| {
            let (_, behind) = name.split_once(word)?;
            let digit = behind.trim_start_matches('_').chars().next()?.to_digit(10);
            digit.map(u64::from).filter(|stage| *stage <= 3)
        })
    };
    let stage = |file: &str| {
        let held = read_file(file).and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let own = held.map(|held| held.pointer("/zero_optimization/stage").and_then(Value::as_u64));
        own.map_or_else(|| stage_by_name(file), |stage| Some(stage.unwrap_or(0)))
    };
    let fsdp = ["fsdp", "fsdp_config", "dp_shard_size"].iter().any(|key| root.get(*key).is_some());
    let found = match deepspeed.as_deref() {
        Some(file) => stage(file),
        None if fsdp => Some(3),
        None => {
            let told = "parallelism.zero = 0: a configuration of accelerate may state another";
            recipe.assumed.push(told.to_owned());
            Some(0)
        }
    };
    match found {
        Some(stage) => drop(recipe.named.insert("zero_stage".to_owned(), stage.to_string())),
        None => {
            let file = deepspeed.unwrap_or_default();
            let missing =
                format!("the ZeRO stage stands in `{file}`, which is not below this file");
            recipe.ask(missing, "name that file behind this one");
        }
    }
    let count = |key: &str| read_text(root, key)?.parse::<u64>().ok();
    if let Some(shards) = count("dp_shard_size") {
        let others = ["dp_replicate_size", "tensor_parallel_size", "context_parallel_size"];
        let ranks = others.iter().filter_map(|key| count(key)).fold(shards, u64::saturating_mul);
        recipe.named.insert("world_size".to_owned(), ranks.to_string());
    }
    recipe.foreign = true;
    let is_on = |key: &str| read_text(root, key).is_some_and(|word| word != "false");
    // LLaMA-Factory recomputes whole layers unless it is told not to.
    let recomputes = match root.get("base_model") {
        None => !is_on("disable_gradient_checkpointing"),
        Some(_) => is_on("gradient_checkpointing"),
    };
    if recomputes {
        recipe.named.insert("recompute_granularity".to_owned(), "full".to_owned());
    }
    for key in ["stage", "rl"] {
        if let Some(kind) =
            read_text(root, key).filter(|kind| !["pt", "sft"].contains(&kind.as_str()))
        {
            recipe.lost.push(format!("{key}: {kind}: a reference or a reward beside the model"));
        }
    }
}

/// Asks for what decides a step and is not in the file.
fn ask_for_missing(wanted: &UserChoices, recipe: &mut Recipe) {
    let has = |recipe: &Recipe, name: &str| recipe.named.contains_key(name);
    let batch = has(recipe, "global_batch_size") || has(recipe, "gradient_accumulation_steps");
    if !batch && wanted.global_batch.is_none() {
        recipe.ask("the batch is not in the file".to_owned(), "--global-batch SEQUENCES");
    }
    if !has(recipe, "world_size") && wanted.gpus.is_none() {
        recipe.ask("the GPUs are not in the file".to_owned(), "--gpus N");
    }
    if !has(recipe, "micro_batch_size") {
        let told = "training.micro_batch = 1: the file does not say it".to_owned();
        recipe.assumed.push(told);
    }
}

/// The flags of a recipe of Primus: a module's own keys, and the name of its model.
pub(super) fn read_primus(root: &Value, wanted: &UserChoices) -> Option<Recipe> {
    let module = root.pointer("/modules/pre_trainer")?;
    let mut recipe = Recipe::new("a recipe of Primus");
    if module.get("framework").and_then(Value::as_str) != Some("megatron") {
        let name = "modules.pre_trainer.framework".to_owned();
        recipe.other = Some((name, "is not Megatron, whose keys are read"));
    }
    let mut told = Vec::new();
    let mut own = |text: &str| fill_in_default(text, &wanted.environment, &mut told);
    let overrides = module.get("overrides").and_then(Value::as_object);
    for (key, value) in overrides.into_iter().flatten() {
        let text = match value {
            Value::String(text) => own(text),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let kept = ["use_distributed_optimizer", "bf16"].contains(&key.as_str());
        if let Some(text) = text.filter(|text| text != "null" && (text != "false" || kept)) {
            recipe.named.insert(key.clone(), text);
        }
    }
    if let Some(model) = module.get("model").and_then(Value::as_str).and_then(own) {
        let keys = ["num_layers", "hidden_size", "num_experts", "num_attention_heads"];
        let changed = keys.iter().any(|key| recipe.named.contains_key(*key));
        if changed && wanted.preset.is_none() {
            let missing = format!("the keys change a model whose other sizes stand in `{model}`");
            recipe.ask(missing, "--preset NAME");
        } else if changed {
            recipe.lost.push("overrides: what they change of the model's shape".to_owned());
        }
        recipe.named.retain(|key, _| !keys.contains(&key.as_str()));
        recipe.named.insert(MODEL.to_owned(), model);
    }
    recipe.assumed = told;
    recipe.primus = true;
    Some(recipe)
}

/// A text whose `${NAME:value}` is the user's value, or else the one that stands there.
fn fill_in_default(
    text: &str,
    environment: &BTreeMap<String, String>,
    told: &mut Vec<String>,
) -> Option<String> {
    let Some((before, rest)) = text.split_once("${") else { return Some(text.to_owned()) };
    let (inside, behind) = rest.split_once('}')?;
    let (name, usual) = inside.split_once(':').map_or((inside, None), |(n, u)| (n, Some(u)));
    let stated = environment.get(name).map(String::as_str);
    let value = stated.or(usual)?;
    // Paths and names are many and decide nothing.
    if stated.is_none() && (value.parse::<u64>().is_ok() || behind.ends_with(".yaml")) {
        told.push(format!("{name}={value}: a default of the file; `--env` states another"));
    }
    (!behind.contains("${")).then(|| format!("{before}{value}{behind}"))
}
