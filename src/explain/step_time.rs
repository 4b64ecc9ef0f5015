//! Explains the time of a step and its parts. Kernels and calls are timed
//! in `timing`; what stands here names the rules and the constants.

use super::efficiency;
use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, quantity_input, switch_input};
use crate::hardware::Calibration;
use crate::parallel::Schedule;
use crate::quantity::row::{
    ALONE, DEMO, Equation, INTERLEAVED, MESSAGE_DRIVEN, OFFLOAD, ONE_F_ONE_B, OPTIMIZER, STAGES,
    ZERO_BUBBLE,
};
use crate::step::TrafficKind;
use crate::timing::optimizer_bytes;
use crate::units::{Amount, Bytes, FlopRate, Seconds};
use crate::workload::Technique;

/// Adds what a part of the step's time takes.
pub(super) fn explain_step_time(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "step.compute_s" => explain_compute(facts, explanation),
        "step.exposed_communication_s.tensor" => {
            explain_exposed_time(facts, explanation, TrafficKind::Tensor)
        }
        "step.exposed_communication_s.pipeline" => {
            explain_exposed_time(facts, explanation, TrafficKind::Pipeline)
        }
        "step.exposed_communication_s.data" => {
            explain_exposed_time(facts, explanation, TrafficKind::Data)
        }
        "step.exposed_communication_s.context" => {
            explain_exposed_time(facts, explanation, TrafficKind::Context)
        }
        "step.exposed_communication_s.expert" => {
            explain_exposed_time(facts, explanation, TrafficKind::Expert)
        }
        "step.bubble_s" => explain_bubble(facts, explanation),
        "step.optimizer_s" => explain_optimizer_time(facts, explanation),
        "step.host_s" => explain_host_time(facts, explanation),
        "step.host_link_s" => host_link(facts, explanation),
        "step.stragglers_s" => explain_stragglers(facts, explanation),
        "step.interfaces_busy_s" => explain_busy_interfaces(facts, explanation),
        _ => efficiency::explain_efficiency(facts, explanation),
    }
}

fn explain_compute(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let peak = |entry: fn(&Calibration) -> FlopRate| {
        move |calibration: &Calibration| Amount::Rate(entry(calibration))
    };
    let micro_batches = facts.plan.step.micro_batches.max(1) as f64;
    explanation
        .with_inputs([explained_input(
            "Σ kernels of the slowest stage",
            Amount::Time(facts.plan.step.time.compute / micro_batches),
            InputOrigin::Found("one micro-batch, timed kernel by kernel"),
        )])
        .with_inputs([
            facts.layers(),
            facts.hidden_width(),
            facts.sequence_length(),
            facts.micro_batch(),
            facts.micro_batches(),
            facts.tensor(),
            facts.pipeline(),
            facts.context(),
            facts.precision(),
            facts.recompute(),
            facts.calibrated_rate(
                "rate of large multiplications, 16 bit",
                "gemm_bf16",
                peak(|calibration| calibration.gemm_bf16),
            ),
            facts.calibrated_constant(
                "share of memory bandwidth, element-wise",
                "elementwise_share",
                |calibration| Amount::Share(calibration.elementwise_share),
            ),
            facts.calibrated_constant("start of a kernel", "kernel_start", |calibration| {
                Amount::Time(calibration.kernel_start)
            }),
            memory_bandwidth(facts),
        ])
}

fn explain_exposed_time(
    facts: &Facts<'_>,
    explanation: Explanation,
    kind: TrafficKind,
) -> Explanation {
    explanation.with_inputs(overlap_inputs(facts, kind)).with_inputs([
        facts.micro_batches(),
        facts.gpu_hb_bandwidth(),
        facts.nic_line_rate(),
        facts.domain_gpus(),
        facts.calibrated_constant("share of the HB line rate", "hb_share", |calibration| {
            Amount::Share(calibration.hb_share)
        }),
        facts.calibrated_constant("share of the NIC line rate", "nic_share", |calibration| {
            Amount::Share(calibration.nic_share)
        }),
        facts.calibrated_constant("start of a pass", "collective_start", |calibration| {
            Amount::Time(calibration.collective_start)
        }),
        quantity_input(
            "bandwidth within a rail ρ",
            "fabric.bisection_share",
            Amount::Share(facts.plan.fabric.within_rail),
        ),
        quantity_input(
            "bandwidth across rails σ",
            "fabric.across_rails_share",
            Amount::Share(facts.plan.fabric.across_rails),
        ),
    ])
}

