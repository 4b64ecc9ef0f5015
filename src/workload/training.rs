//! `Training`, `Precision`; `Framework`: how the stack fuses and overlaps;
//! `Collectives`.

use super::recompute::{Recompute, RecomputeModules};
use crate::keys::{DATE, Kind, LAYERS_OR_NONE, NOTE, SHARE, SOURCE, choices, key, table};

/// Global batches and lengths in sequences.
const SEQUENCES: Kind = Kind::Count { min: 1, max: 1_000_000_000 };

table! {
    /// The training run, apart from how it is spread over GPUs.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Training, "the training run, apart from how it is spread over GPUs" {
        /// Global batch G in sequences.
        global_batch: u64, in SEQUENCES, "global batch in sequences".required;
        /// Tokens of the whole run; `None` where the spec does not say, then no days are reported.
        tokens: Option<f64>, in Kind::Amount { max: 1e18 },
            "tokens of the whole run" or "not stated: no days are reported";
        /// Number format of the matrix multiplications.
        precision: Precision, "number format of matrix multiplications"
            or "bf16, or fp16 where a GPU has no bf16" else usual;
        /// Layers of a stage whose activations wait in host memory for their backward pass.
        offload_layers: u32 = 0, in LAYERS_OR_NONE,
            "layers of a stage whose activations wait in host memory";
        /// What selective recomputation computes again; `None` where the spec does not say.
        recompute_modules: Option<RecomputeModules>,
            "what `selective` computes again"
            or "`core_attn`; of latent attention `mla_up_proj`";
    } given { usual: Precision }
    // What the layout says of a step; [`crate::parallel::LayoutRequest`] has it.
    last [
        key(
            "micro_batch",
            Kind::Auto(&Kind::Count { min: 1, max: 1_000_000 }),
            "micro-batch in sequences",
        )
        .with_default_words("auto where tensor or pipeline is, else 1"),
        key(
            "recompute",
            Kind::Auto(&Kind::Choice(Recompute::NAMES)),
            "what the backward pass computes again",
        )
        .with_default_words("auto where tensor or pipeline is, else selective"),
    ]
}

choices! {
    /// Number format of weights and activations in matrix multiplications.
    pub enum Precision {
        /// 32-bit floats everywhere.
        Fp32 = "fp32",
        /// 16-bit IEEE floats with 32-bit master weights.
        Fp16 = "fp16",
        /// bfloat16 with 32-bit master weights.
        Bf16 = "bf16",
        /// 8-bit floats, one scale per tensor (current scaling).
        Fp8 = "fp8",
        /// 8-bit floats, one scale per block of 32.
        Mxfp8 = "mxfp8",
        /// 4-bit floats, one scale per block of 16.
        Nvfp4 = "nvfp4",
    }
}

impl Precision {
    /// The format of what a step keeps wide: 32 bits in a step of 32, else 16.
    #[must_use]
    pub const fn wide_format(self) -> Self {
        match self {
            Self::Fp32 => Self::Fp32,
            _ => Self::Bf16,
        }
    }

    /// Bytes of an activation between layers: kept in 16 bits below 16-bit arithmetic.
    #[must_use]
    pub const fn activation_bytes(self) -> u64 {
        match self {
            Self::Fp32 => 4,
            _ => 2,
        }
    }

    /// Bytes of an operand of a matrix multiplication, block scales included.
    #[must_use]
    pub const fn operand_bytes(self) -> f64 {
        match self {
            Self::Fp32 => 4.0,
            Self::Fp16 | Self::Bf16 => 2.0,
            Self::Fp8 | Self::Mxfp8 => 1.0,
            Self::Nvfp4 => 0.5625,
        }
    }
}

