//! `Kernel`, `Gemm`, `Block`, `BlockKind`, `Pass`: types, and what kernels follow from.

use crate::parallel::Layout;
use crate::step::RankShape;
use crate::units::Flops;
use crate::workload::{
    FeedForward, Framework, Layer, Model, Precision, Recompute, RecomputeModule, RecomputeModules,
};

/// A piece of work on one GPU.
#[derive(Clone, Debug, PartialEq)]
pub enum Kernel {
    /// A matrix multiplication.
    Gemm(Gemm),
    /// Fused attention.
    Attention(FusedAttention),
    /// A recurrence over the sequence, in chunks of matrix products.
    Scan {
        /// Floating-point operations of those products.
        flops: f64,
        /// Number format: 32 or 16 bits.
        precision: Precision,
    },
    /// Work bound by memory bandwidth.
    Memory {
        /// Bytes read and written.
        bytes: f64,
        kernels: u32,
    },
}

/// Attention whose scores never reach memory.
#[derive(Clone, Debug, PartialEq)]
pub struct FusedAttention {
    /// What is really computed.
    pub flops: Flops,
    /// What half of the queries with one further key would take: tiles on the diagonal are cut, and
    /// a row of tiles has to start, which costs so many keys.
    pub flops_of_key: Flops,
    /// Width of a value head: at some widths attention runs at a fraction of its rate.
    pub head_dim: u64,
    /// Number format of its matrix multiplications: 32, 16 or 8 bits.
    pub precision: Precision,
    /// Queries of all heads over which gradients of attention sinks are summed; 0 where there are
    /// none, and forward.
    pub sink_gradients: f64,
}

/// `count` multiplications of an m×k by a k×n matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Gemm {
    pub m: u64,
    pub n: u64,
    /// Length of the sum.
    pub k: u64,
    /// How many of them run as one kernel.
    pub count: u64,
    /// Number format of the operands.
    pub precision: Precision,
    /// Bytes that each element of the result moves: 2, or 8 where it is accumulated in fp32.
    pub result_bytes: f64,
    /// The result is the gradient of a weight, which nothing downstream waits for.
    pub weight_gradient: bool,
}

impl Gemm {
    /// Floating-point operations: two for each multiply-add.
    #[must_use]
    pub fn flops(&self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64 * self.count as f64
    }
}

impl Kernel {
    /// Reads and writes, and multiplies nothing.
    pub(super) const fn is_memory_bound(&self) -> bool {
        matches!(self, Self::Memory { .. })
    }

    /// Floating-point operations of matrix multiplications, attention and scans; memory-bound work
    /// counts none.
    #[must_use]
    pub fn flops(&self) -> f64 {
        match self {
            Self::Gemm(gemm) => gemm.flops(),
            Self::Attention(FusedAttention { flops, .. }) => flops.get(),
            Self::Scan { flops, .. } => *flops,
            Self::Memory { .. } => 0.0,
        }
    }
}

/// What a stage is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockKind {
    /// Token embedding, on the first stage; also beside each layer that predicts further tokens.
    Embedding,
    /// A layer of some kind.
    Layer(Layer),
    /// What joins the layers' output and the embedding of the next token, 2h to h, before each layer
    /// that predicts further tokens (DeepSeek-V3, arXiv 2412.19437 §2.2).
    Projection,
    /// Last norm, LM head and loss, on the last stage.
    Head,
}

impl BlockKind {
    /// How many there are.
    pub const COUNT: usize = Layer::ALL.len() + 3;

    /// All of them: embedding, layers, projection, head.
    #[must_use]
    pub fn all_kinds() -> [Self; Self::COUNT] {
        std::array::from_fn(|place| match place {
            0 => Self::Embedding,
            _ if place + 1 == Self::COUNT => Self::Head,
            _ => Layer::ALL.get(place - 1).map_or(Self::Projection, |layer| Self::Layer(*layer)),
        })
    }

    /// Its place among all of them.
    #[must_use]
    pub const fn index_among_kinds(self) -> usize {
        match self {
            Self::Embedding => 0,
            Self::Layer(layer) => layer as usize + 1,
            Self::Projection => Self::COUNT - 2,
            Self::Head => Self::COUNT - 1,
        }
    }

