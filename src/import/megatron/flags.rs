//! Flags of Megatron-LM and of what is built on it: which are switches, which take several words,
//! which are without weight for a plan, and which are some other flag misspelt.

/// Flags that say that a command trains a model.
pub(super) const TELLING: [&str; 12] = [
    "num_layers",
    "hidden_size",
    "num_attention_heads",
    "tensor_model_parallel_size",
    "pipeline_model_parallel_size",
    "expert_model_parallel_size",
    "micro_batch_size",
    "global_batch_size",
    "seq_length",
    "encoder_num_layers",
    "model_parallel_size",
    "actor_num_nodes",
];

/// Flags with their words.
type FlagWords = &'static [(&'static str, &'static str)];

/// Names that Megatron-Bridge and its performance scripts have for a precision, with its flags.
const PRECISIONS: [(&str, FlagWords); 12] = [
    ("fp16_mixed", &[("fp16", "true")]),
    ("bf16_with_fp8_current_scaling_mixed", FP8),
    ("bf16_with_fp8_delayed_scaling_mixed", FP8),
    ("bf16_with_fp8_subchannel_scaling_mixed", FP8),
    ("bf16_with_mxfp8_mixed", MXFP8),
    ("bf16_with_nvfp4_mixed", NVFP4),
    ("bf16", &[("bf16", "true")]),
    ("fp8_cs", FP8),
    ("fp8_ds", FP8),
    ("fp8_sc", FP8),
    ("fp8_mx", MXFP8),
    ("nvfp4", NVFP4),
];
const FP8: FlagWords = &[("bf16", "true"), ("fp8_format", "hybrid"), ("fp8_recipe", "tensorwise")];
const MXFP8: FlagWords = &[("bf16", "true"), ("fp8_format", "e4m3"), ("fp8_recipe", "mxfp8")];
const NVFP4: FlagWords = &[("bf16", "true"), ("fp4_format", "e2m1")];

/// The flags of a precision by its name; `None` of any other name.
pub(super) fn precision_flags(name: &str) -> Option<FlagWords> {
    PRECISIONS.iter().find(|(known, _)| *known == name).map(|(_, flags)| *flags)
}

/// Whether a flag takes any number of words: weights of data sets and their files.
pub(super) fn takes_list(name: &str) -> bool {
    name.ends_with("data_path") || name.contains("blend") || name.ends_with("_list")
}

/// Switches: what stands behind them is no value of theirs.
pub(super) const SWITCHES: [&str; 65] = [
    "account_for_embedding_in_pipeline_split",
    "account_for_loss_in_pipeline_split",
    "add_bias_linear",
    "add_qkv_bias",
    "attention_output_gate",
    "bf16",
    "checkpoint_activations",
    "colocate",
    "cpu_optimizer",
    "cross_entropy_loss_fusion",
    "deepspeed",
    "deepspeed_activation_checkpointing",
    "disable_bias_linear",
    "distribute_saved_activations",
    "enable_cuda_graph",
    "external_cuda_graph",
    "fp16",
    "fp8_e4m3",
    "fp8_hybrid",
    "fp8_param_gather",
    "grad_reduce_in_bf16",
    "group_query_attention",
    "master",
    "mock_data",
    "moe_enable_deepep",
    "moe_extended_tp",
    "moe_grouped_gemm",
    "moe_layer_recompute",
    "moe_permute_fusion",
    "multi_latent_attention",
    "no_async_tensor_model_parallel_allreduce",
    "no_bias_dropout_fusion",
    "no_bias_swiglu_fusion",
    "no_gradient_accumulation_fusion",
    "no_load_optim",
    "no_load_rng",
    "no_masked_softmax_fusion",
    "no_overlap_p2p_communication",
    "no_pipeline_parallel",
    "no_python",
    "no_rope_fusion",
    "optimizer_cpu_offload",
    "overlap_grad_reduce",
    "overlap_moe_expert_parallel_comm",
    "overlap_param_gather",
    "qk_layernorm",
    "recompute_activations",
    "remote_device",
    "sequence_parallel",
    "squared_relu",
    "standalone",
    "standalone_embedding_stage",
    "swiglu",
    "tp_comm_overlap",
    "untie_embeddings_and_output_weights",
    "use_custom_fsdp",
    "use_distributed_optimizer",
    "use_dynamic_batch_size",
    "use_flash_attn",
    "use_mcore_models",
    "use_megatron_fsdp",
    "use_rotary_position_embeddings",
    "use_torch_fsdp2",
    "use_tp_pp_dp_mapping",
    "variable_seq_lengths",
];

