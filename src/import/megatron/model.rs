//! The shape of the model from arguments of Megatron-LM.

use super::arguments::Arguments;
use crate::import::draft::{self, Draft, DraftValue, ImportProblem, UserChoices};
use crate::import::layers;

const TABLE: &str = "model";
const MOE: &str = "model.moe";
const LATENT: &str = "model.latent_attention";

/// Writes the model: a shape where the arguments have one, else the preset that the user names.
pub(super) fn write_model(
    arguments: &Arguments,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let Some(layers) = arguments.get_count("num_layers")? else {
        draft::put_usual_preset(wanted, draft);
        return Ok(());
    };
    let needed = |name: &str| {
        let missing = || ImportProblem::Missing { key: format!("--{}", name.replace('_', "-")) };
        arguments.get_count(name)?.ok_or_else(missing)
    };
    let hidden = needed("hidden_size")?;
    let heads = needed("num_attention_heads")?;
    draft.set_count(TABLE, "layers", layers);
    draft.set_count(TABLE, "hidden", hidden);
    draft.set_count(TABLE, "heads", heads);
    let latent = arguments.has_flag("multi_latent_attention");
    // Without the flag every head has its keys, whatever number of groups stands beside.
    let groups = arguments.get_count("num_query_groups")?.unwrap_or(1);
    let grouped = arguments.has_flag("group_query_attention");
    let channels = arguments.get_count("kv_channels")?;
    if !latent {
        draft.set_count(TABLE, "kv_heads", if grouped { groups } else { heads });
        if let Some(width) = channels {
            draft.set_count(TABLE, "head_dim", width);
        }
    }
    let gated = arguments.has_flag("swiglu");
    let usual = if gated { 8 * hidden / 3 / 64 * 64 } else { 4 * hidden };
    draft.set_count(TABLE, "ffn", arguments.get_count("ffn_hidden_size")?.unwrap_or(usual));
    draft.set_flag(TABLE, "gated_ffn", gated);
    // Above the tokenizer's own by what is padded.
    let vocab = arguments.get_count("vocab_size")?.or(arguments.get_count("padded_vocab_size")?);
    let comment = "the tokenizer decides it";
    draft.put_or_assume(
        TABLE,
        "vocab",
        vocab.map(DraftValue::Count),
        DraftValue::Count(131_072),
        comment,
    );
    draft.set_count(TABLE, "sequence", needed("seq_length")?);
    draft.set_flag(
        TABLE,
        "tied_embeddings",
        !arguments.has_flag("untie_embeddings_and_output_weights"),
    );
    if let Some(extra) = arguments.get_count("mtp_num_layers")? {
        draft.set_count(TABLE, "mtp_layers", extra);
    }
    if latent {
        draft.set_count(LATENT, "q_lora", arguments.get_count("q_lora_rank")?.unwrap_or(0));
        // Defaults of Megatron-LM's MLATransformerConfig.
        draft.set_count(LATENT, "kv_lora", arguments.get_count("kv_lora_rank")?.unwrap_or(32));
        draft.set_count(LATENT, "qk_nope", arguments.get_count("qk_head_dim")?.unwrap_or(128));
        draft.set_count(
            LATENT,
            "qk_rope",
            arguments.get_count("qk_pos_emb_head_dim")?.unwrap_or(64),
        );
        let width = arguments.get_count("v_head_dim")?.unwrap_or(128);
        draft.set_count(LATENT, "v_dim", width);
        draft.set_count(TABLE, "head_dim", width);
    }
    write_experts(arguments, layers, draft)?;
    write_window(arguments, layers, draft)
}

fn write_experts(arguments: &Arguments, all: u64, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Some(experts) = arguments.get_count("num_experts")? else { return Ok(()) };
    draft.set_count(MOE, "experts", experts);
    draft.set_count(MOE, "top_k", arguments.get_count("moe_router_topk")?.unwrap_or(2));
    let width = arguments.get_count("moe_ffn_hidden_size")?;
    if let Some(width) = width {
        draft.set_count(MOE, "ffn", width);
    }
    if let (Some(shared), Some(width)) = (
        arguments.get_count("moe_shared_expert_intermediate_size")?,
        width.filter(|width| *width > 0),
    ) {
        if shared.is_multiple_of(width) {
            draft.set_count(MOE, "shared_experts", shared / width);
        } else {
            draft.set_count(MOE, "shared_experts", 1);
            draft.set_count(MOE, "shared_ffn", shared);
        }
    }
    if let Some(text) = arguments.get_text("moe_layer_freq") {
        let sparse = expand_pattern(text, all, |layer, every| layer.is_multiple_of(every));
        layers::write_expert_layers(&sparse, draft);
    }
    let groups = arguments.get_count("moe_router_num_groups")?.filter(|groups| *groups > 1);
    if let (Some(groups), Some(most)) = (groups, arguments.get_count("moe_router_group_topk")?) {
        draft.set_count(MOE, "groups", groups);
        draft.set_count(MOE, "groups_per_token", most);
    }
    Ok(())
}

fn write_window(
    arguments: &Arguments,
    layers: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let Some(text) = arguments.get_text("window_size") else { return Ok(()) };
    let digits: String = text.chars().skip_while(|c| !c.is_ascii_digit()).collect();
    let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let Ok(before) = digits.parse::<u64>() else { return Ok(()) };
    let limited = match arguments.get_text("window_attn_skip_freq") {
        None => vec![true; layers as usize],
        // One layer in so many sees all.
        Some(text) => {
            expand_pattern(text, layers, |layer, every| !(layer + 1).is_multiple_of(every))
        }
    };
    crate::import::layers::write(before + 1, &limited, draft);
    Ok(())
}

/// A choice for each layer: a whole number that `of_every` knows how to take, or a list such as
/// `([0]*3+[1]*58)` or `[1,1,0]`, repeated where it is shorter.
fn expand_pattern(text: &str, layers: u64, of_every: impl Fn(u64, u64) -> bool) -> Vec<bool> {
    if let Ok(every) = text.trim().parse::<u64>() {
        return (0..layers).map(|layer| of_every(layer, every.max(1))).collect();
    }
    let mut list: Vec<bool> = Vec::new();
    for part in text.replace(['(', ')', ' '], "").split('+') {
        let (items, times) = part.split_once("]*").unwrap_or((part, "1"));
        let times: usize = times.parse().unwrap_or(1);
        let items: Vec<bool> =
            items.trim_matches(['[', ']']).split(',').map(|name| name.trim() == "1").collect();
        (0..times.min(10_000)).for_each(|_| list.extend(&items));
    }
    let length = list.len().max(1);
    (0..layers as usize).map(|layer| list.get(layer % length).copied().unwrap_or(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::expand_pattern;

    #[test]
    fn patterns_of_layers_are_read() {
        let every = |layer: u64, every: u64| layer.is_multiple_of(every);
        assert_eq!(expand_pattern("2", 4, every), [true, false, true, false]);
        assert_eq!(expand_pattern("([0]*1+[1]*3)", 4, every), [false, true, true, true]);
        assert_eq!(expand_pattern("[1,0]", 4, every), [true, false, true, false]);
    }
}
