//! Kinds of the layers of a hybrid model: a pattern, or the shares of attention and of dense layers.

use super::arguments::Arguments;
use crate::import::draft::{Draft, DraftValue};
use crate::import::layers;
use crate::import::problems::ImportProblem;

const TABLE: &str = "model";

/// One letter for each layer, where the flags have a pattern.
pub(super) fn layer_pattern(arguments: &Arguments, layers: Option<u64>) -> Option<String> {
    let text = arguments
        .get_text("hybrid_layer_pattern")
        .or(arguments.get_text("hybrid_override_pattern"));
    let Some(text) = text else {
        let share = |name| Some(arguments.get_text(name)?.parse::<f64>().ok()?.clamp(0.0, 1.0));
        let attention = share("hybrid_attention_ratio")?;
        let dense = share("hybrid_mlp_ratio").unwrap_or(0.0);
        return Some(spread_layers(layers?.min(100_000) as usize, attention, dense));
    };
    // Bars part the stages, and what follows a slash predicts further tokens.
    Some(text.split('/').next().unwrap_or_default().replace('|', ""))
}

/// Kinds of the layers, and the mixer of those that are none of attention.
pub(super) fn write_pattern(
    arguments: &Arguments,
    layers: u64,
    hidden: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    const MAMBA: &str = "model.mamba";
    let Some(text) = layer_pattern(arguments, Some(layers)) else { return Ok(()) };
    let layers: Vec<String> = text.chars().map(String::from).collect();
    draft.set_key(TABLE, "pattern", DraftValue::Word(layers::layers_text(&layers)), "");
    if text.contains('M') {
        let width = arguments.get_count("mamba_head_dim")?.unwrap_or(64);
        let heads = arguments.get_count("mamba_num_heads")?;
        draft.set_count(MAMBA, "heads", heads.unwrap_or(hidden.saturating_mul(2) / width.max(1)));
        draft.set_count(MAMBA, "head_dim", width);
        draft.set_count(MAMBA, "state", arguments.get_count("mamba_state_dim")?.unwrap_or(128));
        draft.set_count(MAMBA, "groups", arguments.get_count("mamba_num_groups")?.unwrap_or(8));
    }
    if text.contains('E') && !arguments.has_any(&["num_experts"]) {
        return Err(ImportProblem::Missing { key: "--num-experts".to_owned() });
    }
    Ok(())
}

/// A letter for each layer by the shares of two kinds among them, spread as Megatron-Core spreads
/// them: attention first, then dense layers among the Mamba layers that are left.
fn spread_layers(layers: usize, attention: f64, dense: f64) -> String {
    let count = |share: f64| (layers as f64 * share).round_ties_even() as usize;
    let (attention, dense) = (count(attention), count(dense));
    let mut kinds = vec!['M'; layers];
    let mut spread = |letter: char, between: f64| {
        let mut left = between;
        for kind in kinds.iter_mut().filter(|kind| **kind == 'M') {
            if left < 0.5 {
                *kind = letter;
                left += between;
            } else {
                left -= 1.0;
            }
        }
    };
    let rest = layers.saturating_sub(attention);
    spread('*', rest as f64 / (attention + 1) as f64);
    if dense > 0 {
        spread('-', rest.saturating_sub(dense) as f64 / dense as f64);
    }
    kinds.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::spread_layers;

    #[test]
    fn layers_are_spread_by_their_shares() {
        assert_eq!(spread_layers(8, 0.25, 0.25), "MM*-M*M-");
        assert_eq!(spread_layers(4, 0.0, 0.5), "M-M-");
        assert_eq!(spread_layers(3, 0.0, 0.0), "MMM");
    }
}
