//! A job of Megatron-LM, or overrides of Megatron-Bridge, as a draft of a spec.

mod arguments;
mod model;
mod run;

use std::collections::BTreeMap;

use super::draft::{Draft, ImportProblem, UserChoices};
use arguments::{Arguments, split_words};

/// Whether a text has arguments of Megatron-LM.
pub(super) fn is_megatron(text: &str) -> bool {
    [
        "--num-layers",
        "--tensor-model-parallel-size",
        "--micro-batch-size",
        "tensor_model_parallel_size ..",
    ]
    .iter()
    .any(|flag| text.contains(flag))
}

/// Whether a text has overrides of Megatron-Bridge.
pub(super) fn is_bridge(text: &str) -> bool {
    ["model.tensor_model_parallel_size=", "train.micro_batch_size=", "model.num_layers="]
        .iter()
        .any(|key| text.contains(key))
}

/// The draft of arguments.
pub(super) fn import_megatron(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    draft_arguments(&Arguments::parse_arguments(text), "arguments of Megatron-LM", wanted)
}

/// The draft of overrides.
pub(super) fn import_bridge(text: &str, wanted: &UserChoices) -> Result<Draft, ImportProblem> {
    draft_arguments(&bridge_arguments(text), "overrides of Megatron-Bridge", wanted)
}

fn draft_arguments(
    arguments: &Arguments,
    origin: &str,
    wanted: &UserChoices,
) -> Result<Draft, ImportProblem> {
    let name = wanted.name.clone().unwrap_or_else(|| "megatron".to_owned());
    let mut draft = Draft::new(origin.to_owned(), name);
    model::write_model(arguments, wanted, &mut draft)?;
    run::write_run(arguments, wanted, &mut draft)?;
    draft.unread = arguments.unread_names();
    Ok(draft)
}

/// Keys whose argument has another name.
const RENAMED: [(&str, &str); 3] = [
    ("num_moe_experts", "num_experts"),
    ("virtual_pipeline_model_parallel_size", "num_virtual_stages_per_pipeline_rank"),
    ("gated_linear_unit", "swiglu"),
];

/// Names of precisions, with their arguments.
const PRECISIONS: [(&str, &[(&str, &str)]); 6] = [
    ("fp16_mixed", &[("fp16", "true")]),
    ("bf16_with_fp8_current_scaling_mixed", FP8),
    ("bf16_with_fp8_delayed_scaling_mixed", FP8),
    ("bf16_with_fp8_subchannel_scaling_mixed", FP8),
    ("bf16_with_mxfp8_mixed", &[("bf16", "true"), ("fp8_format", "e4m3"), ("fp8_recipe", "mxfp8")]),
    ("bf16_with_nvfp4_mixed", &[("bf16", "true"), ("fp4_format", "e2m1")]),
];
const FP8: &[(&str, &str)] =
    &[("bf16", "true"), ("fp8_format", "hybrid"), ("fp8_recipe", "tensorwise")];

/// The arguments that overrides stand for.
fn bridge_arguments(text: &str) -> Arguments {
    let mut named = BTreeMap::new();
    let mut put = |key: &str, value: &str| {
        named.insert(key.to_owned(), value.to_owned());
    };
    for word in split_words(text) {
        let Some((key, value)) = word.split_once('=') else { continue };
        let key = key.rsplit_once('.').map_or(key, |(_, last)| last);
        let renamed = RENAMED.iter().find(|(given_text, _)| *given_text == key);
        match (key, value.to_lowercase().as_str()) {
            ("mixed_precision", given_text) => {
                let given_text = given_text.replace('-', "_");
                let known = PRECISIONS.iter().find(|(name, _)| *name == given_text);
                let keys = known.map_or(&[("bf16", "true")][..], |(_, keys)| keys);
                keys.iter().for_each(|(key, value)| put(key, value));
            }
            ("num_query_groups", _) => {
                put("group_query_attention", "true");
                put(key, value);
            }
            ("kv_lora_rank", _) => {
                put("multi_latent_attention", "true");
                put(key, value);
            }
            ("share_embeddings_and_output_weights", "false") => {
                put("untie_embeddings_and_output_weights", "true");
            }
            ("grad_reduce_in_fp32", "false") => put("grad_reduce_in_bf16", "true"),
            ("overlap_p2p_comm", "false") => put("no_overlap_p2p_communication", "true"),
            (
                "share_embeddings_and_output_weights" | "grad_reduce_in_fp32" | "overlap_p2p_comm",
                _,
            )
            | (_, "false" | "null" | "none") => {}
            _ => put(renamed.map_or(key, |(_, name)| name), value),
        }
    }
    Arguments::new(named)
}
