//! Recipes in YAML of stacks that are built on Megatron: the NeMo launcher's, with `trainer` and
//! `model`, and FlagScale's, with `system` and `model`, whose keys are Megatron's flags. References
//! between keys are followed; what is neither known nor followed is no value.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::adapters::find_adapters;
use super::environment::fill_in_tree;
use super::yaml::{Recipe, parse_yaml, read_text, value_text, write_world_size};
use super::{primus, tuning};
use crate::import::draft::UserChoices;
use crate::import::flavors::llama_width;

/// The tables of a text that has a key of a recipe; `None` of any other.
pub(super) fn parse_recipe(text: &str) -> Option<Value> {
    let keys = ["model:", "experiment:", "modules:", "actor_rollout_ref:", "workload:"];
    let names = ["model_name_or_path:", "base_model:"];
    let is_key = |line: &str| {
        keys.contains(&line.trim_end()) || names.iter().any(|name| line.starts_with(name))
    };
    if !text.lines().any(is_key) {
        return None;
    }
    parse_yaml(text)
}

/// The flags of a recipe; `None` of tables of anything else. `read_file` has the files beside it.
pub(super) fn read_recipe(
    mut root: Value,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Option<Recipe> {
    let mut told = Vec::new();
    fill_in_tree(&mut root, &wanted.environment, &mut told);
    let mut recipe = read_tables(&root, wanted, read_file)?;
    recipe.assumed.extend(told);
    Some(recipe)
}

/// The flags of a recipe's tables.
fn read_tables(
    root: &Value,
    wanted: &UserChoices,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Option<Recipe> {
    if let Some(recipe) = tuning::read_tuning(root, wanted, read_file) {
        return Some(recipe);
    }
    if root.get("experiment").is_some() && root.get("defaults").is_some() {
        return read_experiment(root, read_file);
    }
    if root.get("modules").is_some() {
        return primus::read_primus(root, wanted);
    }
    if root.pointer("/workload/defaultArguments").is_some() {
        let name = read_text(root, "workload.configFile").unwrap_or("workload".to_owned());
        let other = Some((name, "has the job, of which this file changes some flags"));
        return Some(Recipe { other, ..Recipe::default() });
    }
    root.get("model")?.as_object()?;
    if root.get("trainer").is_some() {
        // Many programs have a trainer; this one has Megatron's keys in its model.
        let keys =
            ["encoder_seq_length", "num_layers", "tensor_model_parallel_size", "micro_batch_size"];
        let has_own = keys.iter().any(|key| root.pointer(&format!("/model/{key}")).is_some());
        return has_own.then(|| read_launcher(root));
    }
    root.get("system")?;
    let mut recipe = read_flags(root);
    // Without one it may be any of FlagScale's programs, which its experiment names.
    if !recipe.named.contains_key("tokenizer_type") && recipe.refused.is_none() {
        let missing = "the program stands in the experiment that names this file".to_owned();
        recipe.add_question(missing, "planner import EXPERIMENT.yaml");
    }
    Some(recipe)
}

/// Overrides of Megatron-Bridge in YAML as those of its command line; `None` of other tables.
pub(super) fn bridge_overrides(root: &Value) -> Option<String> {
    let has_any =
        |keys: &[&str]| keys.iter().any(|key| root.get(*key).is_some_and(Value::is_object));
    let own = ["train", "ddp", "scheduler", "checkpoint"];
    if !has_any(&own) || !has_any(&["model"]) || has_any(&["trainer", "system"]) {
        return None;
    }
    let mut words = Vec::new();
    for section in ["model", "train", "dataset", "ddp", "comm_overlap", "mixed_precision", "peft"] {
        match root.get(section) {
            Some(Value::Object(table)) => {
                for key in table.keys() {
                    let path = format!("{section}.{key}");
                    words.extend(read_text(root, &path).map(|text| format!("{path}='{text}'")));
                }
            }
            Some(Value::String(text)) => words.push(format!("{section}='{text}'")),
            _ => {}
        }
    }
    Some(words.join(" "))
}

/// An experiment of FlagScale: a program, machines, and the name of a recipe below it.
fn read_experiment(root: &Value, read_file: &dyn Fn(&str) -> Option<String>) -> Option<Recipe> {
    let name =
        root.get("defaults")?.as_array()?.iter().find_map(|item| item.get("train")?.as_str());
    let program = read_text(root, "experiment.task.entrypoint").unwrap_or_default();
    let mut recipe = Recipe { origin: "a recipe of FlagScale", ..Recipe::default() };
    let Some(name) = name.filter(|_| program.ends_with("train_gpt.py")) else {
        let shown = if program.is_empty() { "the experiment".to_owned() } else { program };
        recipe.other = Some((shown, "trains no plain stack of layers with attention"));
        return Some(recipe);
    };
    let file = format!("train/{name}.yaml");
    let Some(job) = read_file(&file).as_deref().and_then(parse_yaml) else {
        let missing = format!("the job stands in `{file}`, which is not below this file");
        recipe.add_question(missing, "name that file behind this one");
        return Some(recipe);
    };
    recipe = read_flags(&job);
    if root.pointer("/experiment/auto_tuner").is_some() {
        recipe.lost.push("experiment.auto_tuner: it tries other layouts".to_owned());
    }
    let get = |key: &str| read_text(root, &format!("experiment.runner.{key}"));
    write_world_size(&mut recipe.named, get("nnodes"), get("nproc_per_node"));
    Some(recipe)
}

/// A recipe of FlagScale: all its tables flattened are flags.
fn read_flags(root: &Value) -> Recipe {
    let mut named = BTreeMap::new();
    let mut tables: Vec<&Map<String, Value>> = root.as_object().into_iter().collect();
    while let Some(table) = tables.pop() {
        for (key, value) in table {
            match value {
                Value::Object(inner) => tables.push(inner),
                value => {
                    if let Some(text) = value_text(root, value).filter(|text| text != "false") {
                        named.insert(key.replace('-', "_"), text);
                    }
                }
            }
        }
    }
    write_rounded_width(&mut named);
    Recipe {
        named,
        origin: "a recipe of FlagScale",
        refused: find_refused_key(root),
        ..Recipe::default()
    }
}

/// FlagScale's width of the feed-forward block where the recipe has a multiple for it.
fn write_rounded_width(named: &mut BTreeMap<String, String>) {
    let number = |name: &str| named.get(name).and_then(|text| text.parse::<f64>().ok());
    let Some(multiple) = number("multiple_of").filter(|multiple| *multiple >= 1.0) else { return };
    let Some(hidden) = number("hidden_size") else { return };
    let width = llama_width(hidden, multiple, number("hidden_dim_multiplier"));
    named.insert("ffn_hidden_size".to_owned(), format!("{width:.0}"));
    named.remove("multiple_of");
    named.remove("hidden_dim_multiplier");
}

/// Keys of the launcher's recipes with other names than their flags.
const RENAMED: [(&str, &str); 16] = [
    ("model.encoder_seq_length", "seq_length"),
    ("model.data.seq_length", "seq_length"),
    ("model.num_moe_experts", "num_experts"),
    ("model.virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"),
    ("model.activations_checkpoint_granularity", "recompute_granularity"),
    ("model.activations_checkpoint_method", "recompute_method"),
    ("model.activations_checkpoint_num_layers", "recompute_num_layers"),
    ("model.optim.overlap_grad_sync", "overlap_grad_reduce"),
    ("model.optim.overlap_param_sync", "overlap_param_gather"),
    ("model.ub_tp_comm_overlap", "tp_comm_overlap"),
    ("model.tokenizer.model", "tokenizer_model"),
    ("model.tokenizer.vocab_size", "vocab_size"),
    ("model.tokenizer.type", "tokenizer_type"),
    ("trainer.max_steps", "train_iters"),
    ("model.rampup_batch_size", "rampup_batch_size"),
    ("model.fsdp", "use_megatron_fsdp"),
];

/// Keys that are flags under their own names.
const SAME: [&str; 23] = [
    "num_layers",
    "hidden_size",
    "num_attention_heads",
    "num_query_groups",
    "kv_channels",
    "ffn_hidden_size",
    "global_batch_size",
    "micro_batch_size",
    "tensor_model_parallel_size",
    "pipeline_model_parallel_size",
    "context_parallel_size",
    "expert_model_parallel_size",
    "expert_tensor_parallel_size",
    "moe_router_topk",
    "moe_ffn_hidden_size",
    "sequence_parallel",
    "make_vocab_size_divisible_by",
    "fp8_hybrid",
    "fp8_e4m3",
    "moe_token_dispatcher_type",
    "num_layers_per_virtual_pipeline_stage",
    "window_size",
    "moe_shared_expert_intermediate_size",
];

fn read_launcher(root: &Value) -> Recipe {
    let get = |path: &str| read_text(root, path);
    let mut named = BTreeMap::new();
    let mut put = |name: &str, value: String| {
        if value != "false" {
            named.insert(name.to_owned(), value);
        }
    };
    for (path, name) in RENAMED {
        if let Some(value) = get(path) {
            put(name, value);
        }
    }
    // Its kinds count where it is on.
    let eight = get("model.fp8").as_deref() != Some("false");
    for name in SAME.into_iter().filter(|name| eight || !name.starts_with("fp8")) {
        if let Some(value) = get(&format!("model.{name}")) {
            put(name, value);
        }
    }
    let on = || "true".to_owned();
    if get("model.num_query_groups").is_some() {
        put("group_query_attention", on());
    }
    if get("model.activation").is_some_and(|name| name.ends_with("glu")) {
        put("swiglu", on());
    }
    if get("model.share_embeddings_and_output_weights").as_deref() == Some("false") {
        put("untie_embeddings_and_output_weights", on());
    }
    if get("model.overlap_p2p_comm").as_deref() == Some("false") {
        put("no_overlap_p2p_communication", on());
    }
    let precision = get("trainer.precision").unwrap_or_default();
    match precision.as_str() {
        "16" | "16-mixed" => put("fp16", on()),
        text if text.starts_with("bf16") => put("bf16", on()),
        _ => {}
    }
    let optimizer = get("model.optim.name").unwrap_or_default();
    if ["distributed_fused_adam", "mcore_distributed_optim"].contains(&optimizer.as_str()) {
        put("use_distributed_optimizer", on());
    }
    let narrow = get("model.megatron_amp_O2").as_deref() == Some("true");
    if narrow && get("model.optim.grad_sync_dtype").as_deref() != Some("fp32") {
        put("grad_reduce_in_bf16", on());
    }
    let strategy = match get("model.fsdp_sharding_strategy").as_deref() {
        Some("grad") => "optim_grads",
        _ => "optim_grads_params",
    };
    put("data_parallel_sharding_strategy", strategy.to_owned());
    write_world_size(&mut named, get("trainer.num_nodes"), get("trainer.devices"));
    let tower = root.get("model").and_then(Value::as_object).and_then(find_tower);
    let refused = tower.or_else(|| find_refused_key(root));
    let other = find_adapters(&|path| get(path));
    Recipe { named, other, refused, ..Recipe::new("a recipe of the NeMo launcher") }
}

/// Keys of a recipe whose model is no stack of layers with causal attention, or whose ranks are not
/// alike.
const REFUSED: [&str; 10] = [
    "img_h",
    "patch_dim",
    "vision_root",
    "vision_pretraining_type",
    "freeze_vit",
    "freeze_ViT",
    "unet_config",
    "first_stage_config",
    "rwkv_version",
    "hetero_process_meshes",
];

/// The first of them in a recipe, however deep.
fn find_refused_key(value: &Value) -> Option<String> {
    let table = value.as_object()?;
    let own = REFUSED.iter().find(|key| table.get(**key).is_some_and(|value| !value.is_null()));
    own.map(|key| (*key).to_owned()).or_else(|| table.values().find_map(find_refused_key))
}

/// The name of a table of the model that has layers of its own: an encoder, or what sees pictures.
fn find_tower(model: &Map<String, Value>) -> Option<String> {
    let keys = ["num_layers", "hidden_size", "vision_encoder", "llm"];
    let is_tower = |value: &Value| {
        value.as_object().is_some_and(|table| keys.iter().any(|key| table.contains_key(*key)))
    };
    let table = model.iter().find(|(_, value)| is_tower(value)).map(|(name, _)| name.clone());
    let bert = || model.contains_key("bert_binary_head").then(|| "bert_binary_head".to_owned());
    Some(format!("model.{}", table.or_else(bert)?))
}

#[cfg(test)]
mod tests {
    use super::{parse_recipe, read_recipe};
    use crate::import::draft::UserChoices;

    #[test]
    fn references_are_followed() {
        let text = "trainer:\n  num_nodes: 2\n  devices: 8\nmodel:\n  hidden_size: 1024\n  \
                    ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n  encoder_seq_length: 2048\n  \
                    data:\n    seq_length: ${model.encoder_seq_length}\n  hidden_size: 2048\n  loop: ${.loop}\n";
        let root = parse_recipe(text).expect("YAML");
        let recipe = read_recipe(root, &UserChoices::default(), &|_| None).expect("a recipe");
        assert_eq!(recipe.named["ffn_hidden_size"], "8192");
        assert_eq!(recipe.named["seq_length"], "2048");
        assert_eq!(recipe.named["world_size"], "16");
    }
}
