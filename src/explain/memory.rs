//! Explains the memory of the fullest GPU. What each block keeps is counted in `memory`.

use super::equation::{ACTIVATIONS, DEMO, IN_FLIGHT, OFFLOAD, STATES, SWAP};
use super::facts::Facts;
use super::{Amount, Explanation};
use crate::workload::Technique;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    vec![
        total(facts),
        weights(facts),
        gradients(facts),
        optimizer(facts),
        activations(facts),
        overhead(facts),
        fragmentation(facts),
        host(facts),
        capacity(facts),
        stage(facts),
    ]
}

fn total(facts: &Facts<'_>) -> Explanation {
    let memory = &facts.plan.memory;
    Explanation::new(
        "memory.total_bytes",
        "memory that the fullest GPU needs",
        Amount::Memory(memory.total()),
        "weights + gradients + optimizer + activations + overhead + fragmentation, on the stage that \
         needs most",
        &[STATES, ACTIVATIONS, IN_FLIGHT],
    )
    .sum([
        ("memory.weights_bytes", Amount::Memory(memory.weights)),
        ("memory.gradients_bytes", Amount::Memory(memory.gradients)),
        ("memory.optimizer_bytes", Amount::Memory(memory.optimizer)),
        ("memory.activations_bytes", Amount::Memory(memory.activations)),
        ("memory.overhead_bytes", Amount::Memory(memory.overhead)),
        ("memory.fragmentation_bytes", Amount::Memory(memory.fragmentation)),
    ])
}

fn weights(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.weights_bytes",
        "weights in the compute format",
        Amount::Memory(facts.plan.memory.weights),
        "bytes of a weight · parameters of the rank; ZeRO-3 divides them by the replicas",
        &[STATES],
    )
    .from(states(facts))
}

fn gradients(facts: &Facts<'_>) -> Explanation {
    let bytes = facts.scenario.workload.framework.gradient_bytes;
    Explanation::new(
        "memory.gradients_bytes",
        "gradients",
        Amount::Memory(facts.plan.memory.gradients),
        "bytes of a gradient · parameters of the rank; ZeRO-2 and 3 divide them by the replicas",
        &[STATES],
    )
    .from(states(facts))
    .from([facts.framework("bytes of a gradient", "gradient_bytes", Amount::count(bytes))])
}

fn optimizer(facts: &Facts<'_>) -> Explanation {
    let (formula, equations): (_, &[_]) = if facts.has(Technique::Offload) {
        ("none on the GPU but a bucket, which is overhead: the host keeps them", &[OFFLOAD])
    } else if facts.has(Technique::Demo) {
        ("8 bytes (4 in fp32) · parameters of the rank: one momentum, not two moments", &[DEMO])
    } else {
        (
            "12 bytes (8 in fp32) · parameters of the rank; ZeRO divides them by the replicas",
            &[STATES],
        )
    };
    Explanation::new(
        "memory.optimizer_bytes",
        "master weights and optimizer states",
        Amount::Memory(facts.plan.memory.optimizer),
        formula,
        equations,
    )
    .from(states(facts))
}

fn activations(facts: &Facts<'_>) -> Explanation {
    let framework = &facts.scenario.workload.framework;
    Explanation::new(
        "memory.activations_bytes",
        "activations of all micro-batches in flight, and the largest transient",
        Amount::Memory(facts.plan.memory.activations),
        "micro-batches in flight · Σ over the stage's layers of what a layer keeps + transient",
        &[ACTIVATIONS, IN_FLIGHT],
    )
    .from([
        facts.sequence(),
        facts.hidden(),
        facts.micro_batch(),
        facts.micro_batches(),
        facts.tensor(),
        facts.context(),
        facts.pipeline(),
        facts.interleave(),
        facts.schedule(),
        facts.recompute(),
        facts.framework(
            "fused attention",
            "flash_attention",
            Amount::on(framework.flash_attention),
        ),
    ])
}

fn fragmentation(facts: &Facts<'_>) -> Explanation {
    let share = facts.scenario.workload.framework.fragmentation;
    Explanation::new(
        "memory.fragmentation_bytes",
        "what the allocator reserves beyond all that is allocated",
        Amount::Memory(facts.plan.memory.fragmentation),
        "share · (weights + gradients + optimizer + activations + overhead)",
        &[ACTIVATIONS],
    )
    .from([facts.framework(
        "share that is reserved besides",
        "fragmentation",
        Amount::Share(share),
    )])
}

fn overhead(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.overhead_bytes",
        "framework, communication buffers, parameters gathered for the layers at work",
        Amount::Memory(facts.plan.memory.overhead),
        "0.3 GiB; with ZeRO-3 also the whole weights of two layers",
        &[STATES, ACTIVATIONS],
    )
    .from([facts.zero()])
}

fn host(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.host_bytes",
        "memory of the host that is kept for a GPU, of the stage that keeps most; not part of the total",
        Amount::Memory(facts.plan.memory.host),
        "what is offloaded or swapped of the rank: states, weights, activations of the micro-batches \
         in flight; else none",
        &[OFFLOAD, SWAP],
    )
    .from(states(facts))
}

fn capacity(facts: &Facts<'_>) -> Explanation {
    let capacity = Amount::Memory(facts.plan.memory_capacity);
    Explanation::new(
        "memory.capacity_bytes",
        "memory that a job can use on a GPU at most",
        capacity.clone(),
        "as published for the GPU",
        &[STATES],
    )
    .from([facts.sheet("memory of the GPU", "memory", capacity)])
}

fn stage(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.stage",
        "pipeline stage of the fullest GPU, counted from 0",
        Amount::count(facts.plan.memory.stage),
        "the stage whose sum of parts is largest; of equal ones the first",
        &[IN_FLIGHT],
    )
    .from([facts.pipeline(), facts.schedule()])
}

/// What sets the parameters of a rank, and over how many ranks they are sharded.
fn states(facts: &Facts<'_>) -> Vec<super::Input> {
    vec![
        facts.layers(),
        facts.hidden(),
        facts.vocabulary(),
        facts.tensor(),
        facts.pipeline(),
        facts.expert(),
        facts.data(),
        facts.context(),
        facts.zero(),
        facts.precision(),
    ]
}
