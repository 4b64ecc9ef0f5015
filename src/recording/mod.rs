//! From what a real job wrote down to the calls that it made: ledgers and lists of calls as JSON,
//! traces of PyTorch's profiler, execution traces of Chakra and PyTorch, debug logs of NCCL. Opens
//! no file and holds nothing against a prediction.

mod call_list;
mod chakra;
mod nccl_log;
mod planner_ledger;
mod problem;
mod pytorch;
pub mod steps;

pub use problem::{LONGEST_BYTES, RecordingFile, RecordingProblem};

use std::collections::BTreeMap;

use serde_json::Value;

use super::ledger::{RecordedCall, Recording};
use super::parallel::Rank;

/// What several files have together.
#[derive(Default)]
struct MergedCalls {
    calls: Vec<RecordedCall>,
    /// Steps that a file says it has.
    steps: u64,
    /// Groups by name, for traces that only name them.
    groups: BTreeMap<String, Vec<Rank>>,
}

/// The calls of one run from all its files, one for each rank or one for all.
///
/// # Errors
/// The first file that is none of the known formats, or has a call that can't be understood.
pub fn read_recording(sources: &[RecordingFile]) -> Result<Recording, RecordingProblem> {
    let mut read = MergedCalls::default();
    let mut logs = Vec::new();
    let mut traces = Vec::new();
    for source in sources {
        if source.bytes.len() > LONGEST_BYTES {
            return Err(RecordingProblem::TooLong { file: source.name.clone() });
        }
        let text = std::str::from_utf8(&source.bytes).ok();
        match text.map(|text| (text, text.trim_start().chars().next())) {
            Some((text, Some('{' | '['))) => as_json(&source.name, text, &mut read)?,
            Some((text, _)) if text.contains(nccl_log::MARK) => logs.push(text),
            _ if source.name.ends_with(".et") => traces.push(source),
            _ => return Err(RecordingProblem::Unknown { file: source.name.clone() }),
        }
    }
    if !logs.is_empty() {
        read.calls.extend(nccl_log::read_nccl_calls(&logs)?);
    }
    read.calls.extend(chakra::read_chakra_calls(&traces, &read.groups)?);
    if read.calls.is_empty() {
        return Err(RecordingProblem::Empty);
    }
    Ok(Recording { calls: read.calls, steps: read.steps.max(1) })
}

/// A file that is one JSON value, or one on each line.
fn as_json(name: &str, text: &str, read: &mut MergedCalls) -> Result<(), RecordingProblem> {
    let Ok(whole) = serde_json::from_str::<Value>(text) else {
        return read_json_lines(name, text, read);
    };
    if call_list::schema_name(&whole) == Some(planner_ledger::SCHEMA) {
        return read_json_lines(name, text, read); // a ledger without calls
    }
    if whole.get("traceEvents").is_some() {
        let trace = pytorch::Trace::new(name, &whole)?;
        read.calls.extend(trace.read_calls()?);
        read.steps = read.steps.max(trace.step_count());
    } else if pytorch::is_one(&whole) {
        read.calls.extend(pytorch::read_execution_calls(name, &whole)?);
    } else if let Some(groups) = chakra::read_chakra_groups(&whole) {
        read.groups.extend(groups);
    } else {
        read.calls.extend(call_list::read_document_calls(name, &whole)?);
    }
    Ok(())
}

fn read_json_lines(name: &str, text: &str, read: &mut MergedCalls) -> Result<(), RecordingProblem> {
    let mut values = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value =
            serde_json::from_str::<Value>(line).map_err(|error| RecordingProblem::Json {
                file: name.to_owned(),
                line: at + 1,
                reason: error.to_string(),
            })?;
        values.push((at + 1, value));
    }
    match values.split_first() {
        Some(((_, header), calls))
            if call_list::schema_name(header) == Some(planner_ledger::SCHEMA) =>
        {
            read.calls.extend(planner_ledger::read_ledger_calls(name, header, calls)?);
        }
        _ => read.calls.extend(call_list::read_line_calls(name, &values)?),
    }
    Ok(())
}