/// Words in names of flags that change neither the model's size nor how a step runs.
const WEIGHTLESS: [&str; 103] = [
    "accumulate",
    "input",
    "mscale",
    "key",
    "adam",
    "address",
    "advantage",
    "apply",
    "async",
    "attn",
    "aux",
    "balancing",
    "bias",
    "blend",
    "cache",
    "check",
    "ckpt",
    "clip",
    "coeff",
    "colocate",
    "config",
    "custom",
    "data",
    "dataloader",
    "dataset",
    "debug",
    "decay",
    "dir",
    "dist",
    "distributed",
    "dropout",
    "entropy",
    "env",
    "eod",
    "epochs",
    "eps",
    "eval",
    "exit",
    "export",
    "file",
    "finetune",
    "flash",
    "format",
    "gc",
    "hf",
    "index",
    "inference",
    "init",
    "interval",
    "iters",
    "job",
    "kl",
    "label",
    "layernorm",
    "legacy",
    "load",
    "log",
    "loss",
    "lr",
    "manual",
    "mask",
    "master",
    "mcore",
    "merge",
    "mmap",
    "model",
    "monitor",
    "name",
    "nccl",
    "norm",
    "normalization",
    "path",
    "position",
    "profile",
    "project",
    "prompt",
    "rank",
    "ray",
    "rdzv",
    "ref",
    "rerun",
    "reward",
    "rm",
    "rollout",
    "rope",
    "rotary",
    "router",
    "samples",
    "save",
    "seed",
    "sglang",
    "softmax",
    "spec",
    "split",
    "straggler",
    "tensorboard",
    "timeout",
    "timing",
    "tokenizer",
    "use",
    "wandb",
    "warmup",
    "workers",
];

/// Words that have weight whatever stands beside them in a name.
const WEIGHTY: [&str; 28] = [
    "parallel",
    "fsdp",
    "fsdp2",
    "zero",
    "recompute",
    "checkpointing",
    "offload",
    "experts",
    "expert",
    "layers",
    "size",
    "heads",
    "precision",
    "fp8",
    "fp4",
    "pattern",
    "mamba",
    "linear",
    "mtp",
    "pipeline",
    "optimizer",
    "lora",
    "sharding",
    "cp",
    "overlap",
    "capacity",
    "activations",
    "rampup",
];

/// Whether a flag may go unread in silence.
pub(super) fn is_weightless(name: &str) -> bool {
    let has = |list: &[&str]| name.split('_').any(|word| list.contains(&word));
    SWITCHES.contains(&name) || has(&WEIGHTLESS) && !has(&WEIGHTY)
}

/// The flag that a name misspells, among those that are read.
pub(super) fn misspelt_flag<'a>(name: &str, read: &[&'a str]) -> Option<&'a str> {
    /// Of shorter names too many are words of their own.
    const SHORTEST: usize = 9;
    let near = |known: &&&str| {
        let alike = known.len() >= SHORTEST && known.len().abs_diff(name.len()) <= 2;
        alike && strsim::damerau_levenshtein(name, known) <= 2 && name != **known
    };
    // A slip is seldom in the first letter, as two of one kind often differ there.
    let begins = |known: &&str| known.chars().next() == name.chars().next();
    // Two names of one table are no misspelling of each other.
    let sibling = |known: &&str| known.trim_end_matches('s') == name.trim_end_matches('s');
    read.iter().find(|known| near(known) && begins(known) && !sibling(known)).copied()
}
