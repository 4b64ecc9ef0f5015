//! Keys of the job: model, training, parallelism, framework.

use super::{Key, Kind, Section, key};

/// Largest count of layers: three times ten thousand is beyond any published model, and stage
/// lists are as long as this.
const LAYERS: Kind = Kind::Count { min: 1, max: 10_000 };
const LAYERS_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000 };
/// Widths of matrices, heads, experts: bounded so that products of a few stay exact.
const WIDTH: Kind = Kind::Count { min: 1, max: 10_000_000 };
const RANK_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000_000 };
const HEADS: Kind = Kind::Count { min: 1, max: 100_000 };
const EXPERTS: Kind = Kind::Count { min: 1, max: 100_000 };
const TOKENS: Kind = Kind::Count { min: 1, max: 1_000_000_000 };
/// The largest cluster that is planned; a degree can't exceed it.
pub(super) const GPUS: Kind = Kind::Count { min: 1, max: 4_194_304 };
const DEGREE: Kind = Kind::Auto(&GPUS);

/// Origin of an entry, as every preset states it.
pub(super) const SOURCE: Key = key("source", Kind::Text, "where the numbers come from");
pub(super) const DATE: Key = key("date", Kind::Date, "when they held, as 2026-07");
pub(super) const NOTE: Key = key("note", Kind::Text, "what a reader should know");

/// `[model]`.
pub(crate) const MODEL: Section = Section {
    doc: "a decoder-only transformer: a preset, its shape, or a preset with keys that override it",
    keys: &[
        key("preset", Kind::Name, "a model that ships; `planner presets list` names them"),
        key("layers", LAYERS, "transformer layers").required(),
        key("hidden", WIDTH, "hidden width").required(),
        key("heads", HEADS, "attention heads").required(),
        key("kv_heads", HEADS, "key and value heads").or("heads"),
        key("head_dim", WIDTH, "width of one head").or("hidden / heads"),
        key("ffn", WIDTH, "width of the feed-forward block").or("4 * hidden"),
        key("gated_ffn", Kind::Flag, "three feed-forward matrices (SwiGLU)").default("false"),
        key("vocab", WIDTH, "vocabulary").required(),
        key("sequence", TOKENS, "sequence length in tokens").required(),
        key("tied_embeddings", Kind::Flag, "embedding and LM head share a matrix").default("true"),
        key("moe", Kind::Table(&MOE), "mixture of experts").or("dense"),
        key("latent_attention", Kind::Table(&LATENT_ATTENTION), "multi-head latent attention")
            .or("ordinary attention"),
        key("window", Kind::Table(&WINDOW), "sliding-window attention").or("none"),
        key("mtp_layers", LAYERS_OR_NONE, "extra layers that predict further tokens").default("0"),
        SOURCE,
        DATE,
        NOTE,
    ],
};

/// `[model.moe]`.
pub(crate) const MOE: Section = Section {
    doc: "mixture-of-experts feed-forward blocks",
    keys: &[
        key("experts", EXPERTS, "routed experts of a layer").required(),
        key("top_k", EXPERTS, "experts that each token visits").required(),
        key("shared_experts", Kind::Count { min: 0, max: 100_000 }, "experts of every token")
            .default("0"),
        key("ffn", WIDTH, "width of one expert").or("the model's ffn"),
        key("dense_layers", LAYERS_OR_NONE, "layers at the bottom that stay dense").default("0"),
        key(
            "capacity_factor",
            Kind::Number { min: 1.0, max: 1000.0 },
            "tokens of the fullest rank over the even share",
        )
        .default("1.0"),
        key("groups", EXPERTS, "equal groups of experts, of which a token visits only some")
            .default("1"),
        key("groups_per_token", EXPERTS, "groups that a token visits at most").or("all"),
    ],
};

/// `[model.latent_attention]`.
pub(crate) const LATENT_ATTENTION: Section = Section {
    doc: "multi-head latent attention (arXiv 2405.04434)",
    keys: &[
        key("q_lora", RANK_OR_NONE, "rank of the compressed query; 0: not compressed").default("0"),
        key("kv_lora", WIDTH, "rank of the compressed keys and values").required(),
        key("qk_nope", WIDTH, "width of a head's part without position").required(),
        key("qk_rope", WIDTH, "width of a head's rotary part").required(),
        key("v_dim", WIDTH, "width of a value head").required(),
    ],
};

/// `[model.window]`.
pub(crate) const WINDOW: Section = Section {
    doc: "attention that sees only the last tokens, on some of the layers",
    keys: &[
        key("tokens", TOKENS, "tokens seen").required(),
        key("layers", LAYERS, "layers that are so limited").required(),
    ],
};

/// `[training]`.
pub(crate) const TRAINING: Section = Section {
    doc: "the training run, apart from how it is spread over GPUs",
    keys: &[
        key("global_batch", TOKENS, "global batch in sequences").required(),
        key(
            "micro_batch",
            Kind::Auto(&Kind::Count { min: 1, max: 1_000_000 }),
            "micro-batch in sequences",
        )
        .or("auto where tensor or pipeline is, else 1"),
        key("tokens", Kind::Amount { max: 1e18 }, "tokens of the whole run")
            .or("not stated: no days are reported"),
        key(
            "precision",
            Kind::Choice(&["fp32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4"]),
            "number format of matrix multiplications",
        )
        .or("bf16, or fp16 where a GPU has no bf16"),
        key(
            "recompute",
            Kind::Auto(&Kind::Choice(&["none", "selective", "full"])),
            "what the backward pass computes again",
        )
        .or("auto where tensor or pipeline is, else selective"),
        key(
            "offload_layers",
            LAYERS_OR_NONE,
            "layers of a stage whose activations wait in host memory for their backward pass",
        )
        .default("0"),
    ],
};

