//! Calls one by one as JSON: an object on each line, or the ranks of a document with the calls of
//! each. `op` is a name of torch.distributed, `bytes` the payload of this rank, `ranks` its group in
//! order (of a send the sender and the receiver), `calls` how often, `extra` the splits of an
//! all-to-all, `where` the call path.

use serde_json::Value;

use super::json::{JsonAt, known_ranks, whole_numbers};
use super::paths::{NamedOperation, cause_from_path, parse_operation};
use super::problem::RecordingProblem;
use crate::ledger::RecordedCall;
use crate::parallel::Rank;

/// The calls of a document with `ranks`, or of a list of calls.
pub(super) fn read_document_calls(
    file: &str,
    value: &Value,
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let at = JsonAt { file, place: "document" };
    if let Some(all) = value.as_array() {
        let numbered: Vec<(usize, Value)> =
            all.iter().cloned().enumerate().map(|(at, value)| (at + 1, value)).collect();
        return read_line_calls(file, &numbered);
    }
    if value
        .get("ranks")
        .and_then(Value::as_array)
        .is_some_and(|values| values.iter().all(Value::is_number))
    {
        return read_line_calls(file, &[(1, value.clone())]);
    }
    let mut calls = Vec::new();
    for (place, rank) in at.required_list(value, "ranks")?.iter().enumerate() {
        let place = format!("`ranks[{place}]`");
        let at = JsonAt { file, place: &place };
        let own = at.required_rank(rank, "rank")?;
        for (number, value) in at.required_list(rank, "calls")?.iter().enumerate() {
            let place = format!("call {number} of rank {}", own.0);
            calls.extend(read_call(JsonAt { file, place: &place }, own, value)?);
        }
    }
    Ok(calls)
}

/// One call a line, each with its rank.
pub(super) fn read_line_calls(
    file: &str,
    lines: &[(usize, Value)],
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let mut calls = Vec::new();
    for (line, value) in lines {
        let place = format!("line {line}");
        let at = JsonAt { file, place: &place };
        calls.extend(read_call(at, at.required_rank(value, "rank")?, value)?);
    }
    Ok(calls)
}

/// One call; nothing where the rank only receives.
fn read_call(
    at: JsonAt<'_>,
    rank: Rank,
    value: &Value,
) -> Result<Option<RecordedCall>, RecordingProblem> {
    let op = at.required_text(value, "op")?;
    let (operation, by_name) = match parse_operation(op) {
        NamedOperation::Operation(operation, cause) => (operation, cause),
        NamedOperation::Silent => return Ok(None),
        NamedOperation::Unknown => {
            return Err(at.call_problem(format!("`op` is `{op}`, which is not known")));
        }
    };
    let path = value.get("where").and_then(Value::as_str).unwrap_or_default();
    let times = if value.get("calls").is_some() { at.required_count(value, "calls")? } else { 1 };
    Ok(Some(RecordedCall {
        rank,
        operation,
        members: known_ranks(at.required_list(value, "ranks")?),
        payload: at.required_count(value, "bytes")?.into(),
        times,
        splits: value
            .get("extra")
            .and_then(Value::as_array)
            .map_or_else(Vec::new, |values| whole_numbers(values)),
        cause: by_name.or_else(|| cause_from_path(path)),
        flows: None,
    }))
}
