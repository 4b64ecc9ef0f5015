//! `[technique]`: which techniques are on, with their settings. Whether they apply to the layout is
//! [`super::rules`]' business, with the layout's own rules.

use super::context::Context;
use crate::spec::reader::Reader;
use crate::workload::{
    Demo, Gather, HandOver, MultiLevel, Offload, Scope, Sil, Swap, Swapped, Technique, Techniques,
    Turns,
};

pub(super) fn techniques(context: &Context<'_>) -> Techniques {
    let all = context.section("technique");
    let table = |technique: Technique| all.inner(technique.key());
    let mut techniques = Techniques::NONE;
    techniques.on = Technique::ALL.into_iter().filter(|of| table(*of).is_some()).collect();
    if let Some(reader) = table(Technique::Demo) {
        techniques.demo = demo(&reader);
    }
    if let Some(reader) = table(Technique::Offload) {
        let default = Offload::DEFAULT;
        techniques.offload = Offload {
            bucket: reader.count("bucket").unwrap_or(default.bucket),
            coalescing: reader.count("coalescing").unwrap_or(default.coalescing),
        };
    }
    if let Some(reader) = table(Technique::Swap) {
        techniques.swap = swap(&reader);
    }
    if let Some(reader) = table(Technique::Sil) {
        techniques.sil = sil(&reader);
    }
    if let Some(reader) = table(Technique::MultiLevel) {
        techniques.multilevel = multilevel(&reader);
    }
    techniques
}

fn demo(reader: &Reader<'_>) -> Demo {
    let default = Demo::DEFAULT;
    Demo {
        scope: match reader.text("scope") {
            Some("domains") => Scope::Domains,
            _ => default.scope,
        },
        top_k: reader.count("top_k").unwrap_or(default.top_k),
        chunk: reader.count("chunk").unwrap_or(default.chunk),
        index_bytes: reader.count("index_bytes").unwrap_or(default.index_bytes),
        value_bytes: reader.count("value_bytes").unwrap_or(default.value_bytes),
        gather: match reader.text("gather") {
            Some("ring") => Gather::Ring,
            Some("direct") => Gather::Direct,
            _ => default.gather,
        },
        flat: reader.flag("flat"),
        shards: reader.small_count("shards"),
    }
}

fn swap(reader: &Reader<'_>) -> Swap {
    let default = Swap::DEFAULT;
    Swap {
        what: match reader.text("what") {
            Some("parameters") => Swapped::Parameters,
            Some("both") => Swapped::Both,
            _ => default.what,
        },
        share: reader.number("share").unwrap_or(default.share),
    }
}

fn sil(reader: &Reader<'_>) -> Sil {
    let default = Sil::DEFAULT;
    Sil {
        turns: match reader.text("turns") {
            Some("sequential") => Turns::Sequential,
            _ => default.turns,
        },
        hand_over: match reader.text("hand_over") {
            Some("activations") => HandOver::Activations,
            _ => default.hand_over,
        },
        recovery: reader.number("recovery").unwrap_or(default.recovery),
        accept_unverified: reader.flag("accept_unverified").unwrap_or(default.accept_unverified),
    }
}

fn multilevel(reader: &Reader<'_>) -> MultiLevel {
    let default = MultiLevel::DEFAULT;
    MultiLevel {
        levels: reader.small_count("levels").unwrap_or(default.levels),
        factor: reader.count("factor").unwrap_or(default.factor),
        before: reader.number("before").unwrap_or(default.before),
        small: reader.number("small").unwrap_or(default.small),
        after: reader.number("after").unwrap_or(default.after),
        gpus: reader.small_count("gpus"),
    }
}
