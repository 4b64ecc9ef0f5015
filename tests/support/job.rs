//! A small model and plain settings that tests change to their needs.

use planner::parallel::Layout;
use planner::workload::{Framework, Model, Precision, Training};

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
        attention_sinks: false,
        parallel_blocks: false,
        pattern: None,
        attention_gate: false,
        mamba: None,
        delta: None,
        mtp_layers: 0,
    }
}

/// No overlap but of context, every cost on, kernels fused.
pub(crate) fn framework() -> Framework {
    Framework {
        overlap_context: true,
        fused_weight_gradient: true,
        flash_attention: true,
        causal_attention: true,
        fused_elementwise: true,
        ..Framework::new_without_features("test")
    }
}

/// One micro-batch of one sequence, nothing sharded, default order.
pub(crate) fn layout(tensor: u32, data: u32, pipeline: u32) -> Layout {
    Layout { tensor, pipeline, data, ..Layout::ONE_GPU }
}

/// That many micro-batches on every replica.
pub(crate) fn training(layout: &Layout, micro_batches: u64) -> Training {
    Training {
        global_batch: u64::from(layout.data) * layout.micro_batch * micro_batches,
        tokens: None,
        precision: Precision::Bf16,
        offload_layers: 0,
        recompute_modules: None,
    }
}
