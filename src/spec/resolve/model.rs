//! `[model]`: a preset, a shape, or a preset with keys that override it.

use super::context::Context;
use crate::spec::reader::Reader;
use crate::spec::schema::MODEL;
use crate::workload::{GroupLimit, LatentAttention, Model, Moe, SlidingWindow};

pub(super) fn model(context: &mut Context<'_>) -> Option<Model> {
    let own = context.section("model");
    let table = context.document.table("model").cloned().unwrap_or_default();
    let preset = own.text("preset");
    let merged = match preset {
        None if own.stated("preset") => return None,
        None => table,
        Some(name) => {
            let models = context.presets.kind("models");
            let Some(below) = models.table(name) else {
                let (key, place) = (own.path_of("preset"), own.place_of("preset"));
                context.unknown(key, place, "model", name, models.entries.keys().cloned());
                return None;
            };
            below.overlaid(&table)
        }
    };
    let reader = Reader::new(&merged, &MODEL, "model", own.place());
    context.demand(&reader, ", or name a `preset`");
    let mut assumed = Assumed { context, stated: preset.is_none() };
    let model = read(&reader, preset.unwrap_or("model"), &mut assumed)?;
    contradictions(context, &reader, &model);
    Some(model)
}

/// Defaults of a shape. A preset that leaves a key out means the default, so only a spec's own
/// shape has them reported.
struct Assumed<'c, 'a> {
    context: &'c mut Context<'a>,
    stated: bool,
}

impl Assumed<'_, '_> {
    fn say(&mut self, reader: &Reader<'_>, key: &str, text: String) {
        if self.stated && !reader.stated(key) {
            self.context.assume(reader.path_of(key), text);
        }
    }
}

fn read(reader: &Reader<'_>, name: &str, assumed: &mut Assumed<'_, '_>) -> Option<Model> {
    let heads = reader.count("heads");
    let hidden = reader.count("hidden");
    if let (Some(hidden), Some(heads), false) = (hidden, heads, reader.stated("head_dim"))
        && !hidden.is_multiple_of(heads)
        && !reader.stated("latent_attention")
    {
        let message = format!("{heads} heads do not divide hidden width {hidden}");
        let hint = "state `head_dim`, or choose heads that divide the width";
        assumed.context.contradiction(reader, "heads", message, hint);
    }
    let moe = moe(reader, assumed);
    let latent_attention = latent_attention(reader, assumed.context);
    let window = window(reader, assumed.context);
    let (heads, hidden) = (heads?, hidden?);
    assumed.say(reader, "kv_heads", format!("{heads}: as many as heads"));
    assumed.say(reader, "head_dim", format!("{}: hidden / heads", hidden / heads));
    assumed.say(reader, "ffn", format!("{}: 4 times hidden", 4 * hidden));
    assumed.say(reader, "gated_ffn", "false: two feed-forward matrices".into());
    assumed.say(reader, "tied_embeddings", "true: embedding and LM head share a matrix".into());
    Some(Model {
        name: name.to_owned(),
        layers: reader.small_count("layers")?,
        hidden,
        heads,
        kv_heads: reader.count("kv_heads").unwrap_or(heads),
        head_dim: reader.count("head_dim").unwrap_or(hidden / heads).max(1),
        ffn: reader.count("ffn").unwrap_or(4 * hidden),
        gated_ffn: reader.flag_or_default("gated_ffn"),
        vocab: reader.count("vocab")?,
        sequence: reader.count("sequence")?,
        tied_embeddings: reader.flag_or_default("tied_embeddings"),
        moe,
        latent_attention,
        window,
        mtp_layers: reader.small_count_or_default("mtp_layers"),
    })
}