table! {
    /// Settings of a training framework. Presets per era live in `presets/frameworks.toml`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Framework, "how the training stack fuses, overlaps and synchronises; keys override \
                           the preset" {
        /// Bytes of a gradient element that the data-parallel reduction sends: 2 or 4.
        gradient_bytes: u64, in Kind::Count { min: 2, max: 4 },
            "bytes of a reduced gradient element".required;
        /// Bytes of a copy of the gradient that the update reads, kept beside narrower ones: 0 or
        /// 4.
        gradient_copy_bytes: u64 = 0, in Kind::Count { min: 0, max: 4 },
            "bytes of a wider copy of the gradient that the update reads, kept with its states";
        /// Bytes of a parameter element that ZeRO's all-gather sends: 1, 2 or 4.
        parameter_bytes: u64, in Kind::Count { min: 1, max: 4 },
            "bytes of a gathered parameter".required;
        /// Bytes of each of Adam's two moments: 4, or 2 in 16 bits.
        moment_bytes: u64 = 4, in Kind::Count { min: 2, max: 4 }, "bytes of each of Adam's two \
                                                                   moments";
        /// Data-parallel communication runs beside the backward pass.
        overlap_data: bool, "data-parallel communication beside the backward pass".required;
        /// Tensor-parallel communication is cut into chunks that run beside the matrix
        /// multiplications they belong to.
        overlap_tensor: bool, "tensor-parallel communication in chunks beside compute".required;
        /// Pipeline messages travel beside compute.
        overlap_pipeline: bool, "pipeline messages beside compute".required;
        /// Keys and values of sequences that are split travel beside attention. An exchange of
        /// heads for tokens never does: attention waits for it.
        overlap_context: bool = true, "exchange of keys and values beside compute";
        /// Expert all-to-alls run beside compute.
        overlap_expert: bool, "expert all-to-alls beside compute".required;
        /// Share of an overlapped expert all-to-all that compute waits for, as where its kernels
        /// hold that share of the processors. None: what was measured on this GPU generation.
        expert_overlap_visible: Option<f64>, in SHARE,
            "share of an overlapped all-to-all that compute waits for, by default the GPU's";
        /// Share of tensor-parallel communication in chunks beside compute that is seen: what
        /// cutting a multiplication costs besides what it hides. None: what was measured on this
        /// GPU generation.
        tensor_overlap_visible: Option<f64>, in SHARE,
            "share of overlapped tensor-parallel traffic that is seen, by default the GPU's";
        /// Share of gathering and scattering fully sharded parameters that is seen where it runs
        /// beside compute. None: what was measured on this GPU generation.
        sharding_overlap_visible: Option<f64>, in SHARE,
            "share of overlapped ZeRO-3 traffic that is seen, by default the GPU's";
        /// Share of an exchange of keys and values beside attention that is seen. None: what was
        /// measured on this GPU generation.
        context_overlap_visible: Option<f64>, in SHARE,
            "share of an overlapped exchange of keys and values that is seen, by default the GPU's";
        /// The weight gradient is accumulated inside its matrix multiplication.
        fused_weight_gradient: bool, "weight gradients accumulated in their GEMM".required;
        /// Fused attention that never stores the scores.
        flash_attention: bool, "fused attention that never stores the scores".required;
        /// Fused attention by kernels that were written for an earlier GPU generation
        /// (FlashAttention-2 on Hopper and later, as in PyTorch).
        earlier_attention: bool = false, "attention kernels of an earlier GPU generation";
        /// Fused attention by the kernels of the first FlashAttention, or of its Triton edition.
        first_attention: bool = false,
            "attention by the kernels of the first FlashAttention or of its Triton edition";
        /// Attention skips what the causal mask hides.
        causal_attention: bool, "attention skips what the mask hides".required;
        /// Norms, residuals, activations and loss run as few fused kernels without dropout
        /// (Megatron-Core since 2024), not as a kernel for each step.
        fused_elementwise: bool, "norms, activations and loss as few fused kernels".required;
        /// One kernel turns 16-bit logits into their gradient in place, without an fp32 copy.
        fused_loss: bool = false, "one kernel turns 16-bit logits into their gradient in place";
        /// Operations of PyTorch itself, one by one (torchtitan): selective recomputation makes
        /// every second product again and all that memory bounds, the loss keeps logits in 32 bits
        /// beside those in 16, and a tensor group with sequence parallelism (DTensor) keeps the
        /// inputs that it gathered and copies them into order.
        native_pytorch: bool = false,
            "operations of PyTorch itself: selective recomputation makes every second product again, \
             the loss keeps logits in 32 bits, DTensor what it gathered";
        /// Fused attention multiplies in 8 bits where the layers do.
        fp8_attention: bool, "fused attention in 8 bits where the layers are".required;
        /// Layers are moved off the stages that hold embedding and LM head.
        balanced_stages: bool, "layers moved off the stages of embedding and output layer".required;
        /// Fully sharded parameters travel on one ring through one interface of a domain, and their
        /// gradients are all-reduced (DeepSpeed's ZeRO-3 of 2021).
        single_ring_sharding: bool, "ZeRO-3 on one ring through one NIC of a domain".required;
        /// Buckets of gradients of ZeRO-1 and 2 are all-reduced, not scattered to the owners of their
        /// states (DeepSpeed's `use_multi_rank_bucket_allreduce`, its default).
        bucket_all_reduce: bool = false,
            "gradients of ZeRO-1 and 2 all-reduced in buckets, not scattered (DeepSpeed's default)";
        /// Tokens go to their experts in the format of the matrix multiplications, and come back in
        /// 16 bits.
        narrow_dispatch: bool = false, "tokens go to experts in the layers' format, back in 16 \
                                        bits";
        /// Each expert takes a fixed number of tokens, what is beyond dropped and what lacks
        /// padded, so that the host waits for no counts (Megatron-Core's
        /// `--moe-pad-expert-input-to-capacity`).
        padded_experts: bool = false,
            "experts take a fixed number of tokens, dropped or padded: the host waits for no \
             counts";
        /// Pipeline messages are split over the tensor-parallel group.
        scatter_pipeline: bool, "pipeline messages split over the tensor group".required;
        /// How ranks that share a sequence exchange keys and values.
        context_exchange: ContextExchange = (ContextExchange::Gather),
            "how ranks that share a sequence exchange keys and values";
        /// What is launched as CUDA graphs.
        cuda_graphs: Graphs, "launched as CUDA graphs".required;
        /// How tokens reach their experts.
        dispatcher: Dispatcher, "how tokens reach their experts".required;
        /// Attention scores count as compute and memory traffic. Off only in specs that restate
        /// papers which leave them out.
        attention_scores: bool = true, "attention scores count";
        /// Embedding, LM head and loss count. Off only as above.
        embedding: bool = true, "embedding, output layer and loss count";
        /// Work bound by memory bandwidth, launches and latencies counts. Off only as above: then
        /// matrix multiplications run at peak and links at line rate.
        overheads: bool = true, "memory-bound work, launches, latencies count";
        /// Share of what is allocated that the allocator reserves besides.
        fragmentation: f64 = 0.0, in SHARE, "memory that the allocator reserves over what is \
                                             allocated";
        /// Time of a production run over that of benchmark code: checkpoints, data loading,
        /// stragglers. 1 where unknown.
        production_factor: f64 = 1.0, in Kind::Number { min: 1.0, max: 10.0 },
            "time of a production run over benchmark code";
    } besides {
        /// Name of the preset, for reports.
        name: String,
        /// Algorithms of collectives: a table of their own.
        collectives: Collectives,
    }
    first [
        key("preset", Kind::Name, "a training stack of some year")
            .with_default_words("by precision and GPU generation"),
    ]
    last [SOURCE, DATE, NOTE]
}

