//! `model.pattern` and what it asks of the other tables of a model.

use super::context::Context;
use crate::spec::reader::Reader;
use crate::workload::{FeedForward, Layer, Mixer, Model, Pattern, PatternProblem};

/// The stated pattern, or none; nothing where its text is none.
pub(super) fn resolve_pattern(
    context: &mut Context<'_>,
    reader: &Reader<'_>,
) -> Option<Option<Pattern>> {
    let Some(text) = reader.read_text("pattern") else { return Some(None) };
    match Pattern::parse(text) {
        Ok(pattern) => Some(Some(pattern)),
        Err(problem) => {
            let hint = match problem {
                PatternProblem::Letter(_) | PatternProblem::Empty => {
                    "`*` is attention, `M` Mamba-2, `G` the gated delta rule, `-` a feed-forward block, \
                     `E` experts"
                }
                PatternProblem::Layer(_) => {
                    "between spaces stands a mixer (`*`, `M`, `G`), a network (`-`, `E`), or a mixer \
                     before a network"
                }
            };
            context.report_contradiction(reader, "pattern", problem.to_string(), hint);
            None
        }
    }
}

/// Tables that the pattern lacks, that it has no use for, and layers that it does not fit.
pub(super) fn check_pattern(context: &mut Context<'_>, reader: &Reader<'_>, model: &Model) {
    let has = |is: &dyn Fn(Layer) -> bool| {
        model.pattern.as_ref().is_some_and(|this_pattern| this_pattern.has_layer(is))
    };
    let tables = [
        ("mamba", "M", model.mamba.is_some(), has(&|layer| layer.mixer() == Some(Mixer::Mamba))),
        ("delta", "G", model.delta.is_some(), has(&|layer| layer.mixer() == Some(Mixer::Delta))),
    ];
    for (table, letter, stated, named) in tables {
        if named && !stated {
            let message = format!("`{letter}` has no sizes: there is no table `model.{table}`");
            let hint = format!("write `[model.{table}]`");
            context.report_contradiction(reader, "pattern", message, hint);
        } else if stated && !named {
            let message = format!("no layer has the mixer of `model.{table}`");
            let hint = format!("name layers with `{letter}` in `model.pattern`");
            context.report_contradiction(reader, table, message, hint);
        }
    }
    let Some(pattern) = &model.pattern else { return };
    let experts = has(&|layer| layer.network() == Some(FeedForward::Experts));
    if experts && model.moe.is_none() {
        let message = "`E` has no experts: there is no table `model.moe`".to_owned();
        context.report_contradiction(reader, "pattern", message, "write `[model.moe]`");
    } else if !experts && model.moe.is_some() {
        let message = "no layer has the experts of `model.moe`".to_owned();
        context.report_contradiction(
            reader,
            "moe",
            message,
            "name layers with `E` in `model.pattern`",
        );
    }
    let period = pattern.period();
    if !model.layers.is_multiple_of(period) {
        let message = format!("a pattern of {period} layers does not fit {} layers", model.layers);
        let hint = "state one for all layers, or one that is repeated a whole number of times";
        context.report_contradiction(reader, "pattern", message, hint);
    }
    if model.parallel_blocks {
        let message = "a pattern says which blocks a layer has, one after the other".to_owned();
        context.report_contradiction(reader, "parallel_blocks", message, "leave it out");
    }
    if let (Some(moe), Some(inner)) = (&model.moe, reader.sub_table("moe"))
        && moe.dense_layers > 0
    {
        let message = "the pattern says which layers have experts".to_owned();
        context.report_contradiction(&inner, "dense_layers", message, "leave it out");
    }
    mixer_contradictions(context, reader, model);
}

/// Heads that groups or heads of another kind do not divide.
fn mixer_contradictions(context: &mut Context<'_>, reader: &Reader<'_>, model: &Model) {
    if let (Some(mamba), Some(inner)) = (&model.mamba, reader.sub_table("mamba"))
        && !mamba.heads.is_multiple_of(mamba.groups)
    {
        let message = format!("{} groups do not divide {} heads", mamba.groups, mamba.heads);
        context.report_contradiction(&inner, "groups", message, "groups are of equal size");
    }
    if let (Some(delta), Some(inner)) = (&model.delta, reader.sub_table("delta"))
        && !delta.value_heads.is_multiple_of(delta.key_heads)
    {
        let [keys, values] = [delta.key_heads, delta.value_heads];
        let message = format!("{keys} key_heads do not divide {values} value_heads");
        context.report_contradiction(
            &inner,
            "value_heads",
            message,
            "each key head serves as many",
        );
    }
}
