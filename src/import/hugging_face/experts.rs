//! Experts of a configuration: how many there are, how wide, and which layers have them.

use super::config::Config;
use crate::import::draft::{Draft, DraftValue, whole_number};
use crate::import::layers;
use crate::import::problems::ImportProblem;

const TABLE: &str = "model.moe";

pub(super) const EXPERTS: [&str; 6] = [
    "n_routed_experts",
    "num_local_experts",
    "num_experts",
    "moe_num_experts",
    "ffn_config.moe_num_experts",
    "num_routed_experts",
];
const TOP_K: [&str; 8] = [
    "num_experts_per_tok",
    "num_experts_per_token",
    "moe_topk",
    "moe_k",
    "experts_per_token",
    "ffn_config.moe_top_k",
    "moe_top_k",
    "top_k_experts",
];

/// Writes the table of experts, where the model has any.
pub(super) fn write_experts(
    config: &Config<'_>,
    family: &str,
    all_layers: u64,
    ffn: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    if !write_experts_of_any_layer(config, family, ffn, draft)? {
        return Ok(());
    }
    layers::write_expert_layers(&expert_layers(config, family, all_layers)?, draft);
    write_expert_groups(config, draft)
}

/// Writes the table of experts of a model whose pattern says which layers have them.
pub(super) fn write_experts_of_pattern(
    config: &Config<'_>,
    family: &str,
    ffn: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    if write_experts_of_any_layer(config, family, ffn, draft)? {
        write_expert_groups(config, draft)?;
    }
    Ok(())
}

/// Writes how many there are and how wide; false where there are none.
fn write_experts_of_any_layer(
    config: &Config<'_>,
    family: &str,
    ffn: u64,
    draft: &mut Draft,
) -> Result<bool, ImportProblem> {
    // Some dense models are configured as one expert that every token visits.
    let Some(experts) = config.optional_count(&EXPERTS)?.filter(|experts| *experts > 1) else {
        return Ok(false);
    };
    let own = config.optional_count(&["moe_intermediate_size", "expert_ffn_hidden_size"])?;
    let own = match family {
        // The width of a dense layer stands beside it.
        "inkling_text" if config.is_stated("dense_intermediate_size") => {
            config.optional_count(&["intermediate_size"])?
        }
        _ => own,
    };
    let width = match family {
        "llama4_text" | "granitemoehybrid" => config.required_count(&["intermediate_size"])?,
        _ => own.unwrap_or(ffn),
    };
    draft.set_count(TABLE, "experts", experts);
    let usual = DraftValue::Count(experts.min(8));
    let comment = "experts that each token visits; the class has no default";
    draft.put_or_assume(TABLE, "top_k", top_k(config)?.map(DraftValue::Count), usual, comment);
    draft.set_count(TABLE, "ffn", width);
    let own = match family {
        "nemotron_h" => config.optional_count(&["moe_shared_expert_intermediate_size"])?,
        "granitemoehybrid" | "granitemoeshared" | "granitemoe_swa" => {
            config.optional_count(&["shared_intermediate_size"])?
        }
        _ => None,
    };
    let shares = config.optional_count(&["shared_expert_intermediate_size"])?;
    match own.or(shares).filter(|own| *own > 0) {
        Some(all) if own.is_none() && all.is_multiple_of(width.max(1)) => {
            draft.set_count(TABLE, "shared_experts", all / width.max(1));
        }
        Some(own) => {
            draft.set_count(TABLE, "shared_experts", 1);
            draft.set_count(TABLE, "shared_ffn", own);
        }
        None => match count_shared_experts(config, family)? {
            0 => {}
            shared => draft.set_count(TABLE, "shared_experts", shared),
        },
    }
    let latent = ["moe_latent_size", "moe_hidden_size", "routed_expert_hidden_size"];
    if let Some(latent) = config.optional_count(&latent)? {
        draft.set_count(TABLE, "latent", latent);
    }
    if family == "gpt_oss" {
        draft.set_flag(TABLE, "biases", true);
    }
    Ok(true)
}