impl Framework {
    /// A stack that overlaps and fuses nothing and counts every cost, with gradients and moments
    /// of 4 bytes: what another is written down as a difference to.
    #[must_use]
    pub fn new_without_features(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            collectives: Collectives::DEFAULT,
            gradient_bytes: 4,
            gradient_copy_bytes: 0,
            parameter_bytes: 2,
            moment_bytes: 4,
            overlap_data: false,
            overlap_tensor: false,
            overlap_pipeline: false,
            overlap_context: false,
            overlap_expert: false,
            expert_overlap_visible: None,
            tensor_overlap_visible: None,
            sharding_overlap_visible: None,
            context_overlap_visible: None,
            fused_weight_gradient: false,
            flash_attention: false,
            earlier_attention: false,
            first_attention: false,
            causal_attention: false,
            fused_elementwise: false,
            fused_loss: false,
            native_pytorch: false,
            fp8_attention: false,
            balanced_stages: false,
            single_ring_sharding: false,
            bucket_all_reduce: false,
            narrow_dispatch: false,
            padded_experts: false,
            scatter_pipeline: false,
            context_exchange: ContextExchange::Gather,
            cuda_graphs: Graphs::None,
            dispatcher: Dispatcher::AllToAll,
            attention_scores: true,
            embedding: true,
            overheads: true,
            fragmentation: 0.0,
            production_factor: 1.0,
        }
    }
}

