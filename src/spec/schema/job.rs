//! Keys of the job: model, training, parallelism.

use crate::keys::{DATE, GPUS, Kind, LAYERS_OR_NONE, NOTE, SOURCE, Section, key};
use crate::parallel::Schedule;
use crate::workload::{Precision, Recompute};

/// Largest count of layers: three times ten thousand is beyond any published model, and stage
/// lists are as long as this.
const LAYERS: Kind = Kind::Count { min: 1, max: 10_000 };
/// Widths of matrices, heads, experts: bounded so that products of a few stay exact.
const WIDTH: Kind = Kind::Count { min: 1, max: 10_000_000 };
const RANK_OR_NONE: Kind = Kind::Count { min: 0, max: 10_000_000 };
const HEADS: Kind = Kind::Count { min: 1, max: 100_000 };
const EXPERTS: Kind = Kind::Count { min: 1, max: 100_000 };
const TOKENS: Kind = Kind::Count { min: 1, max: 1_000_000_000 };
const DEGREE: Kind = Kind::Auto(&GPUS);

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
        key("precision", Kind::Choice(Precision::NAMES), "number format of matrix multiplications")
            .or("bf16, or fp16 where a GPU has no bf16"),
        key(
            "recompute",
            Kind::Auto(&Kind::Choice(Recompute::NAMES)),
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
        key("schedule", Kind::Choice(Schedule::NAMES), "how micro-batches move through the stages")
            .or("1f1b, or interleaved where interleave is above 1"),
    ],
};
