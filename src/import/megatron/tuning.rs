//! Recipes in YAML of stacks that name their model: verl, LLaMA-Factory, axolotl. Their keys as
//! Megatron's flags. What their other files have is asked for or told.

use serde_json::{Map, Value};

use super::adapters::find_adapters;
use super::environment::answer_of;
use super::sharding::read_sharding;
use super::yaml::{Recipe, read_text, write_world_size};
use crate::import::deepspeed::{SHARDS_IN_DOMAIN, STATES_ON_HOST, WEIGHTS_ON_HOST};
use crate::import::draft::UserChoices;

/// A stack by a key of its recipes, and others of which one has to stand beside it.
struct Stack {
    telling: &'static str,
    beside: &'static [&'static str],
    origin: &'static str,
    /// Its keys, with the flags that say the same.
    keys: &'static [(&'static str, &'static str)],
}

const STACKS: [Stack; 3] = [
    Stack {
        telling: "actor_rollout_ref",
        beside: &["actor_rollout_ref"],
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
            ("actor_rollout_ref.actor.megatron.sequence_parallel", "sequence_parallel"),
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
        beside: &["cutoff_len", "finetuning_type", "stage"],
        origin: "a recipe of LLaMA-Factory",
        keys: &[
            ("model_name_or_path", MODEL),
            ("per_device_train_batch_size", "micro_batch_size"),
            ("gradient_accumulation_steps", "gradient_accumulation_steps"),
            ("cutoff_len", "seq_length"),
            ("bf16", "bf16"),
            ("pure_bf16", "bf16"),
            ("fp16", "fp16"),
            ("fp8", "fp8_hybrid"),
        ],
    },
    Stack {
        telling: "base_model",
        beside: &["sequence_len", "datasets", "pretraining_dataset", "sample_packing"],
        origin: "a recipe of axolotl",
        keys: &[
            ("base_model", MODEL),
            ("micro_batch_size", "micro_batch_size"),
            ("gradient_accumulation_steps", "gradient_accumulation_steps"),
            ("sequence_len", "seq_length"),
            ("tensor_parallel_size", TENSOR),
            ("expert_parallel_size", "moe_expert_parallel_size"),
            ("dp_replicate_size", "num_distributed_optimizer_instances"),
            ("sequence_parallel_degree", "ds_sequence_parallel_size"),
            ("context_parallel_size", "ds_sequence_parallel_size"),
            ("bf16", "bf16"),
            ("bfloat16", "bf16"),
            ("fp16", "fp16"),
            ("float16", "fp16"),
            ("fp8", "fp8_hybrid"),
        ],
    },
];
pub(super) const MODEL: &str = "hf_model";
const TENSOR: &str = "tensor_model_parallel_size";

/// Beginnings of keys that decide nothing of a step.
const QUIET: [&str; 26] = [
    "adam_",
    "algorithm",
    "chat_template",
    "custom_reward",
    "data",
    "ddp_timeout",
    "eval",
    "hub_",
    "learning_rate",
    "log",
    "lr_",
    "max_grad_norm",
    "max_samples",
    "num_epochs",
    "num_train_epochs",
    "output_dir",
    "overwrite_",
    "plot_",
    "preprocessing_",
    "report_to",
    "reward_model",
    "save",
    "template",
    "val_",
    "wandb",
    "warmup",
];

