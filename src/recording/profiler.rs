//! Traces of PyTorch's profiler (Chrome JSON, one for each rank): events of collectives carry the
//! group, the elements and the number format where NCCL is the back end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::json::{JsonAt, numbers, ranks};
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
    pub(super) fn new(file: &'a str, of: &'a Value) -> Result<Self, RecordingProblem> {
        let at = JsonAt { file, place: "`distributedInfo`" };
        let info = of.get("distributedInfo").unwrap_or(&Value::Null);
        let rank = at.rank(info, "rank")?;
        let mut groups = BTreeMap::new();
        for group in info.get("pg_config").and_then(Value::as_array).into_iter().flatten() {
            if let (Some(name), Some(list)) =
                (group.get("pg_name").and_then(Value::as_str), group.get("ranks"))
            {
                groups.insert(name.to_owned(), listed(list));
            }
        }
        Ok(Self { file, rank, events: at.list(of, "traceEvents")?, groups })
    }

    /// Steps that the trace marks; 0 where it marks none.
    pub(super) fn steps(&self) -> u64 {
        let names = self.events.iter().filter_map(|of| of.get("name")?.as_str());
        names.filter(|name| name.starts_with(STEP)).collect::<BTreeSet<_>>().len() as u64
    }

    /// Its calls: by the host's events, or by the kernels' where it has no others.
    pub(super) fn calls(&self) -> Result<Vec<RecordedCall>, RecordingProblem> {
        let of_host = |of: &&Value| of.get("name").and_then(Value::as_str) == Some(ON_HOST);
        let named = |of: &&Value| of.pointer("/args/Collective name").is_some();
        let all = || self.events.iter().filter(named);
        let host = all().any(|of| of_host(&of));
        let mut calls = Vec::new();
        for (place, event) in all().filter(|of| !host || of_host(of)).enumerate() {
            let place = format!("collective {place}");
            calls.extend(self.call(JsonAt { file: self.file, place: &place }, &event["args"])?);
        }
        Ok(calls)
    }

    fn call(&self, at: JsonAt<'_>, of: &Value) -> Result<Option<RecordedCall>, RecordingProblem> {
        let name = at.text(of, "Collective name")?;
        let NamedOperation::Operation(operation, cause) = parse_operation(name) else {
            return Ok(None);
        };
        let width = width(at.text(of, "dtype")?)
            .ok_or_else(|| at.problem(format!("`dtype` is {}, which is not known", of["dtype"])))?;
        // A rank gathers what comes out, and all else is as large as what goes in.
        let side =
            if operation == Operation::AllGather { "Out msg nelems" } else { "In msg nelems" };
        let mut members = self.members(at, of)?;
        if operation == Operation::Send {
            let to = of.get("Dst Rank").and_then(Value::as_u64).and_then(|to| {
                let global = u32::try_from(to).ok().map(Rank);
                members.get(to as usize).copied().or(global)
            });
            members = [Some(self.rank), to].into_iter().flatten().collect();
        }
        Ok(Some(RecordedCall {
            rank: self.rank,
            operation,
            members,
            payload: u128::from(at.count(of, side)?) * u128::from(width),
            times: 1,
            splits: of.get("In split size").map_or_else(Vec::new, |of| numbers(&list(of))),
            cause,
            flows: None,
        }))
    }

    /// The group of a call: by its name, by what the event lists, or from first member and stride
    /// where the list is cut.
    fn members(&self, at: JsonAt<'_>, of: &Value) -> Result<Vec<Rank>, RecordingProblem> {
        let name = of.get("Process Group Name").and_then(Value::as_str).unwrap_or_default();
        let size = at.count(of, "Group size")?;
        let whole = |of: &Vec<Rank>| of.len() as u64 == size;
        if let Some(known) = self.groups.get(name).filter(|of| whole(of)) {
            return Ok(known.clone());
        }
        if let Some(all) = of.get("Process Group Ranks").map(listed).filter(whole) {
            return Ok(all);
        }
        let (first, stride) =
            (at.count(of, "Global rank start")?, at.count(of, "Global rank stride")?);
        let rank = |place: u64| u32::try_from(first.checked_add(place.checked_mul(stride)?)?).ok();
        let all: Option<Vec<Rank>> = (0..size).map(|place| rank(place).map(Rank)).collect();
        all.ok_or_else(|| at.problem("`Global rank start` and `stride` are no ranks"))
    }
}

/// A list that is one, or stands in a text.
fn list(of: &Value) -> Vec<Value> {
    match of {
        Value::Array(list) => list.clone(),
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn listed(of: &Value) -> Vec<Rank> {
    ranks(&list(of))
}

/// Bytes of an element, by PyTorch's names.
fn width(dtype: &str) -> Option<u64> {
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
