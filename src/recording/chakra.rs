//! Reads Chakra traces, which are protocol buffers.

use std::collections::BTreeMap;

use prost::Message as _;
use serde_json::Value;

use super::call_list::{BROADCAST, JsonAt, known_ranks};
use super::problem::{RecordingFile, RecordingProblem};
use crate::ledger::chakra_trace::{
    AttributeValue, TraceNode, collective_kind, node_kind, split_messages,
};
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::Operation;

/// Attributes of a node by name: numbers and texts.
struct Attributes<'a> {
    numbers: BTreeMap<&'a str, u64>,
    texts: BTreeMap<&'a str, &'a str>,
}

/// The groups of a file that has nothing else: an object of lists of ranks.
pub(super) fn read_chakra_groups(value: &Value) -> Option<BTreeMap<String, Vec<Rank>>> {
    let lists = value.as_object().filter(|table| !table.is_empty())?;
    lists
        .iter()
        .map(|(name, value)| {
            let values = value.as_array().filter(|values| values.iter().all(Value::is_u64))?;
            name.parse::<u64>().ok().map(|_| (name.clone(), known_ranks(values)))
        })
        .collect()
}

/// The calls of all ranks that have a trace. A node without a group is of all ranks that some group
/// names, where there is no group of all that have a trace.
pub(super) fn read_chakra_calls(
    traces: &[&RecordingFile],
    groups: &BTreeMap<String, Vec<Rank>>,
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let ranks: Vec<Rank> =
        traces.iter().map(|file| rank_of(&file.name)).collect::<Result<_, _>>()?;
    let mut world: Vec<Rank> = groups.values().flatten().copied().collect();
    if world.is_empty() {
        world.extend(&ranks);
    }
    world.sort_unstable();
    world.dedup();
    let among = GroupMembership { groups, world: &world };
    let mut calls = Vec::new();
    for (file, rank) in traces.iter().zip(ranks) {
        calls.extend(calls_of_rank(&file.name, &file.bytes, rank, among)?);
    }
    Ok(calls)
}

/// Who may take part in a call: groups by name, and all.
#[derive(Clone, Copy)]
struct GroupMembership<'a> {
    groups: &'a BTreeMap<String, Vec<Rank>>,
    world: &'a [Rank],
}

/// The rank that the name of a file ends with: `PREFIX.RANK.et`.
fn rank_of(file: &str) -> Result<Rank, RecordingProblem> {
    let stem = file.strip_suffix(".et").unwrap_or(file);
    let rank = stem.rsplit('.').next().and_then(|text| text.parse().ok()).map(Rank);
    let wrong =
        || JsonAt { file, place: "name" }.call_problem("a Chakra trace is named `PREFIX.RANK.et`");
    rank.ok_or_else(wrong)
}

fn calls_of_rank(
    file: &str,
    bytes: &[u8],
    rank: Rank,
    among: GroupMembership<'_>,
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let broken = |place: &str| JsonAt { file, place }.call_problem("no message of a Chakra trace");
    let all = split_messages(bytes).ok_or_else(|| broken("end"))?;
    let mut calls = Vec::new();
    // The first message says which schema it is.
    for (number, message) in all.iter().enumerate().skip(1) {
        let place = format!("node {number}");
        let at = JsonAt { file, place: &place };
        let node = TraceNode::decode(*message).map_err(|_| broken(&place))?;
        let attributes = Attributes::from_node(&node);
        match node.kind {
            Some(node_kind::SEND) => calls.push(attributes.read_send(at, rank)?),
            // The host's part of a call that has a node of its own.
            Some(node_kind::COLLECTIVE) if attributes.is_of_host() => {}
            Some(node_kind::COLLECTIVE) => {
                calls.extend(attributes.read_collective(at, rank, among, &node.name)?);
            }
            _ => {}
        }
    }
    Ok(calls)
}