/// Keys that are read elsewhere than by a stack's own list.
const READ: [&str; 13] = [
    "deepspeed",
    "fsdp",
    "fsdp_config",
    "dp_shard_size",
    "stage",
    "rl",
    "defaults",
    "trainer",
    "gradient_checkpointing",
    "disable_gradient_checkpointing",
    "finetuning_type",
    "adapter",
    "do_train",
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
    let filled = |path: &str| {
        let value = root.get(path)?;
        let many = value.as_array().map_or(0, Vec::len) + value.as_object().map_or(0, Map::len);
        (many > 0).then(|| "a list".to_owned())
    };
    recipe.other = find_adapters(&|path| get(path).or_else(|| filled(path)));
    if recipe.other.is_some() {
        return Some(recipe);
    }
    // Others name their model by the same key.
    if !stack.beside.iter().any(|key| root.get(*key).is_some()) {
        return None;
    }
    if stack.telling == "model_name_or_path" && get("finetuning_type").is_none() {
        let reason = "is not stated, and adapters are trained where it is not";
        recipe.other = Some(("finetuning_type".to_owned(), reason));
    }
    for (path, flag) in stack.keys {
        match get(path) {
            Some(text) if text != "false" && (text != "auto" || *flag == "bf16") => {
                recipe.named.insert((*flag).to_owned(), text);
            }
            None if *flag == MODEL && wanted.preset.is_some() => {}
            None => ask_for_reference(root, path, &mut recipe),
            Some(_) => {}
        }
    }
    match stack.telling {
        "actor_rollout_ref" => read_rollouts(root, &mut recipe),
        _ => {
            read_sharding(root, read_file, &mut recipe);
            recipe.foreign = true;
            note_precision(root, &mut recipe);
            note_reference(root, &mut recipe);
        }
    }
    note_unread_keys(root, stack, &mut recipe);
    ask_for_missing(wanted, &mut recipe);
    Some(recipe)
}

/// Asks for the value of a key that refers to something that the file does not have.
fn ask_for_reference(root: &Value, path: &str, recipe: &mut Recipe) {
    let value = root.pointer(&format!("/{}", path.replace('.', "/")));
    let open = value.and_then(Value::as_str).filter(|text| text.contains("${"));
    if let Some(text) = open {
        recipe.add_question(
            format!("`{path}` is `{text}`, which the file does not have"),
            &answer_of(text),
        );
    }
}

/// Tells what keys beside those that are read there are.
fn note_unread_keys(root: &Value, stack: &Stack, recipe: &mut Recipe) {
    let is_read = |key: &str| {
        READ.contains(&key)
            || QUIET.iter().any(|start| key.starts_with(start))
            || stack.keys.iter().any(|(path, _)| path.split('.').next() == Some(key))
    };
    let says_no = |value: &Value| value.is_null() || *value == Value::Bool(false);
    let keys = root.as_object().into_iter().flatten();
    let unread: Vec<&str> = keys
        .filter(|(key, value)| !is_read(key) && !says_no(value))
        .map(|(key, _)| key.as_str())
        .collect();
    if !unread.is_empty() {
        recipe.lost.push(format!("keys that are not read: {}", unread.join(", ")));
    }
    if let Some(key) = unread.iter().find(|key| key.ends_with("_model_parallel_size")) {
        recipe.other = Some(((*key).to_owned(), "is of a back end whose keys are not read"));
    }
}

/// Tells a precision that the file does not say, and states that a spec has no word for.
fn note_precision(root: &Value, recipe: &mut Recipe) {
    const KEYS: [&str; 6] = ["bf16", "fp16", "pure_bf16", "bfloat16", "float16", "fp8"];
    let is_stated = |key: &&str| read_text(root, key).is_some_and(|word| word != "auto");
    let is_read =
        ["bf16", "fp16", "fp8_hybrid"].iter().any(|flag| recipe.named.contains_key(*flag));
    if !is_read && !KEYS.iter().any(is_stated) {
        recipe.named.insert("bf16".to_owned(), "true".to_owned());
        recipe.assumed.push("training.precision = bf16: the file does not say it".to_owned());
    }
    for key in ["pure_bf16", "bfloat16"] {
        if read_text(root, key).as_deref() == Some("true") {
            recipe.lost.push(format!("{key}: states of the optimizer in two bytes"));
        }
    }
}

/// Tells a second model beside the one that is trained.
fn note_reference(root: &Value, recipe: &mut Recipe) {
    for key in ["stage", "rl"] {
        let kind = read_text(root, key).filter(|kind| !["pt", "sft"].contains(&kind.as_str()));
        if let Some(kind) = kind {
            recipe.lost.push(format!("{key}: {kind}: a reference or a reward beside the model"));
        }
    }
}

