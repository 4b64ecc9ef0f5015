//! Keys of the layout that a spec or a default fixes while other values may be better: what a proof does
//! not range over, and what a warning says to change. Searches nothing.

use super::once::dedup_in_order;
use super::plan::{FixedKey, SolverReport};
use super::solver_status::SolverStatus;
use crate::design::candidate::job::Job;
use crate::design::candidate::machine::Level;
use crate::design::candidate::run::JobRun;
use crate::parallel::{Schedule, Zero};
use crate::search::Space;
use crate::workload::Recompute;

/// Keys that the layouts of a job on a fabric of a level have one value of, where another could give a better
/// design; in the order of the spec, of all workloads.
pub(super) fn fixed_keys(job: &Job<'_>, level: Level) -> Vec<FixedKey> {
    let assumed = job.scenario.assumed_on(job.machine.node);
    let of_run = |run: &JobRun<'_>| -> Vec<FixedKey> {
        let default = |key: &str| {
            assumed.iter().any(|assumption| assumption.default && assumption.topic == key)
        };
        let keys = not_searched(run, job).into_iter();
        keys.map(|key| FixedKey { key, default: default(key) }).collect()
    };
    let all: Vec<FixedKey> = job.runs_at_level(level).into_iter().flat_map(of_run).collect();
    dedup_in_order(all.iter())
}

/// Keys that a spec leaves open and that are chosen before any network is sized: they are those of the
/// fastest layout on a full-bisection Clos, so the proof ranges over no other value.
pub(super) fn keys_chosen_before_sizing(job: &Job<'_>, level: Level) -> Vec<&'static str> {
    let of_run = |run: &JobRun<'_>| -> Vec<&'static str> {
        // Of rank orders each is a candidate.
        let first = |key: &LayoutKey| !key.fixed && key.matters && key.key != ORDER;
        layout_keys(run, job).into_iter().filter(first).map(|key| key.key).collect()
    };
    let all: Vec<&'static str> = job.runs_at_level(level).into_iter().flat_map(of_run).collect();
    dedup_in_order(all.iter())
}

/// What other layouts could save at most, where that is no more than the gap of the answer is told to: nothing,
/// where it is proven optimal. `None` where they could save more, or nobody knows.
pub(super) fn gap_over_layouts(solver: &SolverReport) -> Option<f64> {
    /// The least share that a report tells apart from none.
    const TOLD: f64 = 1e-5;
    let most = match solver.status {
        SolverStatus::GoodputBound => solver.gap + TOLD,
        _ => 0.0,
    };
    solver.layouts.map(|proven| proven.gap).filter(|gap| *gap <= most)
}

fn not_searched(run: &JobRun<'_>, job: &Job<'_>) -> Vec<&'static str> {
    let open = layout_keys(run, job).into_iter().filter(|key| key.fixed && key.matters);
    open.map(|key| key.key).collect()
}

const ORDER: &str = "parallelism.order";

/// A key of the layout.
struct LayoutKey {
    key: &'static str,
    /// The spec or a default says what it is.
    fixed: bool,
    /// Another value is possible.
    matters: bool,
}

fn layout_keys(run: &JobRun<'_>, job: &Job<'_>) -> Vec<LayoutKey> {
    let request = &run.workload.layout;
    let (model, training) = (&run.workload.model, &run.workload.training);
    let layout = run.layout();
    // Of layouts on all GPUs, and on those that train.
    let training_gpus = u32::try_from(layout.gpus()).unwrap_or(u32::MAX);
    let spaces = [job.scenario.cluster.gpus, training_gpus]
        .map(|gpus| Space::all_layouts(model, training, gpus));
    // Where pipeline stages are searched, there may be several.
    let staged = layout.pipeline > 1 || request.pipeline.is_none();
    let replicated = layout.data > 1;
    let chunked = matches!(request.schedule, Schedule::OneFOneB | Schedule::Interleaved);
    let several = |read: fn(&Space) -> &[u32]| spaces.iter().any(|space| read(space).len() > 1);
    let all = [
        ("parallelism.tensor", request.tensor.is_some(), several(|this_space| &this_space.tensor)),
        (
            "parallelism.pipeline",
            request.pipeline.is_some(),
            several(|this_space| &this_space.pipeline),
        ),
        (
            "parallelism.context",
            request.context.is_some(),
            several(|this_space| &this_space.context),
        ),
        ("parallelism.expert", request.expert.is_some(), several(|this_space| &this_space.expert)),
        (
            "parallelism.interleave",
            request.interleave.is_some(),
            staged && chunked && model.layers > layout.pipeline,
        ),
        (
            "parallelism.sequence_parallel",
            request.sequence_parallel.is_some(),
            layout.tensor > 1 || request.tensor.is_none(),
        ),
        ("parallelism.zero", request.zero.is_some(), replicated),
        (ORDER, request.order.is_some(), staged && replicated && job.domains > 1),
        (
            "training.micro_batch",
            request.micro_batch.is_some(),
            training.global_batch > u64::from(layout.data),
        ),
        ("training.recompute", request.recompute.is_some(), true),
    ];
    all.into_iter().map(|(key, fixed, matters)| LayoutKey { key, fixed, matters }).collect()
}

/// True where a key decides which ranks share a machine.
pub(super) fn is_placed(key: &&'static str) -> bool {
    const PLACED: [&str; 5] = [
        "parallelism.tensor",
        "parallelism.pipeline",
        "parallelism.context",
        "parallelism.expert",
        "parallelism.order",
    ];
    PLACED.contains(key)
}

/// Keys of which another value leaves more memory free, those first that change the layout least.
pub(super) fn frees_memory(run: &JobRun<'_>) -> Vec<&'static str> {
    let layout = run.layout();
    let all = [
        ("training.recompute", layout.recompute != Recompute::Full),
        ("training.micro_batch", layout.micro_batch > 1),
        ("parallelism.zero", layout.zero != Zero::Parameters && layout.data > 1),
        ("parallelism.pipeline", true),
        ("parallelism.tensor", true),
    ];
    all.into_iter().filter_map(|(key, frees)| frees.then_some(key)).collect()
}
