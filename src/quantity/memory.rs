//! Figures: memory of the fullest GPU.

use super::row::Better::Neither;
use super::row::{
    ACTIVATIONS, COUNT, FLAG, IN_FLIGHT, MEMORY, OFFLOAD, Quantity, STATES, SWAP, count_amount,
    memory_amount,
};
use crate::units::Amount;

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "memory.total_bytes",
        label: "memory of the fullest GPU",
        read: |source| memory_amount(source.memory?.total_on_gpu()),
        meaning: "memory that the fullest GPU needs",
        formula: "weights + gradients + optimizer + activations + overhead + fragmentation, on the \
                   stage that needs most",
        equations: &[STATES, ACTIVATIONS, IN_FLIGHT],
        parts: &[
            "memory.weights_bytes",
            "memory.gradients_bytes",
            "memory.optimizer_bytes",
            "memory.activations_bytes",
            "memory.overhead_bytes",
            "memory.fragmentation_bytes",
        ],
        ..MEMORY
    },
    Quantity {
        key: "memory.weights_bytes",
        label: "weights",
        read: |source| memory_amount(source.memory?.weights),
        meaning: "weights in the compute format",
        formula: "bytes of a weight · (φ/n + φ_e/n_e); ZeRO-3 shards it",
        equations: &[STATES],
        inputs: &["bytes of a weight on the GPU", "weights of the rank", "parameters of a rank"],
        ..MEMORY
    },
    Quantity {
        key: "memory.gradients_bytes",
        label: "gradients",
        read: |source| memory_amount(source.memory?.gradients),
        meaning: "gradients",
        formula: "bytes of a gradient · (φ/n + φ_e/n_e); ZeRO-2 and 3 shard it",
        equations: &[STATES],
        inputs: &["gradients of the rank", "parameters of a rank", "framework.gradient_bytes"],
        ..MEMORY
    },
    Quantity {
        key: "memory.optimizer_bytes",
        label: "optimizer states",
        read: |source| memory_amount(source.memory?.optimizer),
        meaning: "master weights and optimizer states",
        formula: "bytes of states · (φ/n + φ_e/n_e); ZeRO shards them",
        equations: &[STATES],
        inputs: &["bytes of states on the GPU", "states of the rank", "parameters of a rank"],
        ..MEMORY
    },
    Quantity {
        key: "memory.activations_bytes",
        label: "activations",
        read: |source| memory_amount(source.memory?.activations),
        meaning: "activations of all micro-batches in flight, and the largest transient",
        formula: "micro-batches in flight · kept of each + transient",
        equations: &[ACTIVATIONS, IN_FLIGHT],
        inputs: &[
            "micro-batches in flight",
            "kept of each",
            "transient",
            "model.sequence",
            "model.hidden",
            "training.micro_batch",
            "micro-batches m",
            "parallelism.tensor",
            "parallelism.context",
            "parallelism.pipeline",
            "parallelism.interleave",
            "parallelism.schedule",
            "training.recompute",
            "framework.flash_attention",
        ],
        ..MEMORY
    },
    Quantity {
        key: "memory.overhead_bytes",
        label: "overhead",
        read: |source| memory_amount(source.memory?.overhead),
        meaning: "framework, communication buffers, parameters gathered for the layers at work",
        formula: "framework and libraries + buffers of techniques + whole parameters at hand",
        equations: &[STATES, ACTIVATIONS],
        inputs: &["parallelism.zero", "what overhead is made of"],
        ..MEMORY
    },
    Quantity {
        key: "memory.fragmentation_bytes",
        label: "fragmentation",
        read: |source| memory_amount(source.memory?.fragmentation),
        meaning: "what the allocator reserves beyond all that is allocated",
        formula: "share · (weights + gradients + optimizer + activations + overhead)",
        equations: &[ACTIVATIONS],
        inputs: &["framework.fragmentation", "allocated"],
        ..MEMORY
    },
    Quantity {
        key: "memory.host_bytes",
        label: "on the host",
        read: |source| memory_amount(source.memory?.host),
        meaning: "memory of the host that is kept for a GPU, of the stage that keeps most; not \
                   part of the total",
        formula: "bytes of states on the host · (φ/n + φ_e/n_e) + bytes of weights there · (φ + \
                   φ_e) + micro-batches in flight · kept of each there",
        equations: &[OFFLOAD, SWAP],
        inputs: &[
            "bytes of states on the host",
            "bytes of weights there",
            "states on the host",
            "micro-batches in flight there as micro-batches in flight",
            "kept of each there",
        ],
        ..MEMORY
    },
    Quantity {
        key: "memory.capacity_bytes",
        label: "memory of a GPU",
        better: Neither,
        read: |source| memory_amount(source.memory_capacity?),
        meaning: "memory that a job can use on a GPU at most",
        formula: "as published for the GPU",
        equations: &[STATES],
        inputs: &["gpu.memory"],
        ..MEMORY
    },
    Quantity {
        key: "memory.fits",
        label: "fits",
        read: |source| Some(Amount::Flag(source.memory?.total_on_gpu() <= source.memory_capacity?)),
        meaning: "whether the fullest GPU has room for its total",
        ..FLAG
    },
    Quantity {
        key: "memory.stage",
        label: "fullest stage",
        read: |source| count_amount(source.memory?.stage),
        meaning: "pipeline stage of the fullest GPU, counted from 0",
        formula: "the stage whose sum of parts is largest; of equal ones the first",
        equations: &[IN_FLIGHT],
        inputs: &["parallelism.pipeline", "parallelism.schedule"],
        ..COUNT
    },
];
