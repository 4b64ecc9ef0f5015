//! Layers that see only a part of the sequence: how many, and how much of it.

use super::super::draft::Draft;
use super::super::problem::ImportProblem;
use super::super::window;
use super::config::Config;
use super::families::ModelFamily;

/// Writes the table of windows, where the model has any.
pub(super) fn write_windows(
    config: &Config<'_>,
    (name, family): (&str, ModelFamily),
    layers: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let kinds: Vec<&str> = config
        .optional_list(&["layer_types"])
        .map(|list| list.iter().filter_map(|kind| kind.as_str()).collect())
        .unwrap_or_default();
    let read = |kind: &str| kinds.iter().filter(|found| **found == kind).count() as u64;
    if let Some(other) = kinds.iter().find(|kind| !KNOWN.contains(kind)) {
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
        let limited = match kinds.is_empty() {
            true => rope.and_then(with).unwrap_or_else(|| all_but(4, layers)),
            false => kinds.iter().map(|kind| *kind == "chunked_attention").collect(),
        };
        window::write(chunk / 2, &limited, draft);
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
    let Some(tokens) =
        config.optional_count(&["sliding_window", "window_size"])?.filter(|count| *count > 0)
    else {
        return Ok(());
    };
    let limited = match kinds.is_empty() {
        false => kinds.iter().map(|kind| *kind == "sliding_attention").collect(),
        true => windows_without_list(config, name, family, layers)?,
    };
    window::write(tokens, &limited, draft);
    Ok(())
}

/// Kinds of layers that a spec knows.
const KNOWN: [&str; 3] = ["full_attention", "sliding_attention", "chunked_attention"];

/// A window on all layers but every so-many-th.
fn all_but(every: u64, layers: u64) -> Vec<bool> {
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
            Some(every) if every > 0 => all_but(every, layers),
            Some(_) => alike(false),
            None => {
                let limited: Vec<bool> =
                    letters.zip(0..layers).map(|(letter, _)| letter != 'G').collect();
                if limited.is_empty() { alike(false) } else { limited }
            }
        });
    }
    if let Some(local) = config.optional_list(&["attention_layers"]) {
        return Ok(local.iter().map(|kind| kind.as_str() == Some("local")).collect());
    }
    Ok(match name {
        "gemma2" | "gpt_oss" => all_but(2, layers),
        "gemma3_text" => all_but(6, layers),
        "cohere2" | "olmo3" => all_but(4, layers),
        "gpt_neo" => (0..layers).map(|layer| layer % 2 == 1).collect(),
        _ => alike(family.windowed),
    })
}