    /// True where such a block holds parameters: of routed experts, or of all else.
    #[must_use]
    pub fn has_parameters(self, of_experts: bool) -> bool {
        let routes = |layer: Layer| layer.network() == Some(FeedForward::Experts);
        !of_experts || self.layer().is_some_and(routes)
    }

    /// The layer that it is; `None` for embedding, projection and head.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        match self {
            Self::Layer(layer) => Some(layer),
            Self::Embedding | Self::Projection | Self::Head => None,
        }
    }
}

/// A direction through the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// From tokens to loss.
    Forward,
    /// Forward once more, to have activations that were not kept.
    Recompute,
    /// From loss to gradients.
    Backward,
}

/// One kind of block and its work for one micro-batch on one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub kind: BlockKind,
    /// Its parts in the order of the forward pass.
    pub parts: Vec<BlockPart>,
}

/// What the host launches as one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// Token embedding, or what joins it to the layers' output.
    Embedding,
    /// Norm, projections and attention.
    Attention,
    /// Norm, projections, convolution and scan of Mamba-2.
    Mamba,
    /// Norm, projections, convolution and the gated delta rule.
    Delta,
    /// Norm and dense feed-forward block.
    FeedForward,
    /// Norm, router, experts.
    Experts,
    /// Last norm, LM head and loss.
    Head,
}

/// A part of a block and its kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockPart {
    pub kind: PartKind,
    /// Kernels of each pass.
    pub kernels: Vec<(Pass, Kernel)>,
    /// Groups of kernels that are started once for every expert of this rank, all passes
    /// together; 0 where the experts run as one kernel.
    pub expert_starts: u64,
}

impl BlockPart {
    /// Kernels of one pass.
    pub fn kernels_of_pass(&self, pass: Pass) -> impl Iterator<Item = &Kernel> {
        self.kernels
            .iter()
            .filter(move |(this_pass, _)| *this_pass == pass)
            .map(|(_, kernel)| kernel)
    }
}

impl Block {
    /// Floating-point operations of a pass.
    #[must_use]
    pub fn flops_of_pass(&self, pass: Pass) -> f64 {
        self.parts.iter().flat_map(|part| part.kernels_of_pass(pass)).map(Kernel::flops).sum()
    }
}

/// What the kernels of a block follow from.
#[derive(Clone, Copy)]
pub(super) struct KernelInputs<'a> {
    pub(super) model: &'a Model,
    pub(super) framework: &'a Framework,
    pub(super) layout: &'a Layout,
    pub(super) shape: &'a RankShape,
    pub(super) precision: Precision,
    pub(super) recompute: Recompute,
    pub(super) modules: RecomputeModules,
}

impl KernelInputs<'_> {
    /// Bytes that the tensor group's gather of a part's inputs and scatter of its outputs move
    /// besides, each way: DTensor gathers ranks' pieces one after the other and copies them into the
    /// order of the sequence, and in the reverse order before it scatters (PyTorch's
    /// `_functional_collectives.py`). Multiplications in chunks write in place.
    pub(super) fn regroup_bytes(&self) -> f64 {
        const COPY: f64 = 4.0;
        let framework = self.framework;
        let copies = framework.native_pytorch && !framework.overlap_tensor;
        if copies && self.layout.sequence_parallel {
            2.0 * COPY * self.shape.tokens as f64 * self.shape.hidden as f64
        } else {
            0.0
        }
    }

    /// True where that part of a layer is computed again by itself.
    pub(super) fn recomputes_module(&self, module: RecomputeModule) -> bool {
        self.modules.has_module(module) && !self.framework.native_pytorch
    }

    /// The norm before a block once more: its input is read, its output written.
    pub(super) fn recomputed_norm_kernel(&self) -> Option<(Pass, Kernel)> {
        const BYTES: f64 = 4.0;
        let bytes = BYTES * self.shape.shard_elements();
        self.recomputes_module(RecomputeModule::LayerNorm)
            .then_some((Pass::Recompute, Kernel::Memory { bytes, kernels: 1 }))
    }

    /// Selective recomputation is of operations, not of the attention's scores.
    pub(super) fn recomputes_operations(&self) -> bool {
        self.framework.native_pytorch && self.recompute == Recompute::Selective
    }
}
