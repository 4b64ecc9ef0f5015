//! Inputs that a spec or a preset states, one row each, so that a name, its value and its origin
//! stand in one place. What follows from them is in `found_inputs`.

use super::explanation::InputOrigin;
use super::inputs::{Input, RowOrigin, preset_entry, spec_key};
use crate::quantity::row::{
    count_amount, memory_amount, number_amount, power_amount, share_amount, time_amount,
    word_amount,
};
use crate::units::{Amount, Bandwidth};

/// An entry of a preset that a field of the same name holds.
macro_rules! entry {
    ($kind:ident.$field:ident, $name:literal, $amount:ident) => {
        preset_entry(concat!(stringify!($kind), ".", stringify!($field)), $name, |facts| {
            $amount(facts.$kind.$field)
        })
    };
}

/// A key of the layout, which the spec gives or the planner chose.
macro_rules! setting {
    ($key:literal, $name:literal, $field:ident) => {
        setting!($key, $name, $field, |degree| count_amount(degree))
    };
    ($key:literal, $name:literal, $field:ident, |$value:ident| $amount:expr) => {
        Input {
            key: $key,
            name: $name,
            origin: RowOrigin::Setting(|facts| {
                facts.scenario.lead_workload().layout.$field.is_some()
            }),
            read: |facts| {
                let $value = facts.plan.layout.$field;
                $amount
            },
        }
    };
}