/// Degree, volume, switch and visible share of one kind of communication.
fn overlap_inputs(facts: &Facts<'_>, kind: TrafficKind) -> Vec<ExplainedInput> {
    let framework = &facts.scenario.workload.framework;
    let bytes = |key| {
        quantity_input(
            "bytes of a step, all GPUs",
            key,
            Amount::Volume(facts.plan.traffic.bytes_of_kind(kind)),
        )
    };
    let visible = |entry, of_stack: Option<f64>, share: fn(&Calibration) -> f64| match of_stack {
        None => facts.calibrated_constant("visible share v", entry, |calibration| {
            Amount::Share(share(calibration))
        }),
        Some(share) => facts.framework_setting("visible share v", entry, Amount::Share(share)),
    };
    match kind {
        TrafficKind::Tensor => vec![
            facts.tensor(),
            bytes("traffic.bytes_by_kind.tensor"),
            facts.framework_setting(
                "overlaps",
                "overlap_tensor",
                switch_input(framework.overlap_tensor),
            ),
            visible("tensor_overlap_visible", framework.tensor_overlap_visible, |calibration| {
                calibration.tensor_overlap_visible
            }),
        ],
        TrafficKind::Pipeline => vec![
            facts.pipeline(),
            facts.interleave(),
            bytes("traffic.bytes_by_kind.pipeline"),
            facts.framework_setting(
                "overlaps",
                "overlap_pipeline",
                switch_input(framework.overlap_pipeline),
            ),
            facts.calibrated_constant("start of a message", "message_start", |calibration| {
                Amount::Time(calibration.message_start)
            }),
        ],
        TrafficKind::Data => vec![
            facts.data_parallel(),
            bytes("traffic.bytes_by_kind.data"),
            facts.framework_setting(
                "overlaps",
                "overlap_data",
                switch_input(framework.overlap_data),
            ),
            visible("data_overlap_visible", None, |calibration| calibration.data_overlap_visible),
        ],
        TrafficKind::Context => vec![
            facts.context(),
            bytes("traffic.bytes_by_kind.context"),
            facts.framework_setting(
                "overlaps",
                "overlap_context",
                switch_input(framework.overlap_context),
            ),
            visible("context_overlap_visible", framework.context_overlap_visible, |calibration| {
                calibration.context_overlap_visible
            }),
        ],
        TrafficKind::Expert => vec![
            facts.expert(),
            bytes("traffic.bytes_by_kind.expert"),
            facts.framework_setting(
                "overlaps",
                "overlap_expert",
                switch_input(framework.overlap_expert),
            ),
            visible("expert_overlap_visible", framework.expert_overlap_visible, |calibration| {
                calibration.expert_overlap_visible
            }),
        ],
    }
}

fn explain_bubble(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let paces = &facts.plan.step.time.paces;
    let timed = |name: &str, time: Seconds| {
        explained_input(
            name,
            Amount::Time(time),
            InputOrigin::Found("one micro-batch without its messages"),
        )
    };
    let (formula, equations): (_, &[Equation]) = match facts.plan.layout.schedule {
        _ if facts.plan.layout.pipeline < 2 => ("none: one stage", &[STAGES]),
        Schedule::ZeroBubble => ("(T_sum − T_max) · max(0, 1 − 2W/T_max)", &[ZERO_BUBBLE, STAGES]),
        Schedule::Independent => ("none: stages wait for nobody", &[ALONE, STAGES]),
        Schedule::InTurn => ("m · (T_sum − T_max)", &[ALONE, STAGES]),
        Schedule::MessageDriven => ("T_sum − T_max", &[MESSAGE_DRIVEN, STAGES]),
        _ if facts.plan.layout.interleave > 1 => {
            ("(T_sum − T_max) · share of the largest of v chunks", &[INTERLEAVED, STAGES])
        }
        Schedule::GPipe | Schedule::OneFOneB | Schedule::Interleaved => {
            ("T_sum − T_max", &[ONE_F_ONE_B, STAGES])
        }
    };
    explanation
        .with_formula(formula, equations)
        .with_inputs([
            facts.schedule(),
            facts.pipeline(),
            facts.interleave(),
            facts.micro_batches(),
        ])
        .with_inputs([
            timed("through all stages T_sum", paces.sum),
            timed("on the slowest stage T_max", paces.slowest),
            timed("its weight gradients W", paces.weight_gradient),
            explained_input(
                "share of the largest of v chunks",
                Amount::Share(paces.largest_chunk),
                InputOrigin::Found(
                    "layers of the slowest stage over v, rounded up, over its layers",
                ),
            ),
        ])
}