/// Experts that a token visits; a list of one number for each layer holds where all are alike.
fn top_k(config: &Config<'_>) -> Result<Option<u64>, ImportProblem> {
    match config.optional_list(&TOP_K).and_then(|list| list.first()) {
        Some(first) => Ok(whole_number(first)),
        None => config.optional_count(&TOP_K),
    }
}

/// Experts of every token, each as wide as a routed one.
fn count_shared_experts(config: &Config<'_>, family: &str) -> Result<u64, ImportProblem> {
    if family == "llama4_text" {
        return Ok(1);
    }
    let keys =
        ["n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"];
    Ok(config.optional_count(&keys)?.unwrap_or(0))
}

/// Whether each layer has experts.
fn expert_layers(
    config: &Config<'_>,
    family: &str,
    layers: u64,
) -> Result<Vec<bool>, ImportProblem> {
    let all = 0..layers;
    if let Some(kinds) = config.layer_list("mlp_layer_types") {
        return Ok(kinds.iter().map(|kind| kind.as_str() != Some("dense")).collect());
    }
    if let Some(list) = config.layer_list("moe_layer_freq") {
        return Ok(list.iter().map(|flag| flag.as_u64() != Some(0)).collect());
    }
    if let Some((_, list)) = config.first_value(&["moe_layers_enum"])
        && let Some(text) = list.as_str()
    {
        let with: Vec<u64> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
        return Ok(all.map(|layer| with.contains(&layer)).collect());
    }
    let count = |key: &str| config.optional_count(&[key]);
    if family == "llama4_text" {
        if let Some(list) = config.optional_list(&["moe_layers"]) {
            let with: Vec<u64> = list.iter().filter_map(whole_number).collect();
            return Ok(all.map(|layer| with.contains(&layer)).collect());
        }
        let step = count("interleave_moe_layer_step")?.unwrap_or(1).max(1);
        return Ok(all.map(|layer| (layer + 1).is_multiple_of(step)).collect());
    }
    if let Some(first) = config.optional_count(&["first_k_dense_replace", "num_dense_layers"])? {
        let every = count("moe_layer_freq")?.unwrap_or(1).max(1);
        return Ok(all.map(|layer| layer >= first && layer.is_multiple_of(every)).collect());
    }
    if let Some(step) = count("decoder_sparse_step")? {
        let dense = config.optional_list(&["mlp_only_layers"]);
        let dense: Vec<u64> = dense.into_iter().flatten().filter_map(whole_number).collect();
        let turn = |layer: u64| step > 0 && (layer + 1).is_multiple_of(step);
        return Ok(all.map(|layer| turn(layer) && !dense.contains(&layer)).collect());
    }
    if let Some(start) = count("moe_layer_start_index")? {
        let end = config.first_value(&["moe_layer_end_index"]);
        let end = end.and_then(|(_, value)| whole_number(value)).unwrap_or(layers);
        let every = count("moe_layer_interval")?.unwrap_or(1).max(1);
        let inside = |layer: u64| (start..=end).contains(&layer);
        return Ok(all.map(|layer| inside(layer) && (layer + 1).is_multiple_of(every)).collect());
    }
    Ok(vec![true; layers as usize])
}

/// Groups of experts of which a token visits only some. A router that knows no groups ignores them.
fn write_expert_groups(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Some(groups) = config.optional_count(&["n_group"])?.filter(|groups| *groups > 1) else {
        return Ok(());
    };
    let most = config.optional_count(&["topk_group"])?.unwrap_or(groups);
    let greedy = config.first_value(&["topk_method"]).map(|(_, value)| value);
    if most < groups && greedy.and_then(serde_json::Value::as_str) != Some("greedy") {
        draft.set_count(TABLE, "groups", groups);
        draft.set_count(TABLE, "groups_per_token", most);
    }
    Ok(())
}
