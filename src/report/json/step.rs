//! `planner step`, and with it `layout`, `step` and `memory`, as programs read them.

use serde::Serialize;

use super::super::number::exact;
use super::super::sheet::{StepSheet, rate_per_gpu};
use super::design::{Assumption, Cluster};
use crate::design::{PhaseReport, StepReport};
use crate::memory::Memory;
use crate::step::TrafficKind;
use crate::timing::StepTime;
use crate::units::Bytes;

#[derive(Serialize)]
struct Sheet {
    schema: &'static str,
    name: String,
    cluster: Cluster,
    layout: Layout,
    step: Step,
    phases: Vec<Phase>,
    memory: Occupancy,
    assumptions: Vec<Assumption>,
}

/// The step as pretty JSON.
pub(in super::super) fn step(sheet: &StepSheet<'_>) -> String {
    super::write(&Sheet {
        schema: "planner/step/1",
        name: sheet.name.to_owned(),
        cluster: Cluster::new(sheet.nodes),
        layout: Layout::new(sheet.layout, sheet.step.micro_batches),
        step: Step::new(sheet.step, sheet.nodes.gpus),
        phases: sheet.phases.iter().map(Phase::new).collect(),
        memory: Occupancy::new(sheet.memory, sheet.memory_capacity),
        assumptions: sheet.assumptions.iter().map(Assumption::new).collect(),
    })
}

/// A part of a run with steps of its own.
#[derive(Serialize)]
pub(super) struct Phase {
    name: String,
    share_of_steps: f64,
    step_time_s: f64,
    model_flop: f64,
}

impl Phase {
    pub(super) fn new(of: &PhaseReport) -> Self {
        Self {
            name: of.name.clone(),
            share_of_steps: exact(of.share),
            step_time_s: exact(of.step.get()),
            model_flop: exact(of.model_flops.get()),
        }
    }
}

/// How the model is spread.
#[derive(Serialize)]
pub(super) struct Layout {
    tensor: u32,
    pipeline: u32,
    data: u32,
    context: u32,
    expert: u32,
    expert_tensor: u32,
    interleave: u32,
    micro_batch: u64,
    micro_batches: u64,
    sequence_parallel: bool,
    zero: u8,
    recompute: &'static str,
    order: String,
    schedule: &'static str,
}

/// Time of a step; `time_s` is the sum of the parts below it.
#[derive(Serialize)]
pub(super) struct Parts {
    time_s: f64,
    compute_s: f64,
    exposed_communication_s: Exposed,
    bubble_s: f64,
    optimizer_s: f64,
    host_s: f64,
    host_link_s: f64,
    stragglers_s: f64,
}

/// One step.
#[derive(Serialize)]
pub(super) struct Step {
    #[serde(flatten)]
    parts: Parts,
    interfaces_busy_s: f64,
    slowdown: f64,
    error_band: f64,
    mfu: f64,
    hfu: f64,
    tokens: u64,
    tokens_per_s_per_gpu: f64,
    model_tflops_per_gpu: f64,
    model_flop: f64,
    hardware_flop: f64,
}

#[derive(Serialize)]
struct Exposed {
    tensor: f64,
    pipeline: f64,
    data: f64,
    context: f64,
    expert: f64,
}

/// Memory of the fullest GPU; `total_bytes` is the sum of the parts below it.
#[derive(Serialize)]
pub(super) struct Occupancy {
    total_bytes: u128,
    weights_bytes: u128,
    gradients_bytes: u128,
    optimizer_bytes: u128,
    activations_bytes: u128,
    overhead_bytes: u128,
    fragmentation_bytes: u128,
    host_bytes: u128,
    capacity_bytes: u128,
    fits: bool,
    stage: u32,
}

impl Layout {
    pub(super) fn new(layout: &crate::parallel::Layout, micro_batches: u64) -> Self {
        Self {
            tensor: layout.tensor,
            pipeline: layout.pipeline,
            data: layout.data,
            context: layout.context,
            expert: layout.expert,
            expert_tensor: layout.expert_tensor,
            interleave: layout.interleave,
            micro_batch: layout.micro_batch,
            micro_batches,
            sequence_parallel: layout.sequence_parallel,
            zero: layout.zero.stage(),
            recompute: layout.recompute.name(),
            order: layout.order.to_string(),
            schedule: layout.schedule.name(),
        }
    }
}

impl Parts {
    pub(super) fn new(time: &StepTime) -> Self {
        let exposed = |kind| exact(time.exposed.of(kind).get());
        Self {
            time_s: exact(time.total().get()),
            compute_s: exact(time.compute.get()),
            exposed_communication_s: Exposed {
                tensor: exposed(TrafficKind::Tensor),
                pipeline: exposed(TrafficKind::Pipeline),
                data: exposed(TrafficKind::Data),
                context: exposed(TrafficKind::Context),
                expert: exposed(TrafficKind::Expert),
            },
            bubble_s: exact(time.bubble.get()),
            optimizer_s: exact(time.optimizer.get()),
            host_s: exact(time.host.get()),
            host_link_s: exact(time.swap.get()),
            stragglers_s: exact(time.stragglers.get()),
        }
    }
}

impl Step {
    pub(super) fn new(report: &StepReport, gpus: u32) -> Self {
        const TERA: f64 = 1e12;
        Self {
            parts: Parts::new(&report.time),
            interfaces_busy_s: exact(report.time.interfaces_busy.get()),
            slowdown: exact(report.slowdown),
            error_band: exact(report.error_band),
            mfu: exact(report.mfu),
            hfu: exact(report.hfu),
            tokens: report.tokens,
            tokens_per_s_per_gpu: exact(report.tokens_per_gpu_second),
            model_tflops_per_gpu: exact(rate_per_gpu(report, gpus).get() / TERA),
            model_flop: exact(report.model_flops.get()),
            hardware_flop: exact(report.hardware_flops.get()),
        }
    }
}

impl Occupancy {
    pub(super) fn new(memory: &Memory, capacity: Bytes) -> Self {
        Self {
            total_bytes: memory.total().count(),
            weights_bytes: memory.weights.count(),
            gradients_bytes: memory.gradients.count(),
            optimizer_bytes: memory.optimizer.count(),
            activations_bytes: memory.activations.count(),
            overhead_bytes: memory.overhead.count(),
            fragmentation_bytes: memory.fragmentation.count(),
            host_bytes: memory.host.count(),
            capacity_bytes: capacity.count(),
            fits: memory.total() <= capacity,
            stage: memory.stage,
        }
    }
}
