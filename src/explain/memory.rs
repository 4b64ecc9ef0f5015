//! Explains the memory of the fullest GPU. What each block keeps is counted in `memory`.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, switch_input};
use super::step_inputs;
use crate::memory::OVERHEAD;
use crate::parallel::Zero;
use crate::quantity::row::{DEMO, OFFLOAD, STATES};
use crate::step::ParameterUpkeep;
use crate::units::Amount;
use crate::workload::Technique;

/// Adds what a figure of `memory` takes.
pub(super) fn explain_memory(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "memory.weights_bytes" => explain_weights(facts, explanation),
        "memory.gradients_bytes" => explain_gradients(facts, explanation),
        "memory.optimizer_bytes" => explain_optimizer_states(facts, explanation),
        "memory.activations_bytes" => explain_activations(facts, explanation),
        "memory.overhead_bytes" => {
            explanation.with_inputs([facts.zero()]).with_inputs(overhead_inputs(facts))
        }
        "memory.fragmentation_bytes" => explain_fragmentation(facts, explanation),
        "memory.host_bytes" => explain_host_memory(facts, explanation),
        "memory.capacity_bytes" => {
            let capacity = Amount::Memory(facts.plan.memory_capacity);
            explanation.with_inputs([facts.data_sheet_entry(
                "memory of the GPU",
                "memory",
                capacity,
            )])
        }
        "memory.stage" => explanation.with_inputs([facts.pipeline(), facts.schedule()]),
        _ => explanation,
    }
}

fn explain_weights(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    explanation
        .with_inputs(upkeep_input(facts, "bytes of a weight on the GPU", |upkeep| upkeep.weight))
        .with_inputs(sharded_parameter_inputs(facts, Zero::Parameters))
}

fn explain_gradients(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let bytes = facts.scenario.workload.framework.gradient_bytes;
    explanation.with_inputs(sharded_parameter_inputs(facts, Zero::Gradients)).with_inputs([
        facts.framework_setting("bytes of a gradient", "gradient_bytes", Amount::from_count(bytes))
    ])
}

fn explain_optimizer_states(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let (formula, equations): (_, &[_]) = if facts.has_technique(Technique::Offload) {
        ("none on the GPU but a bucket, which is overhead: the host keeps them", &[OFFLOAD])
    } else if facts.has_technique(Technique::Demo) {
        ("bytes of states · (φ/n + φ_e/n_e): one momentum, not two moments", &[DEMO])
    } else {
        ("bytes of states · (φ/n + φ_e/n_e); ZeRO shards them", &[STATES])
    };
    explanation
        .with_formula(formula, equations)
        .with_inputs(upkeep_input(facts, "bytes of states on the GPU", |upkeep| upkeep.state))
        .with_inputs(sharded_parameter_inputs(facts, Zero::Optimizer))
}

fn explain_activations(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let framework = &facts.scenario.workload.framework;
    explanation.with_inputs(bytes_in_flight(facts)).with_inputs([
        facts.sequence_length(),
        facts.hidden_width(),
        facts.micro_batch(),
        facts.micro_batches(),
        facts.tensor(),
        facts.context(),
        facts.pipeline(),
        facts.interleave(),
        facts.schedule(),
        facts.recompute(),
        facts.framework_setting(
            "fused attention",
            "flash_attention",
            switch_input(framework.flash_attention),
        ),
    ])
}

fn explain_fragmentation(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let share = facts.scenario.workload.framework.fragmentation;
    let allocated = Amount::Memory(facts.plan.memory.allocated_bytes());
    explanation.with_inputs([
        facts.framework_setting(
            "share that is reserved besides",
            "fragmentation",
            Amount::Share(share),
        ),
        explained_input("allocated", allocated, InputOrigin::Found("weights to overhead together")),
    ])
}

fn explain_host_memory(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    explanation
        .with_inputs(upkeep_input(facts, "bytes of states on the host", |upkeep| upkeep.host))
        .with_inputs(upkeep_input(facts, "bytes of weights there", |upkeep| upkeep.streamed))
        .with_inputs(step_inputs::parameter_inputs(
            facts,
            step_inputs::host_stage(facts),
            facts.plan.layout.zero >= Zero::Optimizer,
        ))
        .with_inputs(bytes_on_host(facts))
}

/// Bytes of a parameter, as the step keeps them.
fn upkeep_input(
    facts: &Facts<'_>,
    name: &str,
    bytes: impl Fn(&ParameterUpkeep) -> f64,
) -> Option<ExplainedInput> {
    let value = Amount::Number(bytes(&facts.step?.upkeep));
    Some(explained_input(
        name,
        value,
        InputOrigin::Found("by number format, framework and techniques"),
    ))
}

/// What the micro-batches in flight keep on the fullest GPU.
fn bytes_in_flight(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let Some((held, flying)) = step_inputs::memory_held(facts, facts.plan.memory.stage) else {
        return Vec::new();
    };
    let layers = InputOrigin::Found("Σ over the stage's layers, docs/equations.md §5.2");
    vec![
        explained_input(
            "micro-batches in flight",
            Amount::Number(flying),
            InputOrigin::Found("by the schedule"),
        ),
        explained_input("kept of each", Amount::Number(held.kept), layers.clone()),
        explained_input("transient", Amount::Number(held.transient), layers),
    ]
}

/// What a step keeps in host memory, of the stage that keeps most there.
fn bytes_on_host(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let Some((held, flying)) = step_inputs::memory_held(facts, step_inputs::host_stage(facts))
    else {
        return Vec::new();
    };
    let layers = InputOrigin::Found("Σ over the stage's layers, docs/equations.md §5.2");
    vec![
        explained_input(
            "micro-batches in flight",
            Amount::Number(flying),
            InputOrigin::Found("by the schedule"),
        ),
        explained_input("kept of each there", Amount::Number(held.offloaded), layers),
    ]
}

/// What overhead is made of.
fn overhead_inputs(facts: &Facts<'_>) -> Vec<ExplainedInput> {
    let (Some(step), Some((held, _))) =
        (facts.step, step_inputs::memory_held(facts, facts.plan.memory.stage))
    else {
        return Vec::new();
    };
    vec![
        explained_input(
            "framework and libraries",
            Amount::Number(OVERHEAD),
            InputOrigin::Assumed("0.3 GiB: within 1 % of measured totals"),
        ),
        explained_input(
            "buffers of techniques",
            Amount::Number(step.upkeep.buffer),
            InputOrigin::Found("docs/equations.md §10"),
        ),
        explained_input(
            "whole parameters at hand",
            Amount::Number(held.at_hand),
            InputOrigin::Found("two layers of what ZeRO-3 shards or the host keeps"),
        ),
    ]
}

/// What sets the parameters of a rank, and over how many ranks they are sharded from that stage
/// of ZeRO on.
fn sharded_parameter_inputs(facts: &Facts<'_>, sharded_from: Zero) -> Vec<ExplainedInput> {
    let sharded = facts.plan.layout.zero >= sharded_from;
    let mut all = step_inputs::parameter_inputs(facts, facts.plan.memory.stage, sharded);
    all.extend([
        facts.layers(),
        facts.hidden_width(),
        facts.vocabulary(),
        facts.tensor(),
        facts.pipeline(),
        facts.expert(),
        facts.data_parallel(),
        facts.context(),
        facts.zero(),
        facts.precision(),
    ]);
    all
}
