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
    of: &Value,
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let at = JsonAt { file, place: "document" };
    if let Some(all) = of.as_array() {
        let numbered: Vec<(usize, Value)> =
            all.iter().cloned().enumerate().map(|(at, of)| (at + 1, of)).collect();
        return read_line_calls(file, &numbered);
    }
    if of.get("ranks").and_then(Value::as_array).is_some_and(|of| of.iter().all(Value::is_number)) {
        return read_line_calls(file, &[(1, of.clone())]);
    }
    let mut calls = Vec::new();
    for (place, rank) in at.required_list(of, "ranks")?.iter().enumerate() {
        let place = format!("`ranks[{place}]`");
        let at = JsonAt { file, place: &place };
        let own = at.required_rank(rank, "rank")?;
        for (number, of) in at.required_list(rank, "calls")?.iter().enumerate() {
            let place = format!("call {number} of rank {}", own.0);
            calls.extend(read_call(JsonAt { file, place: &place }, own, of)?);
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
    for (line, of) in lines {
        let place = format!("line {line}");
        let at = JsonAt { file, place: &place };
        calls.extend(read_call(at, at.required_rank(of, "rank")?, of)?);
    }
    Ok(calls)
}

/// One call; nothing where the rank only receives.
fn read_call(
    at: JsonAt<'_>,
    rank: Rank,
    of: &Value,
) -> Result<Option<RecordedCall>, RecordingProblem> {
    let op = at.required_text(of, "op")?;
    let (operation, by_name) = match parse_operation(op) {
        NamedOperation::Operation(operation, cause) => (operation, cause),
        NamedOperation::Silent => return Ok(None),
        NamedOperation::Unknown => {
            return Err(at.call_problem(format!("`op` is `{op}`, which is not known")));
        }
    };
    let path = of.get("where").and_then(Value::as_str).unwrap_or_default();
    let times = if of.get("calls").is_some() { at.required_count(of, "calls")? } else { 1 };
    Ok(Some(RecordedCall {
        rank,
        operation,
        members: known_ranks(at.required_list(of, "ranks")?),
        payload: at.required_count(of, "bytes")?.into(),
        times,
        splits: of
            .get("extra")
            .and_then(Value::as_array)
            .map_or_else(Vec::new, |of| whole_numbers(of)),
        cause: by_name.or_else(|| cause_from_path(path)),
        flows: None,
    }))
}
