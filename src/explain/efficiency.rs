//! Explains what follows from the time of a step: slowdown, shares of peak, tokens, work.

use super::equation::{COLLECTIVE_TIME, ERROR_BAND, MODEL_FLOPS, SCORES, STAGES, UTILISATION};
use super::facts::{Facts, input, quantity};
use super::{Amount, Explanation, Input, Origin};
use crate::timing::work_of_a_token;
use crate::units::FlopRate;
use crate::workload::Precision;

pub(super) fn explanations(facts: &Facts<'_>) -> Vec<Explanation> {
    vec![
        slowdown(facts),
        error_band(facts),
        mfu(facts),
        hfu(facts),
        tokens(facts),
        token_rate(facts),
        rate(facts),
        model_work(facts),
        hardware_work(facts),
    ]
}

fn slowdown(facts: &Facts<'_>) -> Explanation {
    let report = &facts.plan.step;
    let slowdown = if report.slowdown > 0.0 { report.slowdown } else { 1.0 };
    let reference = Amount::Time(report.time.total() / slowdown);
    Explanation::new(
        "step.slowdown",
        "step time over that of the same layout on a full-bisection Clos",
        Amount::Number(report.slowdown),
        "step time / step time with ρ = σ = 1",
        &[STAGES, COLLECTIVE_TIME],
    )
    .from([
        facts.step_time(),
        input("step time on the Clos", reference, Origin::Found("timed the same way")),
    ])
}

fn error_band(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "step.error_band",
        "share by which a measured step may be longer or shorter",
        Amount::Share(facts.plan.step.error_band),
        "mean error of this kind of model on this generation, wider where settings are a guess",
        &[ERROR_BAND],
    )
    .from([facts.step_time()])
}

fn mfu(facts: &Facts<'_>) -> Explanation {
    let work = Amount::Work(facts.plan.step.model_flops);
    Explanation::new(
        "step.mfu",
        "share of peak that the model's FLOPs reach",
        Amount::Share(facts.plan.step.mfu),
        "model FLOPs / (step time · N · peak)",
        &[UTILISATION, MODEL_FLOPS],
    )
    .from([quantity("model FLOPs", "step.model_flop", work), facts.step_time(), facts.gpus()])
    .from(peak(facts))
}

fn hfu(facts: &Facts<'_>) -> Explanation {
    let work = Amount::Work(facts.plan.step.hardware_flops);
    Explanation::new(
        "step.hfu",
        "share of peak that all FLOPs reach, recomputation included",
        Amount::Share(facts.plan.step.hfu),
        "hardware FLOPs / (step time · N · peak)",
        &[UTILISATION],
    )
    .from([quantity("hardware FLOPs", "step.hardware_flop", work), facts.step_time(), facts.gpus()])
    .from(peak(facts))
}

fn tokens(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "step.tokens",
        "tokens of one global batch",
        Amount::count(facts.plan.step.tokens),
        "G · s",
        &[MODEL_FLOPS],
    )
    .from([facts.batch(), facts.sequence()])
}

fn token_rate(facts: &Facts<'_>) -> Explanation {
    Explanation::new(
        "step.tokens_per_s_per_gpu",
        "tokens per second and GPU",
        Amount::TokenRate(facts.plan.step.tokens_per_gpu_second),
        "tokens of a step / (step time · N)",
        &[UTILISATION],
    )
    .from([facts.tokens(), facts.step_time(), facts.gpus()])
}

fn rate(facts: &Facts<'_>) -> Explanation {
    let report = &facts.plan.step;
    let gpus = f64::from(facts.plan.nodes.gpus.max(1));
    let rate = FlopRate::of(report.model_flops.get() / report.time.total().get() / gpus);
    Explanation::new(
        "step.model_tflops_per_gpu",
        "model work per second and GPU",
        Amount::Rate(rate),
        "model FLOPs / (step time · N)",
        &[UTILISATION, MODEL_FLOPS],
    )
    .from([
        quantity("model FLOPs", "step.model_flop", Amount::Work(report.model_flops)),
        facts.step_time(),
        facts.gpus(),
    ])
}

fn model_work(facts: &Facts<'_>) -> Explanation {
    let (model, framework) = (&facts.scenario.workload.model, &facts.scenario.workload.framework);
    let (matrices, scores) = work_of_a_token(model, framework);
    Explanation::new(
        "step.model_flop",
        "FLOPs that the model needs for one step, recomputation left out",
        Amount::Work(facts.plan.step.model_flops),
        "3 · G·s · (2 · matrix elements that a token meets + FLOPs of attention scores)",
        &[MODEL_FLOPS, SCORES],
    )
    .from([
        facts.batch(),
        facts.sequence(),
        input(
            "matrix elements that a token meets",
            Amount::Number(matrices),
            Origin::Found("counted on the model, docs/equations.md §1.4"),
        ),
        input(
            "FLOPs of attention scores of a token, forward",
            Amount::Number(scores),
            Origin::Found("counted on the model, docs/equations.md §2.4"),
        ),
        facts.layers(),
        facts.framework(
            "scores count their causal half",
            "causal_attention",
            Amount::on(framework.causal_attention),
        ),
    ])
}

fn hardware_work(facts: &Facts<'_>) -> Explanation {
    let report = &facts.plan.step;
    let again = report.hardware_flops - report.model_flops;
    Explanation::new(
        "step.hardware_flop",
        "FLOPs that are computed in one step, recomputation included",
        Amount::Work(report.hardware_flops),
        "model FLOPs · (1 + recomputed FLOPs / FLOPs of the forward and backward kernels)",
        &[UTILISATION],
    )
    .from([
        facts.recompute(),
        quantity("model FLOPs", "step.model_flop", Amount::Work(report.model_flops)),
        input(
            "recomputed FLOPs / FLOPs of the forward and backward kernels",
            Amount::Number(again / report.model_flops),
            Origin::Found("counted on the kernels of all stages"),
        ),
    ])
    .sum([
        ("step.model_flop", Amount::Work(report.model_flops)),
        ("recomputation", Amount::Work(again)),
    ])
}

/// Peak in the precision of the run, where the GPU has one.
fn peak(facts: &Facts<'_>) -> Option<Input> {
    let precision = facts.scenario.workload.training.precision;
    let peak = facts.gpu().peaks.of(precision)?;
    let entry = match precision {
        Precision::Fp32 => "peak_fp32",
        Precision::Fp16 | Precision::Bf16 => "peak_bf16",
        Precision::Fp8 | Precision::Mxfp8 => "peak_fp8",
        Precision::Nvfp4 => "peak_fp4",
    };
    Some(facts.sheet("peak of a GPU", entry, Amount::Rate(peak)))
}
