//! Recipes in YAML of Primus: Megatron's flags, and the name of a file that has the model.

use serde_json::Value;

use super::environment::{PRIMUS, fill_in_names};
use super::flags;
use super::tuning::MODEL;
use super::yaml::{Recipe, value_text};
use crate::import::draft::UserChoices;

/// Keys of a model's shape: one beside a model's name makes another model of it.
const SHAPE: [&str; 26] = [
    "num_layers",
    "hidden_size",
    "num_experts",
    "num_attention_heads",
    "ffn_hidden_size",
    "num_query_groups",
    "group_query_attention",
    "kv_channels",
    "vocab_size",
    "padded_vocab_size",
    "make_vocab_size_divisible_by",
    "swiglu",
    "untie_embeddings_and_output_weights",
    "multi_latent_attention",
    "q_lora_rank",
    "kv_lora_rank",
    "qk_head_dim",
    "qk_pos_emb_head_dim",
    "v_head_dim",
    "moe_router_topk",
    "moe_ffn_hidden_size",
    "moe_shared_expert_intermediate_size",
    "moe_layer_freq",
    "mtp_num_layers",
    "window_size",
    "hybrid_layer_pattern",
];

/// The flags of a recipe of Primus: a module's own keys, and the name of its model.
pub(super) fn read_primus(root: &Value, wanted: &UserChoices) -> Option<Recipe> {
    let module = root.pointer("/modules/pre_trainer")?;
    let mut recipe = Recipe::new("a recipe of Primus");
    if module.get("framework").and_then(Value::as_str) != Some("megatron") {
        let name = "modules.pre_trainer.framework".to_owned();
        recipe.other = Some((name, "is not Megatron, whose keys are read"));
    }
    let mut told = Vec::new();
    let mut own = |text: &str| fill_in_names(text, PRIMUS, &wanted.environment, &mut told);
    let overrides = module.get("overrides").and_then(Value::as_object);
    for (key, value) in overrides.into_iter().flatten() {
        let text = match value {
            Value::String(text) => match own(text) {
                Ok(filled) => Some(filled),
                Err(name) => {
                    ask_for_name(&name, key, &mut recipe);
                    None
                }
            },
            value => value_text(root, value),
        };
        let kept = ["use_distributed_optimizer", "bf16"].contains(&key.as_str());
        if let Some(text) = text.filter(|text| text != "null" && (text != "false" || kept)) {
            recipe.named.insert(key.clone(), text);
        }
    }
    match module.get("model").and_then(Value::as_str).map(own) {
        Some(Ok(model)) => write_model_name(model, overrides, wanted, &mut recipe),
        Some(Err(name)) if wanted.preset.is_none() => ask_for_name(&name, "model", &mut recipe),
        _ => {}
    }
    recipe.assumed = told;
    recipe.primus = true;
    Some(recipe)
}

/// Asks for a name of the environment, unless what it is for decides nothing.
fn ask_for_name(name: &str, key: &str, recipe: &mut Recipe) {
    let silent = flags::is_weightless(key) && !flags::SWITCHES.contains(&key);
    if !silent || key == "model" {
        let missing = format!("`${{{name}}}` of `{key}` is not set");
        recipe.add_question(missing, &format!("--env {name}=VALUE"));
    }
}

/// The name of the model, which has its shape unless other keys change it.
fn write_model_name(
    model: String,
    overrides: Option<&serde_json::Map<String, Value>>,
    wanted: &UserChoices,
    recipe: &mut Recipe,
) {
    // A key that says no changes the shape as well.
    let changes =
        |key: &&str| overrides.is_some_and(|keys| keys.get(*key).is_some_and(|v| !v.is_null()));
    let changed = SHAPE.iter().any(changes);
    if changed && wanted.preset.is_none() {
        let missing = format!("the keys change a model whose other sizes stand in `{model}`");
        recipe.add_question(missing, "--preset NAME");
    } else if changed {
        recipe.lost.push("overrides: what they change of the model's shape".to_owned());
    }
    recipe.named.retain(|key, _| !SHAPE.contains(&key.as_str()));
    recipe.named.insert(MODEL.to_owned(), model);
}
