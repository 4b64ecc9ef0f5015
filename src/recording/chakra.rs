//! Reads Chakra traces, which are protocol buffers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::call_list::{BROADCAST, JsonAt, known_ranks};
use super::problem::{RecordingFile, RecordingProblem};
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::Operation;

/// Numbers of fields, types and kinds in `et_def.proto`.
mod proto {
    pub(super) const NODE_NAME: u64 = 2;
    pub(super) const NODE_TYPE: u64 = 3;
    pub(super) const NODE_ATTR: u64 = 10;
    pub(super) const ATTR_NAME: u64 = 1;
    pub(super) const ATTR_TEXT: u64 = 29;
    pub(super) const SEND: u64 = 5;
    pub(super) const COLLECTIVE: u64 = 7;
    pub(super) const ALL_REDUCE: u64 = 0;
    pub(super) const ALL_GATHER: u64 = 2;
    pub(super) const BROADCAST: u64 = 5;
    pub(super) const ALL_TO_ALL: u64 = 6;
    pub(super) const REDUCE_SCATTER: u64 = 7;
    pub(super) const BARRIER: u64 = 9;
}

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
        let fields = read_fields(message).ok_or_else(|| broken(&place))?;
        let value =
            |wanted| fields.iter().find(|field| field.number == wanted).map(|field| field.value);
        let type_of = value(proto::NODE_TYPE).and_then(|wire_value| wire_value.as_number());
        let attributes = Attributes::from_node(&fields).ok_or_else(|| broken(&place))?;
        match type_of {
            Some(proto::SEND) => calls.push(attributes.read_send(at, rank)?),
            // The host's part of a call that has a node of its own.
            Some(proto::COLLECTIVE) if attributes.is_of_host() => {}
            Some(proto::COLLECTIVE) => {
                let name = value(proto::NODE_NAME)
                    .and_then(|wire_value| wire_value.as_bytes())
                    .unwrap_or_default();
                calls.extend(attributes.read_collective(
                    at,
                    rank,
                    among,
                    &String::from_utf8_lossy(name),
                )?);
            }
            _ => {}
        }
    }
    Ok(calls)
}

impl<'a> Attributes<'a> {
    /// The attributes of a node; `None` where one is no message.
    fn from_node(node: &[WireField<'a>]) -> Option<Self> {
        let mut all = Self { numbers: BTreeMap::new(), texts: BTreeMap::new() };
        for attribute in node.iter().filter(|wire_field| wire_field.number == proto::NODE_ATTR) {
            let fields = read_fields(attribute.value.as_bytes()?)?;
            let name = fields.iter().find(|wire_field| wire_field.number == proto::ATTR_NAME)?;
            let name = std::str::from_utf8(name.value.as_bytes()?).ok()?;
            for field in fields.iter().filter(|wire_field| wire_field.number != proto::ATTR_NAME) {
                if let Some(number) = field.value.as_number() {
                    all.numbers.insert(name, number);
                } else if field.number == proto::ATTR_TEXT {
                    let text = std::str::from_utf8(field.value.as_bytes()?).ok()?;
                    all.texts.insert(name, text);
                }
            }
        }
        Some(all)
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
            proto::BARRIER => return Ok(None),
            proto::BROADCAST => {
                let call = Self::build_call(rank, Operation::Send, vec![rank], size?);
                return Ok(Some(RecordedCall {
                    cause: Some(RecordedCause::LeftOut(BROADCAST)),
                    ..call
                }));
            }
            proto::ALL_REDUCE => Operation::AllReduce,
            proto::ALL_GATHER => Operation::AllGather,
            proto::ALL_TO_ALL => Operation::AllToAll,
            proto::REDUCE_SCATTER => Operation::ReduceScatter,
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
                    "the node names no group: give the traces of all ranks, or a JSON of their groups",
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

/// A field of a message: its number and what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WireField<'a> {
    pub(super) number: u64,
    pub(super) value: WireValue<'a>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WireValue<'a> {
    /// A varint: a whole number, a flag, an enum.
    Number(u64),
    /// A message, a text or a packed list.
    Bytes(&'a [u8]),
    /// A number of fixed width, which no trace needs.
    Other,
}

impl<'a> WireValue<'a> {
    /// The number, where it is one.
    const fn as_number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Bytes(_) | Self::Other => None,
        }
    }

    /// The bytes, where it has some.
    const fn as_bytes(self) -> Option<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Number(_) | Self::Other => None,
        }
    }
}

/// A varint at the front, and what follows it.
fn read_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f).checked_shl(7 * at as u32)?;
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

/// Messages that each stand behind their length; `None` where the bytes end in one.
fn split_messages(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = bytes;
    let mut messages = Vec::new();
    while !rest.is_empty() {
        let (message, after) = split_length_prefixed(rest)?;
        messages.push(message);
        rest = after;
    }
    Some(messages)
}

/// The fields of a message; `None` where it is none.
fn read_fields(message: &[u8]) -> Option<Vec<WireField<'_>>> {
    const VARINT: u64 = 0;
    const FIXED_64: u64 = 1;
    const COUNTED: u64 = 2;
    const FIXED_32: u64 = 5;
    let mut rest = message;
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let (tag, after) = read_varint(rest)?;
        let (value, after) = match tag & 7 {
            VARINT => {
                read_varint(after).map(|(number, after)| (WireValue::Number(number), after))?
            }
            FIXED_64 => (WireValue::Other, after.get(8..)?),
            COUNTED => split_length_prefixed(after)
                .map(|(bytes, after)| (WireValue::Bytes(bytes), after))?,
            FIXED_32 => (WireValue::Other, after.get(4..)?),
            _ => return None,
        };
        fields.push(WireField { number: tag >> 3, value });
        rest = after;
    }
    Some(fields)
}

/// Bytes behind their length, and what follows them.
fn split_length_prefixed(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = read_varint(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{WireField, WireValue, read_fields, read_varint, split_messages};

    #[test]
    fn the_examples_of_the_format_are_read() {
        // protobuf.dev, encoding: 150 in field 1; "testing" in field 2.
        assert_eq!(read_varint(&[0x96, 0x01, 7]), Some((150, &[7][..])));
        let number = WireField { number: 1, value: WireValue::Number(150) };
        assert_eq!(read_fields(&[0x08, 0x96, 0x01]), Some(vec![number]));
        let text = [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67];
        let testing = WireField { number: 2, value: WireValue::Bytes(b"testing") };
        assert_eq!(read_fields(&text), Some(vec![testing]));
        assert_eq!(split_messages(&[1, 8, 2, 9, 9]), Some(vec![&[8][..], &[9, 9][..]]));
        for cut in [&[0x96][..], &[0x08][..], &[0x12, 0x07, 0x74][..], &[0x0b][..]] {
            assert_eq!(read_fields(cut), None, "{cut:?}");
        }
        assert_eq!(split_messages(&[3, 1]), None);
        assert_eq!(read_varint(&[0xff; 11]), None);
    }
}
