//! The sets of measured rows that ship, and what is known of each as a whole.

/// A set of rows of one publication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidationSet {
    pub name: &'static str,
    /// What was measured, on what.
    pub title: &'static str,
    /// What the source leaves out, set by one rule for all its rows.
    pub rule: &'static str,
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
pub const SETS: [ValidationSet; 25] = [
    ValidationSet {
        name: "megatron-2020",
        title: "Megatron-LM 2020, V100 and A100",
        rule: "A100 of 40 GB, vocabulary 51,200, full recomputation; gradients reduced beside the \
               backward pass",
        reference: None,
        rows: rows!("megatron-2020"),
    },
    ValidationSet {
        name: "narayanan",
        title: "Narayanan 2021, PTD-P on A100",
        rule: "Table 1: micro-batch and virtual stages of the authors' published run scripts, \
               gradients reduced beside the backward pass where the script says so. Table 2: two \
               virtual stages (175B), three (530B)",
        reference: Some((9.7, "calculon")),
        rows: rows!("narayanan"),
    },
    ValidationSet {
        name: "narayanan-zero3",
        title: "Narayanan 2021, ZeRO-3 on A100",
        rule: "Gathers prefetched on one ring through one NIC of a node, gradients all-reduced \
               after the backward pass. No constant fitted, but this form was chosen among four \
               with these rows in view",
        reference: None,
        rows: rows!("narayanan-zero3"),
    },
    ValidationSet {
        name: "korthikanti",
        title: "Korthikanti 2022, A100",
        rule: "As printed; no data parallelism",
        reference: Some((3.65, "calculon, tuned on these rows")),
        rows: rows!("korthikanti"),
    },
    ValidationSet {
        name: "korthikanti-memory",
        title: "Korthikanti 2022, memory",
        rule: "Their own count: parameters, optimizer and activations, without the embedding",
        reference: None,
        rows: rows!("korthikanti-memory"),
    },
    ValidationSet {
        name: "megascale",
        title: "MegaScale 2024, its Megatron-LM rows, A100 class",
        rule: "Micro-batch 1, six virtual stages, sequence parallelism with selective \
               recomputation, fp32 reduce-scatter and 16-bit all-gather",
        reference: Some((6.2, "calculon")),
        rows: rows!("megascale"),
    },
    ValidationSet {
        name: "vtrain",
        title: "vTrain 2024, several nodes, A100",
        rule: "Megatron-DeepSpeed, full recomputation, no virtual stages, gradients reduced at the \
               end, four NICs per node",
        reference: Some((17.5, "calculon; vTrain states 14.7 for itself")),
        rows: rows!("vtrain"),
    },
    ValidationSet {
        name: "megatron-core",
        title: "Megatron-Core r0.8, H100",
        rule: "Micro-batch 1, chunks of two layers, ordinary attention, four times the hidden \
               width, no recomputation, 16-bit gradients. The row of 32B is published with less \
               time than its arithmetic takes at the rate of its neighbours, so its layout or its \
               rate has to be another; without it the mean is 4.3 %",
        reference: Some((27.0, "calculon")),
        rows: rows!("megatron-core"),
    },
    ValidationSet {
        name: "llama3",
        title: "Llama 3 405B, H100",
        rule: "Four virtual stages; the time of the row with 131,072 tokens is (6 N + causal \
               attention) FLOPs at the printed rate",
        reference: None,
        rows: rows!("llama3"),
    },
    ValidationSet {
        name: "simumax",
        title: "SimuMax cases, 8 B200",
        rule: "Its launch script: sequence 4,096 unless named, micro-batch 1, fp32 gradients, \
               distributed optimizer, nothing overlapped, no recomputation, 16 key-value heads in \
               the 405B shape, one dense layer in DeepSeek-V3",
        reference: Some((5.6, "SimuMax, with measured kernel tables")),
        rows: rows!("simumax"),
    },
    ValidationSet {
        name: "megatron-bridge",
        title: "Megatron-Bridge, dense models, H100 to GB300",
        rule: "CUDA graphs and overlap of the recipe of the release's tag that matches the row's \
               degrees best; the value outside parentheses; no precision stated is fp8 with a \
               scale per tensor; layers whose activations wait in host memory as in the recipe. \
               The 70B row with two sequences a micro-batch and no virtual stages implies a bubble \
               that its rate denies; without it the mean is 3.8 %",
        reference: None,
        rows: rows!("megatron-bridge"),
    },
    ValidationSet {
        name: "megatron-bridge-moe",
        title: "Megatron-Bridge, mixture-of-experts models, H100 to GB300",
        rule: "As megatron-bridge; dispatcher and overlap likewise; DeepSeek's moments in 16 bits \
               as its recipe has them; rows that drop tokens left out, as their capacity is not \
               published. The wait of the host for the counts of tokens is one constant for all \
               models, and each local expert starts kernels of its own: without a graph of the \
               whole iteration Qwen3-235B, with four experts a rank, comes out up to 5 % slow on \
               GB200, and Qwen3-30B, with sixteen, up to 8 % fast there, 11 % on GB300 and 18 % on \
               H100",
        reference: None,
        rows: rows!("megatron-bridge-moe"),
    },
    ValidationSet {
        name: "megatron-bridge-gpt-oss",
        title: "Megatron-Bridge, GPT-OSS: sinks, windows and biases of experts",
        rule: "As megatron-bridge-moe. Gradients of attention sinks and biases of experts take what \
               was measured on an H200; where the experts are one kernel, their biases are a part \
               of it. Two rows of 26.06.01 take 1.6 times what the release before took in the same \
               layout",
        reference: None,
        rows: rows!("megatron-bridge-gpt-oss"),
    },
    ValidationSet {
        name: "megatron-bridge-hybrid",
        title: "Megatron-Bridge, Nemotron 3: Mamba-2, attention and experts, H100 to GB300",
        rule: "As megatron-bridge-moe, by the recipes: two layers predict further tokens in Super, \
               and its tensor-parallel traffic is not overlapped; its rows in NVFP4 run attention, \
               latent projections and the last 14 layers in 16 bits and the output of the mixers \
               in 8, and are taken as in 4 bits throughout. On H100 norms, experts and scores are \
               recomputed, as the recipe names them; these rows no fit has seen; scans run there as \
               fast as on a GB200, since Triton multiplies by the same instructions on both. Super \
               with 64-way experts on an NVL72 comes out fast, most where tensor parallelism \
               halves the tokens of a rank: what the host and the dispatcher do for each of 512 \
               experts is known from models of 128 and 256",
        reference: None,
        rows: rows!("megatron-bridge-hybrid"),
    },
    ValidationSet {
        name: "nemo-h100",
        title: "NVIDIA's benchmark recipes, dense models, H100",
        rule: "As printed in the recipe of the tag; micro-batches launched by the host; fp8 with a \
               scale per tensor and 8-bit parameters gathered",
        reference: None,
        rows: rows!("nemo-h100"),
    },
    ValidationSet {
        name: "nemo-gb200",
        title: "NVIDIA's benchmark recipes, dense models, GB200",
        rule: "As nemo-h100",
        reference: None,
        rows: rows!("nemo-gb200"),
    },
    ValidationSet {
        name: "nemo-experts",
        title: "NVIDIA's benchmark recipes, mixture-of-experts models, H100 and GB200",
        rule: "As nemo-h100; recomputation of up-projections, feed-forward blocks and experts \
               taken as full. Grok-1 by the recipes: every expert takes a fixed number of tokens, \
               dropped or padded, so that the host waits for no counts; in v25.02 experts are \
               split as the rest of a layer is (four ways, Megatron-Core's default where a recipe \
               says nothing), in v25.05 not on H100; iterations are graphs on GB200. The rows of \
               v25.05 stay 12 to 20 % slow: an untrained router is uneven, and slots that lack \
               tokens are filled with zeros, whose multiplications draw less power; how many is \
               not published",
        reference: None,
        rows: rows!("nemo-experts"),
    },
    ValidationSet {
        name: "automodel",
        title: "NeMo AutoModel 2025, mixture-of-experts models, H100",
        rule: "Gradients sharded, tokens exchanged by DeepEP, full recomputation where the model \
               is beyond 100B",
        reference: None,
        rows: rows!("automodel"),
    },
    ValidationSet {
        name: "fsdp",
        title: "PyTorch FSDP: torchtitan, llm-foundry, AutoModel, A100 to H200",
        rule: "Parameters sharded over all replicas, gradients scattered in 32 bits; selective \
               recomputation is that of torchtitan's, full that of whole layers",
        reference: None,
        rows: rows!("fsdp"),
    },
    ValidationSet {
        name: "fsdp-a100",
        title: "PyTorch FSDP 2024 on A100: torchtitan, and IBM with and without torch.compile",
        rule: "As fsdp; whole layers recomputed where the published hardware FLOPs are a third \
               above the model's; IBM scatters gradients in 16 bits, as its code has them, over \
               400 Gb/s a machine. Compiled 34B and 70B, which reach 74 % of the peak with what is \
               recomputed, come out slow by as much as is seen of gathering their parameters over \
               so few NICs. torchtitan's, not compiled, come out fast: norms, rotary embedding and \
               gates then run as several kernels each, which are not counted. 7B is sharded inside \
               machines and copied between them",
        reference: None,
        rows: rows!("fsdp-a100"),
    },
    ValidationSet {
        name: "long-context",
        title: "torchtitan 2024, 65,536 and 262,144 tokens, H100",
        rule: "Keys and values gathered over the ranks that share a sequence; full recomputation",
        reference: None,
        rows: rows!("long-context"),
    },
    ValidationSet {
        name: "mlperf",
        title: "MLPerf Training 5.0 and 5.1: Llama 3.1 405B and 8B on H100, B200 and GB200",
        rule: "Median of the logged step times; layouts as submitted, no recomputation, optimizer \
               sharded. 405B without CUDA graphs, 8B in one graph",
        reference: None,
        rows: rows!("mlperf"),
    },
    ValidationSet {
        name: "nemo-2025",
        title: "NVIDIA NeMo containers 24.07 (H100) and 25.02 (B200)",
        rule: "As the page prints; gathered in 8 bits; tokens of experts padded to capacity",
        reference: None,
        rows: rows!("nemo-2025"),
    },
    ValidationSet {
        name: "bloom-scan",
        title: "BLOOM's scan of shapes and layouts, 320 and 384 A100",
        rule: "Megatron-DeepSpeed, full recomputation, scores stored; four links of 100 Gb/s a \
               machine. Its chronicles tell of a PCIe and NUMA fault until 2022-02-25 (121.5 s \
               before, 114.1 after), and of kernels started one by one (CUDA_LAUNCH_BLOCKING) on \
               40 machines and more",
        reference: None,
        rows: rows!("bloom-scan"),
    },
    ValidationSet {
        name: "llm-foundry",
        title: "PyTorch FSDP 2023 by llm-foundry: 125M to 70B, 512 to 65,536 tokens, H100 and A100",
        rule: "As fsdp; rows that no fit has, but for the rate of the first FlashAttention on \
               H100. The tables of 2023 ran its Triton edition, the default of `attn_impl` there; \
               of those of 2024 its sweep names it for 13B and 30B",
        reference: None,
        rows: rows!("llm-foundry"),
    },
];
