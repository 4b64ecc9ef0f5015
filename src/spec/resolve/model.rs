//! Reads `[model]` and its pattern of layers.

use super::context::Context;
use crate::spec::reader::Reader;
use crate::workload::{
    Delta, FeedForward, InnerTables, LatentAttention, Layer, Mamba, Mixer, Model, Moe, Pattern,
    PatternProblem, SlidingWindow,
};

pub(super) fn resolve_model(context: &mut Context<'_>) -> Option<Model> {
    let own = context.section_reader("model");
    let table = context.document.get_table("model").cloned().unwrap_or_default();
    let preset = own.read_text("preset");
    let merged = match preset {
        None if own.is_stated("preset") => return None,
        None => table,
        Some(name) => {
            let models = context.presets.entries_of_kind("models");
            let Some(below) = models.get_table(name) else {
                let known = models.entries.keys().cloned();
                context.report_unknown_value(&own, "preset", "model", name, known);
                return None;
            };
            below.overlay_with(&table)
        }
    };
    if let Some(note) = own.read_text("note") {
        context.note_preset_default("model", note);
    }
    let reader = Reader::new(&merged, &Model::SECTION, "model", own.place());
    context.require_key(&reader, ", or name a `preset`");
    let mut assumed = ModelAssumptions { context, stated: preset.is_none() };
    let model = read_model(&reader, preset.unwrap_or("model"), &mut assumed)?;
    check_model(context, &reader, &model);
    Some(model)
}

/// Defaults of a shape. A preset that leaves a key out means the default, so only a spec's own
/// shape has them reported.
struct ModelAssumptions<'c, 'a> {
    context: &'c mut Context<'a>,
    stated: bool,
}

impl ModelAssumptions<'_, '_> {
    fn note_key_default(&mut self, reader: &Reader<'_>, key: &str, text: String) {
        if self.stated && !reader.is_stated(key) {
            self.context.note_assumption(reader.path_of(key), text);
        }
    }

    /// As [`Self::note_key_default`], in every report.
    fn show_key_default(&mut self, reader: &Reader<'_>, key: &str, text: &str) {
        if self.stated && !reader.is_stated(key) {
            self.context.note_preset_default(reader.path_of(key), text);
        }
    }
}

fn read_model(
    reader: &Reader<'_>,
    name: &str,
    assumed: &mut ModelAssumptions<'_, '_>,
) -> Option<Model> {
    let heads = reader.read_count("heads");
    let hidden = reader.read_count("hidden");
    if let (Some(hidden), Some(heads), false) = (hidden, heads, reader.is_stated("head_dim"))
        && !hidden.is_multiple_of(heads)
        && !reader.is_stated("latent_attention")
    {
        let message = format!("{heads} heads do not divide hidden width {hidden}");
        let hint = "state `head_dim`, or choose heads that divide the width";
        assumed.context.report_contradiction(reader, "heads", message, hint);
    }
    let inner = |context: &mut Context<'_>, key| {
        let inner = reader.sub_table(key)?;
        context.require_key(&inner, "");
        Some(inner)
    };
    let moe = inner(assumed.context, "moe");
    let latent = inner(assumed.context, "latent_attention");
    let window = inner(assumed.context, "window");
    let mamba = inner(assumed.context, "mamba");
    let delta = inner(assumed.context, "delta");
    let tables = InnerTables {
        pattern: resolve_pattern(assumed.context, reader)?,
        latent: latent.and_then(|table_reader| LatentAttention::read(&table_reader)),
        window: window.and_then(|table_reader| SlidingWindow::read(&table_reader)),
        mamba: mamba.and_then(|table_reader| Mamba::read(&table_reader)),
        delta: delta.and_then(|table_reader| Delta::read(&table_reader)),
    };
    let loads =
        moe.as_ref().map_or_else(Vec::new, |table_reader| table_reader.read_numbers("loads"));
    let experts = |ffn| Moe::read(moe.as_ref()?, ffn, loads);
    let model = Model::read(reader, name.to_owned(), experts, tables)?;
    let Model { heads, head_dim, ffn, .. } = model;
    assumed.note_key_default(reader, "kv_heads", format!("{heads}: as many as heads"));
    assumed.note_key_default(reader, "head_dim", format!("{head_dim}: hidden / heads"));
    if model.is_partly_dense() {
        assumed.note_key_default(reader, "ffn", format!("{ffn}: 4 times hidden"));
    }
    // Forgotten, each makes another model of the same widths.
    assumed.show_key_default(
        reader,
        "gated_ffn",
        "false: two feed-forward matrices, where SwiGLU has three",
    );
    assumed.show_key_default(
        reader,
        "tied_embeddings",
        "true: embedding and output layer share a matrix",
    );
    if let (Some(inner), Some(moe)) = (&moe, &model.moe) {
        assumed.note_key_default(inner, "ffn", format!("{}: the model's own", moe.ffn));
        if !moe.is_uneven() {
            assumed.note_key_default(
                inner,
                "capacity_factor",
                "1: the load of the experts is even".into(),
            );
        }
    }
    Some(model)
}

