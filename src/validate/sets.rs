//! The sets of measured rows that ship, and what is known of each as a whole.

/// A set of rows of one publication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Set {
    /// Short name.
    pub name: &'static str,
    /// What was measured, on what.
    pub title: &'static str,
    /// What the source leaves out, set by one rule for all its rows.
    pub rule: &'static str,
    /// Constants were fitted on rows of this set (`presets/calibrations.toml` says which).
    pub calibrated: bool,
    /// Mean absolute error of a published reference tool on such rows, percent, and its name.
    pub reference: Option<(f64, &'static str)>,
    /// The rows, comma-separated.
    pub(super) rows: &'static str,
}

macro_rules! rows {
    ($name:literal) => {
        include_str!(concat!("../../presets/validation/", $name, ".csv"))
    };
}

/// Shapes of the models that the rows name.
pub(super) const MODELS: &str = rows!("models");

/// All sets, oldest hardware first.
pub const SETS: [Set; 13] = [
    Set {
        name: "megatron-2020",
        title: "Megatron-LM 2020, V100 and A100",
        rule: "A100 of 40 GB, vocabulary 51,200, full recomputation; gradients reduced beside the backward pass",
        calibrated: true,
        reference: None,
        rows: rows!("megatron-2020"),
    },
    Set {
        name: "narayanan",
        title: "Narayanan 2021, PTD-P on A100",
        rule: "Table 1: micro-batch and virtual stages of the authors' published run scripts, gradients reduced beside the backward pass where the script says so. Table 2: two virtual stages (175B), three (530B)",
        calibrated: true,
        reference: Some((9.7, "calculon")),
        rows: rows!("narayanan"),
    },
    Set {
        name: "narayanan-zero3",
        title: "Narayanan 2021, ZeRO-3 on A100",
        rule: "Gathers prefetched on one ring through one interface of a node, gradients all-reduced after the backward pass. No constant fitted, but this form was chosen among four with these rows in view",
        calibrated: false,
        reference: None,
        rows: rows!("narayanan-zero3"),
    },
    Set {
        name: "korthikanti",
        title: "Korthikanti 2022, A100",
        rule: "As printed; no data parallelism",
        calibrated: true,
        reference: Some((3.65, "calculon, tuned on these rows")),
        rows: rows!("korthikanti"),
    },
    Set {
        name: "korthikanti-memory",
        title: "Korthikanti 2022, memory",
        rule: "Their own count: parameters, optimizer and activations, without the embedding",
        calibrated: false,
        reference: None,
        rows: rows!("korthikanti-memory"),
    },
    Set {
        name: "megascale",
        title: "MegaScale 2024, its Megatron-LM rows, A100 class",
        rule: "Micro-batch 1, six virtual stages, sequence parallelism with selective recomputation, fp32 reduce-scatter and 16-bit all-gather",
        calibrated: true,
        reference: Some((6.2, "calculon")),
        rows: rows!("megascale"),
    },
    Set {
        name: "vtrain",
        title: "vTrain 2024, several nodes, A100",
        rule: "Megatron-DeepSpeed, full recomputation, no virtual stages, gradients reduced at the end, four interfaces a node",
        calibrated: true,
        reference: Some((17.5, "calculon; vTrain states 14.7 for itself")),
        rows: rows!("vtrain"),
    },
    Set {
        name: "megatron-core",
        title: "Megatron-Core r0.8, H100",
        rule: "Micro-batch 1, chunks of two layers, ordinary attention, four times the hidden width, no recomputation, 16-bit gradients. The row of 32B is published with less time than its arithmetic takes at the rate of its neighbours, so its layout or its rate has to be another; without it the mean is 3.9 %",
        calibrated: true,
        reference: Some((27.0, "calculon")),
        rows: rows!("megatron-core"),
    },
    Set {
        name: "llama3",
        title: "Llama 3 405B, H100",
        rule: "Four virtual stages; the time of the row with 131,072 tokens is (6 N + causal attention) FLOPs at the printed rate",
        calibrated: true,
        reference: None,
        rows: rows!("llama3"),
    },
    Set {
        name: "simumax",
        title: "SimuMax cases, 8 B200",
        rule: "Its launch script: sequence 4,096 unless named, micro-batch 1, fp32 gradients, distributed optimizer, nothing overlapped, no recomputation, 16 key-value heads in the 405B shape, one dense layer in DeepSeek-V3",
        calibrated: true,
        reference: Some((5.6, "SimuMax, with measured kernel tables")),
        rows: rows!("simumax"),
    },
    Set {
        name: "megatron-bridge",
        title: "Megatron-Bridge, dense models, H100 to GB300",
        rule: "CUDA graphs and overlap of the recipe of the release's tag that matches the row's degrees best; the value outside parentheses; no precision stated is fp8 with a scale per tensor; layers whose activations wait in host memory as in the recipe. The 70B row with two sequences a micro-batch and no virtual stages implies a bubble that its rate denies; without it the mean is 4.1 %",
        calibrated: true,
        reference: None,
        rows: rows!("megatron-bridge"),
    },
    Set {
        name: "megatron-bridge-moe",
        title: "Megatron-Bridge, mixture-of-experts models, H100 to GB300",
        rule: "As megatron-bridge; dispatcher and overlap likewise; DeepSeek's moments in 16 bits as its recipe has them; rows that drop tokens left out, as their capacity is not published. The wait of the host for the counts of tokens is one constant for all models: without a graph of the whole iteration Qwen3-235B, with four experts a rank, comes out 15 % slow on GB200, and Qwen3-30B, with sixteen, up to 11 % fast",
        calibrated: true,
        reference: None,
        rows: rows!("megatron-bridge-moe"),
    },
    Set {
        name: "megatron-bridge-gpt-oss",
        title: "Megatron-Bridge, GPT-OSS: which attention kernel ran is not published",
        rule: "As megatron-bridge-moe. Attention is taken as fused in every row: stored scores would take three to ten times the memory that these GPUs have. What the fused kernels of each release cost with sinks and windows is not published, and biases of experts and a clamped gate run in kernels that no setting names",
        calibrated: false,
        reference: None,
        rows: rows!("megatron-bridge-gpt-oss"),
    },
];
