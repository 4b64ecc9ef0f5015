//! Logs of torchtitan: the device mesh, the batch, and tokens a second of a GPU every few steps. What
//! model runs, and in which number format, is not in them.

use super::log::{RunInProgress, number_after, strip_prefix_and_colour};
use super::problem::StepsProblem;
use super::run::MeasuredRun;

/// Tokens a second of a GPU, as it is called since 2025 and was before.
const RATES: [&str; 2] = ["tps:", "wps:"];
const MESH: &str = "device mesh with [";
const BATCH: &str = "global batch size";
const SEQUENCE: &str = "sequence length";
const MICRO: &str = "local batch size";
/// Names of a mesh's axes, and the keys of their degrees; replicas and shards together are data
/// parallelism.
const AXES: [(&str, &str); 3] =
    [("pp", "parallelism.pipeline"), ("cp", "parallelism.context"), ("tp", "parallelism.tensor")];

/// Whether it is such a log.
pub(super) fn is_torchtitan_log(text: &str) -> bool {
    text.contains(BATCH) && RATES.iter().any(|rate| text.contains(rate))
}

/// A run with the degrees of its mesh.
struct Titan {
    reading: RunInProgress,
    gpus: f64,
    /// Tokens of a step.
    tokens: f64,
}

/// Its runs: each begins with a mesh.
pub(super) fn torchtitan_runs(text: &str) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let mut all: Vec<Titan> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = strip_prefix_and_colour(line);
        if let Some((_, mesh)) = line.split_once(MESH) {
            // Every rank prints it.
            if all.last().is_none_or(|run| !run.reading.times.is_empty()) {
                all.push(start_run(at + 1, mesh)?);
            }
        } else if let (Some(run), Some(batch), Some(sequence)) =
            (all.last_mut(), number_after(&line, BATCH), number_after(&line, SEQUENCE))
        {
            run.tokens = batch * sequence;
            run.reading.set_key("training.global_batch", batch);
            run.reading.set_key("model.sequence", sequence);
            if let Some(micro) = number_after(&line, MICRO) {
                run.reading.set_key("training.micro_batch", micro);
            }
        } else if let (Some(rate), true) =
            (RATES.iter().find_map(|rate| number_after(&line, rate)), line.contains("step:"))
        {
            let run = all.last_mut().filter(|run| run.tokens > 0.0);
            let Some(run) = run else {
                let reason = "steps before the device mesh and the batch of the run";
                return Err(StepsProblem::for_line(at + 1, reason));
            };
            run.reading.times.push(run.tokens / (rate * run.gpus));
        }
    }
    let several = all.len() > 1;
    let named = |(place, run): (usize, Titan)| {
        let name = if several { format!("run {}", place + 1) } else { "the log".to_owned() };
        run.reading.finish_run(&name)
    };
    all.into_iter().enumerate().map(named).collect()
}

/// A run on the mesh that follows the words: `'dp_shard', 'tp'], [32, 8]`.
fn start_run(line: usize, mesh: &str) -> Result<Titan, StepsProblem> {
    let unread = || StepsProblem::for_line(line, "the device mesh can't be read");
    let (names, sizes) = mesh.split_once("], [").ok_or_else(unread)?;
    let sizes = sizes.split(']').next().unwrap_or_default();
    let names = names.split(',').map(|name| name.trim().trim_matches('\''));
    let mut reading = RunInProgress { line, ..RunInProgress::default() };
    let (mut gpus, mut data, mut shards) = (1u64, 1u64, 1u64);
    for (name, size) in names.zip(sizes.split(',')) {
        let size: u64 = size.trim().parse().map_err(|_| unread())?;
        gpus = gpus.checked_mul(size).ok_or_else(unread)?;
        match AXES.iter().find(|(axis, _)| *axis == name) {
            Some((_, key)) => reading.set_key(key, size),
            None if name.starts_with("dp") => {
                data *= size;
                shards *= if name == "dp_shard" || name == "dp" { size } else { 1 };
            }
            None => {
                return Err(StepsProblem::for_line(line, format!("no axis of a mesh is `{name}`")));
            }
        }
    }
    // A mesh has the axes that are longer than one; a spec would leave the others to a search.
    for (_, key) in AXES {
        reading.set_key(key, 1);
    }
    reading.set_key("cluster.gpus", gpus);
    reading.set_key("parallelism.data", data);
    reading.set_key("parallelism.zero", if shards > 1 { 3 } else { 0 });
    if shards > 1 && shards < data {
        reading.set_key("parallelism.shard", shards);
    }
    Ok(Titan { reading, gpus: gpus as f64, tokens: 0.0 })
}
