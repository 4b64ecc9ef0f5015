//! The shape of the model from arguments of Megatron-LM.

use super::arguments::{Arguments, flag_name, hole_question};
use super::pattern::{layer_pattern, write_pattern};
use super::script::ScriptJob;
use crate::import::draft::{Draft, DraftValue, UserChoices};
use crate::import::flavors;
use crate::import::hugging_face::import_hugging_face;
use crate::import::layers;
use crate::import::problems::ImportProblem;
use crate::import::questions::Question;
use crate::import::shell::has_hole;
use crate::import::vocabulary::{padded_vocabulary, vocabulary_of_name};

const TABLE: &str = "model";
const MOE: &str = "model.moe";
const LATENT: &str = "model.latent_attention";

/// Writes the model: a shape where the arguments have one, else the preset that the user names.
pub(super) fn write_model(
    job: &ScriptJob,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    refuse_models(job)?;
    let stated = arguments.first_count(&["num_layers", "encoder_num_layers"])?;
    let of_pattern = || Some(layer_pattern(arguments, None)?.chars().count() as u64);
    let Some(layers) = stated.or_else(of_pattern) else {
        return write_preset(job, wanted, draft);
    };
    let needed = |name: &'static str| {
        if !arguments.has_any(&[name]) {
            ask_for_flag(arguments, name);
        }
        Ok::<u64, ImportProblem>(arguments.get_count(name)?.unwrap_or(1))
    };
    let hidden = needed("hidden_size")?;
    let heads = needed("num_attention_heads")?;
    draft.set_count(TABLE, "layers", layers);
    draft.set_count(TABLE, "hidden", hidden);
    draft.set_count(TABLE, "heads", heads);
    let latent = arguments.has_flag("multi_latent_attention");
    // Without the flag every head has its keys, whatever number of groups stands beside.
    let groups = arguments.get_count("num_query_groups")?.unwrap_or(1);
    let grouped = arguments.has_flag("group_query_attention");
    let channels = arguments.get_count("kv_channels")?;
    // Megatron-DeepSpeed has a flag of its own.
    let stated = arguments.get_count("num_key_value_heads")?;
    if !latent {
        draft.set_count(TABLE, "kv_heads", stated.unwrap_or(if grouped { groups } else { heads }));
        if let Some(width) = channels {
            draft.set_count(TABLE, "head_dim", width);
        }
    }
    let gated = arguments.has_flag("swiglu");
    let usual =
        if gated { hidden.saturating_mul(8) / 3 / 64 * 64 } else { hidden.saturating_mul(4) };
    draft.set_count(TABLE, "ffn", arguments.get_count("ffn_hidden_size")?.unwrap_or(usual));
    draft.set_flag(TABLE, "gated_ffn", gated);
    write_vocabulary(arguments, wanted, draft)?;
    write_sequence(job, wanted, draft)?;
    draft.set_flag(
        TABLE,
        "tied_embeddings",
        !arguments.has_flag("untie_embeddings_and_output_weights"),
    );
    if arguments.has_flag("attention_output_gate") {
        draft.set_flag(TABLE, "attention_gate", true);
    }
    if arguments.get_text("softmax_type") == Some("learnable") {
        draft.set_flag(TABLE, "attention_sinks", true);
    }
    write_pattern(arguments, layers, hidden, draft)?;
    if let Some(extra) = arguments.get_count("mtp_num_layers")? {
        draft.set_count(TABLE, "mtp_layers", extra);
    }
    if latent {
        draft.set_count(LATENT, "q_lora", arguments.get_count("q_lora_rank")?.unwrap_or(0));
        // Defaults of Megatron-LM's MLATransformerConfig.
        draft.set_count(LATENT, "kv_lora", arguments.get_count("kv_lora_rank")?.unwrap_or(32));
        draft.set_count(LATENT, "qk_nope", arguments.get_count("qk_head_dim")?.unwrap_or(128));
        draft.set_count(
            LATENT,
            "qk_rope",
            arguments.get_count("qk_pos_emb_head_dim")?.unwrap_or(64),
        );
        let width = arguments.get_count("v_head_dim")?.unwrap_or(128);
        draft.set_count(LATENT, "v_dim", width);
        draft.set_count(TABLE, "head_dim", width);
    }
    write_experts(arguments, layers, draft)?;
    write_window(arguments, layers, draft)
}

