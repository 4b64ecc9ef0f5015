//! `planner traffic` call by call: the ledger of a step as a file, as input of a simulator, or beside
//! what a real job recorded.

use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use flate2::read::MultiGzDecoder;

use crate::cli::args::{CallFormat, Options};
use crate::cli::errors::Failure;
use crate::cli::{input, output};
use crate::design;
use crate::ledger::{Difference, Ledger};
use crate::parallel::Rank;
use crate::recording::{self, RecordingFile};
use crate::report;
use crate::report::call_export::{self, Chakra, TooMany};
use crate::scenario::Scenario;
use crate::traffic::TrafficMatrix;

/// Most calls of one rank of each stage that are listed: some twenty gigabytes of text.
const MOST_CALLS: u64 = 1 << 26;

/// How a step has fewer calls.
const FEWER: &str = "a smaller `training.global_batch` has fewer micro-batches";

/// Writes the calls of a step in a format: of all stages, or those of one GPU.
pub(in crate::cli) fn write(
    scenario: &Scenario,
    format: CallFormat,
    gpu: Option<u32>,
    call: Option<&str>,
    options: &Options,
) -> Result<(), Failure> {
    let (_, matrix, step) = design::step_as_data(scenario)?;
    let by_message = matches!(format, CallFormat::Chakra | CallFormat::Simai);
    let calls = if by_message { Ledger::max_messages(&step) } else { Ledger::max_lines(&step) };
    if calls > MOST_CALLS {
        let error = anyhow!("a step has {calls} calls, and at most {MOST_CALLS} are listed");
        return Err(Failure::usage_error(error, FEWER));
    }
    let list = if by_message { Ledger::list_messages } else { Ledger::new };
    let ledger = list(&step, matrix.placed_ranks());
    let rank = match gpu {
        Some(rank) if rank >= matrix.rank_count() => {
            return Err(no_such_gpu(rank, &matrix));
        }
        rank => rank.map(Rank),
    };
    if call.is_some() && format != CallFormat::Htsim {
        return Err(no_call());
    }
    let stage = rank.map_or(0, |rank| matrix.placed_ranks().grid().pipeline_stage(rank));
    match format {
        CallFormat::Ledger => output::write_stream(options, |mut out| {
            Ok(call_export::write_call_lines(&scenario.name, &ledger, rank, &mut out)?)
        }),
        CallFormat::Chakra => write_chakra(&ledger, rank, options),
        CallFormat::Simai if step.layout.context > 1 => {
            let error = anyhow!("SimAI knows no context groups, and the layout has some");
            Err(Failure::usage_error(
                error,
                "take `--format chakra`, or `--set parallelism.context=1`",
            ))
        }
        CallFormat::Simai if step.layout.parameter_copies() > 1 => {
            let error = anyhow!("SimAI shards over all replicas, and the layout over some of them");
            Err(Failure::usage_error(
                error,
                "take `--format chakra`, or leave out `parallelism.shard`",
            ))
        }
        CallFormat::Simai => output::write_stream(options, |mut out| {
            Ok(call_export::write_simai_workload(&ledger, stage, &mut out)?)
        }),
        CallFormat::Htsim => write_htsim(&ledger, call, options),
    }
}

/// A trace for each GPU and a file of groups, in the folder of `-o`.
fn write_chakra(ledger: &Ledger<'_>, rank: Option<Rank>, options: &Options) -> Result<(), Failure> {
    let traces = Chakra::new(ledger).map_err(|TooMany { nodes, most }| {
        let error = anyhow!("the traces would have {nodes} nodes, and at most {most} are written");
        Failure::usage_error(error, FEWER)
    })?;
    let folder = output::output_folder(options, "a Chakra trace is a file for each GPU")?;
    let ranks = rank.map_or(0..traces.ranks(), |rank| rank.0..rank.0 + 1);
    for rank in ranks {
        let path = folder.join(format!("step.{rank}.et"));
        output::write_bytes(&path, &traces.rank_trace(Rank(rank)))?;
    }
    output::write_bytes(&folder.join("groups.json"), traces.groups_json().as_bytes())
}

