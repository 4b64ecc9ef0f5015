//! How the training stack fuses, overlaps and synchronises. It decides more than any formula,
//! so every switch is an input with a stated default per era.

use super::Collectives;
use crate::keys::{DATE, Kind, NOTE, SHARE, SOURCE, choices, key, table};

table! {
    /// Settings of a training framework. Presets per era live in `presets/frameworks.toml`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Framework, "how the training stack fuses, overlaps and synchronises; keys override the preset" {
        /// Bytes of a gradient element that the data-parallel reduction sends: 2 or 4.
        gradient_bytes: u64, in Kind::Count { min: 2, max: 4 },
            "bytes of a reduced gradient element".required;
        /// Bytes of a copy of the gradient that the update reads, kept beside narrower ones: 0 or 4.
        gradient_copy_bytes: u64 = 0, in Kind::Count { min: 0, max: 4 },
            "bytes of a wider copy of the gradient that the update reads, kept with its states";
        /// Bytes of a parameter element that ZeRO's all-gather sends: 1, 2 or 4.
        parameter_bytes: u64, in Kind::Count { min: 1, max: 4 },
            "bytes of a gathered parameter".required;
        /// Bytes of each of Adam's two moments: 4, or 2 in 16 bits.
        moment_bytes: u64 = 4, in Kind::Count { min: 2, max: 4 }, "bytes of each of Adam's two moments";
        /// Data-parallel communication runs beside the backward pass.
        overlap_data: bool, "data-parallel communication beside the backward pass".required;
        /// Tensor-parallel communication is cut into chunks that run beside the matrix
        /// multiplications they belong to.
        overlap_tensor: bool, "tensor-parallel communication in chunks beside compute".required;
        /// Pipeline messages travel beside compute.
        overlap_pipeline: bool, "pipeline messages beside compute".required;
        /// Keys and values of sequences that are split travel beside attention. An exchange of heads
        /// for tokens never does: attention waits for it.
        overlap_context: bool = true, "exchange of keys and values beside compute";
        /// Expert all-to-alls run beside compute.
        overlap_expert: bool, "expert all-to-alls beside compute".required;
        /// Share of an overlapped expert all-to-all that compute waits for, as where its kernels hold
        /// that share of the processors. None: what was measured on this GPU generation.
        expert_overlap_visible: Option<f64>, in SHARE,
            "share of an overlapped all-to-all that compute waits for, by default the GPU's";
        /// Share of tensor-parallel communication in chunks beside compute that is seen: what cutting a
        /// multiplication costs besides what it hides. None: what was measured on this GPU generation.
        tensor_overlap_visible: Option<f64>, in SHARE,
            "share of overlapped tensor-parallel traffic that is seen, by default the GPU's";
        /// Share of gathering and scattering fully sharded parameters that is seen where it runs beside
        /// compute. None: what was measured on this GPU generation.
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
        /// Fused attention by kernels that were written for an earlier GPU generation (FlashAttention-2
        /// on Hopper and later, as in PyTorch).
        earlier_attention: bool = false, "attention kernels of an earlier GPU generation";
        /// Attention skips what the causal mask hides.
        causal_attention: bool, "attention skips what the mask hides".required;
        /// Norms, residuals, activations and loss run as few fused kernels without dropout
        /// (Megatron-Core since 2024), not as a kernel for each step.
        fused_elementwise: bool, "norms, activations and loss as few fused kernels".required;
        /// One kernel turns 16-bit logits into their gradient in place, without an fp32 copy.
        fused_loss: bool = false, "one kernel turns 16-bit logits into their gradient in place";
        /// Fused attention multiplies in 8 bits where the layers do.
        fp8_attention: bool, "fused attention in 8 bits where the layers are".required;
        /// Layers are moved off the stages that hold embedding and LM head.
        balanced_stages: bool, "layers moved off the stages of embedding and LM head".required;
        /// Fully sharded parameters travel on one ring through one interface of a domain, and their
        /// gradients are all-reduced (DeepSpeed's ZeRO-3 of 2021).
        single_ring_sharding: bool, "ZeRO-3 on one ring through one interface of a domain".required;
        /// Tokens go to their experts in the format of the matrix multiplications, and come back in
        /// 16 bits.
        narrow_dispatch: bool = false, "tokens go to experts in the layers' format, back in 16 bits";
        /// Each expert takes a fixed number of tokens, what is beyond dropped and what lacks padded, so
        /// that the host waits for no counts (Megatron-Core's `--moe-pad-expert-input-to-capacity`).
        padded_experts: bool = false,
            "experts take a fixed number of tokens, dropped or padded: the host waits for no counts";
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
        embedding: bool = true, "embedding, LM head and loss count";
        /// Work bound by memory bandwidth, launches and latencies counts. Off only as above: then
        /// matrix multiplications run at peak and links at line rate.
        overheads: bool = true, "memory-bound work, launches, latencies count";
        /// Share of what is allocated that the allocator reserves besides.
        fragmentation: f64 = 0.0, in SHARE, "memory that the allocator reserves over what is allocated";
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
            causal_attention: false,
            fused_elementwise: false,
            fused_loss: false,
            fp8_attention: false,
            balanced_stages: false,
            single_ring_sharding: false,
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
    }
}
