//! Keys of training techniques. A table that is present switches its technique on.

use super::{Key, Kind, Section, key};

/// Widths in bytes of a number.
const NUMBER_BYTES: Kind = Kind::Count { min: 1, max: 8 };
const SHARE: Kind = Kind::Number { min: 0.0, max: 1.0 };
/// Steps over those of the run without the technique.
const STEPS: Kind = Kind::Number { min: 0.0, max: 100.0 };

/// `[technique]`.
pub(crate) const TECHNIQUE: Section = Section {
    doc: "training techniques that change the step; a table that is present switches one on",
    keys: &[
        key("demo", Kind::Table(&DEMO), "largest components of the momentum instead of gradients"),
        key("offload", Kind::Table(&OFFLOAD), "optimizer states on the host (AxoNN)"),
        key("swap", Kind::Table(&SWAP), "activations or weights on the host (KARMA)"),
        key("message_driven", Kind::Table(&NO_SETTINGS), "stages run whatever message has arrived"),
        key("sil", Kind::Table(&SIL), "stages trained on their own against synthetic labels"),
        key("multilevel", Kind::Table(&MULTILEVEL), "a smaller model for part of the run"),
        key("fused_tensor", Kind::Table(&NO_SETTINGS), "tensor communication inside GEMMs (FLUX)"),
        key("narrow_pipeline", Kind::Table(&NO_SETTINGS), "8-bit messages between stages (SWARM)"),
    ],
};

const NO_KEYS: &[Key] = &[];

const NO_SETTINGS: Section =
    Section { doc: "a technique without settings: an empty table switches it on", keys: NO_KEYS };

const DEMO: Section = Section {
    doc: "decoupled momentum (arXiv 2411.19870, 2502.06728); shown up to 1.2B parameters",
    keys: &[
        key(
            "scope",
            Kind::Choice(&["replicas", "domains"]),
            "all replicas, or those of different HB domains (FlexDeMo)",
        )
        .default("replicas"),
        key("top_k", Kind::Count { min: 1, max: 1_000_000 }, "components kept of a chunk")
            .default("32"),
        key("chunk", Kind::Count { min: 1, max: 4096 }, "side of a chunk").default("64"),
        key("index_bytes", NUMBER_BYTES, "bytes of a component's index").default("8"),
        key("value_bytes", NUMBER_BYTES, "bytes of its value").default("4"),
        key(
            "gather",
            Kind::Choice(&["hierarchical", "ring", "direct"]),
            "how components are gathered",
        )
        .default("hierarchical"),
        key(
            "flat",
            Kind::Flag,
            "chunks cut from flat vectors: top_k of chunk elements, not of its square",
        )
        .or("true across domains, else false"),
        key("shards", super::job::GPUS, "ranks of a domain that share states under ZeRO")
            .or("none"),
    ],
};

const SWAP: Section = Section {
    doc: "activations or weights on the host until they are needed (arXiv 2008.11421)",
    keys: &[
        key("what", Kind::Choice(&["activations", "parameters", "both"]), "what waits there")
            .default("activations"),
        key("share", SHARE, "share of the activations that waits there; the rest stays")
            .default("1"),
    ],
};

const OFFLOAD: Section = Section {
    doc: "optimizer states on the host (arXiv 2110.13005); needs ZeRO 0",
    keys: &[
        key(
            "bucket",
            Kind::Count { min: 1, max: 1_000_000_000_000 },
            "parameters whose states are on the GPU at a time",
        )
        .default("4194304"),
        key(
            "coalescing",
            Kind::Count { min: 1, max: 1_000_000 },
            "buckets whose gradients are reduced in one message",
        )
        .default("4"),
    ],
};

const SIL: Section = Section {
    doc: "synthetic intermediate labels (arXiv 2403.11204); each pipeline stage is a part",
    keys: &[
        key("accept_unverified", Kind::Flag, "must be true: no source shows it for a transformer")
            .default("false"),
        key("turns", Kind::Choice(&["parallel", "sequential"]), "who trains when")
            .default("parallel"),
        key("hand_over", Kind::Choice(&["labels", "activations"]), "what feeds the right part")
            .default("labels"),
        key("recovery", SHARE, "share of the samples that the whole network sees afterwards")
            .default("0"),
    ],
};

const MULTILEVEL: Section = Section {
    doc: "the multi-level cycle (arXiv 2404.07999): down to smaller models and up again",
    keys: &[
        key("levels", Kind::Count { min: 2, max: 8 }, "levels, the whole model included")
            .default("2"),
        key(
            "factor",
            Kind::Count { min: 2, max: 64 },
            "what width and depth are divided by a level",
        )
        .default("2"),
        key("before", STEPS, "steps of each level on the way down, over those of an ordinary run")
            .default("0.05"),
        key("small", STEPS, "steps at the smallest level, likewise").default("0.5"),
        key("after", STEPS, "steps of each level on the way up, likewise").default("0.5"),
        key("gpus", super::job::GPUS, "GPUs that train the smaller models, in fewer replicas")
            .or("all"),
    ],
};
