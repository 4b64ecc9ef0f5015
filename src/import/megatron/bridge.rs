//! Overrides of Megatron-Bridge as arguments of Megatron-LM, whose names they mostly have.

use std::collections::BTreeMap;

use super::super::shell::split_words;
use super::words::Arguments;

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
pub(super) fn bridge_arguments(text: &str) -> Arguments {
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