/// Keys of verl that numbers are made of.
const OPEN: [&str; 6] = [
    "data.max_prompt_length",
    "data.max_response_length",
    "actor_rollout_ref.rollout.n",
    "actor_rollout_ref.actor.ppo_mini_batch_size",
    "trainer.nnodes",
    "trainer.n_gpus_per_node",
];

/// Keys of verl's actor that matter and that a spec has no word for.
const NESTED: [(&str, &str); 7] = [
    ("fsdp_config.fsdp_size", SHARDS_IN_DOMAIN),
    ("fsdp_config.param_offload", WEIGHTS_ON_HOST),
    ("fsdp_config.optimizer_offload", STATES_ON_HOST),
    ("megatron.param_offload", WEIGHTS_ON_HOST),
    ("megatron.optimizer_offload", STATES_ON_HOST),
    ("megatron.grad_offload", "gradients on the host"),
    ("ppo_micro_batch_size", "micro-batches of all ranks together are not read"),
];

/// Tells those of them that are on.
fn note_nested_keys(root: &Value, recipe: &mut Recipe) {
    for (key, what) in NESTED {
        let word = read_text(root, &format!("actor_rollout_ref.actor.{key}"));
        if let Some(word) = word.filter(|word| word != "false") {
            recipe.lost.push(format!("actor.{key}: {word}: {what}"));
        }
    }
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
    let each = match count("actor_rollout_ref.rollout.n") {
        None if root.pointer("/actor_rollout_ref/rollout/n").is_some_and(|n| !n.is_null()) => None,
        count => Some(count.unwrap_or(1)),
    };
    if let (Some(prompts), Some(each)) =
        (count("actor_rollout_ref.actor.ppo_mini_batch_size"), each)
    {
        put("global_batch_size", prompts.saturating_mul(each).to_string());
    }
    put("bf16", on());
    let defaults = root.get("defaults").map(Value::to_string).unwrap_or_default();
    let own = get("actor_rollout_ref.actor.strategy").unwrap_or_default();
    let megatron = root.pointer("/actor_rollout_ref/actor/megatron").is_some();
    if own == "megatron" || defaults.contains("megatron") || megatron {
        put("use_distributed_optimizer", on());
        if get("actor_rollout_ref.actor.megatron.sequence_parallel").is_none() {
            put("sequence_parallel", on());
            let told = "actor.megatron.sequence_parallel = true: a default of verl";
            recipe.assumed.push(told.to_owned());
        }
    } else {
        put("zero_stage", "3".to_owned());
        recipe.foreign = true;
    }
    if get("actor_rollout_ref.model.enable_gradient_checkpointing").as_deref() == Some("true") {
        put("recompute_granularity", "full".to_owned());
    }
    let (nodes, each) = (get("trainer.nnodes"), get("trainer.n_gpus_per_node"));
    write_world_size(&mut recipe.named, nodes, each);
    for path in OPEN {
        ask_for_reference(root, path, recipe);
    }
    note_nested_keys(root, recipe);
    recipe.lost.push("rollouts, the reference and rewards: the actor alone is in the spec".into());
    if root.get("defaults").is_some() {
        recipe.lost.push("defaults: the files that it names are not read".to_owned());
    }
}

/// Asks for what decides a step and is not in the file.
fn ask_for_missing(wanted: &UserChoices, recipe: &mut Recipe) {
    let has = |recipe: &Recipe, name: &str| recipe.named.contains_key(name);
    let batch = has(recipe, "global_batch_size") || has(recipe, "gradient_accumulation_steps");
    if !batch && wanted.global_batch.is_none() {
        recipe.add_question("the batch is not in the file".to_owned(), "--global-batch SEQUENCES");
    }
    if !has(recipe, "world_size") && wanted.gpus.is_none() {
        recipe.add_question("the GPUs are not in the file".to_owned(), "--gpus N");
    }
    if !has(recipe, "micro_batch_size") {
        let told = "training.micro_batch = 1: the file does not say it".to_owned();
        recipe.assumed.push(told);
    }
}
