//! Families that a spec describes but for some parts: what is written in their place, and what is
//! lost, with the elements of its matrices. A width that a spec has once and a model by layer is
//! that of most layers, or the mean.

use super::config::Config;
use super::layer_kinds::{STATE_HEADS, STATE_WIDTH};
use crate::import::draft::Draft;
use crate::import::problems::ImportProblem;

/// Writes what a family has in another way than the one it is read as, and what is lost.
pub(super) type Adapt = fn(&Config<'_>, &mut Draft) -> Result<(), ImportProblem>;

const FAMILIES: &[(&[&str], Adapt)] = &[
    (&["deepseek_v32", "glm_moe_dsa", "mistral_large4_text"], adapt_indexed_attention),
    (&["deepseek_v4"], adapt_compressed_attention),
    (&["gemma4_text", "gemma4_unified_text"], adapt_wide_global_layers),
    (&["inkling_text"], adapt_relative_attention),
    (&["kimi_linear"], adapt_channel_gates),
    (&["mimo_v2_flash"], adapt_narrow_values),
    (&["minimax_m3_vl_text"], adapt_block_sparse_attention),
    (&["step3p5"], adapt_heads_by_layer),
];

/// What writes an approximation of a family; `None` of one that a spec describes, or not at all.
pub(super) fn find_approximation(family: &str) -> Option<Adapt> {
    FAMILIES.iter().find(|(names, _)| names.contains(&family)).map(|(_, adapt)| *adapt)
}

/// Width of the model, layers and heads.
struct Shape {
    hidden: i128,
    layers: i128,
    heads: i128,
}

impl Shape {
    fn read_shape(config: &Config<'_>) -> Result<Self, ImportProblem> {
        let count = |key| positive_count(config, &[key]);
        Ok(Self {
            hidden: count("hidden_size")?,
            layers: count("num_hidden_layers")?,
            heads: count("num_attention_heads")?,
        })
    }
}

/// The most of anything that is counted here: products of five such numbers are added up.
const MOST: i128 = 1 << 24;

/// A number that has to be there.
fn positive_count(config: &Config<'_>, keys: &[&str]) -> Result<i128, ImportProblem> {
    bounded_count(keys, config.required_count(keys)?.into(), 1)
}

fn bounded_count(keys: &[&str], count: i128, least: i128) -> Result<i128, ImportProblem> {
    match (least..=MOST).contains(&count) {
        true => Ok(count),
        false => Err(ImportProblem::Value {
            key: keys.join("` or `"),
            value: count.to_string(),
            wanted: "a number up to 16777216, and not 0",
        }),
    }
}

/// A number as a spec writes it.
fn written_count(count: i128) -> u64 {
    u64::try_from(count).unwrap_or_default()
}

/// A number of the file, or the usual one.
fn count_or(config: &Config<'_>, keys: &[&str], usual: u64) -> Result<i128, ImportProblem> {
    bounded_count(keys, config.optional_count(keys)?.unwrap_or(usual).into(), 0)
}

/// Layers of a kind; `None` where neither the file nor its class lists the kinds.
fn count_layers_of_kind(config: &Config<'_>, kind: &str) -> Option<i128> {
    let kinds = config.layer_list("layer_types")?;
    Some(kinds.iter().filter(|found| found.as_str() == Some(kind)).count() as i128)
}

/// Attention that reads the tokens which an indexer picks.
fn adapt_indexed_attention(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, heads } = Shape::read_shape(config)?;
    let count = |key| positive_count(config, &[key]);
    let (index_heads, width) = (count("index_n_heads")?, count("index_head_dim")?);
    let most = count("index_topk")?;
    let query = match count_or(config, &["q_lora_rank"], 0)? {
        0 => hidden,
        rank => rank,
    };
    let with = count_indexers(config, layers)?;
    let elements = query * index_heads * width + hidden * (width + index_heads);
    draft.lose_part(
        format!(
            "an indexer on {with} of {layers} layers picks the {most} tokens that a query reads; \
             here it reads all, which is too dear in longer sequences, and the indexer's own \
             scores are missing"
        ),
        with * elements,
    );
    let still = config.optional_list(&["no_rope_layers"]).into_iter().flatten();
    let still = still.filter(|flag| flag.as_u64() == Some(0)).count() as i128;
    if still > 0 {
        let rotary = count("qk_rope_head_dim")?;
        draft.lose_part(
            format!("{still} layers have no rotary part in their keys"),
            still * rotary * (count("kv_lora_rank")? * heads - hidden),
        );
    }
    Ok(())
}

