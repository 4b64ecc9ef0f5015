//! Layers of several kinds and their windows, from a configuration of Hugging Face.

use serde_json::Value as Json;

use super::config::Config;
use super::families::ModelFamily;
use crate::import::draft::{Draft, DraftValue};
use crate::import::layers;
use crate::import::problems::ImportProblem;

const TABLE: &str = "model";
const MAMBA: &str = "model.mamba";
const DELTA: &str = "model.delta";

/// Keys of the kinds of layers, by family: of a letter a layer, or of a list of names.
const LETTERS: [&str; 1] = ["hybrid_override_pattern"];
const KINDS: [&str; 2] = ["layers_block_type", "layer_types"];

/// Layers of a family with unlike ones, each as the letters of a pattern.
pub(super) struct HybridPattern {
    layers: Vec<String>,
}

impl HybridPattern {
    /// True where some layer has that.
    pub(super) fn has_letter(&self, letter: char) -> bool {
        self.layers.iter().any(|layer| layer.contains(letter))
    }

    /// How many layers there are.
    pub(super) fn layers(&self) -> u64 {
        self.layers.len() as u64
    }

    /// True where the output of attention is gated, which the family's code decides.
    fn is_gated(config: &Config<'_>, family: &str) -> Result<bool, ImportProblem> {
        Ok(match family {
            "olmo_hybrid" => false,
            "kimi_linear" => config.optional_flag(&["mla_use_output_gate"])? == Some(true),
            _ => true,
        })
    }
}

/// The layers of a family that has unlike ones; `None` of any other.
pub(super) fn hybrid_pattern(
    config: &Config<'_>,
    family: &str,
) -> Result<Option<HybridPattern>, ImportProblem> {
    let layers = match family {
        "nemotron_h" => match config.first_value(&LETTERS) {
            Some((_, Json::String(text))) => text.chars().map(String::from).collect(),
            _ => layers_from_names(config, |kind| match kind {
                "mamba" | "linear_attention" => Some("M"),
                "attention" | "full_attention" => Some("*"),
                "mlp" => Some("-"),
                "moe" => Some("E"),
                _ => None,
            })?,
        },
        "qwen3_next" | "qwen3_5_moe_text" => linear_layers(config, "E")?,
        "qwen3_5_text" | "olmo_hybrid" => linear_layers(config, "-")?,
        "kimi_linear" => channel_gated_layers(config)?,
        "bamba" if config.optional_list(&KINDS).is_some() => mamba_layers(config, "-")?,
        "bamba" => {
            let all = config.layer_count()?;
            let with = config.optional_list(&["attn_layer_indices"]);
            let with: Vec<u64> = with.into_iter().flatten().filter_map(Json::as_u64).collect();
            let layer = |index| if with.contains(&index) { "*-" } else { "M-" };
            (0..all).map(|index| layer(index).to_owned()).collect()
        }
        "granitemoehybrid" => {
            let experts = config.optional_count(&["num_local_experts"])?.unwrap_or(0) > 0;
            mamba_layers(config, if experts { "E" } else { "-" })?
        }
        _ => return Ok(None),
    };
    Ok(Some(HybridPattern { layers }))
}

/// Layers of a list of names.
fn layers_from_names(
    config: &Config<'_>,
    letters: impl Fn(&str) -> Option<&'static str>,
) -> Result<Vec<String>, ImportProblem> {
    let Some((key, list)) = config.first_value(&KINDS) else {
        return Err(ImportProblem::Missing { key: KINDS.join("` or `") });
    };
    let wrong = |value: &Json| ImportProblem::Value {
        key: key.clone(),
        value: value.to_string(),
        wanted: "a list of known kinds of layers",
    };
    let layer = |kind: &Json| kind.as_str().and_then(&letters).map(str::to_owned);
    let list = list.as_array().ok_or_else(|| wrong(list))?;
    list.iter().map(|kind| layer(kind).ok_or_else(|| wrong(kind))).collect()
}

/// Layers with attention among those with a scan, each with the network of all.
fn mamba_layers(config: &Config<'_>, network: &str) -> Result<Vec<String>, ImportProblem> {
    let mixers = layers_from_names(config, |kind| match kind {
        "mamba" | "linear_attention" => Some("M"),
        "attention" | "full_attention" => Some("*"),
        _ => None,
    })?;
    Ok(mixers.into_iter().map(|mixer| mixer + network).collect())
}

/// Mixers of layers with attention among those with a delta rule, by their names.
fn delta_mixers(config: &Config<'_>) -> Result<Vec<String>, ImportProblem> {
    layers_from_names(config, |kind| match kind {
        "full_attention" => Some("*"),
        "linear_attention" => Some("G"),
        _ => None,
    })
}

