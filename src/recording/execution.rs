//! Execution traces of PyTorch (Chakra's host traces: JSON of schema `1.…-chakra.0.0.4`, a file for each
//! rank). Nodes of collectives have their tensors, group and operation where NCCL is the back end.

use std::collections::BTreeMap;

use serde_json::Value;

use super::json::{JsonAt, known_ranks, schema_name, whole_numbers};
use super::paths::{NamedOperation, parse_operation};
use super::problem::RecordingProblem;
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::Operation;

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

/// Bytes of all tensors of a list, however deep: `[id, storage, offset, elements, width, device]` each.
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
