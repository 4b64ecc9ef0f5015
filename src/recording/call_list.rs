//! Calls as JSON objects; JSON helpers; names of operations.
//!
//! Calls one by one as JSON: an object on each line, or the ranks of a document with the calls of
//! each. `op` is a name of torch.distributed, `bytes` the payload of this rank, `ranks` its group
//! in order (of a send the sender and the receiver), `calls` how often, `extra` the splits of an
//! all-to-all, `where` the call path.

use serde_json::Value;

use super::problem::RecordingProblem;
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::{Operation, TrafficKind};

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

/// Where a value stands, for complaints.
#[derive(Clone, Copy)]
pub(super) struct JsonAt<'a> {
    pub(super) file: &'a str,
    pub(super) place: &'a str,
}

impl JsonAt<'_> {
    pub(super) fn call_problem(self, reason: impl Into<String>) -> RecordingProblem {
        RecordingProblem::Call {
            file: self.file.to_owned(),
            place: self.place.to_owned(),
            reason: reason.into(),
        }
    }

    /// A whole number that has to be there.
    pub(super) fn required_count(self, value: &Value, key: &str) -> Result<u64, RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no whole number"));
        value.get(key).and_then(Value::as_u64).ok_or_else(missing)
    }

    /// A rank that has to be there.
    pub(super) fn required_rank(self, value: &Value, key: &str) -> Result<Rank, RecordingProblem> {
        let count = self.required_count(value, key)?;
        let beyond = || self.call_problem(format!("`{key}` is {count}, which is no rank"));
        u32::try_from(count).map(Rank).map_err(|_| beyond())
    }

    /// A text that has to be there.
    pub(super) fn required_text<'b>(
        self,
        value: &'b Value,
        key: &str,
    ) -> Result<&'b str, RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no text"));
        value.get(key).and_then(Value::as_str).ok_or_else(missing)
    }

    /// A list that has to be there.
    pub(super) fn required_list<'b>(
        self,
        value: &'b Value,
        key: &str,
    ) -> Result<&'b [Value], RecordingProblem> {
        let missing = || self.call_problem(format!("`{key}` is no list"));
        value.get(key).and_then(Value::as_array).map(Vec::as_slice).ok_or_else(missing)
    }
}

/// The schema that a document names.
pub(super) fn schema_name(value: &Value) -> Option<&str> {
    value.get("schema").and_then(Value::as_str)
}

/// Whole numbers of a list; others are left out.
pub(super) fn whole_numbers(values: &[Value]) -> Vec<u64> {
    values.iter().filter_map(Value::as_u64).collect()
}

/// Ranks of a list; `null`, an unknown receiver, is left out.
pub(super) fn known_ranks(values: &[Value]) -> Vec<Rank> {
    let rank = |number: u64| u32::try_from(number).ok().map(Rank);
    whole_numbers(values).into_iter().filter_map(rank).collect()
}

/// Left out by name: what is no traffic of a step that anything is sized for.
pub(super) const BROADCAST: &str = "broadcasts";

/// Operations by how their names begin in torch.distributed, its profiler and NCCL, in lower case
/// and without underscores; longer beginnings first.
const OPERATIONS: [(&str, Operation); 6] = [
    ("allreduce", Operation::AllReduce),
    ("reducescatter", Operation::ReduceScatter),
    ("allgather", Operation::AllGather),
    ("alltoall", Operation::AllToAll),
    ("isend", Operation::Send),
    ("send", Operation::Send),
];

/// Operations that move nothing, or that the caller only receives in.
const SILENT: [&str; 4] = ["irecv", "recv", "barrier", "wait"];

/// What a call path says, by a part of it: functions of Megatron-Core (0.16) and PyTorch.
const PATHS: [(&str, RecordedCause); 9] = [
    ("clip_grads", RecordedCause::LeftOut("norm of all gradients")),
    ("_allreduce_non_tensor_model_parallel_grads", RecordedCause::Replicated),
    ("TokenDispatcher.preprocess", RecordedCause::LeftOut("counts of tokens")),
    ("_allreduce_word_embedding_grads", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("embedding_grad", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("P2PCommunicator", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("start_grad_sync", RecordedCause::Kind(TrafficKind::Data)),
    ("start_param_sync", RecordedCause::Kind(TrafficKind::Data)),
    ("_fsdp_collectives", RecordedCause::Kind(TrafficKind::Data)),
];

/// What an operation of that name is.
pub(super) enum NamedOperation {
    /// One that moves payload, with the reason where the name is one.
    Operation(Operation, Option<RecordedCause>),
    /// One in which the caller sends nothing.
    Silent,
    /// One that nothing is known of.
    Unknown,
}

/// What an operation of that name is.
pub(super) fn parse_operation(name: &str) -> NamedOperation {
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphabetic()).map(|c| c.to_ascii_lowercase()).collect();
    let plain = plain.strip_prefix("nccl").unwrap_or(&plain);
    if SILENT.iter().any(|silent| plain.starts_with(silent)) {
        return NamedOperation::Silent;
    }
    if let Some((_, operation)) = OPERATIONS.iter().find(|(begin, _)| plain.starts_with(begin)) {
        return NamedOperation::Operation(*operation, None);
    }
    if plain.starts_with("broadcast") {
        return NamedOperation::Operation(Operation::Send, Some(RecordedCause::LeftOut(BROADCAST)));
    }
    NamedOperation::Unknown
}

/// What a call path says of the reason of a call; nothing where no part of it is known.
fn cause_from_path(path: &str) -> Option<RecordedCause> {
    PATHS.iter().find(|(part, _)| path.contains(part)).map(|(_, cause)| cause.clone())
}