fn moe(reader: &Reader<'_>, assumed: &mut Assumed<'_, '_>) -> Option<Moe> {
    let moe = reader.inner("moe")?;
    assumed.context.demand(&moe, "");
    let dense_ffn = reader.count("ffn").or_else(|| reader.count("hidden").map(|h| 4 * h));
    let ffn = moe.count("ffn").or(dense_ffn)?;
    assumed.say(&moe, "ffn", format!("{ffn}: the model's own"));
    assumed.say(&moe, "capacity_factor", "1: the load of the experts is even".into());
    Some(Moe {
        experts: moe.count("experts")?,
        top_k: moe.count("top_k")?,
        shared_experts: moe.count_or_default("shared_experts"),
        ffn,
        dense_layers: moe.small_count_or_default("dense_layers"),
        capacity_factor: moe.number_or_default("capacity_factor"),
        limit: Some(moe.small_count_or_default("groups")).filter(|groups| *groups > 1).map(
            |groups| GroupLimit {
                groups,
                most: moe.small_count("groups_per_token").unwrap_or(groups),
            },
        ),
    })
}

/// Groups that do not divide the experts, or hold fewer than a token visits.
fn group_contradictions(context: &mut Context<'_>, moe: &Moe, inner: &Reader<'_>) {
    let groups = u64::from(moe.limit.map_or(1, |limit| limit.groups));
    let most = u64::from(inner.small_count("groups_per_token").unwrap_or(1));
    let open = moe.experts / groups * most;
    if !moe.experts.is_multiple_of(groups) {
        let message = format!("{groups} groups do not divide {} experts", moe.experts);
        context.contradiction(inner, "groups", message, "groups are of equal size");
    } else if !inner.stated("groups_per_token") {
    } else if most > groups {
        let message = format!("a token can't visit {most} of {groups} groups");
        let hint = "groups_per_token is at most groups";
        context.contradiction(inner, "groups_per_token", message, hint);
    } else if open < moe.top_k {
        let top_k = moe.top_k;
        let message = format!(
            "with {most} of {groups} groups a token has {open} of the {top_k} experts it visits"
        );
        let hint = "groups_per_token x experts / groups is at least top_k";
        context.contradiction(inner, "groups_per_token", message, hint);
    }
}

fn latent_attention(reader: &Reader<'_>, context: &mut Context<'_>) -> Option<LatentAttention> {
    let latent = reader.inner("latent_attention")?;
    context.demand(&latent, "");
    Some(LatentAttention {
        q_lora: latent.count_or_default("q_lora"),
        kv_lora: latent.count("kv_lora")?,
        qk_nope: latent.count("qk_nope")?,
        qk_rope: latent.count("qk_rope")?,
        v_dim: latent.count("v_dim")?,
    })
}

fn window(reader: &Reader<'_>, context: &mut Context<'_>) -> Option<SlidingWindow> {
    let window = reader.inner("window")?;
    context.demand(&window, "");
    Some(SlidingWindow { tokens: window.count("tokens")?, layers: window.small_count("layers")? })
}

/// Values that each make sense and together do not.
fn contradictions(context: &mut Context<'_>, reader: &Reader<'_>, model: &Model) {
    let layers = u64::from(model.layers);
    if !model.heads.is_multiple_of(model.kv_heads) {
        let message = format!("{} kv_heads do not divide {} heads", model.kv_heads, model.heads);
        context.contradiction(reader, "kv_heads", message, "each serves as many heads as the next");
    }
    if let (Some(moe), Some(inner)) = (&model.moe, reader.inner("moe")) {
        if moe.top_k > moe.experts {
            let message = format!("a token can't visit {} of {} experts", moe.top_k, moe.experts);
            context.contradiction(&inner, "top_k", message, "top_k is at most experts");
        }
        group_contradictions(context, moe, &inner);
        if u64::from(moe.dense_layers) > layers {
            let message = format!("{} of {layers} layers can't be dense", moe.dense_layers);
            context.contradiction(&inner, "dense_layers", message, "it is at most layers");
        }
    }
    if let (Some(window), Some(inner)) = (&model.window, reader.inner("window"))
        && u64::from(window.layers) > layers
    {
        let message = format!("{} of {layers} layers can't have a window", window.layers);
        context.contradiction(&inner, "layers", message, "it is at most the model's layers");
    }
}
