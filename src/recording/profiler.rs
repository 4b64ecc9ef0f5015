//! Traces of PyTorch's profiler (Chrome JSON, one for each rank): events of collectives carry the
//! group, the elements and the number format where NCCL is the back end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::json::{JsonAt, known_ranks, whole_numbers};
use super::paths::{NamedOperation, parse_operation};
use super::problem::RecordingProblem;
use crate::ledger::RecordedCall;
use crate::parallel::Rank;
use crate::step::Operation;

/// The event on the host that names a collective; the kernel that carries it has the same arguments.
const ON_HOST: &str = "record_param_comms";
/// How the events of steps begin.
const STEP: &str = "ProfilerStep#";

/// The trace of one rank.
pub(super) struct Trace<'a> {
    file: &'a str,
    rank: Rank,
    events: &'a [Value],
    groups: BTreeMap<String, Vec<Rank>>,
}

impl<'a> Trace<'a> {
    /// A trace with its rank and groups.
    pub(super) fn new(file: &'a str, value: &'a Value) -> Result<Self, RecordingProblem> {
        let at = JsonAt { file, place: "`distributedInfo`" };
        let info = value.get("distributedInfo").unwrap_or(&Value::Null);
        let rank = at.required_rank(info, "rank")?;
        let mut groups = BTreeMap::new();
        for group in info.get("pg_config").and_then(Value::as_array).into_iter().flatten() {
            if let (Some(name), Some(list)) =
                (group.get("pg_name").and_then(Value::as_str), group.get("ranks"))
            {
                groups.insert(name.to_owned(), listed_ranks(list));
            }
        }
        Ok(Self { file, rank, events: at.required_list(value, "traceEvents")?, groups })
    }

    /// Steps that the trace marks; 0 where it marks none.
    pub(super) fn step_count(&self) -> u64 {
        let names = self.events.iter().filter_map(|value| value.get("name")?.as_str());
        names.filter(|name| name.starts_with(STEP)).collect::<BTreeSet<_>>().len() as u64
    }

    /// Its calls: by the host's events, or by the kernels' where it has no others.
    pub(super) fn read_calls(&self) -> Result<Vec<RecordedCall>, RecordingProblem> {
        let of_host = |value: &&Value| value.get("name").and_then(Value::as_str) == Some(ON_HOST);
        let named = |value: &&Value| value.pointer("/args/Collective name").is_some();
        let all = || self.events.iter().filter(named);
        let host = all().any(|value| of_host(&value));
        let mut calls = Vec::new();
        for (place, event) in all().filter(|value| !host || of_host(value)).enumerate() {
            let place = format!("collective {place}");
            calls.extend(
                self.read_call_event(JsonAt { file: self.file, place: &place }, &event["args"])?,
            );
        }
        Ok(calls)
    }

    fn read_call_event(
        &self,
        at: JsonAt<'_>,
        value: &Value,
    ) -> Result<Option<RecordedCall>, RecordingProblem> {
        let name = at.required_text(value, "Collective name")?;
        let NamedOperation::Operation(operation, cause) = parse_operation(name) else {
            return Ok(None);
        };
        let width = dtype_bytes(at.required_text(value, "dtype")?).ok_or_else(|| {
            at.call_problem(format!("`dtype` is {}, which is not known", value["dtype"]))
        })?;
        // A rank gathers what comes out, and all else is as large as what goes in.
        let side =
            if operation == Operation::AllGather { "Out msg nelems" } else { "In msg nelems" };
        let mut members = self.call_members(at, value)?;
        if operation == Operation::Send {
            let to = value.get("Dst Rank").and_then(Value::as_u64).and_then(|to| {
                let global = u32::try_from(to).ok().map(Rank);
                members.get(to as usize).copied().or(global)
            });
            members = [Some(self.rank), to].into_iter().flatten().collect();
        }
        Ok(Some(RecordedCall {
            rank: self.rank,
            operation,
            members,
            payload: u128::from(at.required_count(value, side)?) * u128::from(width),
            times: 1,
            splits: value
                .get("In split size")
                .map_or_else(Vec::new, |value| whole_numbers(&parse_list(value))),
            cause,
            flows: None,
        }))
    }

    /// The group of a call: by its name, by what the event lists, or from first member and stride
    /// where the list is cut.
    fn call_members(&self, at: JsonAt<'_>, value: &Value) -> Result<Vec<Rank>, RecordingProblem> {
        let name = value.get("Process Group Name").and_then(Value::as_str).unwrap_or_default();
        let size = at.required_count(value, "Group size")?;
        let whole = |ranks: &Vec<Rank>| ranks.len() as u64 == size;
        if let Some(known) = self.groups.get(name).filter(|ranks| whole(ranks)) {
            return Ok(known.clone());
        }
        if let Some(all) = value.get("Process Group Ranks").map(listed_ranks).filter(whole) {
            return Ok(all);
        }
        let (first, stride) = (
            at.required_count(value, "Global rank start")?,
            at.required_count(value, "Global rank stride")?,
        );
        let rank = |place: u64| u32::try_from(first.checked_add(place.checked_mul(stride)?)?).ok();
        let all: Option<Vec<Rank>> = (0..size).map(|place| rank(place).map(Rank)).collect();
        all.ok_or_else(|| at.call_problem("`Global rank start` and `stride` are no ranks"))
    }
}

/// A list that is one, or stands in a text.
fn parse_list(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list.clone(),
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn listed_ranks(value: &Value) -> Vec<Rank> {
    known_ranks(&parse_list(value))
}

/// Bytes of an element, by PyTorch's names.
fn dtype_bytes(dtype: &str) -> Option<u64> {
    let width = match dtype {
        "Double" | "Long" => 8,
        "Float" | "Int" => 4,
        "Half" | "BFloat16" | "Short" => 2,
        "Byte" | "Char" | "Bool" => 1,
        name if name.starts_with("Float8") => 1,
        _ => return None,
    };
    Some(width)
}