/// What makes a model that a spec can't describe.
fn refuse_models(job: &ScriptJob) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    let refused = |name: String, reason| Err(ImportProblem::Refused { name, reason });
    if arguments.has_flag("decoder_num_layers") {
        return refused("--decoder-num-layers".into(), "it has an encoder beside its decoder");
    }
    if let Some(variant) = arguments.get_text("experimental_attention_variant") {
        let name = format!("--experimental-attention-variant {variant}");
        return refused(name, "which layers have which attention is not read from flags");
    }
    let known = ["hybrid_override_pattern", "hybrid_layer_pattern", "hybrid_attention_ratio"];
    let patterned = arguments.has_any(&known);
    let hybrid = ["mamba", "hybrid"].iter().any(|part| job.program.contains(part));
    if !patterned && hybrid {
        let key = "--hybrid-layer-pattern".to_owned();
        return Err(ImportProblem::Missing { key });
    }
    Ok(())
}

/// The model of arguments that have no shape.
fn write_preset(
    job: &ScriptJob,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    let named = arguments.peek_text("hf_model");
    let own = arguments.first_count(&["seq_length", "encoder_seq_length"])?;
    let sequence = wanted.sequence.or(own);
    if job.missing.is_empty() && arguments.has_any(&["hidden_size", "num_attention_heads"]) {
        // Another model than the preset: the flags have a part of its shape.
        ask_for_flag(arguments, "num_layers");
    } else if let Some(text) = &job.config {
        let wanted = UserChoices { sequence, ..wanted.clone() };
        draft.take_model(import_hugging_face(text, &wanted)?);
        return Ok(());
    } else if let Some(preset) = &wanted.preset {
        draft.set_key(TABLE, "preset", DraftValue::Word(preset.clone()), "");
        if let Some(sequence) = sequence {
            draft.set_count(TABLE, "sequence", sequence);
        }
        return Ok(());
    } else if named.is_some_and(|name| flavors::write_named_model(name, draft)) {
        return write_sequence(job, wanted, draft);
    } else {
        ask_for_model(job);
    }
    ask_for_loose_words(arguments);
    Ok(())
}

/// Asks for the model, by the name that the file has for it and the files that may have its shape.
fn ask_for_model(job: &ScriptJob) {
    let names = ["hf_model", "model", "hf_checkpoint"]
        .iter()
        .find_map(|name| job.arguments.peek_text(name));
    let named = match names {
        Some(name) => format!(", which names `{}`", job.arguments.holes.shown_text(name)),
        None => String::new(),
    };
    let (files, own) = match job.missing.as_slice() {
        [] => (String::new(), ""),
        files => (
            format!(", nor are the files that it sources: {}", files.join(", ")),
            "those files or ",
        ),
    };
    let missing = format!("the model's shape is not in the file{named}{files}");
    let answer = format!("--preset NAME, or name {own}the model's config.json behind this one");
    job.arguments.ask(Question::new(String::new(), missing, &answer));
}

fn ask_for_flag(arguments: &Arguments, name: &str) {
    let missing = format!("`{}` is not among the flags", flag_name(name));
    arguments.ask(Question::new(String::new(), missing, "write it into the file"));
}

/// Words that stand where a flag would and are not known.
pub(super) fn ask_for_loose_words(arguments: &Arguments) {
    for word in arguments.loose.iter().filter(|word| has_hole(word)) {
        if let Some(hole) =
            arguments.holes.holes_in(word).first().filter(|hole| hole.words.is_none())
        {
            arguments.ask(hole_question(hole, "among the flags"));
        }
    }
}

/// The length of sequences: stated, or that of the rollouts that are trained on.
fn write_sequence(
    job: &ScriptJob,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let arguments = &job.arguments;
    let stated = arguments.first_count(&["seq_length", "encoder_seq_length"])?;
    let prompt = arguments.get_count("rollout_max_prompt_len")?.unwrap_or(0);
    let response =
        arguments.first_count(&["rollout_max_context_len", "rollout_max_response_len"])?;
    let sequence =
        wanted.sequence.or(stated).or(response.map(|tokens| tokens.saturating_add(prompt)));
    match sequence {
        Some(sequence) => draft.set_count(TABLE, "sequence", sequence),
        None if job.list => {
            let usual = DraftValue::Count(4096);
            draft.put_or_assume(TABLE, "sequence", None, usual, "the list of flags has no length");
        }
        None => {
            let missing = "`--seq-length` is not among the flags".to_owned();
            arguments.ask(Question::new(String::new(), missing, "--sequence TOKENS"));
        }
    }
    Ok(())
}

