//! Layers that see only a part of the sequence: how many, and how much of it.

use super::super::draft::Draft;
use super::super::problem::ImportProblem;
use super::config::Config;
use super::families::Family;

const TABLE: &str = "model.window";

/// Writes the table of windows, where the model has any.
pub(super) fn windows(
    config: &Config<'_>,
    (name, family): (&str, Family),
    layers: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let kinds: Vec<&str> = config
        .list(&["layer_types"])
        .map(|list| list.iter().filter_map(|kind| kind.as_str()).collect())
        .unwrap_or_default();
    let of = |kind: &str| kinds.iter().filter(|found| **found == kind).count() as u64;
    if let Some(other) = kinds.iter().find(|kind| !KNOWN.contains(kind)) {
        return Err(ImportProblem::Value {
            key: "layer_types".to_owned(),
            value: format!("`{other}` on {} layers", of(other)),
            wanted: "attention: full_attention, sliding_attention or chunked_attention",
        });
    }
    let chunk = config.count(&["attention_chunk_size"])?.filter(|tokens| *tokens > 1);
    if let Some(chunk) = chunk.filter(|_| name == "llama4_text") {
        let rope = config.list(&["no_rope_layers"]);
        let with = |list: &Vec<serde_json::Value>| {
            list.iter().filter(|of| of.as_u64() == Some(1)).count() as u64
        };
        let limited = match kinds.is_empty() {
            true => rope.map(with).filter(|found| *found > 0).unwrap_or(layers - layers / 4),
            false => of("chunked_attention"),
        };
        if limited > 0 {
            draft.count(TABLE, "tokens", chunk / 2);
            draft.count(TABLE, "layers", limited);
            draft.lost.push(format!(
                "{limited} layers attend inside chunks of {chunk} tokens: written as a window of \
                 {} tokens, which has as many scores",
                chunk / 2
            ));
        }
        return Ok(());
    }
    let Some(tokens) = config.count(&["sliding_window", "window_size"])?.filter(|of| *of > 0)
    else {
        return Ok(());
    };
    let limited = match kinds.is_empty() {
        false => of("sliding_attention"),
        true => without_list(config, name, family, layers)?,
    };
    if limited > 0 {
        draft.count(TABLE, "tokens", tokens);
        draft.count(TABLE, "layers", limited);
    }
    Ok(())
}

/// Kinds of layers that a spec knows.
const KNOWN: [&str; 3] = ["full_attention", "sliding_attention", "chunked_attention"];

/// Layers with a window where the file has no list of layers.
fn without_list(
    config: &Config<'_>,
    name: &str,
    family: Family,
    layers: u64,
) -> Result<u64, ImportProblem> {
    if let Some(on) = config.flag(&["use_sliding_window"])? {
        let first = config.count(&["max_window_layers"])?.unwrap_or(0);
        return Ok(if on { layers.saturating_sub(first) } else { 0 });
    }
    if let Some((_, pattern)) =
        config.first(&["sliding_window_pattern", "global_attn_every_n_layers"])
    {
        // Every n-th layer sees all, or a text with a letter for each layer of a period.
        let text = pattern.as_str().unwrap_or_default();
        let global = match (pattern.as_u64(), text.len() as u64) {
            (Some(every), _) if every > 0 => layers / every,
            (_, period) if period > 0 => layers * text.matches('G').count() as u64 / period,
            _ => layers,
        };
        return Ok(layers - global);
    }
    if let Some(local) = config.list(&["attention_layers"]) {
        return Ok(local.iter().filter(|kind| kind.as_str() == Some("local")).count() as u64);
    }
    Ok(match name {
        "gemma2" | "gpt_oss" => layers.div_ceil(2),
        "gemma3_text" => layers - layers / 6,
        "cohere2" | "olmo3" => layers - layers / 4,
        "gpt_neo" => layers / 2,
        _ if family.windowed => layers,
        _ => 0,
    })
}
