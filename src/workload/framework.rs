//! How the training stack fuses, overlaps and synchronises. It decides more than any formula,
//! so every switch is an input with a stated default per era.

/// Settings of a training framework. Presets per era live in `presets/frameworks.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Framework {
    /// Name of the preset, for reports.
    pub name: String,
    /// Bytes of a gradient element that the data-parallel reduction sends: 2 or 4.
    pub gradient_bytes: u64,
    /// Bytes of a copy of the gradient that the update reads, kept beside narrower ones: 0 or 4.
    pub gradient_copy_bytes: u64,
    /// Bytes of a parameter element that ZeRO's all-gather sends: 1, 2 or 4.
    pub parameter_bytes: u64,
    /// Bytes of each of Adam's two moments: 4, or 2 in 16 bits.
    pub moment_bytes: u64,
    /// Data-parallel communication runs beside the backward pass.
    pub overlap_data: bool,
    /// Tensor-parallel communication is cut into chunks that run beside the matrix
    /// multiplications they belong to.
    pub overlap_tensor: bool,
    /// Pipeline messages travel beside compute.
    pub overlap_pipeline: bool,
    /// Keys and values of sequences that are split travel beside attention. An exchange of heads
    /// for tokens never does: attention waits for it.
    pub overlap_context: bool,
    /// Expert all-to-alls run beside compute.
    pub overlap_expert: bool,
    /// Share of an overlapped expert all-to-all that compute waits for, as where its kernels hold
    /// that share of the processors. None: what was measured on this GPU generation.
    pub expert_overlap_visible: Option<f64>,
    /// The weight gradient is accumulated inside its matrix multiplication.
    pub fused_weight_gradient: bool,
    /// Fused attention that never stores the scores.
    pub flash_attention: bool,
    /// Attention skips what the causal mask hides.
    pub causal_attention: bool,
    /// Norms, residuals, activations and loss run as few fused kernels without dropout
    /// (Megatron-Core since 2024), not as a kernel for each step.
    pub fused_elementwise: bool,
    /// One kernel turns 16-bit logits into their gradient in place, without an fp32 copy.
    pub fused_loss: bool,
    /// Fused attention multiplies in 8 bits where the layers do.
    pub fp8_attention: bool,
    /// Layers are moved off the stages that hold embedding and LM head.
    pub balanced_stages: bool,
    /// Fully sharded parameters travel on one ring through one interface of a domain, and their
    /// gradients are all-reduced (DeepSpeed's ZeRO-3 of 2021).
    pub single_ring_sharding: bool,
    /// Tokens go to their experts in the format of the matrix multiplications, and come back in
    /// 16 bits.
    pub narrow_dispatch: bool,
    /// Pipeline messages are split over the tensor-parallel group.
    pub scatter_pipeline: bool,
    /// How ranks that share a sequence exchange keys and values.
    pub context_exchange: ContextExchange,
    /// What is launched as CUDA graphs.
    pub cuda_graphs: Graphs,
    /// How tokens reach their experts.
    pub dispatcher: Dispatcher,
    /// Attention scores count as compute and memory traffic. Off only in specs that restate
    /// papers which leave them out.
    pub attention_scores: bool,
    /// Embedding, LM head and loss count. Off only as above.
    pub embedding: bool,
    /// Work bound by memory bandwidth, launches and latencies counts. Off only as above: then
    /// matrix multiplications run at peak and links at line rate.
    pub overheads: bool,
    /// Share of what is allocated that the allocator reserves besides.
    pub fragmentation: f64,
    /// Time of a production run over that of benchmark code: checkpoints, data loading,
    /// stragglers. 1 where unknown.
    pub production_factor: f64,
}

impl Framework {
    /// A stack that overlaps and fuses nothing and counts every cost, with gradients and moments
    /// of 4 bytes: what another is written down as a difference to.
    #[must_use]
    pub fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
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
            fused_weight_gradient: false,
            flash_attention: false,
            causal_attention: false,
            fused_elementwise: false,
            fused_loss: false,
            fp8_attention: false,
            balanced_stages: false,
            single_ring_sharding: false,
            narrow_dispatch: false,
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

/// What is launched as CUDA graphs, and so costs no host time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Graphs {
    /// Every kernel is launched by the host.
    None,
    /// Attention and router only; the expert part still waits for the host.
    Partial,
    /// The whole iteration.
    Full,
}

/// How ranks that share a sequence exchange keys and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContextExchange {
    /// All keys and values are gathered before attention (Llama 3).
    #[default]
    Gather,
    /// Blocks of keys and values go round a ring beside attention (ring attention).
    Ring,
    /// Heads are exchanged for tokens before and after attention (Ulysses).
    AllToAll,
}

/// How tokens reach their experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dispatcher {
    /// Plain all-to-all: one copy per chosen expert.
    AllToAll,
    /// One copy per rank and per HB domain (DeepEP, HybridEP).
    HybridEp,
}
