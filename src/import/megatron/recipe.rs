//! Recipes in YAML of stacks that are built on Megatron: the NeMo launcher's, with `trainer` and
//! `model`, and FlagScale's, with `system` and `model`, whose keys are Megatron's flags. References
//! between keys are followed; what is neither known nor followed is no value.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// How far references are followed.
pub(super) const DEEPEST: usize = 12;

/// Flags by name, and what the recipe says that has none.
pub(super) struct Recipe {
    pub(super) named: BTreeMap<String, String>,
    pub(super) origin: &'static str,
    /// A key of what a spec can't describe, such as a second stack of layers.
    pub(super) refused: Option<String>,
}

/// The flags of a recipe; `None` of any other text.
pub(super) fn read_recipe(text: &str) -> Option<Recipe> {
    if !text.lines().any(|line| line.trim_end() == "model:") {
        return None;
    }
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
    };
    let root: Value = serde_saphyr::from_str_with_options(text, options).ok()?;
    let tables = root.as_object()?;
    match (tables.get("trainer"), tables.get("system"), tables.get("model")?.as_object()?) {
        (Some(_), _, _) => Some(read_launcher(&root)),
        (None, Some(_), _) => Some(read_flags(&root)),
        _ => None,
    }
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
                    if let Some(text) = text_of(root, value, "", 0).filter(|text| text != "false") {
                        named.insert(key.replace('-', "_"), text);
                    }
                }
            }
        }
    }
    write_rounded_width(&mut named);
    Recipe { named, origin: "a recipe of FlagScale", refused: find_refused_key(root) }
}

/// FlagScale's width of the feed-forward block where the recipe has a multiple for it: two thirds of
/// four times the hidden size, times a factor, rounded up.
fn write_rounded_width(named: &mut BTreeMap<String, String>) {
    let number = |name: &str| named.get(name).and_then(|text| text.parse::<f64>().ok());
    let Some(multiple) = number("multiple_of").filter(|multiple| *multiple >= 1.0) else { return };
    let Some(hidden) = number("hidden_size") else { return };
    let factor = number("hidden_dim_multiplier").unwrap_or(1.0);
    let wide = ((8.0 * hidden / 3.0).floor() * factor).floor();
    let width = (wide / multiple).ceil() * multiple;
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
    let get = |path: &str| text_of(root, find_value(root, path)?, path, 0);
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
    for name in SAME {
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
    let count = |path: &str| get(path)?.parse::<u64>().ok();
    if let (Some(nodes), Some(each)) = (count("trainer.num_nodes"), count("trainer.devices")) {
        put("world_size", nodes.saturating_mul(each).to_string());
    }
    let tower = root.get("model").and_then(Value::as_object).and_then(find_tower);
    let refused = tower.or_else(|| find_refused_key(root));
    Recipe { named, origin: "a recipe of the NeMo launcher", refused }
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

/// The value behind a dotted path.
fn find_value<'a>(root: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(root, |value, key| value.as_object()?.get(key))
}

/// A value as text, with its references followed; `None` of null, of what has to be filled in, and
/// of what is no single value.
fn text_of(root: &Value, value: &Value, path: &str, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    match value {
        Value::Bool(flag) => Some(flag.to_string()),
        // Less than nothing stands for what is not limited.
        Value::Number(number) if number.as_f64().is_some_and(|number| number < 0.0) => None,
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if text == "???" || text == "null" || text.is_empty() => None,
        Value::String(text) => {
            match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
                Some(reference) => follow_reference(root, reference, path, depth + 1),
                None if text.contains("${") => None,
                None => Some(text.clone()),
            }
        }
        Value::Array(items) => {
            let words: Option<Vec<String>> =
                items.iter().map(|item| text_of(root, item, path, depth + 1)).collect();
            words.map(|words| words.join(" "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// What stands between `${` and `}`: a path, a path beside this one, or a sum of either.
fn follow_reference(root: &Value, text: &str, path: &str, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    let text = text.trim();
    if let Some((name, list)) = text.split_once(':') {
        let number = |part: &str| -> Option<u64> {
            let part = part.trim();
            let inner = part.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
            let value = match inner {
                Some(reference) => follow_reference(root, reference, path, depth + 1)?,
                None => part.to_owned(),
            };
            value.parse().ok()
        };
        let numbers: Option<Vec<u64>> = list.split(',').map(number).collect();
        let (first, rest) = numbers.as_deref()?.split_first()?;
        let result = rest.iter().try_fold(*first, |left, right| match name.trim() {
            "multiply" => left.checked_mul(*right),
            "sum" | "add" => left.checked_add(*right),
            "divide" => left.checked_div(*right),
            _ => None,
        });
        return result.map(|number| number.to_string());
    }
    let whole = match text.strip_prefix('.') {
        Some(beside) => match path.rsplit_once('.') {
            Some((table, _)) => format!("{table}.{beside}"),
            None => beside.to_owned(),
        },
        None => text.to_owned(),
    };
    text_of(root, find_value(root, &whole)?, &whole, depth + 1)
}

#[cfg(test)]
mod tests {
    use super::read_recipe;

    #[test]
    fn references_are_followed() {
        let text = "trainer:\n  num_nodes: 2\n  devices: 8\nmodel:\n  hidden_size: 1024\n  \
                    ffn_hidden_size: ${multiply:4, ${.hidden_size}}\n  encoder_seq_length: 2048\n  \
                    data:\n    seq_length: ${model.encoder_seq_length}\n  hidden_size: 2048\n  loop: ${.loop}\n";
        let recipe = read_recipe(text).expect("a recipe");
        assert_eq!(recipe.named["ffn_hidden_size"], "8192");
        assert_eq!(recipe.named["seq_length"], "2048");
        assert_eq!(recipe.named["world_size"], "16");
    }
}