/// Layers with attention among those with the gated delta rule, each with the network of all.
fn linear_layers(config: &Config<'_>, network: &str) -> Result<Vec<String>, ImportProblem> {
    let mixers = if config.optional_list(&KINDS).is_some() {
        delta_mixers(config)?
    } else {
        let all = config.layer_count()?;
        let every = config.optional_count(&["full_attention_interval"])?.unwrap_or(4).max(1);
        let layer = |index: u64| if index.is_multiple_of(every) { "*" } else { "G" };
        (1..=all).map(|index| layer(index).to_owned()).collect()
    };
    let sparse = config.optional_list(&["mlp_only_layers"]).is_none_or(Vec::is_empty);
    let step = config.optional_count(&["decoder_sparse_step"])?.unwrap_or(1);
    if network == "E" && (!sparse || step > 1) {
        return Err(ImportProblem::Value {
            key: "mlp_only_layers` or `decoder_sparse_step".to_owned(),
            value: format!("steps of {step}, or layers without experts"),
            wanted: "experts on each layer, as in every published model of the family",
        });
    }
    Ok(mixers.into_iter().map(|mixer| mixer + network).collect())
}

/// Layers with latent attention among those whose state decays by channel; dense ones come first.
fn channel_gated_layers(config: &Config<'_>) -> Result<Vec<String>, ImportProblem> {
    let all = config.layer_count()?;
    let dense = match config.optional_list(&["mlp_layer_types"]) {
        Some(kinds) => kinds.iter().filter(|kind| kind.as_str() == Some("dense")).count() as u64,
        None => config.optional_count(&["first_k_dense_replace"])?.unwrap_or(1),
    };
    let mixers = match config.optional_list(&["linear_attn_config.full_attn_layers"]) {
        // Counted from one.
        Some(list) => {
            let full: Vec<u64> = list.iter().filter_map(Json::as_u64).collect();
            (1..=all)
                .map(|layer| if full.contains(&layer) { "*" } else { "G" }.to_owned())
                .collect()
        }
        None if config.optional_list(&KINDS).is_some() => delta_mixers(config)?,
        None => {
            let full = |layer: u64| layer > 0 && layer.is_multiple_of(4);
            (0..all).map(|layer| if full(layer) { "*" } else { "G" }.to_owned()).collect::<Vec<_>>()
        }
    };
    let network = |layer: usize| if (layer as u64) < dense { "-" } else { "E" };
    Ok(mixers.into_iter().enumerate().map(|(layer, mixer)| mixer + network(layer)).collect())
}

/// Keys of the heads of a state, where keys and values have as many, and of their width.
pub(super) const STATE_HEADS: [&str; 2] = ["linear_attn_config.num_heads", "linear_num_heads"];
pub(super) const STATE_WIDTH: [&str; 2] = ["linear_attn_config.head_dim", "linear_head_dim"];

