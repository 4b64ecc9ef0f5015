//! Models by name and flavor, as torchtitan has them: their shapes, which files that name them do not
//! have.

use crate::import::draft::{Draft, DraftValue};

/// A decoder with attention of one kind.
struct Shape {
    model: &'static str,
    flavor: &'static str,
    layers: u64,
    hidden: u64,
    heads: u64,
    kv_heads: u64,
    head_dim: u64,
    ffn: u64,
    vocab: u64,
    tied: bool,
    /// Experts, their width, and how many a token visits.
    experts: Option<(u64, u64, u64)>,
}

const fn dense(
    model: &'static str,
    flavor: &'static str,
    [layers, hidden, heads, kv_heads, head_dim, ffn, vocab]: [u64; 7],
) -> Shape {
    let (tied, experts) = (false, None);
    Shape { model, flavor, layers, hidden, heads, kv_heads, head_dim, ffn, vocab, tied, experts }
}

const fn tied(shape: Shape) -> Shape {
    Shape { tied: true, ..shape }
}

const fn sparse(shape: Shape, experts: (u64, u64, u64)) -> Shape {
    Shape { experts: Some(experts), ..shape }
}

/// Sizes of its model registries: 2024-10 of Llama 2, 2025-12 of the others.
const SHAPES: [Shape; 16] = [
    dense("llama2", "7B", [32, 4096, 32, 32, 128, 11_008, 32_000]),
    dense("llama2", "13B", [40, 5120, 40, 40, 128, 13_824, 32_000]),
    dense("llama2", "70B", [80, 8192, 64, 8, 128, 28_672, 32_000]),
    dense("llama3", "8B", [32, 4096, 32, 8, 128, 14_336, 128_256]),
    dense("llama3", "70B", [80, 8192, 64, 8, 128, 28_672, 128_256]),
    dense("llama3", "405B", [126, 16_384, 128, 8, 128, 53_248, 128_256]),
    dense("llama3", "debugmodel", [6, 256, 16, 16, 16, 768, 2048]),
    tied(dense("qwen3", "0.6B", [28, 1024, 16, 8, 128, 3072, 151_936])),
    tied(dense("qwen3", "1.7B", [28, 2048, 16, 8, 128, 6144, 151_936])),
    tied(dense("qwen3", "4B", [36, 2560, 32, 8, 128, 9728, 151_936])),
    dense("qwen3", "8B", [36, 4096, 32, 8, 128, 12_288, 151_936]),
    dense("qwen3", "14B", [40, 5120, 40, 8, 128, 17_408, 151_936]),
    dense("qwen3", "32B", [64, 5120, 64, 8, 128, 25_600, 151_936]),
    sparse(dense("qwen3", "30B-A3B", [48, 2048, 32, 4, 128, 6144, 151_936]), (128, 768, 8)),
    sparse(dense("qwen3", "235B-A22B", [94, 4096, 64, 4, 128, 12_288, 151_936]), (128, 1536, 8)),
    dense("llama3", "1B", [16, 2048, 32, 8, 64, 8192, 128_256]),
];

/// Ready models of the same shapes as larger flavors.
const PRESETS: [(&str, &str, &str); 2] =
    [("deepseek_v3", "671B", "deepseek-v3"), ("gpt_oss", "120b", "gpt-oss-120b")];

/// Writes the model of a name and a flavor; false where there is none. Suffixes such as `_flex`
/// change no size.
pub(super) fn write_flavor(model: &str, flavor: &str, draft: &mut Draft) -> bool {
    const SUFFIXES: [&str; 3] = ["_flex_attn", "_flex", "_varlen"];
    let bare = SUFFIXES.iter().find_map(|suffix| flavor.strip_suffix(suffix)).unwrap_or(flavor);
    let is = |own: &str, own_flavor: &str| own == model && own_flavor.eq_ignore_ascii_case(bare);
    if let Some((_, _, preset)) = PRESETS.iter().find(|(own, flavor, _)| is(own, flavor)) {
        draft.set_key("model", "preset", DraftValue::Word((*preset).to_owned()), "");
        // It trains without the layers for further tokens.
        draft.set_count("model", "mtp_layers", 0);
        return true;
    }
    let Some(shape) = SHAPES.iter().find(|shape| is(shape.model, shape.flavor)) else {
        return false;
    };
    for (key, value) in [
        ("layers", shape.layers),
        ("hidden", shape.hidden),
        ("heads", shape.heads),
        ("kv_heads", shape.kv_heads),
        ("head_dim", shape.head_dim),
        ("ffn", shape.ffn),
        ("vocab", shape.vocab),
    ] {
        draft.set_count("model", key, value);
    }
    draft.set_flag("model", "gated_ffn", true);
    draft.set_flag("model", "tied_embeddings", shape.tied);
    if let Some((experts, width, visited)) = shape.experts {
        draft.set_count("model.moe", "experts", experts);
        draft.set_count("model.moe", "top_k", visited);
        draft.set_count("model.moe", "ffn", width);
    }
    true
}