/// The connections of one call of the ledger.
fn write_htsim(ledger: &Ledger<'_>, call: Option<&str>, options: &Options) -> Result<(), Failure> {
    let hint = "calls are named by stage and place, as the `id` of `--format ledger`";
    let Some(call) = call else {
        let error = anyhow!("a connection matrix has the messages of one call");
        return Err(Failure::usage_error(error, format!("name it with `--call ID`: {hint}")));
    };
    let id = call.split_once('.').and_then(|(stage, place)| {
        Some((stage.parse::<u32>().ok()?, place.parse::<usize>().ok()?))
    });
    let known = id.filter(|(stage, _)| *stage < ledger.step().layout.pipeline);
    let entry = known.and_then(|(stage, place)| ledger.stage_calls(stage).into_iter().nth(place));
    let Some(entry) = entry else {
        return Err(Failure::usage_error(anyhow!("the step has no call `{call}`"), hint));
    };
    output::write_stream(options, |mut out: &mut dyn Write| {
        Ok(call_export::write_flows(ledger, &entry, &mut out)?)
    })
}

/// What a real job recorded.
pub(in crate::cli) struct RecordingArgs<'a> {
    pub(super) files: &'a [PathBuf],
    /// Steps in them; 0: what the files say.
    pub(super) steps: Option<u64>,
    /// Share of what is predicted by which any kind or pair may differ.
    pub(super) within: Option<f64>,
}

/// The bytes of a file that PyTorch's profiler packed (`.json.gz`); others as they are.
fn unpack_bytes(bytes: Vec<u8>) -> Vec<u8> {
    const PACKED: [u8; 2] = [0x1f, 0x8b];
    let mut plain = Vec::new();
    let most = recording::LONGEST_BYTES as u64 + 1;
    let unpacked = || MultiGzDecoder::new(bytes.as_slice()).take(most).read_to_end(&mut plain);
    match bytes.starts_with(&PACKED).then(unpacked) {
        Some(Ok(_)) => plain,
        _ => bytes,
    }
}

/// A recorded run beside the step of a scenario.
pub(super) fn compare_recording(
    scenario: &Scenario,
    recorded: &RecordingArgs<'_>,
    options: &Options,
) -> Result<(), Failure> {
    let read = |path: &PathBuf| -> Result<RecordingFile, Failure> {
        let (name, bytes) = input::read_input(path, recording::LONGEST_BYTES, options)?;
        let name =
            Path::new(&name).file_name().map_or(name.clone(), |str| str.to_string_lossy().into());
        Ok(RecordingFile { name, bytes: unpack_bytes(bytes) })
    };
    let sources: Vec<RecordingFile> = recorded.files.iter().map(read).collect::<Result<_, _>>()?;
    let mut recording = recording::read_recording(&sources).map_err(|problem| {
        let hint = problem.hint();
        Failure::usage_error(anyhow!(problem), hint)
    })?;
    recording.steps = recorded.steps.unwrap_or(recording.steps);
    let (_, matrix, step) = design::step_as_data(scenario)?;
    if let Some(beyond) = recording.calls.iter().find(|call| call.rank.0 >= matrix.rank_count()) {
        let error = anyhow!(
            "the recording has GPU {}, and the layout has {}",
            beyond.rank.0,
            matrix.rank_count()
        );
        return Err(Failure::usage_error(error, "the spec has to be that of the recorded job"));
    }
    let found = Difference::new(&recording, &step, &matrix);
    let text = options
        .render_report(|look| report::render_difference(scenario.name.as_str(), &found, look))?;
    output::write_result(&text, options)?;
    match recorded.within {
        Some(within) if !found.is_within(within / 100.0) => {
            Err(Failure::Breached(format!("`--within {within}`")))
        }
        _ => Ok(()),
    }
}

/// A call is named where none is shown.
pub(super) fn no_call() -> Failure {
    let error = anyhow!("`--call` names the one call of a connection matrix");
    Failure::usage_error(error, "add `--format htsim`, or leave it out")
}

/// A GPU that the layout does not have.
pub(super) fn no_such_gpu(rank: u32, traffic: &TrafficMatrix) -> Failure {
    let last = traffic.rank_count().saturating_sub(1);
    let error = anyhow!("GPU `{rank}` does not exist: they are counted from 0 to {last}");
    Failure::usage_error(error, "")
}
