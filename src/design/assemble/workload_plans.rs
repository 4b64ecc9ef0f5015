//! What a plan says of each workload: its step, its traffic, the load of its experts.

use super::assumptions::measured_time_interval;
use crate::design::candidate::machine_cost::run_days;
use crate::design::job::job::Job;
use crate::design::job::machine::Level;
use crate::design::job::run::JobRun;
use crate::design::plan::plan::{ExpertLoad, StepReport, WorkloadPlan};
use crate::scenario::{Scenario, Workload};
use crate::timing::{StepTime, hardware_flops, model_flops, step_efficiency};
use crate::traffic::{TrafficMatrix, TrafficSummary};
use crate::units::Seconds;
use crate::workload::{Model, Parameters};

/// Every workload where there are several.
pub(super) fn workload_plans(job: &Job<'_>, level: Level) -> Vec<WorkloadPlan> {
    if job.runs.len() == 1 {
        return Vec::new();
    }
    let plan = |run: &JobRun<'_>| {
        let step = step_report(job.scenario, run, level, run.step_time(level));
        WorkloadPlan {
            name: run.workload.name.clone(),
            share: run.workload.share,
            layout: run.layout().clone(),
            used: run.placement().used_gpus_per_domain(),
            training_days: run_days(run, step.pace),
            step,
            memory: run.memory.clone(),
            traffic: traffic_of(run),
        }
    };
    job.runs_at_level(level).into_iter().map(plan).collect()
}

pub(super) fn traffic_of(run: &JobRun<'_>) -> TrafficSummary {
    TrafficMatrix::new(&run.step, run.placement()).summary()
}

/// A step in numbers.
pub(crate) fn step_report(
    scenario: &Scenario,
    run: &JobRun<'_>,
    level: Level,
    time: StepTime,
) -> StepReport {
    let Workload { model, training, framework, .. } = &*run.workload;
    let parameters = Parameters::count_parameters(model);
    let model = model_flops(model, training, framework);
    let gpu = &run.machine.node.gpu;
    let total: Seconds = time.total_time();
    let reached = step_efficiency(&run.step, training, gpu, model, total);
    let (pace, reference) = (run.effective_step_time_by_clock(level), run.reference.get());
    StepReport {
        pace,
        slowdown: if reference > 0.0 { pace.get() / reference } else { 1.0 },
        time,
        interval: measured_time_interval(scenario, &run.workload, gpu, &run.step.layout),
        model_flops: model,
        hardware_flops: hardware_flops(&run.step, model),
        mfu: reached.mfu,
        hfu: reached.hfu,
        tokens: run.step.tokens,
        tokens_per_gpu_second: reached.tokens_per_gpu_second,
        micro_batches: run.step.micro_batches,
        recompute_modules: run.workload.training.recompute_modules,
        parameters,
        experts: expert_load(run, level),
    }
}

/// How uneven the loads of ranks with experts are, and the step without that.
fn expert_load(run: &JobRun<'_>, level: Level) -> Option<ExpertLoad> {
    let moe = run.workload.model.moe.as_ref()?;
    let fullest = moe.max_over_mean_load(run.step.layout.expert);
    if fullest <= 1.0 {
        return None;
    }
    let model = Model { moe: Some(moe.evenly_loaded()), ..run.workload.model.clone() };
    let workload = Workload { model, ..Workload::clone(&run.workload) };
    let even = JobRun::new(&workload, run.machine, &run.step.layout, run.seats).ok()?;
    Some(ExpertLoad { fullest, even: even.step_time(level).total_time() })
}
