//! Writes the plan of a chosen fabric. Decides nothing.

use super::choose::Sized;
use super::error_band::error_band;
use super::job::Job;
use super::machine::Level;
use super::money::{bill_of, cost_of};
use super::plan::{
    Alternative, Bound, NodeChoice, Plan, SolverReport, SolverStatus, StepReport, Warning,
};
use super::warnings::{Facts, warnings};
use crate::cost::{BillLine, Cost};
use crate::fabric::Counts;
use crate::scenario::Assumption;
use crate::sizing::{Options, Proof, Status};
use crate::timing::{StepTime, efficiency, hardware_flops, model_flops};
use crate::traffic::Matrix;
use crate::units::Seconds;

/// What was found besides the fabric itself.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) solver: SolverReport,
    pub(super) alternatives: Vec<Alternative>,
    pub(super) warnings: Vec<Warning>,
}

/// The plan of a job on a fabric.
pub(super) fn assemble(job: &Job<'_>, counts: &Counts, level: Level, finding: Finding) -> Plan {
    let scenario = job.scenario;
    let time: StepTime = job.time(level);
    let lines: Vec<BillLine> = bill_of(job, Some(counts));
    let cost: Cost = cost_of(job, &lines, time.total());
    let traffic = Matrix::new(&job.step, job.placement()).summary();
    let facts = Facts { job, level, cost: &cost, traffic: &traffic };
    let warnings = [finding.warnings, warnings(&facts)].concat();
    Plan {
        name: scenario.name.clone(),
        nodes: NodeChoice {
            gpus: scenario.cluster.gpus,
            node: job.machine.node.clone(),
            domains: job.domains,
            nic: job.machine.nic.clone(),
            planes: counts.planes,
        },
        layout: job.layout().clone(),
        step: step_report(job, time),
        memory: job.memory.clone(),
        memory_capacity: job.machine.node.gpu.memory,
        traffic,
        fabric: counts.clone(),
        bill: lines,
        cost,
        solver: finding.solver,
        alternatives: finding.alternatives,
        assumptions: assumptions(job, counts, level),
        warnings,
    }
}

/// How the sizing of the chosen fabric came about.
pub(super) fn solver_report(
    sized: &Sized,
    candidates: u64,
    binding: Vec<Bound>,
    options: &Options,
) -> SolverReport {
    SolverReport {
        name: solver_name(sized.solution.proof, options),
        status: match sized.solution.status {
            Status::Optimal => SolverStatus::Optimal,
            Status::Incumbent => SolverStatus::TimeLimit,
        },
        gap: sized.solution.gap(),
        candidates,
        binding,
    }
}

/// What the proof of the answer rests on.
fn solver_name(proof: Proof, options: &Options) -> String {
    match proof {
        Proof::Bound => "arithmetic bound".to_owned(),
        Proof::Enumeration => "enumeration".to_owned(),
        Proof::Solver | Proof::Check => options.back_end.name().to_owned(),
    }
}

pub(super) fn step_report(job: &Job<'_>, time: StepTime) -> StepReport {
    let scenario = job.scenario;
    let model = model_flops(
        &scenario.workload.model,
        &scenario.workload.training,
        &scenario.workload.framework,
    );
    let gpu = &job.machine.node.gpu;
    let total: Seconds = time.total();
    let reached = efficiency(&job.step, &scenario.workload.training, gpu, model, total);
    let reference = job.reference.get();
    StepReport {
        slowdown: if reference > 0.0 { total.get() / reference } else { 1.0 },
        time,
        error_band: error_band(scenario, gpu),
        model_flops: model,
        hardware_flops: hardware_flops(&job.step, model),
        mfu: reached.mfu,
        hfu: reached.hfu,
        tokens: job.step.tokens,
        tokens_per_gpu_second: reached.tokens_per_gpu_second,
        micro_batches: job.step.micro_batches,
    }
}

/// The scenario's assumptions and those that the design itself rests on.
fn assumptions(job: &Job<'_>, counts: &Counts, level: Level) -> Vec<Assumption> {
    let mut all = job.scenario.assumptions.clone();
    let mut take = |topic: &str, text: String| {
        all.push(Assumption { topic: topic.to_owned(), text });
    };
    take(
        "cost.cables",
        "fibre, copper cables and labour have no dated price: not in the total".into(),
    );
    take(
        "cost.utilisation",
        "the cluster trains all year at the pace of the step: failures and restarts left out"
            .into(),
    );
    if level.across < 1.0 && job.machine.node.forwards {
        take(
            "fabric.forwarding",
            "messages across rails are forwarded through the HB domain (NCCL's PXN or the like)"
                .into(),
        );
    }
    if counts.planes > 1 {
        take(
            "fabric.planes",
            format!("every NIC spreads its packets over {} planes", counts.planes),
        );
    }
    if level.leaf_domains.is_some() {
        take(
            "cluster.placement",
            "the scheduler fills leafs in rank order, so that neighbours share a leaf".into(),
        );
    }
    all
}
