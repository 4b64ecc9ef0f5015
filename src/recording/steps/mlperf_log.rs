//! Reads step times from result logs of MLPerf Training (`:::MLLOG`, mlcommons/logging).

use serde_json::Value;

use super::table::{MeasuredRun, StepsProblem};
use super::training_logs::{RunInProgress, finish_runs};

/// What stands before the JSON of an event.
const EVENT: &str = ":::MLLOG ";
/// The event that states how fast steps were.
const SPEED: &str = "tracked_stats";
/// Those that state the batch and the model.
const BATCH: &str = "global_batch_size";
const BENCHMARK: &str = "submission_benchmark";
/// Entries at the start of a run that hold its first step.
const FIRST: usize = 1;

/// Events that are a key of a spec as they stand.
const KEYS: [(&str, &str); 2] =
    [(BATCH, "training.global_batch"), ("max_sequence_length", "model.sequence")];

/// Benchmarks that train a whole model that ships, and its name here.
const MODELS: [(&str, &str); 2] = [("llama31_8b", "llama3-8b"), ("llama31_405b", "llama3-405b")];

/// Whether it is such a log.
pub(super) fn is_mlperf_log(text: &str) -> bool {
    text.contains(EVENT)
}

/// Its runs: each begins with what the job is, which every rank may print.
pub(super) fn mlperf_runs(text: &str) -> Result<Vec<MeasuredRun>, StepsProblem> {
    let mut all: Vec<RunInProgress> = Vec::new();
    let mut batch = 0.0;
    for (at, line) in text.lines().enumerate() {
        let Some((_, event)) = line.split_once(EVENT) else { continue };
        let event: Value = serde_json::from_str(event)
            .map_err(|_| StepsProblem::for_line(at + 1, "the event is no JSON"))?;
        let (key, value) = (event["key"].as_str().unwrap_or_default(), &event["value"]);
        let is_of_job = key == BENCHMARK || KEYS.iter().any(|(event, _)| *event == key);
        if is_of_job && all.last().is_none_or(RunInProgress::has_steps) {
            batch = 0.0;
            all.push(RunInProgress::at_line(at + 1));
        }
        if key == BATCH {
            batch = value.as_f64().unwrap_or_default();
        }
        if key == SPEED {
            let Some(run) = all.last_mut().filter(|_| batch > 0.0) else {
                let reason = format!("no `{BATCH}` stands before the first `{SPEED}`");
                return Err(StepsProblem::for_line(at + 1, reason));
            };
            run.add_steps(step_time(value, batch));
        } else if let Some(run) = all.last_mut() {
            state_event(run, key, value, at + 1)?;
        }
    }
    finish_runs(all, FIRST)
}

/// Seconds of a step: as logged, or the batch over the samples of a second; `None` where an event
/// has neither.
fn step_time(value: &Value, batch: f64) -> Option<f64> {
    let samples = || value["throughput"].as_f64().map(|samples| batch / samples);
    let time = value["train_step_time"].as_f64().or_else(samples);
    time.filter(|time| time.is_finite() && *time > 0.0)
}

/// States what an event says of the job.
fn state_event(
    run: &mut RunInProgress,
    key: &str,
    value: &Value,
    line: usize,
) -> Result<(), StepsProblem> {
    if let (Some((_, spec_key)), Some(number)) =
        (KEYS.iter().find(|(event, _)| *event == key), value.as_u64())
    {
        run.set_key(spec_key, number);
    }
    if let (BENCHMARK, Some(name)) = (key, value.as_str()) {
        let Some((_, model)) = MODELS.iter().find(|(benchmark, _)| *benchmark == name) else {
            let reason = format!("benchmark `{name}` does not train a whole language model");
            return Err(StepsProblem::for_line(line, reason));
        };
        run.set_key("model.preset", model);
    }
    Ok(())
}
