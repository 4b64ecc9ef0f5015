//! How LLaMA-Factory and axolotl share the states of the optimizer, and what they keep.

use serde_json::Value;

use super::yaml::{Recipe, read_text};
use crate::import::deepspeed::{
    SHARDS_IN_DOMAIN, STATES_ON_HOST, WEIGHTS_ON_HOST, lost_keys, strip_comments,
};

/// What is missing of a stage, and what answers it.
type OpenStage = (String, &'static str);

/// The ZeRO stage, the ranks and the recomputation of such a recipe.
pub(super) fn read_sharding(
    root: &Value,
    read_file: &dyn Fn(&str) -> Option<String>,
    recipe: &mut Recipe,
) {
    let stage = match stated_value(root, "deepspeed") {
        Some(Value::String(file)) => stage_of_file(file, read_file, recipe),
        Some(table) => stage_of_table(table, "deepspeed", recipe),
        None => stage_of_fsdp(root, recipe),
    };
    match stage {
        Ok(stage) => drop(recipe.named.insert("zero_stage".to_owned(), stage.to_string())),
        Err((missing, answer)) => recipe.add_question(missing, answer),
    }
    let count = |key: &str| read_text(root, key)?.parse::<u64>().ok();
    if let Some(shards) = count("dp_shard_size") {
        let others = [
            "dp_replicate_size",
            "tensor_parallel_size",
            "context_parallel_size",
            "sequence_parallel_degree",
        ];
        let ranks = others.iter().filter_map(|key| count(key)).fold(shards, u64::saturating_mul);
        recipe.named.insert("world_size".to_owned(), ranks.to_string());
    }
    // LLaMA-Factory recomputes whole layers unless it is told not to.
    let recomputes = match root.get("base_model") {
        None => stated_value(root, "disable_gradient_checkpointing").is_none(),
        Some(_) => {
            let inner = root.get("fsdp_config");
            let inner = inner.and_then(|inner| stated_value(inner, "activation_checkpointing"));
            let own = ["gradient_checkpointing", "fsdp_activation_checkpointing"];
            inner.is_some() || own.iter().any(|key| stated_value(root, key).is_some())
        }
    };
    if recomputes {
        recipe.named.insert("recompute_granularity".to_owned(), "full".to_owned());
    }
}

/// The value of a key, unless it says nothing or no.
fn stated_value<'a>(root: &'a Value, key: &str) -> Option<&'a Value> {
    let says_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => ["", "null", "none", "false"].contains(&text.as_str()),
        Value::Array(items) => items.is_empty(),
        Value::Object(table) => table.is_empty(),
        _ => false,
    };
    root.get(key).filter(|value| !says_nothing(value))
}

/// The stage of a file of DeepSpeed: its own, or else that of its name.
fn stage_of_file(
    file: &str,
    read_file: &dyn Fn(&str) -> Option<String>,
    recipe: &mut Recipe,
) -> Result<u64, OpenStage> {
    let text = read_file(file);
    if let Some(table) = text.and_then(|text| serde_json::from_str(&strip_comments(&text)).ok()) {
        return stage_of_table(&table, file, recipe);
    }
    let name = file.rsplit('/').next().unwrap_or_default();
    if name.contains("offload") {
        recipe.lost.push(format!("deepspeed: {name}: {STATES_ON_HOST}"));
    }
    let found = ["z", "zero", "stage"].iter().find_map(|word| {
        let (_, behind) = name.split_once(word)?;
        let digit = behind.trim_start_matches('_').chars().next()?.to_digit(10);
        digit.map(u64::from).filter(|stage| *stage <= 3)
    });
    let missing = || format!("the ZeRO stage stands in `{file}`, which is not below this file");
    found.ok_or_else(|| (missing(), "name that file behind this one"))
}

/// The stage in a table of DeepSpeed's keys: without one, nothing is shared.
fn stage_of_table(table: &Value, place: &str, recipe: &mut Recipe) -> Result<u64, OpenStage> {
    recipe.lost.extend(table.as_object().into_iter().flat_map(lost_keys));
    let stage = match table.pointer("/zero_optimization/stage") {
        None => Some(0),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
    };
    stage.filter(|stage| *stage <= 3).ok_or_else(|| open_stage(place))
}

fn open_stage(place: &str) -> OpenStage {
    (format!("the ZeRO stage of `{place}` is not known"), "write it into the file")
}

/// The stage that PyTorch's sharding comes to; a word that is not known is open.
fn stage_of_fsdp(root: &Value, recipe: &mut Recipe) -> Result<u64, OpenStage> {
    let keys = ["fsdp", "fsdp_config", "dp_shard_size"];
    if keys.iter().all(|key| stated_value(root, key).is_none()) {
        let told = "parallelism.zero = 0: a configuration of accelerate may state another";
        recipe.assumed.push(told.to_owned());
        return Ok(0);
    }
    let option = |name: &str| {
        let paths = [format!("fsdp_config.{name}"), format!("fsdp_config.fsdp_{name}")];
        paths.iter().find_map(|path| read_text(root, path)).map(|text| text.to_lowercase())
    };
    let words = read_text(root, "fsdp").unwrap_or_default().to_lowercase();
    let is_on = |name: &str| option(name).as_deref() == Some("true");
    if is_on("offload_params") || words.split([' ', ',']).any(|word| word == "offload") {
        recipe.lost.push(format!("fsdp: {WEIGHTS_ON_HOST}"));
    }
    // FSDP2 has a switch in the place of the first two strategies.
    let kept = option("reshard_after_forward");
    let strategy = option("sharding_strategy")
        .or(kept.filter(|word| word != "true").map(|word| match word.as_str() {
            "false" => "shard_grad_op".to_owned(),
            _ => word,
        }))
        .or_else(|| {
            let known = |word: &&str| word.contains("shard");
            words.split([' ', ',']).find(known).map(str::to_owned)
        });
    if let Some(word) = strategy.as_deref().filter(|word| word.contains("hybrid") || *word == "4") {
        recipe.lost.push(format!("fsdp: {word}: {SHARDS_IN_DOMAIN}"));
    }
    match strategy.as_deref() {
        None | Some("full_shard" | "hybrid_shard" | "1" | "4") => Ok(3),
        Some("shard_grad_op" | "hybrid_shard_zero2" | "2") => Ok(2),
        Some("no_shard" | "3") => Ok(0),
        Some(word) => Err(open_stage(&format!("fsdp: {word}"))),
    }
}