fn explain_optimizer_time(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let offload = facts.has_technique(Technique::Offload);
    let (formula, equations): (_, &[Equation]) = if offload {
        (
            "beyond the reduction of gradients, piece by piece beside it: update of the parameters \
             of the rank, and their states down and up the link to the host",
            &[OPTIMIZER, OFFLOAD],
        )
    } else if facts.has_technique(Technique::Demo) {
        (
            "bytes a parameter · parameters that the rank owns / reachable memory bandwidth + 12·s \
             FLOPs of a parameter's transforms",
            &[OPTIMIZER, DEMO],
        )
    } else {
        if facts.plan.step.time.optimizer > Seconds::ZERO {
            ("bytes that it moves / (memory bandwidth · share of it)", &[OPTIMIZER])
        } else {
            ("none: the machine is ideal but for its matrix multiplications", &[OPTIMIZER])
        }
    };
    let framework = &facts.scenario.workload.for_product(&facts.plan.nodes.node).framework;
    let moved = facts.step.map(|step| {
        let bytes = Bytes::new(optimizer_bytes(framework, step) as u128);
        let origin =
            InputOrigin::Found("states, weights and gradients of the rank that holds most");
        explained_input("bytes that it moves", Amount::Volume(bytes), origin)
    });
    let link = Amount::Bandwidth(facts.gpu().host_link);
    let link = offload.then(|| facts.node_entry("link to the host, one way", "host_link", link));
    explanation.with_formula(formula, equations).with_inputs(link).with_inputs(moved).with_inputs([
        facts.zero(),
        facts.data_parallel(),
        facts.context(),
        facts.tensor(),
        facts.pipeline(),
        memory_bandwidth(facts),
        facts.calibrated_constant(
            "share of memory bandwidth",
            "elementwise_share",
            |calibration| Amount::Share(calibration.elementwise_share),
        ),
    ])
}

fn host_link(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let link = Amount::Bandwidth(facts.gpu().host_link);
    explanation.with_inputs([
        facts.micro_batches(),
        facts.node_entry("link to the host, one way", "host_link", link),
    ])
}

fn explain_host_time(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    explanation.with_inputs([
        facts.micro_batches(),
        facts.calibrated_constant("host time of a part of a layer", "host_block", |calibration| {
            Amount::Time(calibration.host_block)
        }),
    ])
}

fn explain_stragglers(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let time = &facts.plan.step.time;
    let base = Seconds::from_f64(time.total_time().get() - time.stragglers.get());
    let factor = facts.scenario.workload.framework.production_factor;
    explanation.with_inputs([
        explained_input(
            "other parts of the step",
            Amount::Time(base),
            InputOrigin::Found("the step without it"),
        ),
        facts.calibrated_constant(
            "slowdown per doubling j",
            "jitter_per_doubling",
            |calibration| Amount::Number(calibration.jitter_per_doubling),
        ),
        facts.gpus(),
        facts.domain_gpus(),
        facts.framework_setting("production factor", "production_factor", Amount::Number(factor)),
    ])
}

fn explain_busy_interfaces(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    explanation.with_inputs([
        facts.micro_batches(),
        facts.nic_line_rate(),
        facts.domain_gpus(),
        facts.calibrated_constant("share of the NIC line rate", "nic_share", |calibration| {
            Amount::Share(calibration.nic_share)
        }),
    ])
}

fn memory_bandwidth(facts: &Facts<'_>) -> ExplainedInput {
    let value = Amount::Bandwidth(facts.gpu().memory_bandwidth);
    facts.data_sheet_entry("memory bandwidth", "memory_bandwidth", value)
}
