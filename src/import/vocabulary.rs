//! Sizes of vocabularies by the names of tokenizers, as the configurations that were published with
//! them have it, and the rule by which Megatron-LM pads them.

/// Sizes with parts of names; the longest part that a name has decides.
const NAMES: [(u64, &[&str]); 38] = [
    (
        32_000,
        &[
            "llama-2",
            "llama2",
            "llama-7b",
            "llama-13b",
            "llama-30b",
            "llama-65b",
            "mixtral",
            "mistral-7b-v0.1",
            "mistral-7b-instruct-v0.1",
            "granite",
        ],
    ),
    (32_064, &["phi-3"]),
    (32_128, &["t5-small"]),
    (32_768, &["mistral-7b-v0.3", "mistral-7b-instruct-v0.3", "mixtral-8x22b"]),
    (49_152, &["starcoder2"]),
    (50_257, &["gpt2"]),
    (50_272, &["opt-"]),
    (50_432, &["gpt-neox"]),
    (51_200, &["phi-1", "phi-2"]),
    (65_024, &["falcon"]),
    (100_352, &["olmo-2", "olmo-3"]),
    (102_400, &["deepseek-v2", "deepseek-moe", "deepseek-coder-v2", "deepseek-llm", "exaone-4"]),
    (103_424, &["ernie-4.5"]),
    (128_256, &["llama-3", "llama3", "meta-llama-3", "smollm3"]),
    (128_512, &["internlm3"]),
    (128_896, &["step-3.7"]),
    (129_280, &["deepseek-v3", "deepseek-r1", "deepseek-v4"]),
    (131_072, &["nemotron-h", "nemotron-3", "nemotron-nano", "mistral-nemo", "mistral-small-3"]),
    (151_552, &["glm-4.5", "glm4.5", "glm-4.6", "glm-4-9b"]),
    (151_680, &["mimo-7b"]),
    (
        151_936,
        &[
            "qwen1.5",
            "qwen3",
            "qwen2-0.5b",
            "qwen2-1.5b",
            "qwen2.5-0.5b",
            "qwen2.5-1.5b",
            "qwen2.5-3b",
        ],
    ),
    (
        152_064,
        &[
            "qwen2-7b",
            "qwen2-72b",
            "qwen2-57b",
            "qwen2.5-7b",
            "qwen2.5-14b",
            "qwen2.5-32b",
            "qwen2.5-72b",
        ],
    ),
    (152_576, &["mimo-v2"]),
    (154_880, &["glm-5"]),
    (155_136, &["seed-oss"]),
    (163_840, &["kimi-k2", "kimi-k3", "kimi-linear", "moonlight"]),
    (200_064, &["minimax-m2", "minimax-m3"]),
    (201_088, &["gpt-oss"]),
    (202_048, &["llama-4", "llama4"]),
    (248_320, &["qwen3.5", "qwen3.6", "qwen3-5"]),
    (250_112, &["mt5-"]),
    (250_680, &["bloom"]),
    (256_000, &["gemma-2b", "gemma-7b", "gemma-2", "command-r", "c4ai", "nemotron-4"]),
    (262_144, &["gemma-4", "gemma-3"]),
    // Distilled models keep the tokenizer of the model that they were made of.
    (128_256, &["deepseek-r1-distill-llama"]),
    (151_936, &["deepseek-r1-distill-qwen-1.5b"]),
    (152_064, &["deepseek-r1-distill-qwen"]),
    (128_256, &["llama-3.1-nemotron", "llama-3.3-nemotron"]),
];

/// The size that goes with a name or a path, none of which need be the table's spelling.
pub(super) fn vocabulary_of_name(name: &str) -> Option<u64> {
    let name = name.to_lowercase().replace('_', "-");
    let parts = NAMES.iter().flat_map(|(size, parts)| parts.iter().map(move |part| (*size, *part)));
    let known = parts.filter(|(_, part)| name.contains(part));
    known.max_by_key(|(_, part)| part.len()).map(|(size, _)| size)
}

/// The size that Megatron-LM gives the embedding.
pub(super) fn padded_vocabulary(size: u64, multiple: u64, tensor: u64) -> u64 {
    let step = multiple.saturating_mul(tensor).max(1);
    size.div_ceil(step).saturating_mul(step)
}

#[cfg(test)]
mod tests {
    use super::{padded_vocabulary, vocabulary_of_name};

    #[test]
    fn the_longest_part_of_a_name_decides() {
        for (name, size) in [
            ("meta-llama/Llama-3.1-8B", Some(128_256)),
            ("/data/Qwen2.5-72B-Instruct", Some(152_064)),
            ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", Some(152_064)),
            ("deepseek-ai/DeepSeek-V3", Some(129_280)),
            ("mine", None),
        ] {
            assert_eq!(vocabulary_of_name(name), size, "{name}");
        }
    }

    #[test]
    fn gpt_2_is_padded_as_logs_say() {
        let padded = [1, 2, 4, 8].map(|tensor| padded_vocabulary(50_257, 128, tensor));
        assert_eq!(padded, [50_304, 50_432, 50_688, 51_200]);
    }
}