/// The vocabulary: stated, or that of the tokenizer, padded as Megatron-LM pads it.
fn write_vocabulary(
    arguments: &Arguments,
    wanted: &UserChoices,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let tensor = arguments.get_count("tensor_model_parallel_size")?.unwrap_or(1);
    let multiple = arguments.get_count("make_vocab_size_divisible_by")?.unwrap_or(128);
    let padded = arguments.first_count(&["padded_vocab_size", "pad_vocab_size_to"])?;
    if let Some(size) = wanted.vocab.or(padded) {
        draft.set_count(TABLE, "vocab", size);
        return Ok(());
    }
    // A plan pads to 128 a tensor rank by itself.
    let size_of =
        |size: u64| if multiple == 128 { size } else { padded_vocabulary(size, multiple, tensor) };
    let kind = arguments.peek_text("tokenizer_type").unwrap_or_default();
    let stated = arguments.get_count("vocab_size")?;
    let names = ["tokenizer_model", "tokenizer_name_or_path", "hf_checkpoint", "tokenizer_type"];
    let named =
        names.iter().filter_map(|name| arguments.peek_text(name)).find_map(vocabulary_of_name);
    let patched = arguments.peek_text("patch_tokenizer_type").unwrap_or_default();
    let size = match (kind, patched) {
        (_, patched) if patched.contains("Qwen") => {
            arguments.get_count("extra_vocab_size")?.map(|extra| extra.saturating_add(151_643))
        }
        ("GPT2BPETokenizer", _) => Some(50_257),
        ("Llama2Tokenizer", _) => Some(32_000),
        ("NullTokenizer", _) => stated,
        ("TikTokenizer", _) => stated.or(Some(131_072)),
        ("BertWordPieceLowerCase", _) => Some(30_522),
        ("BertWordPieceCase", _) => Some(28_996),
        ("SentencePieceTokenizer" | "GPTSentencePieceTokenizer", _) => named,
        // What a checkpoint has is its tokenizer's and padding.
        _ => match (named, stated) {
            (Some(named), Some(stated)) if stated < named || stated > named + named / 50 => {
                let missing = format!(
                    "`--vocab-size {stated}` is not the vocabulary of the tokenizer, {named}"
                );
                arguments.ask(Question::new(String::new(), missing, "--vocab SIZE"));
                Some(named)
            }
            (named, stated) => stated.or(named),
        },
    };
    match size {
        Some(size) => {
            let comment = if named == Some(size) { "of the tokenizer's name" } else { "" };
            draft.set_key(TABLE, "vocab", DraftValue::Count(size_of(size)), comment);
        }
        None if arguments.has_any(&[
            "tokenizer_type",
            "tokenizer_model",
            "tokenizer_name_or_path",
            "patch_tokenizer_type",
        ]) =>
        {
            let shown = names.iter().find_map(|name| arguments.peek_text(name)).unwrap_or(kind);
            let shown = arguments.holes.shown_text(shown);
            let missing = format!("the vocabulary of the tokenizer `{shown}` is not known");
            arguments.ask(Question::new(String::new(), missing, "--vocab SIZE"));
        }
        None => {
            let usual = DraftValue::Count(131_072);
            draft.put_or_assume(
                TABLE,
                "vocab",
                None,
                usual,
                "the file names no tokenizer; `--vocab` states it",
            );
        }
    }
    Ok(())
}

/// Experts of a layer: a number, or one number for each group of layers, which have to be alike.
fn count_experts(arguments: &Arguments) -> Result<Option<u64>, ImportProblem> {
    let Some(words) = arguments.get_words("num_experts") else {
        return arguments.get_count("num_experts");
    };
    if words.iter().any(|word| *word != words[0]) {
        return Err(ImportProblem::Value {
            key: "--num-experts".to_owned(),
            value: format!("`{}`", words.join(" ")),
            wanted: "the same number for each group of layers",
        });
    }
    // Megatron-DeepSpeed has one expert where there are none.
    Ok(arguments.get_count("num_experts")?.filter(|experts| *experts > 1))
}