choices! {
    /// What is launched as CUDA graphs, and so costs no host time.
    pub enum Graphs {
        /// Every kernel is launched by the host.
        None = "none",
        /// Attention and router only; the expert part still waits for the host.
        Partial = "partial",
        /// The whole iteration.
        Full = "full",
    }
}

choices! {
    /// How ranks that share a sequence exchange keys and values.
    #[derive(Default)]
    pub enum ContextExchange {
        /// All keys and values are gathered before attention (Llama 3).
        #[default]
        Gather = "gather",
        /// Blocks of keys and values go round a ring beside attention (ring attention).
        Ring = "ring",
        /// Heads are exchanged for tokens before and after attention (Ulysses).
        AllToAll = "all-to-all",
    }
}

choices! {
    /// How tokens reach their experts.
    pub enum Dispatcher {
        /// Plain all-to-all: one copy per chosen expert.
        AllToAll = "all-to-all",
        /// One copy per rank and per HB domain (DeepEP, HybridEP).
        HybridEp = "hybrid-ep",
        /// Every rank gathers all tokens of its group and takes those of its experts, and their sums
        /// are scattered (Megatron-Core's `allgather`).
        AllGather = "all-gather",
    }
}

table! {
    defaults;
    /// Algorithms of collectives.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Collectives, "the algorithms of collectives, of all or by the kind of parallelism \
                             that calls them" {
        /// Of every kind that has none of its own.
        all: Algorithms = (Algorithms::Nccl), "of every kind that has none of its own";
        tensor: Option<Algorithms>, "of tensor parallelism" or "all";
        /// Of pipeline parallelism: gathers of split messages.
        pipeline: Option<Algorithms>, "of pipeline parallelism: gathers of split messages" or "all";
        data: Option<Algorithms>, "of data parallelism: gradients and parameters" or "all";
        context: Option<Algorithms>, "of context parallelism" or "all";
        expert: Option<Algorithms>, "of expert parallelism: shards of an expert" or "all";
    }
}

choices! {
    /// How the members of a group reduce and gather.
    pub enum Algorithms {
        /// As NCCL's tuner chooses by size, members and nodes: rings, trees, PAT.
        Nccl = "nccl",
        /// As `Nccl`, and sums inside an HB domain by its switches (NVLink SHARP).
        Nvls = "nvls",
        /// Sums between domains by the switches of the network (CollNet with SHARP); all else as
        /// NCCL's tuner chooses.
        Sharp = "sharp",
        /// Inside the HB domain first, then members of equal place across domains.
        Hierarchical = "hierarchical",
        /// As `Hierarchical`, each member to every other on either level.
        HierarchicalDirect = "hierarchical-direct",
        /// One ring through all members in the order of their ranks.
        Ring = "ring",
        /// Each member to every other at once.
        Direct = "direct",
        /// Halving and doubling, where members are a power of two; else one ring.
        HalvingDoubling = "halving-doubling",
        /// Two binary trees for an all-reduce; else one ring.
        DoubleTree = "double-tree",
    }
}

impl Collectives {
    /// True where some kind of parallelism runs by them.
    #[must_use]
    pub fn has_algorithm(&self, by: Algorithms) -> bool {
        let Self { all, tensor, pipeline, data, context, expert } = *self;
        [tensor, pipeline, data, context, expert]
            .into_iter()
            .any(|algorithms| algorithms.unwrap_or(all) == by)
    }

    /// As a spec states them: `all = nccl, data = direct`.
    #[must_use]
    pub fn spec_text(&self) -> String {
        let Self { all, tensor, pipeline, data, context, expert } = *self;
        let own = [
            ("tensor", tensor),
            ("pipeline", pipeline),
            ("data", data),
            ("context", context),
            ("expert", expert),
        ];
        let own = own
            .into_iter()
            .filter_map(|(kind, algorithms)| Some(format!("{kind} = {}", algorithms?.name())));
        let all = format!("all = {}", all.name());
        std::iter::once(all).chain(own).collect::<Vec<_>>().join(", ")
    }
}

impl Algorithms {
    /// True where NCCL's tuner chooses what is left open.
    #[must_use]
    pub const fn is_tuned(self) -> bool {
        matches!(self, Self::Nccl | Self::Nvls | Self::Sharp)
    }
}
