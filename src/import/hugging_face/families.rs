//! What the code of a family decides and its configuration does not say. A family is the
//! `model_type` of Hugging Face transformers.

/// What is to be known of a family.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelFamily {
    /// Three feed-forward matrices instead of two.
    pub(super) gated: bool,
    /// Attention and feed-forward block stand side by side on one norm.
    pub(super) parallel: bool,
    /// A window applies to all layers where the file names no layers.
    pub(super) windowed: bool,
}

/// Families with three feed-forward matrices, attention first.
const GATED: &[&str] = &[
    "afmoe",
    "apriel",
    "aria_text",
    "axk1",
    "bamba",
    "bitnet",
    "cwm",
    "deepseek_v2",
    "deepseek_v3",
    "dots1",
    "ernie4_5",
    "ernie4_5_moe",
    "exaone4",
    "exaone_moe",
    "flint",
    "flex_olmo",
    "gemma",
    "gemma2",
    "gemma3",
    "gemma3_text",
    "glm",
    "glm4",
    "glm4_moe",
    "glm4_moe_lite",
    "gpt_oss",
    "granite",
    "granite_swa",
    "granitemoe",
    "granitemoe_swa",
    "granitemoehybrid",
    "granitemoeshared",
    "helium",
    "hunyuan_v1_dense",
    "hunyuan_v1_moe",
    "hy_v3",
    "hyperclovax",
    "internlm2",
    "internlm3",
    "iquestcoder",
    "kimi_k2",
    "kimi_k25",
    "kolibri1",
    "llama",
    "llama4",
    "llama4_text",
    "mellum",
    "minicpm3",
    "minimax_m2",
    "ministral",
    "ministral3",
    "mistral",
    "mistral3",
    "mixtral",
    "olmo",
    "olmo2",
    "olmo3",
    "olmo_hybrid",
    "olmoe",
    "phi3",
    "phi4",
    "phimoe",
    "qwen2",
    "qwen2_moe",
    "qwen3",
    "qwen3_5_moe_text",
    "qwen3_5_text",
    "qwen3_moe",
    "qwen3_next",
    "seed_oss",
    "smollm3",
    "solar_open",
    "stablelm",
    "vaultgemma",
    "youtu",
    "dbrx",
];

/// Families with two.
const UNGATED: &[&str] = &[
    "apertus",
    "arcee",
    "bloom",
    "gpt2",
    "gpt_bigcode",
    "gpt_neo",
    "jais2",
    "mpt",
    "nanochat",
    "nemotron",
    "nemotron_h",
    "opt",
    "persimmon",
    "starcoder2",
    "xglm",
    "biogpt",
];

/// Families whose attention and feed-forward block stand side by side, by whether they are gated.
const PARALLEL: &[(&str, bool)] = &[
    ("codegen", false),
    ("cohere", true),
    ("cohere2", true),
    ("cohere2_moe", true),
    ("falcon", false),
    ("gpt_neox", false),
    ("gpt_neox_japanese", false),
    ("gptj", false),
    ("phi", false),
];

/// Families whose `sliding_window`, where it is stated, is that of every layer.
const WINDOWED: &[&str] =
    &["mistral", "ministral", "mixtral", "phi3", "phi4", "phimoe", "starcoder2", "minimax_m2"];

/// What keeps other families out.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["falcon_mamba", "jamba", "mamba", "zamba"],
        "it has state-space layers of the first Mamba, of which a spec has the second",
    ),
    (
        &["mamba2"],
        "all of its layers are state-space layers, and a spec asks for heads of attention",
    ),
    (&["falcon_h1"], "a layer has attention and a state-space mixer side by side"),
    (
        &["zamba2"],
        "its layers of attention share matrices among each other, beside state-space layers",
    ),
    (
        &["bailing_hybrid", "kimi_linear", "minimax"],
        "its linear attention is not the gated delta rule that a spec has",
    ),
    (&["lfm2", "lfm2_moe"], "it has layers of convolutions"),
    (&["recurrent_gemma", "rwkv", "xlstm"], "it has recurrent layers"),
    (
        &["deepseek_v32", "glm_moe_dsa", "deepseek_v4", "axk2", "dots3_note_text", "hy_v4"],
        "its attention reads the tokens that an indexer picks",
    ),
    (
        &["mimo_v2_flash", "step3p5", "gemma4", "gemma4_text"],
        "its layers differ in heads or in their width",
    ),
    (
        &["gemma3n", "gemma3n_text"],
        "its layers share keys and values and have embeddings of their own",
    ),
    (&["longcat_flash"], "a layer has two attentions, and some of its experts compute nothing"),
    (&["jetmoe"], "its attention is a mixture of experts"),
    (&["diffllama"], "its attention subtracts two maps of scores"),
    (&["doge"], "its experts are single rows of a matrix"),
];

/// Why a family is refused; `None` where it is not.
pub(super) fn refusal_reason(name: &str) -> Option<&'static str> {
    REFUSED.iter().find_map(|(names, reason)| names.contains(&name).then_some(*reason))
}

/// What is known of a family; `None` where nothing is.
pub(super) fn model_family(name: &str) -> Option<ModelFamily> {
    let windowed = WINDOWED.contains(&name);
    let beside = PARALLEL.iter().find(|(text, _)| *text == name);
    let (gated, parallel) = match beside {
        Some((_, gated)) => (*gated, true),
        None if GATED.contains(&name) => (true, false),
        None if UNGATED.contains(&name) => (false, false),
        None => return None,
    };
    Some(ModelFamily { gated, parallel, windowed })
}
