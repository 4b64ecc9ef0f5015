//! Figures: memory of the fullest GPU.

use super::row::Better::Lower;
use super::row::{
    ACTIVATIONS, IN_FLIGHT, OFFLOAD, Quantity, ROW, STATES, SWAP, count_amount, memory_amount,
};
use crate::units::{Amount, Unit};

pub(super) const ROWS: &[Quantity] = &[
    Quantity {
        key: "memory.total_bytes",
        label: "memory of the fullest GPU",
        unit: Unit::Memory,
        better: Lower,
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
        ..ROW
    },
    Quantity {
        key: "memory.weights_bytes",
        label: "weights",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.weights),
        meaning: "weights in the compute format",
        formula: "bytes of a weight · (φ/n + φ_e/n_e); ZeRO-3 shards it",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "memory.gradients_bytes",
        label: "gradients",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.gradients),
        meaning: "gradients",
        formula: "bytes of a gradient · (φ/n + φ_e/n_e); ZeRO-2 and 3 shard it",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "memory.optimizer_bytes",
        label: "optimizer states",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.optimizer),
        meaning: "master weights and optimizer states",
        formula: "bytes of states · (φ/n + φ_e/n_e); ZeRO shards them",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "memory.activations_bytes",
        label: "activations",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.activations),
        meaning: "activations of all micro-batches in flight, and the largest transient",
        formula: "micro-batches in flight · kept of each + transient",
        equations: &[ACTIVATIONS, IN_FLIGHT],
        ..ROW
    },
    Quantity {
        key: "memory.overhead_bytes",
        label: "overhead",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.overhead),
        meaning: "framework, communication buffers, parameters gathered for the layers at work",
        formula: "framework and libraries + buffers of techniques + whole parameters at hand",
        equations: &[STATES, ACTIVATIONS],
        ..ROW
    },
    Quantity {
        key: "memory.fragmentation_bytes",
        label: "fragmentation",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.fragmentation),
        meaning: "what the allocator reserves beyond all that is allocated",
        formula: "share · (weights + gradients + optimizer + activations + overhead)",
        equations: &[ACTIVATIONS],
        ..ROW
    },
    Quantity {
        key: "memory.host_bytes",
        label: "on the host",
        unit: Unit::Memory,
        better: Lower,
        read: |source| memory_amount(source.memory?.host),
        meaning: "memory of the host that is kept for a GPU, of the stage that keeps most; not \
                   part of the total",
        formula: "bytes of states on the host · (φ/n + φ_e/n_e) + bytes of weights there · (φ + \
                   φ_e) + micro-batches in flight · kept of each there",
        equations: &[OFFLOAD, SWAP],
        ..ROW
    },
    Quantity {
        key: "memory.capacity_bytes",
        label: "memory of a GPU",
        unit: Unit::Memory,
        read: |source| memory_amount(source.memory_capacity?),
        meaning: "memory that a job can use on a GPU at most",
        formula: "as published for the GPU",
        equations: &[STATES],
        ..ROW
    },
    Quantity {
        key: "memory.fits",
        label: "fits",
        unit: Unit::Flag,
        read: |source| Some(Amount::Flag(source.memory?.total_on_gpu() <= source.memory_capacity?)),
        meaning: "whether the fullest GPU has room for its total",
        ..ROW
    },
    Quantity {
        key: "memory.stage",
        label: "fullest stage",
        unit: Unit::Count,
        read: |source| count_amount(source.memory?.stage),
        meaning: "pipeline stage of the fullest GPU, counted from 0",
        formula: "the stage whose sum of parts is largest; of equal ones the first",
        equations: &[IN_FLIGHT],
        ..ROW
    },
];
