//! Reads traces of the PyTorch profiler and of its execution.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::call_list::{
    JsonAt, NamedOperation, known_ranks, parse_operation, schema_name, whole_numbers,
};
use super::problem::RecordingProblem;
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::Operation;

/// The event on the host that names a collective; the kernel that carries it has the same
/// arguments.
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

/// Node of a call, and of the groups of the process.
const CALL: &str = "record_param_comms";
const GROUPS: &str = "## process_group:init ##";

/// Groups by name, and by the number that older traces name them by.
type Groups = BTreeMap<String, Vec<Rank>>;

/// A call as its node has it: group, own place in it or that of a message's receiver, operation.
struct ExecutionCall<'a> {
    at: usize,
    values: &'a [Value],
    operation: Operation,
    cause: Option<RecordedCause>,
    members: Vec<Rank>,
    place: u64,
}

/// True where a document is one.
pub(super) fn is_one(value: &Value) -> bool {
    schema_name(value).is_some_and(|text| text.contains("chakra")) && value.get("nodes").is_some()
}

/// The calls of one rank.
pub(super) fn read_execution_calls(
    file: &str,
    value: &Value,
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let nodes = JsonAt { file, place: "document" }.required_list(value, "nodes")?;
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let mut groups = Groups::new();
    for node in nodes.iter().filter(|value| name(value).as_deref() == Some(GROUPS)) {
        named_groups(node, &mut groups);
    }
    let mut found = Vec::new();
    for (number, node) in
        nodes.iter().enumerate().filter(|(_, value)| name(value).as_deref() == Some(CALL))
    {
        let place = format!("node {number}");
        found.extend(
            read_node_call(JsonAt { file, place: &place }, node, &groups)?.map(|call| (node, call)),
        );
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    // A message names its receiver, so that only collectives say who this is.
    let of_all = found.iter().find(|(_, call)| call.operation != Operation::Send);
    let own =
        of_all.and_then(|(_, call)| call.members.get(usize::try_from(call.place).ok()?).copied());
    let unknown =
        || JsonAt { file, place: "document" }.call_problem("no collective says which rank it is");
    let own = own.ok_or_else(unknown)?;
    Ok(found.into_iter().map(|(node, call)| call.into_recorded_call(own, node)).collect())
}

/// The groups that a node lists: those without ranks are of as many as they say, from 0.
fn named_groups(node: &Value, groups: &mut Groups) {
    let text = node.pointer("/inputs/values/0").and_then(Value::as_str).unwrap_or_default();
    let Ok(Value::Array(all)) = serde_json::from_str::<Value>(text) else { return };
    for value in &all {
        let listed = value
            .get("ranks")
            .and_then(Value::as_array)
            .map_or_else(Vec::new, |values| known_ranks(values));
        let size = value.get("group_size").and_then(Value::as_u64).unwrap_or(0);
        let members = match u32::try_from(size) {
            Ok(size) if listed.is_empty() => (0..size).map(Rank).collect(),
            _ => listed,
        };
        for key in ["pg_name", "backend_id"] {
            if let Some(name) = value.get(key).and_then(name_or_number) {
                groups.insert(name, members.clone());
            }
        }
    }
}

/// A name that is a text or a number.
fn name_or_number(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|count| count.to_string()))
}

/// What a node says; nothing where the rank sends nothing in it.
fn read_node_call<'a>(
    at: JsonAt<'_>,
    node: &'a Value,
    groups: &Groups,
) -> Result<Option<ExecutionCall<'a>>, RecordingProblem> {
    let inputs = node.get("inputs").unwrap_or(&Value::Null);
    let (values, types) = (at.required_list(inputs, "values")?, at.required_list(inputs, "types")?);
    let place = types.iter().position(|value| value == "String");
    let place = place.filter(|place| (2..values.len()).contains(place));
    let place = place.ok_or_else(|| at.call_problem("the call has no group and operation"))?;
    let name = values[place].as_str().unwrap_or_default();
    let (operation, cause) = match parse_operation(name) {
        NamedOperation::Operation(operation, cause) => (operation, cause),
        NamedOperation::Silent => return Ok(None),
        NamedOperation::Unknown => return Err(at.call_problem(format!("`{name}` is not known"))),
    };
    let group = &values[place - 2];
    let group = group.as_array().and_then(|figures| figures.first()).unwrap_or(group);
    let group = name_or_number(group).unwrap_or_default();
    let members = groups.get(&group).cloned().or_else(|| strided_group(&values[place + 1..]));
    let members =
        members.ok_or_else(|| at.call_problem(format!("nothing has the ranks of `{group}`")))?;
    let own = values[place - 1].as_u64();
    let own = own.ok_or_else(|| at.call_problem("the place in the group is no whole number"))?;
    Ok(Some(ExecutionCall { at: place, values, operation, cause, members, place: own }))
}

/// A group by its first rank, stride and size, which stand behind the splits in newer traces.
fn strided_group(after: &[Value]) -> Option<Vec<Rank>> {
    let number = |at: usize| after.get(at).and_then(Value::as_u64);
    let (first, stride, size) = (number(2)?, number(3)?, number(4)?);
    let rank = |at: u64| u32::try_from(first.checked_add(at.checked_mul(stride)?)?).ok().map(Rank);
    (0..size).map(rank).collect()
}

/// Bytes of all tensors of a list, however deep: `[id, storage, offset, elements, width, device]`
/// each.
fn tensor_bytes(value: &Value) -> u128 {
    let Some(list) = value.as_array() else { return 0 };
    match list.as_slice() {
        [_, _, _, Value::Number(elements), Value::Number(width), Value::String(_)] => {
            u128::from(elements.as_u64().unwrap_or(0)) * u128::from(width.as_u64().unwrap_or(0))
        }
        _ => list.iter().map(tensor_bytes).sum(),
    }
}

impl ExecutionCall<'_> {
    fn into_recorded_call(self, own: Rank, node: &Value) -> RecordedCall {
        let side = if self.operation == Operation::AllGather { "outputs" } else { "inputs" };
        let payload = node.pointer(&format!("/{side}/values")).map_or(0, tensor_bytes);
        let members = match self.operation {
            Operation::Send if self.cause.is_some() => vec![own],
            Operation::Send => {
                let to = usize::try_from(self.place).ok().and_then(|at| self.members.get(at));
                [own].into_iter().chain(to.copied()).collect()
            }
            _ => self.members,
        };
        let splits = self.values.get(self.at + 1).and_then(Value::as_array);
        RecordedCall {
            rank: own,
            operation: self.operation,
            members,
            payload,
            times: 1,
            splits: splits.map_or_else(Vec::new, |values| whole_numbers(values)),
            cause: self.cause,
            flows: None,
        }
    }
}
