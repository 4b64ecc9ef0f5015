//! A small model and plain settings that tests change to their needs.

use planner::parallel::{Layout, Order, Schedule, Zero};
use planner::workload::{
    ContextExchange, Dispatcher, Framework, Graphs, Model, Precision, Recompute, Training,
};

/// A dense model that any small layout divides.
pub(crate) fn model(layers: u32) -> Model {
    Model {
        name: "small".into(),
        layers,
        hidden: 48,
        heads: 48,
        kv_heads: 48,
        head_dim: 2,
        ffn: 192,
        gated_ffn: false,
        vocab: 1000,
        sequence: 96,
        tied_embeddings: true,
        moe: None,
        latent_attention: None,
        window: None,
        mtp_layers: 0,
    }
}

/// Every overlap off, every cost on.
pub(crate) fn framework() -> Framework {
    Framework {
        name: "test".into(),
        gradient_bytes: 4,
        gradient_copy_bytes: 0,
        parameter_bytes: 2,
        moment_bytes: 4,
        overlap_data: false,
        overlap_tensor: false,
        overlap_pipeline: false,
        overlap_context: true,
        overlap_expert: false,
        expert_overlap_visible: None,
        fused_weight_gradient: true,
        flash_attention: true,
        causal_attention: true,
        fused_elementwise: true,
        fused_loss: false,
        fp8_attention: false,
        balanced_stages: false,
        single_ring_sharding: false,
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

/// One micro-batch of one sequence, nothing sharded, default order.
pub(crate) fn layout(tensor: u32, data: u32, pipeline: u32) -> Layout {
    Layout {
        tensor,
        pipeline,
        data,
        context: 1,
        expert: 1,
        expert_tensor: 1,
        interleave: 1,
        micro_batch: 1,
        sequence_parallel: false,
        zero: Zero::None,
        recompute: Recompute::None,
        order: Order::DP_INSIDE_PP,
        schedule: Schedule::OneFOneB,
    }
}

/// That many micro-batches on every replica.
pub(crate) fn training(layout: &Layout, micro_batches: u64) -> Training {
    Training {
        global_batch: u64::from(layout.data) * layout.micro_batch * micro_batches,
        tokens: None,
        precision: Precision::Bf16,
        offload_layers: 0,
    }
}