pub(super) const STATED: &[Input] = &[
    spec_key("cluster.gpus", "GPUs N", |facts| count_amount(facts.plan.nodes.gpus)),
    spec_key("cluster.max_planes", "most planes", |facts| {
        count_amount(facts.scenario.cluster.max_planes)
    }),
    spec_key("cluster.fabric", "family", |facts| word_amount(facts.fabric.kind.name())),
    spec_key("limits.racks", "racks", |facts| count_amount(facts.plan.racks.as_ref()?.most?)),
    spec_key("objective.pue", "PUE", |facts| number_amount(facts.scenario.objective.pue)),
    spec_key("objective.years", "years", |facts| number_amount(facts.plan.cost.years)),
    spec_key("training.global_batch", "global batch G", |facts| {
        count_amount(facts.scenario.lead_workload().training.global_batch)
    }),
    spec_key("training.precision", "number format", |facts| {
        word_amount(facts.scenario.lead_workload().training.precision.name())
    }),
    spec_key("training.tokens", "tokens of the run", |facts| {
        number_amount(facts.scenario.lead_workload().training.tokens?)
    }),
    spec_key("parallelism.schedule", "schedule", |facts| {
        word_amount(facts.plan.layout.schedule.name())
    }),
    spec_key("parallelism.expert_tensor", "tensor degree of experts", |facts| {
        count_amount(facts.plan.layout.expert_tensor)
    }),
    setting!("training.recompute", "recomputation", recompute, |kept| word_amount(kept.name())),
    setting!("training.micro_batch", "micro-batch b", micro_batch),
    setting!("parallelism.tensor", "tensor degree t", tensor),
    setting!("parallelism.pipeline", "pipeline stages p", pipeline),
    setting!("parallelism.data", "replicas D_p", data),
    setting!("parallelism.context", "context degree c", context),
    setting!("parallelism.expert", "expert degree e", expert),
    setting!("parallelism.interleave", "virtual stages v", interleave),
    setting!("parallelism.zero", "ZeRO stage", zero, |zero| count_amount(zero.stage_number())),
    Input {
        key: "parallelism.shard",
        name: "replicas that share a copy",
        origin: RowOrigin::Varying(|facts| match facts.scenario.lead_workload().layout.shard {
            Some(_) => InputOrigin::Spec("parallelism.shard"),
            None => InputOrigin::Found("D_p"),
        }),
        read: |facts| count_amount(facts.plan.layout.replicas_per_copy()),
    },
    // Presets.
    entry!(model.layers, "layers L", count_amount),
    entry!(model.hidden, "hidden width h", count_amount),
    entry!(model.sequence, "sequence length s", count_amount),
    entry!(model.vocab, "vocabulary V", count_amount),
    entry!(model.kv_heads, "key and value heads g", count_amount),
    entry!(model.head_dim, "width of a head d", count_amount),
    preset_entry("model.top_k", "experts of a token k", |facts| {
        count_amount(facts.model.moe.as_ref()?.top_k)
    }),
    preset_entry("model.tied_embeddings", "tables", |facts| {
        count_amount(if facts.model.tied_embeddings { 1_u32 } else { 2 })
    }),
    entry!(framework.overlap_tensor, "overlaps", switch_amount),
    entry!(framework.overlap_pipeline, "overlaps", switch_amount),
    entry!(framework.overlap_data, "overlaps", switch_amount),
    entry!(framework.overlap_context, "overlaps", switch_amount),
    entry!(framework.overlap_expert, "overlaps", switch_amount),
    entry!(framework.scatter_pipeline, "messages split over t", switch_amount),
    entry!(framework.causal_attention, "scores count their causal half", switch_amount),
    entry!(framework.flash_attention, "fused attention", switch_amount),
    entry!(framework.gradient_bytes, "bytes of a gradient", count_amount),
    entry!(framework.parameter_bytes, "bytes of a gathered parameter", count_amount),
    entry!(framework.production_factor, "production factor", number_amount),
    entry!(framework.fragmentation, "share that is reserved besides", share_amount),
    preset_entry("gpu.memory", "memory of the GPU", |facts| {
        memory_amount(facts.plan.memory_capacity)
    }),
    entry!(gpu.memory_bandwidth, "memory bandwidth", bandwidth_amount),
    preset_entry("gpu.nccl", "generation of NCCL's constants", |facts| {
        word_amount(facts.gpu.nccl.name())
    }),
    entry!(node.gpus, "GPUs of an HB domain K", count_amount),
    entry!(node.nics, "NICs of a domain", count_amount),
    entry!(node.hb_bandwidth, "HB bandwidth of a GPU B_F", bandwidth_amount),
    preset_entry("node.host_link", "link to the host, one way", |facts| {
        bandwidth_amount(facts.gpu.host_link)
    }),
    preset_entry("node.hb_switches", "switch chips of a domain", |facts| {
        count_amount(facts.node.hb_switches?)
    }),
    preset_entry("node.hb_links", "links of a domain", |facts| count_amount(facts.node.hb_links?)),
    entry!(node.power, "power of a machine", power_amount),
    preset_entry("nic.bandwidth", "NIC bandwidth B_S", |facts| {
        Some(Amount::Link(facts.plan.nodes.nic.bandwidth))
    }),
    entry!(calibration.hb_share, "share of the HB line rate", share_amount),
    entry!(calibration.nic_share, "share of the NIC line rate", share_amount),
    entry!(calibration.collective_start, "start of a pass", time_amount),
    entry!(calibration.message_start, "start of a message", time_amount),
    entry!(calibration.kernel_start, "start of a kernel", time_amount),
    entry!(calibration.host_step, "host time of a step", time_amount),
    entry!(calibration.host_block, "host time of a part of a layer", time_amount),
    entry!(calibration.jitter_per_doubling, "slowdown per doubling j", number_amount),
    entry!(calibration.elementwise_share, "share of memory bandwidth", share_amount),
    Input {
        key: "calibration.gemm_bf16",
        name: "rate of large multiplications, 16 bit",
        // A share of peak where nobody measured the GPU.
        origin: RowOrigin::Varying(|facts| match facts.calibration.shares_of {
            None => facts.entry_origin("calibration", "gemm_bf16"),
            Some(_) => InputOrigin::Assumed(
                "the GPU's own peak times the share of peak that the measured GPU of the \
                 calibration reaches",
            ),
        }),
        read: |facts| Some(Amount::Rate(facts.calibration.gemm_bf16)),
    },
];

const fn bandwidth_amount(value: Bandwidth) -> Option<Amount> {
    Some(Amount::Bandwidth(value))
}

/// A switch of a stack.
fn switch_amount(value: bool) -> Option<Amount> {
    word_amount(if value { "true" } else { "false" })
}
