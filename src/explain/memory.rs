//! Explains the memory of the fullest GPU. What each block keeps is counted in `memory`.

use super::equation::{ACTIVATIONS, DEMO, IN_FLIGHT, OFFLOAD, STATES, SWAP};
use super::facts::{Facts, input};
use super::{Amount, Explanation, Input, Origin, ledger};
use crate::memory::OVERHEAD;
use crate::parallel::Zero;
use crate::step::Upkeep;
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
        "bytes of a weight · (φ/n + φ_e/n_e); ZeRO-3 shards it",
        &[STATES],
    )
    .from(upkeep(facts, "bytes of a weight on the GPU", |of| of.weight))
    .from(states(facts, Zero::Parameters))
}

fn gradients(facts: &Facts<'_>) -> Explanation {
    let bytes = facts.scenario.workload.framework.gradient_bytes;
    Explanation::new(
        "memory.gradients_bytes",
        "gradients",
        Amount::Memory(facts.plan.memory.gradients),
        "bytes of a gradient · (φ/n + φ_e/n_e); ZeRO-2 and 3 shard it",
        &[STATES],
    )
    .from(states(facts, Zero::Gradients))
    .from([facts.framework("bytes of a gradient", "gradient_bytes", Amount::count(bytes))])
}

fn optimizer(facts: &Facts<'_>) -> Explanation {
    let (formula, equations): (_, &[_]) = if facts.has(Technique::Offload) {
        ("none on the GPU but a bucket, which is overhead: the host keeps them", &[OFFLOAD])
    } else if facts.has(Technique::Demo) {
        ("bytes of states · (φ/n + φ_e/n_e): one momentum, not two moments", &[DEMO])
    } else {
        ("bytes of states · (φ/n + φ_e/n_e); ZeRO shards them", &[STATES])
    };
    Explanation::new(
        "memory.optimizer_bytes",
        "master weights and optimizer states",
        Amount::Memory(facts.plan.memory.optimizer),
        formula,
        equations,
    )
    .from(upkeep(facts, "bytes of states on the GPU", |of| of.state))
    .from(states(facts, Zero::Optimizer))
}

fn activations(facts: &Facts<'_>) -> Explanation {
    let framework = &facts.scenario.workload.framework;
    Explanation::new(
        "memory.activations_bytes",
        "activations of all micro-batches in flight, and the largest transient",
        Amount::Memory(facts.plan.memory.activations),
        "micro-batches in flight · kept of each + transient",
        &[ACTIVATIONS, IN_FLIGHT],
    )
    .from(in_flight(facts))
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
    let allocated = Amount::Memory(facts.plan.memory.allocated());
    Explanation::new(
        "memory.fragmentation_bytes",
        "what the allocator reserves beyond all that is allocated",
        Amount::Memory(facts.plan.memory.fragmentation),
        "share · (weights + gradients + optimizer + activations + overhead)",
        &[ACTIVATIONS],
    )
    .from([
        facts.framework("share that is reserved besides", "fragmentation", Amount::Share(share)),
        input("allocated", allocated, Origin::Found("weights to overhead together")),
    ])
}

fn overhead(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.overhead_bytes",
        "framework, communication buffers, parameters gathered for the layers at work",
        Amount::Memory(facts.plan.memory.overhead),
        "framework and libraries + buffers of techniques + whole parameters at hand",
        &[STATES, ACTIVATIONS],
    )
    .from([facts.zero()])
    .from(overheads(facts))
}

fn host(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "memory.host_bytes",
        "memory of the host that is kept for a GPU, of the stage that keeps most; not part of the total",
        Amount::Memory(facts.plan.memory.host),
        "bytes of states on the host · (φ/n + φ_e/n_e) + bytes of weights there · (φ + φ_e) + \
         micro-batches in flight · kept of each there",
        &[OFFLOAD, SWAP],
    )
    .from(upkeep(facts, "bytes of states on the host", |of| of.host))
    .from(upkeep(facts, "bytes of weights there", |of| of.streamed))
    .from(ledger::parameters(
        facts,
        ledger::host_stage(facts),
        facts.plan.layout.zero >= Zero::Optimizer,
    ))
    .from(on_the_host(facts))
}

/// Bytes of a parameter, as the step keeps them.
fn upkeep(facts: &Facts<'_>, name: &str, bytes: impl Fn(&Upkeep) -> f64) -> Option<Input> {
    let value = Amount::Number(bytes(&facts.step?.upkeep));
    Some(input(name, value, Origin::Found("by number format, framework and techniques")))
}

/// What the micro-batches in flight keep on the fullest GPU.
fn in_flight(facts: &Facts<'_>) -> Vec<Input> {
    let Some((held, flying)) = ledger::held(facts, facts.plan.memory.stage) else {
        return Vec::new();
    };
    let layers = Origin::Found("Σ over the stage's layers, docs/equations.md §5.2");
    vec![
        input("micro-batches in flight", Amount::Number(flying), Origin::Found("by the schedule")),
        input("kept of each", Amount::Number(held.kept), layers.clone()),
        input("transient", Amount::Number(held.transient), layers),
    ]
}

/// The same on the host, of the stage that keeps most there.
fn on_the_host(facts: &Facts<'_>) -> Vec<Input> {
    let Some((held, flying)) = ledger::held(facts, ledger::host_stage(facts)) else {
        return Vec::new();
    };
    let layers = Origin::Found("Σ over the stage's layers, docs/equations.md §5.2");
    vec![
        input("micro-batches in flight", Amount::Number(flying), Origin::Found("by the schedule")),
        input("kept of each there", Amount::Number(held.offloaded), layers),
    ]
}

/// What overhead is made of.
fn overheads(facts: &Facts<'_>) -> Vec<Input> {
    let (Some(step), Some((held, _))) = (facts.step, ledger::held(facts, facts.plan.memory.stage))
    else {
        return Vec::new();
    };
    vec![
        input(
            "framework and libraries",
            Amount::Number(OVERHEAD),
            Origin::Assumed("0.3 GiB: within 1 % of measured totals"),
        ),
        input(
            "buffers of techniques",
            Amount::Number(step.upkeep.buffer),
            Origin::Found("docs/equations.md §10"),
        ),
        input(
            "whole parameters at hand",
            Amount::Number(held.at_hand),
            Origin::Found("two layers of what ZeRO-3 shards or the host keeps"),
        ),
    ]
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

/// What sets the parameters of a rank, and over how many ranks they are sharded from that stage
/// of ZeRO on.
fn states(facts: &Facts<'_>, sharded_from: Zero) -> Vec<Input> {
    let sharded = facts.plan.layout.zero >= sharded_from;
    let mut all = ledger::parameters(facts, facts.plan.memory.stage, sharded);
    all.extend([
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
    ]);
    all
}
