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
    "kolibri1",
    "llama",
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

/// Families that are read as another, from defaults of their own; those of
/// [`super::approximations`] for what they have in common with it.
const READ_AS: &[(&str, &str)] = &[
    ("deepseek_v32", "deepseek_v3"),
    ("deepseek_v4", "deepseek_v3"),
    ("gemma4_text", "gemma3_text"),
    ("gemma4_unified_text", "gemma3_text"),
    ("glm4v_moe_text", "glm4_moe"),
    ("glm4v_text", "glm4"),
    ("glm_moe_dsa", "deepseek_v3"),
    ("inkling_text", "glm4_moe"),
    ("kimi_k2", "deepseek_v3"),
    ("kimi_k25", "deepseek_v3"),
    ("kimi_linear", "deepseek_v3"),
    ("mimo_v2_flash", "glm4_moe"),
    ("minimax_m3_vl_text", "minimax_m2"),
    ("mistral4", "deepseek_v3"),
    ("mistral_large4_text", "deepseek_v3"),
    ("muse_glimmer_text", "qwen3"),
    ("muse_spark_text", "qwen3_moe"),
    ("qwen2_5_vl_text", "qwen2"),
    ("qwen2_vl_text", "qwen2"),
    ("qwen3_vl_moe_text", "qwen3_moe"),
    ("qwen3_vl_text", "qwen3"),
    ("sarvam_mla", "deepseek_v3"),
    ("sarvam_moe", "glm4_moe"),
    ("step3p5", "glm4_moe"),
];

/// Wrappers whose language model has another name than theirs with `_text`.
const TOWERS: &[(&str, &str)] = &[
    ("glm46v", "glm4v_text"),
    ("inkling_mm_model", "inkling_text"),
    ("kimi_k3", "kimi_linear"),
    ("minimax_m3", "minimax_m3_vl_text"),
    ("step3p7", "step3p5"),
];

/// The family of the language model in a configuration of some type.
pub(super) fn tower_family(name: &str) -> String {
    let known =
        |name: &str| model_family(base_family(name)).is_some() || refusal_reason(name).is_some();
    let tower = TOWERS.iter().find(|(outer, _)| *outer == name).map(|(_, tower)| *tower);
    let bare = || name.strip_suffix("_text").unwrap_or(name).to_owned();
    match tower {
        Some(tower) => tower.to_owned(),
        None if known(name) => name.to_owned(),
        None => Some(format!("{name}_text")).filter(|tower| known(tower)).unwrap_or_else(bare),
    }
}

/// The family whose rules hold for another.
pub(super) fn base_family(name: &str) -> &str {
    READ_AS.iter().find(|(own, _)| *own == name).map_or(name, |(_, base)| base)
}

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
        &["bailing_hybrid", "minimax"],
        "its linear attention is not the gated delta rule that a spec has",
    ),
    (&["lfm2", "lfm2_moe", "lfm3", "lfm3_vl"], "it has layers of convolutions"),
    (&["recurrent_gemma", "rwkv", "xlstm"], "it has recurrent layers"),
    (
        &["axk2", "dots3_note", "dots3_note_text", "hy_v4", "hy_v4_vl", "hy_v4_vl_text"],
        "its attention reads the tokens that an indexer picks, and gates its output or has layers \
         of two widths",
    ),
    (
        &["glm5_next", "glm5_next_text"],
        "its latent attention has no rotary part, in turns with linear attention",
    ),
    (&["qwen4_exp", "qwen4_exp_text"], "it has embeddings of groups of tokens in its layers"),
    (&["nemotron-nas", "deci", "decilm"], "each layer has a width of its own"),
    (
        &["ernie4_5_vl_moe", "ernie4_5_vl_moe_text"],
        "it has experts of two widths, for words and for pictures",
    ),
    (&["zaya"], "convolutions mix its queries and keys"),
    (
        &["gemma3n", "gemma3n_text"],
        "its layers share keys and values and have embeddings of their own",
    ),
    (&["longcat_flash"], "a layer has two attentions, and some of its experts compute nothing"),
    (&["jetmoe"], "its attention is a mixture of experts"),
    (&["diffllama"], "its attention subtracts two maps of scores"),
    (&["doge"], "its experts are single rows of a matrix"),
];

/// The family of a class of models such as `Qwen3MoeForCausalLM`: families have the same letters.
pub(super) fn family_of_class(class: &str) -> Option<&'static str> {
    let heads = ["ForCausalLM", "ForConditionalGeneration", "LMHeadModel"];
    let letters = heads.iter().find_map(|head| class.strip_suffix(head))?.to_lowercase();
    let same = |name: &&&str| name.replace('_', "") == letters;
    let beside = PARALLEL.iter().map(|(name, _)| name);
    let read = READ_AS.iter().map(|(name, _)| name);
    let refused = REFUSED.iter().flat_map(|(names, _)| *names);
    let all = GATED.iter().chain(UNGATED).chain(beside).chain(read).chain(refused);
    all.into_iter().find(same).copied()
}

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