/// Loads of other experts than there are, of none, or stated in two ways.
fn load_contradictions(context: &mut Context<'_>, moe: &Moe, inner: &Reader<'_>) {
    let said = [
        ("loads", !moe.loads.is_empty()),
        ("load_deviation", moe.load_deviation > 0.0),
        ("capacity_factor", moe.capacity_factor > 1.0),
    ];
    let stated: Vec<&str> = said.into_iter().filter(|(_, is)| *is).map(|(key, _)| key).collect();
    if let [first, second, ..] = stated[..] {
        let message =
            format!("`{first}` and `{second}` both say how uneven the experts' loads are");
        context.report_contradiction(inner, second, message, "state one of them");
    } else if inner.is_stated("loads") && moe.loads.len() as u64 != moe.experts {
        let loads = moe.loads.len();
        let message = format!("{loads} loads are stated for {} experts", moe.experts);
        let hint = "state one for each expert, in their order";
        context.report_contradiction(inner, "loads", message, hint);
    } else if inner.is_stated("loads") && moe.loads.iter().sum::<f64>() <= 0.0 {
        let message = "no expert has any load";
        context.report_contradiction(inner, "loads", message, "tokens go to some of them");
    }
}

/// Groups that do not divide the experts, or hold fewer than a token visits.
fn group_contradictions(context: &mut Context<'_>, moe: &Moe, inner: &Reader<'_>) {
    let groups = u64::from(moe.limit.map_or(1, |limit| limit.groups));
    let most = u64::from(inner.small_count("groups_per_token").unwrap_or(1));
    let open = moe.experts / groups * most;
    if !moe.experts.is_multiple_of(groups) {
        let message = format!("{groups} groups do not divide {} experts", moe.experts);
        context.report_contradiction(inner, "groups", message, "groups are of equal size");
    } else if !inner.is_stated("groups_per_token") {
    } else if most > groups {
        let message = format!("a token can't visit {most} of {groups} groups");
        let hint = "groups_per_token is at most groups";
        context.report_contradiction(inner, "groups_per_token", message, hint);
    } else if open < moe.top_k {
        let top_k = moe.top_k;
        let message = format!(
            "with {most} of {groups} groups a token has {open} of the {top_k} experts it visits"
        );
        let hint = "groups_per_token x experts / groups is at least top_k";
        context.report_contradiction(inner, "groups_per_token", message, hint);
    }
}

/// Values that each make sense and together do not.
fn check_model(context: &mut Context<'_>, reader: &Reader<'_>, model: &Model) {
    let layers = u64::from(model.layers);
    if !model.heads.is_multiple_of(model.kv_heads) {
        let message = format!("{} kv_heads do not divide {} heads", model.kv_heads, model.heads);
        let hint = "each serves as many heads as the next";
        context.report_contradiction(reader, "kv_heads", message, hint);
    }
    if let (Some(moe), Some(inner)) = (&model.moe, reader.sub_table("moe")) {
        if moe.top_k > moe.experts {
            let message = format!("a token can't visit {} of {} experts", moe.top_k, moe.experts);
            context.report_contradiction(&inner, "top_k", message, "top_k is at most experts");
        }
        group_contradictions(context, moe, &inner);
        load_contradictions(context, moe, &inner);
        if u64::from(moe.dense_layers) > layers {
            let message = format!("{} of {layers} layers can't be dense", moe.dense_layers);
            context.report_contradiction(&inner, "dense_layers", message, "it is at most layers");
        }
    }
    if let (Some(window), Some(inner)) = (&model.window, reader.sub_table("window")) {
        let all = attention_layers(model);
        let (stated, limited) = (window.layers, window.limited_layers(all));
        if stated > all {
            let message = format!("{stated} of {all} layers can't have a window");
            let hint = "it is at most the model's layers";
            context.report_contradiction(&inner, "layers", message, hint);
        }
        if let Some(every) = window.every.filter(|_| stated != limited) {
            let message = format!(
                "one of {every} layers of {all} sees all, so {limited} have a window, not {stated}"
            );
            let hint = "leave out `every`, or state that many";
            context.report_contradiction(&inner, "layers", message, hint);
        }
    }
    check_pattern(context, reader, model);
}

/// Layers with attention.
fn attention_layers(model: &Model) -> u32 {
    model.layers_that(|layer| layer.mixer() == Some(Mixer::Attention))
}

/// The stated pattern, or none; nothing where its text is none.
fn resolve_pattern(context: &mut Context<'_>, reader: &Reader<'_>) -> Option<Option<Pattern>> {
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
fn check_pattern(context: &mut Context<'_>, reader: &Reader<'_>, model: &Model) {
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
        let message = "`E` has no experts: there is no table `model.moe`";
        context.report_contradiction(reader, "pattern", message, "write `[model.moe]`");
    } else if !experts && model.moe.is_some() {
        let message = "no layer has the experts of `model.moe`";
        let hint = "name layers with `E` in `model.pattern`";
        context.report_contradiction(reader, "moe", message, hint);
    }
    let period = pattern.period();
    if !model.layers.is_multiple_of(period) {
        let message = format!("a pattern of {period} layers does not fit {} layers", model.layers);
        let hint = "state one for all layers, or one that is repeated a whole number of times";
        context.report_contradiction(reader, "pattern", message, hint);
    }
    if model.parallel_blocks {
        let message = "a pattern says which blocks a layer has, one after the other";
        context.report_contradiction(reader, "parallel_blocks", message, "leave it out");
    }
    if let (Some(moe), Some(inner)) = (&model.moe, reader.sub_table("moe"))
        && moe.dense_layers > 0
    {
        let message = "the pattern says which layers have experts";
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
        let hint = "each key head serves as many";
        context.report_contradiction(&inner, "value_heads", message, hint);
    }
}