/// Layers that have an indexer of their own; others take what the last one picked.
fn count_indexers(config: &Config<'_>, layers: i128) -> Result<i128, ImportProblem> {
    if let Some(kinds) = config.layer_list("indexer_types") {
        return Ok(kinds.iter().filter(|kind| kind.as_str() == Some("full")).count() as i128);
    }
    if let Some((_, pattern)) = config.first_value(&["index_topk_pattern"])
        && let Some(letters) = pattern.as_str()
    {
        return Ok(letters.matches('F').count() as i128);
    }
    let every = count_or(config, &["index_topk_freq"], 1)?.max(1);
    let offset = count_or(config, &["index_skip_topk_offset"], 2)?;
    Ok((0..layers).filter(|layer| (layer - offset + 1).max(0) % every == 0).count() as i128)
}

/// One key and value head whose entries are compressed along the sequence, heads grouped before
/// the output, and several residual streams. Latent attention with as many elements stands for it.
fn adapt_compressed_attention(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, heads } = Shape::read_shape(config)?;
    let count = |key| positive_count(config, &[key]);
    let (head, query) = (count("head_dim")?, count("q_lora_rank")?);
    let (groups, rank) = (count("o_groups")?, count("o_lora_rank")?);
    let streams = count("hc_mult")?;
    let index = [count("index_n_heads")?, count("index_head_dim")?];
    let rotary = count_or(config, &["qk_rope_head_dim"], 64)?;
    let sparse = match count_layers_of_kind(config, "compressed_sparse_attention") {
        Some(layers) => layers,
        None => match config.layer_list("compress_ratios") {
            Some(ratios) => ratios.iter().filter(|ratio| ratio.as_u64() == Some(4)).count() as i128,
            // In turns, behind three of the other kind.
            None => (layers - 2) / 2,
        },
    };
    let output = heads * head * rank + groups * rank * hidden;
    let values = output / (heads * hidden);
    let plain = 3 * hidden * head;
    let picking =
        2 * hidden * (head + 2 * index[1]) + query * index[0] * index[1] + hidden * index[0];
    let keys = plain * layers + picking * sparse;
    let latent_width = (hidden + heads * (head - rotary + values)).max(1);
    let latent = ((keys / layers - hidden * rotary) / latent_width).max(1);
    for (key, value) in [
        ("q_lora", query),
        ("kv_lora", latent),
        ("qk_nope", head - rotary),
        ("qk_rope", rotary),
        ("v_dim", values),
    ] {
        draft.set_count("model.latent_attention", key, written_count(value));
    }
    draft.remove_key("model", "kv_heads");
    draft.replace_count("model", "head_dim", written_count(values));
    let written = layers * (hidden * rotary + latent * latent_width + values * heads * hidden);
    draft.lose_part(
        format!(
            "a query reads a window and compressed entries, of which an indexer picks on {sparse} \
             of {layers} layers; here it reads all tokens through latent attention with as many \
             elements, which is too dear in long sequences"
        ),
        keys + layers * output - written,
    );
    draft.lose_part(
        format!(
            "{streams} residual streams: what a layer keeps and passes on is {streams} times as \
             much"
        ),
        layers * 2 * streams * (streams + 2) * streams * hidden,
    );
    Ok(())
}