/// Width of a Llama's feed-forward block: two thirds of four times the hidden size, times a factor,
/// rounded up to a multiple.
pub(super) fn llama_width(hidden: f64, multiple: f64, factor: Option<f64>) -> f64 {
    let wide = ((8.0 * hidden / 3.0).floor() * factor.unwrap_or(1.0)).floor();
    (wide / multiple).ceil() * multiple
}

/// Layers of a model by name and flavor, where it is in the table.
pub(super) fn flavor_layers(model: &str, flavor: &str) -> Option<u64> {
    let shape = SHAPES.iter().find(|shape| shape.model == model && shape.flavor == flavor);
    shape.map(|shape| shape.layers)
}

/// Names of published models, as the last part of their paths without the words behind, each with
/// the name and flavor of its shape.
const PUBLISHED: [(&[&str], &str, &str); 16] = [
    (&["llama-2-7b", "llama2-7b"], "llama2", "7B"),
    (&["llama-2-13b", "llama2-13b"], "llama2", "13B"),
    (&["llama-2-70b", "llama2-70b"], "llama2", "70B"),
    (
        &[
            "llama-3-8b",
            "llama-3.1-8b",
            "llama3-8b",
            "llama3.1-8b",
            "meta-llama-3-8b",
            "meta-llama-3.1-8b",
        ],
        "llama3",
        "8B",
    ),
    (
        &[
            "llama-3-70b",
            "llama-3.1-70b",
            "llama-3.3-70b",
            "llama3-70b",
            "llama3.1-70b",
            "llama3.3-70b",
            "meta-llama-3-70b",
            "meta-llama-3.1-70b",
        ],
        "llama3",
        "70B",
    ),
    (&["llama-3.1-405b", "llama3.1-405b"], "llama3", "405B"),
    (&["qwen3-0.6b"], "qwen3", "0.6B"),
    (&["qwen3-1.7b"], "qwen3", "1.7B"),
    (&["qwen3-4b"], "qwen3", "4B"),
    (&["qwen3-8b"], "qwen3", "8B"),
    (&["qwen3-14b"], "qwen3", "14B"),
    (&["qwen3-32b"], "qwen3", "32B"),
    (&["qwen3-30b-a3b"], "qwen3", "30B-A3B"),
    (&["qwen3-235b-a22b"], "qwen3", "235B-A22B"),
    (&["deepseek-v3", "deepseek-r1"], "deepseek_v3", "671B"),
    (&["gpt-oss-120b"], "gpt_oss", "120b"),
];

/// Writes the model of a published name, such as `Qwen/Qwen3-8B-Base`; false where it is not known.
pub(super) fn write_named_model(name: &str, draft: &mut Draft) -> bool {
    const BEHIND: [&str; 10] = [
        "-instruct",
        "-base",
        "-chat",
        "-hf",
        "-2507",
        "-thinking",
        "-bf16",
        "-it",
        ".yaml",
        "-0528",
    ];
    let name = name.trim_end_matches('/').to_lowercase().replace('_', "-");
    let mut bare = name.rsplit('/').next().unwrap_or_default();
    while let Some(rest) = BEHIND.iter().find_map(|word| bare.strip_suffix(word)) {
        bare = rest;
    }
    let known = PUBLISHED.iter().find(|(names, ..)| names.contains(&bare));
    known.is_some_and(|(_, model, flavor)| write_flavor(model, flavor, draft))
}