impl<'a> Attributes<'a> {
    fn from_node(node: &'a TraceNode) -> Self {
        let mut all = Self { numbers: BTreeMap::new(), texts: BTreeMap::new() };
        for attribute in &node.attributes {
            let number = match attribute.value.as_ref() {
                Some(AttributeValue::Int32(number)) => *number as u64,
                Some(AttributeValue::Int64(number)) => *number as u64,
                Some(AttributeValue::Uint32(number)) => (*number).into(),
                Some(AttributeValue::Uint64(number)) => *number,
                Some(AttributeValue::Flag(flag)) => (*flag).into(),
                Some(AttributeValue::Text(text)) => {
                    all.texts.insert(&attribute.name, text);
                    continue;
                }
                None => continue,
            };
            all.numbers.insert(&attribute.name, number);
        }
        all
    }

    fn read_number(&self, at: JsonAt<'_>, name: &str) -> Result<u64, RecordingProblem> {
        let missing = || at.call_problem(format!("the node has no `{name}`"));
        self.numbers.get(name).copied().ok_or_else(missing)
    }

    /// True of nodes of the host, which Chakra's converter takes for collectives too, without a
    /// size.
    fn is_of_host(&self) -> bool {
        self.numbers.get("is_cpu_op") == Some(&1) && !self.numbers.contains_key("comm_type")
    }

    fn read_send(&self, at: JsonAt<'_>, rank: Rank) -> Result<RecordedCall, RecordingProblem> {
        let to = self.read_number(at, "comm_dst")?;
        let to = u32::try_from(to).map_err(|_| at.call_problem("`comm_dst` is no rank"))?;
        Ok(Self::build_call(
            rank,
            Operation::Send,
            vec![rank, Rank(to)],
            self.read_number(at, "comm_size")?,
        ))
    }

    /// The size of an all-gather is that of a member's share, of all others that of the vector.
    fn read_collective(
        &self,
        at: JsonAt<'_>,
        rank: Rank,
        among: GroupMembership<'_>,
        name: &str,
    ) -> Result<Option<RecordedCall>, RecordingProblem> {
        let size = self.read_number(at, "comm_size");
        let operation = match self.read_number(at, "comm_type")? {
            collective_kind::BARRIER => return Ok(None),
            collective_kind::BROADCAST => {
                let call = Self::build_call(rank, Operation::Send, vec![rank], size?);
                return Ok(Some(RecordedCall {
                    cause: Some(RecordedCause::LeftOut(BROADCAST)),
                    ..call
                }));
            }
            collective_kind::ALL_REDUCE => Operation::AllReduce,
            collective_kind::ALL_GATHER => Operation::AllGather,
            collective_kind::ALL_TO_ALL => Operation::AllToAll,
            collective_kind::REDUCE_SCATTER => Operation::ReduceScatter,
            other => {
                let text = format!("`comm_type` of `{name}` is {other}, which is not known");
                return Err(at.call_problem(text));
            }
        };
        let members = match self.texts.get("pg_name") {
            Some(group) => among.groups.get(*group).cloned().ok_or_else(|| {
                at.call_problem(format!(
                    "no file has the ranks of group `{group}`: give its JSON too"
                ))
            })?,
            None if among.world.len() > 1 => among.world.to_vec(),
            None => {
                return Err(at.call_problem(
                    "the node names no group: give the traces of all ranks, or a JSON of their \
                     groups",
                ));
            }
        };
        let times = if operation == Operation::AllGather { members.len() as u64 } else { 1 };
        Ok(Some(Self::build_call(rank, operation, members, size?.saturating_mul(times))))
    }

    fn build_call(
        rank: Rank,
        operation: Operation,
        members: Vec<Rank>,
        payload: u64,
    ) -> RecordedCall {
        RecordedCall {
            rank,
            operation,
            members,
            payload: payload.into(),
            times: 1,
            splits: Vec::new(),
            cause: None,
            flows: None,
        }
    }
}