/// Layers that see the whole sequence have wider heads, and may use keys as values.
fn adapt_wide_global_layers(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, heads } = Shape::read_shape(config)?;
    let count = |key| positive_count(config, &[key]);
    let (kv, head) = (count("num_key_value_heads")?, count("head_dim")?);
    let wide = count_layers_of_kind(config, "full_attention").unwrap_or(layers / 6);
    let joint = config.optional_flag(&["attention_k_eq_v"])? == Some(true);
    let wide_head = count_or(config, &["global_head_dim"], 512)?;
    let stated = if joint { count_or(config, &["num_global_key_value_heads"], 0)? } else { 0 };
    let wide_kv = if stated > 0 { stated } else { kv };
    let own = hidden * wide_head * (2 * heads + wide_kv * if joint { 1 } else { 2 });
    draft.lose_part(
        format!(
            "{wide} layers see the whole sequence with heads of {wide_head} in place of {head}"
        ),
        wide * (own - 2 * hidden * head * (heads + kv)),
    );
    let experts = config.optional_count(&["num_experts"])?.is_some();
    if experts {
        let [dense, width] = ["intermediate_size", "moe_intermediate_size"].map(count);
        let (dense, width) = (written_count(dense?), written_count(width?));
        let shares = (dense / width.max(1)).max(1);
        draft.set_count("model.moe", "shared_experts", shares);
        if shares * width != dense {
            draft.set_count("model.moe", "shared_ffn", dense / shares);
        }
    }
    if !experts || config.is_stated("hidden_size_per_layer_input") {
        let width = count_or(config, &["hidden_size_per_layer_input"], 0)?;
        let words = count_or(config, &["vocab_size_per_layer_input"], 0)?;
        if width > 0 {
            draft.lose_part(
                format!("each layer has an embedding of its own, {width} wide"),
                layers * width * (words + hidden * 3),
            );
        }
    }
    Ok(())
}

/// Positions relative to the query, short convolutions, and fewer key and value heads on the layers
/// without a window.
fn adapt_relative_attention(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, heads } = Shape::read_shape(config)?;
    let count = |key| positive_count(config, &[key]);
    let (kv, head, relative) = (count("num_key_value_heads")?, count("head_dim")?, count("d_rel")?);
    let narrow = count("swa_num_key_value_heads")?;
    draft.replace_count("model", "kv_heads", written_count(narrow));
    let whole = count_layers_of_kind(config, "hybrid").unwrap_or(layers / 6);
    draft.lose_part(
        format!("{whole} layers without a window have {kv} key and value heads"),
        whole * 2 * hidden * head * (kv - narrow),
    );
    draft.lose_part(
        "positions relative to the query, and short convolutions".to_owned(),
        layers * hidden * relative * heads,
    );
    Ok(())
}

/// Linear attention whose state decays by channel.
fn adapt_channel_gates(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, .. } = Shape::read_shape(config)?;
    let heads = positive_count(config, &STATE_HEADS)?;
    let width = positive_count(config, &STATE_WIDTH)?;
    let linear = match config.optional_list(&["linear_attn_config.kda_layers"]) {
        Some(list) => list.len() as i128,
        // One in four is not, but for the first.
        None => {
            count_layers_of_kind(config, "linear_attention").unwrap_or(layers - (layers - 1) / 4)
        }
    };
    let narrow = width * (hidden + heads * width);
    let gate = ["linear_attn_config.use_full_rank_gate", "use_full_rank_gate"];
    let full = config.optional_flag(&gate)? == Some(true);
    let gate = if full { 0 } else { narrow - hidden * heads * width };
    draft.lose_part(
        format!(
            "the state of {linear} of {layers} layers decays by channel and not by head, by a \
             gate of rank {width}"
        ),
        linear * (narrow - hidden * heads + gate),
    );
    if let Some(block) = config.optional_count(&["attn_res_block_size"])? {
        draft.lose_part(
            format!("each layer mixes its input from sums of {block} layers before it"),
            4 * layers * hidden,
        );
    }
    Ok(())
}