fn write_experts(arguments: &Arguments, all: u64, draft: &mut Draft) -> Result<(), ImportProblem> {
    let Some(experts) = count_experts(arguments)? else { return Ok(()) };
    draft.set_count(MOE, "experts", experts);
    let own = arguments.get_count("topk")?;
    // Megatron-DeepSpeed visits one expert where nothing is said, Megatron-LM two.
    let usual =
        if arguments.has_any(&["moe_expert_parallel_size", "expert_interval"]) { 1 } else { 2 };
    draft.set_count(MOE, "top_k", arguments.get_count("moe_router_topk")?.or(own).unwrap_or(usual));
    if let Some(factor) = arguments.get_text("moe_expert_capacity_factor") {
        match factor.parse::<f64>() {
            Ok(number) if number >= 1.0 => {
                draft.set_key(MOE, "capacity_factor", DraftValue::Number(factor.to_owned()), "");
            }
            _ => draft.lost.push(format!("--moe-expert-capacity-factor {factor}")),
        }
    }
    if let Some(latent) = arguments.get_count("moe_latent_size")? {
        draft.set_count(MOE, "latent", latent);
    }
    let grouped = arguments.has_flag("moe_grouped_gemm");
    let biases = arguments.has_flag("add_bias_linear")
        || grouped && !arguments.has_flag("disable_bias_linear");
    if biases {
        draft.set_flag(MOE, "biases", true);
    }
    if let Some(every) = arguments.get_count("expert_interval")? {
        let sparse: Vec<bool> =
            (1..=all.min(100_000)).map(|layer| layer.is_multiple_of(every.max(1))).collect();
        layers::write_expert_layers(&sparse, draft);
    }
    if arguments.get_text("mlp_type") == Some("residual") {
        draft.lost.push("--mlp-type residual: a dense network beside the experts".to_owned());
    }
    let width = arguments.get_count("moe_ffn_hidden_size")?;
    if let Some(width) = width {
        draft.set_count(MOE, "ffn", width);
    }
    if let (Some(shared), Some(width)) = (
        arguments.get_count("moe_shared_expert_intermediate_size")?,
        width.filter(|width| *width > 0),
    ) {
        if shared.is_multiple_of(width) {
            draft.set_count(MOE, "shared_experts", shared / width);
        } else {
            draft.set_count(MOE, "shared_experts", 1);
            draft.set_count(MOE, "shared_ffn", shared);
        }
    }
    if let Some(text) = arguments.get_text("moe_layer_freq") {
        let sparse = layers::expand_layer_list(text, all.min(100_000), |layer, every| {
            layer.is_multiple_of(every)
        });
        layers::write_expert_layers(&sparse, draft);
    }
    let groups = arguments.get_count("moe_router_num_groups")?.filter(|groups| *groups > 1);
    if let (Some(groups), Some(most)) = (groups, arguments.get_count("moe_router_group_topk")?) {
        draft.set_count(MOE, "groups", groups);
        draft.set_count(MOE, "groups_per_token", most);
    }
    Ok(())
}

fn write_window(
    arguments: &Arguments,
    layers: u64,
    draft: &mut Draft,
) -> Result<(), ImportProblem> {
    let Some(text) = arguments.get_text("window_size") else { return Ok(()) };
    // Tokens before and behind; -1 for all.
    let first = text.trim_start_matches(['(', '[', ' ']).split([',', ' ']).next();
    let Some(Ok(before)) = first.map(str::parse::<u64>) else { return Ok(()) };
    let limited = match arguments.get_text("window_attn_skip_freq") {
        None => vec![true; layers.min(100_000) as usize],
        // One layer in so many sees all.
        Some(text) => layers::expand_layer_list(text, layers.min(100_000), |layer, every| {
            !(layer + 1).is_multiple_of(every)
        }),
    };
    layers::write_windows(before.saturating_add(1), &limited, draft);
    Ok(())
}