/// Writes the pattern and the tables of the mixers that it names.
pub(super) fn write_hybrid(
    config: &Config<'_>,
    family: &str,
    pattern: &HybridPattern,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    draft.set_key(TABLE, "pattern", DraftValue::Word(layers::layers_text(&pattern.layers)), "");
    if pattern.has_letter('G') && HybridPattern::is_gated(config, family)? {
        draft.set_flag(TABLE, "attention_gate", true);
    }
    if pattern.has_letter('M') {
        let heads = config.required_count(&["mamba_num_heads", "mamba_n_heads"])?;
        draft.set_count(MAMBA, "heads", heads);
        draft.set_count(MAMBA, "head_dim", head_width(config, heads)?);
        draft.set_count(
            MAMBA,
            "state",
            config.required_count(&["ssm_state_size", "mamba_d_state"])?,
        );
        let groups = ["n_groups", "mamba_n_groups"];
        draft.set_count(MAMBA, "groups", config.optional_count(&groups)?.unwrap_or(1));
        draft.set_count(
            MAMBA,
            "conv",
            config.optional_count(&["conv_kernel", "mamba_d_conv"])?.unwrap_or(4),
        );
    }
    if pattern.has_letter('G') {
        let joined = |name, [inner, joint]: [&'static str; 2]| [name, inner, joint];
        let conv = ["linear_conv_kernel_dim", "linear_attn_config.short_conv_kernel_size"];
        for (key, names) in [
            ("key_heads", joined("linear_num_key_heads", STATE_HEADS).as_slice()),
            ("value_heads", joined("linear_num_value_heads", STATE_HEADS).as_slice()),
            ("key_dim", joined("linear_key_head_dim", STATE_WIDTH).as_slice()),
            ("value_dim", joined("linear_value_head_dim", STATE_WIDTH).as_slice()),
            ("conv", conv.as_slice()),
        ] {
            draft.set_count(DELTA, key, config.required_count(names)?);
        }
    }
    Ok(())
}

/// Width of a head; where it is left to the class, the channels over the heads.
fn head_width(config: &Config<'_>, heads: u64) -> Result<u64, ImportProblem> {
    let keys = ["mamba_head_dim", "mamba_d_head"];
    if let Ok(Some(width)) = config.optional_count(&keys) {
        return Ok(width);
    }
    let hidden = config.required_count(&["hidden_size"])?;
    let expand = config.optional_count(&["mamba_expand", "expand"])?.unwrap_or(2);
    Ok(expand * hidden / heads.max(1))
}

/// Writes the table of windows, where the model has any.
pub(super) fn write_windows(
    config: &Config<'_>,
    name: &str,
    family: ModelFamily,
    layers: u64,
    approximated: bool,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let kinds: Vec<&str> = config
        .layer_list("layer_types")
        .map(|list| list.iter().filter_map(|kind| kind.as_str()).collect())
        .unwrap_or_default();
    let read = |kind: &str| kinds.iter().filter(|found| **found == kind).count() as u64;
    // What is approximated sees all, but where it has a window.
    let other = kinds.iter().find(|kind| !KNOWN.contains(kind));
    if let Some(other) = other.filter(|_| !approximated) {
        return Err(ImportProblem::Value {
            key: "layer_types".to_owned(),
            value: format!("`{other}` on {} layers", read(other)),
            wanted: "attention: full_attention, sliding_attention or chunked_attention",
        });
    }
    let chunk = config.optional_count(&["attention_chunk_size"])?.filter(|tokens| *tokens > 1);
    if let Some(chunk) = chunk.filter(|_| name == "llama4_text") {
        let rope = config.optional_list(&["no_rope_layers"]);
        let with = |list: &Vec<serde_json::Value>| {
            let limited: Vec<bool> = list.iter().map(|figure| figure.as_u64() == Some(1)).collect();
            limited.contains(&true).then_some(limited)
        };
        let limited = if kinds.is_empty() {
            rope.and_then(with).unwrap_or_else(|| windows_except_every(4, layers))
        } else {
            kinds.iter().map(|kind| *kind == "chunked_attention").collect()
        };
        layers::write_windows(chunk / 2, &limited, draft);
        let limited = limited.iter().filter(|flag| **flag).count();
        if limited > 0 {
            draft.lost.push(format!(
                "{limited} layers attend inside chunks of {chunk} tokens: written as a window of \
                 {} tokens, which has as many scores",
                chunk / 2
            ));
        }
        return Ok(());
    }
    let Some(tokens) = config.optional_count(&WINDOWS)?.filter(|count| *count > 0) else {
        return Ok(());
    };
    let limited = match kinds.is_empty() {
        false => kinds
            .iter()
            .map(|kind| kind.ends_with("sliding") || *kind == "sliding_attention")
            .collect(),
        true => windows_without_list(config, name, family, layers)?,
    };
    layers::write_windows(tokens, &limited, draft);
    Ok(())
}

/// Keys of the tokens that a window has.
const WINDOWS: [&str; 3] = ["sliding_window", "window_size", "sliding_window_size"];

/// Kinds of layers that a spec knows.
const KNOWN: [&str; 3] = ["full_attention", "sliding_attention", "chunked_attention"];

/// A window on all layers but every so-many-th.
fn windows_except_every(every: u64, layers: u64) -> Vec<bool> {
    (1..=layers).map(|layer| !layer.is_multiple_of(every)).collect()
}

/// Layers with a window where the file has no list of layers.
fn windows_without_list(
    config: &Config<'_>,
    name: &str,
    family: ModelFamily,
    layers: u64,
) -> Result<Vec<bool>, ImportProblem> {
    let alike = |limited: bool| vec![limited; usize::try_from(layers).unwrap_or_default()];
    if let Some(on) = config.optional_flag(&["use_sliding_window"])? {
        let first = config.optional_count(&["max_window_layers"])?.unwrap_or(0);
        return Ok((0..layers).map(|layer| on && layer >= first).collect());
    }
    if let Some((_, pattern)) =
        config.first_value(&["sliding_window_pattern", "global_attn_every_n_layers"])
    {
        // Every n-th layer sees all, or a text with a letter for each layer of a period.
        let letters = pattern.as_str().unwrap_or_default().chars().cycle();
        return Ok(match pattern.as_u64() {
            Some(every) if every > 0 => windows_except_every(every, layers),
            Some(_) => alike(false),
            None => {
                let limited: Vec<bool> =
                    letters.zip(0..layers).map(|(letter, _)| letter != 'G').collect();
                if limited.is_empty() { alike(false) } else { limited }
            }
        });
    }
    if let Some(list) = config.layer_list("hybrid_layer_pattern") {
        return Ok(list.iter().map(|flag| flag.as_u64() == Some(1)).collect());
    }
    if let Some(list) = config.optional_list(&["local_layer_ids"]) {
        let with: Vec<u64> = list.iter().filter_map(Json::as_u64).collect();
        return Ok((0..layers).map(|layer| with.contains(&layer)).collect());
    }
    if let Some(local) = config.layer_list("attention_layers") {
        return Ok(local.iter().map(|kind| kind.as_str() == Some("local")).collect());
    }
    Ok(match name {
        "gemma2" | "gpt_oss" => windows_except_every(2, layers),
        "gemma3_text" | "gemma4_text" | "gemma4_unified_text" | "inkling_text" => {
            windows_except_every(6, layers)
        }
        "mimo_v2_flash" => {
            let mut limited = windows_except_every(6, layers);
            limited.iter_mut().take(1).for_each(|first| *first = false);
            limited
        }
        "cohere2" | "olmo3" => windows_except_every(4, layers),
        "gpt_neo" => (0..layers).map(|layer| layer % 2 == 1).collect(),
        _ => alike(family.windowed),
    })
}