/// Values narrower than keys, and fewer key and value heads on layers without a window: a head of
/// the mean width has as many elements and as many scores.
fn adapt_narrow_values(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, .. } = Shape::read_shape(config)?;
    let count = |key| positive_count(config, &[key]);
    let (keys, values) = (count("head_dim")?, count("v_head_dim")?);
    let kv = count("num_key_value_heads")?;
    // The class has twice as many there.
    let windowed = count_or(config, &["swa_num_key_value_heads"], written_count(2 * kv))?;
    let whole = match count_layers_of_kind(config, "full_attention") {
        Some(layers) => layers,
        None => match config.layer_list("hybrid_layer_pattern") {
            Some(list) => list.iter().filter(|flag| flag.as_u64() == Some(0)).count() as i128,
            None => 1 + layers / 6,
        },
    };
    let mean = written_count(keys + values) / 2;
    draft.replace_count("model", "head_dim", mean);
    draft.replace_count("model", "kv_heads", written_count(windowed));
    draft.lose_part(
        format!(
            "keys are {keys} wide and values {values}: here both are {mean}; {whole} of {layers} \
             layers have {kv} key and value heads"
        ),
        whole * hidden * (keys + values) * (kv - windowed),
    );
    Ok(())
}

/// Attention to blocks that index heads pick, and dense layers with a width of their own.
fn adapt_block_sparse_attention(
    config: &Config<'_>,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, .. } = Shape::read_shape(config)?;
    let heads = ["sparse_attention_config.sparse_num_index_heads", "index_n_heads"];
    let width = ["sparse_attention_config.sparse_index_dim", "index_head_dim"];
    let (heads, width) = (count_or(config, &heads, 4)?, count_or(config, &width, 128)?);
    draft.replace_count("model", "ffn", config.required_count(&["dense_intermediate_size"])?);
    let shared = config.required_count(&["shared_intermediate_size"])?;
    draft.replace_count("model.moe", "shared_experts", 1);
    draft.replace_count("model.moe", "shared_ffn", shared);
    let sparse = match count_layers_of_kind(config, "full_attention") {
        Some(whole) => layers - whole,
        None => layers - i128::from(draft.find_count("model.moe", "dense_layers").unwrap_or(0)),
    };
    draft.lose_part(
        format!(
            "index heads pick the blocks of tokens that a query reads on {sparse} of {layers} \
             layers; here it reads all tokens, which is too dear in long sequences"
        ),
        sparse * hidden * width * (heads + 1),
    );
    Ok(())
}

/// More heads on layers with a window than on the others: here their mean.
fn adapt_heads_by_layer(config: &Config<'_>, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Shape { hidden, layers, heads } = Shape::read_shape(config)?;
    let head = positive_count(config, &["head_dim"])?;
    let kv = draft.find_count("model", "kv_heads").unwrap_or(1).clamp(1, written_count(MOST));
    let keys = ["num_sliding_attention_heads", "attention_other_setting.num_attention_heads"];
    let windowed = count_layers_of_kind(config, "sliding_attention").unwrap_or(0);
    let own = count_or(config, &keys, written_count(heads))?;
    let all = (layers - windowed) * heads + windowed * own;
    // As many as the key and value heads divide.
    let mean = (written_count(all / layers) + kv / 2) / kv * kv;
    draft.replace_count("model", "heads", mean);
    let mut text = "each head's output is gated".to_owned();
    if own != heads {
        text =
            format!("{windowed} of {layers} layers have {own} heads, the others {heads}; {text}");
    }
    draft.lose_part(text, 2 * hidden * head * (all - layers * i128::from(mean)) + hidden * all);
    if let Some(width) = config.optional_count(&["share_expert_dim"])? {
        draft.replace_count("model.moe", "shared_experts", 1);
        draft.replace_count("model.moe", "shared_ffn", width);
    }
    Ok(())
}
