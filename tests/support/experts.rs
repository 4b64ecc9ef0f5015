//! Experts that tests change to their needs.

use planner::workload::Moe;

/// Experts of so many units behind one dense layer, each as loaded as the others.
pub(crate) fn even_experts(experts: u64, top_k: u64, ffn: u64) -> Moe {
    Moe {
        experts,
        top_k,
        shared_experts: 0,
        ffn,
        dense_layers: 1,
        capacity_factor: 1.0,
        loads: Vec::new(),
        biases: false,
        load_deviation: 0.0,
        shared_ffn: None,
        latent: None,
        limit: None,
    }
}
