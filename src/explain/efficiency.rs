//! Explains what follows from the time of a step: slowdown, shares of peak, tokens, work.

use super::explanation::{ExplainedInput, Explanation, InputOrigin};
use super::inputs::{Facts, explained_input, quantity_input, switch_input};
use crate::timing::{Interval, work_of_a_token};
use crate::units::Amount;
use crate::workload::Precision;

/// Adds what a figure that follows from the time of a step takes.
pub(super) fn explain_efficiency(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    match explanation.key.as_ref() {
        "step.pace_s" => explain_mean_step_time(facts, explanation),
        "step.slowdown" => explain_slowdown(facts, explanation),
        "step.error_band" => explanation.with_inputs([facts.step_time()]),
        "step.low_time_s" => explanation.with_inputs([
            predicted_time_input(facts),
            interval_end_input(facts, |interval| interval.low),
        ]),
        "step.high_time_s" => explanation.with_inputs([
            predicted_time_input(facts),
            interval_end_input(facts, |interval| interval.high),
        ]),
        "step.mfu" => explain_mfu(facts, explanation),
        "step.hfu" => explain_hfu(facts, explanation),
        "step.tokens" => {
            explanation.with_inputs([facts.global_batch_size(), facts.sequence_length()])
        }
        "step.tokens_per_s_per_gpu" => {
            explanation.with_inputs([facts.step_tokens(), facts.step_time(), facts.gpus()])
        }
        "step.model_tflops_per_gpu" => explain_flop_rate(facts, explanation),
        "step.model_flop" => model_work(facts, explanation),
        "step.hardware_flop" => hardware_work(facts, explanation),
        _ => explanation,
    }
}

fn explain_mean_step_time(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    if facts.plan.phases.is_empty() {
        return explanation.with_inputs([facts.step_time()]);
    }
    let each = facts.plan.phases.iter().flat_map(|phase| {
        let share = format!("share of the steps of \"{}\"", phase.name);
        [
            explained_input(
                share,
                Amount::Share(phase.share),
                InputOrigin::Found("of its technique"),
            ),
            explained_input(
                "one of its steps",
                Amount::Time(phase.step),
                InputOrigin::Found("timed like any step"),
            ),
        ]
    });
    explanation.with_inputs(each)
}

fn explain_slowdown(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let report = &facts.plan.step;
    let slowdown = if report.slowdown > 0.0 { report.slowdown } else { 1.0 };
    let reference = Amount::Time(report.pace / slowdown);
    let least = if facts.plan.phases.is_empty() {
        "least step time on a full-bisection Clos"
    } else {
        "least pace on a full-bisection Clos"
    };
    explanation.with_inputs([
        facts.mean_step_time(),
        explained_input(
            least,
            reference,
            InputOrigin::Found(
                "timed the same way, in the fastest layout, rank order and placement",
            ),
        ),
    ])
}

fn predicted_time_input(facts: &Facts<'_>) -> ExplainedInput {
    let time = Amount::Time(facts.plan.step.time.total_time());
    quantity_input("predicted step time", "step.time_s", time)
}

/// One end of the interval of measured times, as a share of the predicted one.
pub(super) fn interval_end_input(facts: &Facts<'_>, read: fn(&Interval) -> f64) -> ExplainedInput {
    let origin = InputOrigin::Found(
        "quantile of measured over predicted time, by constants that had not seen the source",
    );
    explained_input(
        "share of the interval's end",
        Amount::Number(read(&facts.plan.step.interval)),
        origin,
    )
}

fn explain_mfu(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let work = Amount::Work(facts.plan.step.model_flops);
    explanation
        .with_inputs([
            quantity_input("model FLOPs", "step.model_flop", work),
            facts.step_time(),
            facts.gpus(),
        ])
        .with_inputs(peak_input(facts))
}

fn explain_hfu(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let work = Amount::Work(facts.plan.step.hardware_flops);
    explanation
        .with_inputs([
            quantity_input("hardware FLOPs", "step.hardware_flop", work),
            facts.step_time(),
            facts.gpus(),
        ])
        .with_inputs(peak_input(facts))
}

fn explain_flop_rate(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let report = &facts.plan.step;
    explanation.with_inputs([
        quantity_input("model FLOPs", "step.model_flop", Amount::Work(report.model_flops)),
        facts.step_time(),
        facts.gpus(),
    ])
}

fn model_work(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let (model, framework) = (&facts.scenario.workload.model, &facts.scenario.workload.framework);
    let work = work_of_a_token(model, framework);
    explanation
        .with_inputs([
            facts.global_batch_size(),
            facts.sequence_length(),
            explained_input(
                "matrix elements that a token meets",
                Amount::Number(work.matrices),
                InputOrigin::Found("counted on the model, docs/equations.md §1.4"),
            ),
            explained_input(
                "FLOPs of attention scores of a token, forward",
                Amount::Number(work.scores),
                InputOrigin::Found("counted on the model, docs/equations.md §2.4"),
            ),
            facts.layers(),
            facts.framework_setting(
                "scores count their causal half",
                "causal_attention",
                switch_input(framework.causal_attention),
            ),
        ])
        .with_inputs((work.scans > 0.0).then(|| {
            let origin = InputOrigin::Found("counted on the model, docs/equations.md §2.7");
            explained_input(
                "FLOPs of scans of a token, forward",
                Amount::Number(work.scans),
                origin,
            )
        }))
}

fn hardware_work(facts: &Facts<'_>, explanation: Explanation) -> Explanation {
    let report = &facts.plan.step;
    let again = report.hardware_flops - report.model_flops;
    explanation
        .with_inputs([
            facts.recompute(),
            quantity_input("model FLOPs", "step.model_flop", Amount::Work(report.model_flops)),
            explained_input(
                "recomputed FLOPs / FLOPs of the forward and backward kernels",
                Amount::Number(again / report.model_flops),
                InputOrigin::Found("counted on the kernels of all stages"),
            ),
        ])
        .sum([
            ("step.model_flop", Amount::Work(report.model_flops)),
            ("recomputation", Amount::Work(again)),
        ])
}

/// Peak in the precision of the run, where the GPU has one.
fn peak_input(facts: &Facts<'_>) -> Option<ExplainedInput> {
    let precision = facts.scenario.workload.training.precision;
    let peak = facts.gpu().peaks.peak_of_precision(precision)?;
    let entry = match precision {
        Precision::Fp32 => "peak_fp32",
        Precision::Fp16 | Precision::Bf16 => "peak_bf16",
        Precision::Fp8 | Precision::Mxfp8 => "peak_fp8",
        Precision::Nvfp4 => "peak_fp4",
    };
    Some(facts.data_sheet_entry("peak of a GPU", entry, Amount::Rate(peak)))
}