/// `[parallelism]`.
pub(crate) const PARALLELISM: Section = Section {
    doc: "how the model is spread over GPUs; a degree may be \"auto\"",
    keys: &[
        key("tensor", DEGREE, "tensor-parallel degree").default("auto"),
        key("pipeline", DEGREE, "pipeline stages").default("auto"),
        key("data", DEGREE, "replicas").or("the rest of the GPUs"),
        key("context", DEGREE, "context-parallel degree").default("1"),
        key("expert", DEGREE, "expert-parallel degree").or("auto with experts, else 1"),
        key("expert_tensor", DEGREE, "tensor-parallel degree inside one expert").default("auto"),
        key("interleave", Kind::Auto(&LAYERS), "virtual pipeline stages per GPU")
            .or("1, or auto where the schedule is interleaved"),
        key(
            "sequence_parallel",
            Kind::Auto(&Kind::Flag),
            "norms and dropouts sharded over the tensor group",
        )
        .or("by framework"),
        key(
            "zero",
            Kind::Auto(&Kind::Count { min: 0, max: 3 }),
            "what data parallelism shards (ZeRO stage)",
        )
        .or("by framework"),
        key("order", Kind::Order, "order of the dimensions on the ranks, fastest first")
            .default("tp-cp-ep-dp-pp"),
        key(
            "schedule",
            Kind::Choice(&["gpipe", "1f1b", "interleaved", "zero-bubble", "message-driven"]),
            "how micro-batches move through the stages",
        )
        .or("1f1b, or interleaved where interleave is above 1"),
    ],
};

/// `[framework]`.
pub(crate) const FRAMEWORK: Section = Section {
    doc: "how the training stack fuses, overlaps and synchronises; keys override the preset",
    keys: &[
        key("preset", Kind::Name, "a training stack of some year")
            .or("by precision and GPU generation"),
        key(
            "gradient_bytes",
            Kind::Count { min: 2, max: 4 },
            "bytes of a reduced gradient element",
        )
        .required(),
        key(
            "gradient_copy_bytes",
            Kind::Count { min: 0, max: 4 },
            "bytes of a wider copy of the gradient that the update reads, kept with its states",
        )
        .default("0"),
        key("parameter_bytes", Kind::Count { min: 1, max: 4 }, "bytes of a gathered parameter")
            .required(),
        key("moment_bytes", Kind::Count { min: 2, max: 4 }, "bytes of each of Adam's two moments")
            .default("4"),
        key("overlap_data", Kind::Flag, "data-parallel communication beside the backward pass")
            .required(),
        key("overlap_tensor", Kind::Flag, "tensor-parallel communication in chunks beside compute")
            .required(),
        key("overlap_pipeline", Kind::Flag, "pipeline messages beside compute").required(),
        key("overlap_context", Kind::Flag, "exchange of keys and values beside compute")
            .default("true"),
        key("overlap_expert", Kind::Flag, "expert all-to-alls beside compute").required(),
        key(
            "expert_overlap_visible",
            Kind::Number { min: 0.0, max: 1.0 },
            "share of an overlapped all-to-all that compute waits for, by default the GPU's",
        ),
        key("fused_weight_gradient", Kind::Flag, "weight gradients accumulated in their GEMM")
            .required(),
        key("flash_attention", Kind::Flag, "fused attention that never stores the scores")
            .required(),
        key("causal_attention", Kind::Flag, "attention skips what the mask hides").required(),
        key("fused_elementwise", Kind::Flag, "norms, activations and loss as few fused kernels")
            .required(),
        key(
            "fused_loss",
            Kind::Flag,
            "one kernel turns 16-bit logits into their gradient in place",
        )
        .default("false"),
        key("fp8_attention", Kind::Flag, "fused attention in 8 bits where the layers are")
            .required(),
        key("balanced_stages", Kind::Flag, "layers moved off the stages of embedding and LM head")
            .required(),
        key(
            "single_ring_sharding",
            Kind::Flag,
            "ZeRO-3 on one ring through one interface of a domain",
        )
        .required(),
        key(
            "narrow_dispatch",
            Kind::Flag,
            "tokens go to experts in the layers' format, back in 16 bits",
        )
        .default("false"),
        key("scatter_pipeline", Kind::Flag, "pipeline messages split over the tensor group")
            .required(),
        key(
            "context_exchange",
            Kind::Choice(&["gather", "ring", "all-to-all"]),
            "how ranks that share a sequence exchange keys and values",
        )
        .default("gather"),
        key("cuda_graphs", Kind::Choice(&["none", "partial", "full"]), "launched as CUDA graphs")
            .required(),
        key(
            "dispatcher",
            Kind::Choice(&["all-to-all", "hybrid-ep"]),
            "how tokens reach their experts",
        )
        .required(),
        key("attention_scores", Kind::Flag, "attention scores count").default("true"),
        key("embedding", Kind::Flag, "embedding, LM head and loss count").default("true"),
        key("overheads", Kind::Flag, "memory-bound work, launches, latencies count")
            .default("true"),
        key(
            "fragmentation",
            Kind::Number { min: 0.0, max: 1.0 },
            "memory that the allocator reserves over what is allocated",
        )
        .default("0.0"),
        key(
            "production_factor",
            Kind::Number { min: 1.0, max: 10.0 },
            "time of a production run over benchmark code",
        )
        .default("1.0"),
        SOURCE,
        DATE,
        NOTE,
    ],
};
