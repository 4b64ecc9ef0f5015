//! A ledger as `planner traffic --format ledger` writes it: the groups of the layout first, then
//! the calls of each stage, which stand for all its ranks, or of one rank.

use std::collections::BTreeMap;

use serde_json::Value;

use super::call_list::JsonAt;
use super::problem::RecordingProblem;
use crate::collective::{CollectiveFlow, RelationShape, Scope};
use crate::ledger::{RecordedCall, RecordedCause};
use crate::parallel::Rank;
use crate::step::{Operation, TrafficKind};
use crate::units::Bytes;

/// The schema of the first line.
pub(super) const SCHEMA: &str = "planner/ledger/1";

/// Most ranks of a ledger that is read: every call is put on pairs rank by rank.
const MOST_RANKS: u64 = 1 << 16;

/// A digit of the rank: values and stride.
type Digit = (u64, u64);

/// The groups of a layout, by the digits that tell their members apart.
struct Header {
    gpus: u64,
    groups: BTreeMap<String, Vec<Digit>>,
}

/// What lines that differ only in their place have in common.
type Alike = (u64, Option<u64>, String, String, String, u64, String);

/// The calls of a ledger, on every rank that makes them.
pub(super) fn read_ledger_calls(
    file: &str,
    header: &Value,
    lines: &[(usize, Value)],
) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let header = Header::new(JsonAt { file, place: "line 1" }, header)?;
    let mut alike: BTreeMap<Alike, (usize, u64)> = BTreeMap::new();
    for (at, (line, value)) in lines.iter().enumerate() {
        let place = format!("line {line}");
        let here = JsonAt { file, place: &place };
        let text = |key| here.required_text(value, key).map(str::to_owned);
        let key = (
            here.required_count(value, "stage")?,
            value.get("rank").and_then(Value::as_u64),
            text("kind")?,
            text("group")?,
            text("op")?,
            here.required_count(value, "bytes")?,
            value.get("sends").map(Value::to_string).unwrap_or_default(),
        );
        alike.entry(key).or_insert((at, 0)).1 += 1;
    }
    let mut calls = Vec::new();
    for ((stage, rank, ..), (at, times)) in alike {
        let (line, value) = &lines[at];
        let place = format!("line {line}");
        let here = JsonAt { file, place: &place };
        let ranks = match rank {
            Some(rank) => vec![rank],
            None => (0..header.gpus).filter(|rank| header.stage_of_rank(*rank) == stage).collect(),
        };
        let messages = value.get("messages").and_then(Value::as_u64).unwrap_or(1);
        let call = read_ledger_call(here, value, times)?;
        let each = split_into_messages(call, messages.max(1));
        let digits = header.group_digits(here, value)?;
        for rank in ranks {
            let members = group_members(rank, digits);
            let own =
                members.iter().position(|this_rank| u64::from(this_rank.0) == rank).unwrap_or(0);
            for call in &each {
                let members = members.clone();
                calls.push(RecordedCall { rank: members[own], members, ..call.clone() });
            }
        }
    }
    Ok(calls)
}

fn read_ledger_call(
    at: JsonAt<'_>,
    value: &Value,
    times: u64,
) -> Result<RecordedCall, RecordingProblem> {
    let (kind, op) = (at.required_text(value, "kind")?, at.required_text(value, "op")?);
    let kind = TrafficKind::ALL.into_iter().find(|traffic_kind| traffic_kind.name() == kind);
    let operation = Operation::ALL.into_iter().find(|this_operation| this_operation.name() == op);
    let (Some(kind), Some(operation)) = (kind, operation) else {
        return Err(at.call_problem("`kind` or `op` is none of a ledger's"));
    };
    let mut flows = Vec::new();
    for flow in at.required_list(value, "sends")? {
        let (scope, shape) = (at.required_text(flow, "among")?, at.required_text(flow, "to")?);
        let known = Scope::from_name(scope).zip(RelationShape::from_name(shape));
        let Some((scope, shape)) = known else {
            return Err(
                at.call_problem(format!("`sends` has `{scope}` or `{shape}`, which is not known"))
            );
        };
        let bytes = Bytes::new(at.required_count(flow, "bytes")?.into());
        flows.push(CollectiveFlow { scope, shape, bytes, steps: 0 });
    }
    Ok(RecordedCall {
        rank: Rank(0),
        operation,
        members: Vec::new(),
        payload: at.required_count(value, "bytes")?.into(),
        times,
        splits: Vec::new(),
        cause: Some(RecordedCause::Kind(kind)),
        flows: Some(flows),
    })
}

/// The messages of a call: the first one, which has what is left over, and the others.
fn split_into_messages(call: RecordedCall, messages: u64) -> Vec<RecordedCall> {
    if messages == 1 {
        return vec![call];
    }
    let count = u128::from(messages);
    let part = |first: bool| {
        let bytes = |whole: u128| {
            let each = whole / count;
            if first { whole - each * (count - 1) } else { each }
        };
        let flows = call.flows.as_ref().map(|flows| {
            let flow = |flow: &CollectiveFlow| CollectiveFlow {
                bytes: Bytes::new(bytes(flow.bytes.count())),
                ..*flow
            };
            flows.iter().map(flow).collect()
        });
        let times = if first { call.times } else { call.times.saturating_mul(messages - 1) };
        RecordedCall { payload: bytes(call.payload), times, flows, ..call.clone() }
    };
    vec![part(true), part(false)]
}

impl Header {
    fn new(at: JsonAt<'_>, value: &Value) -> Result<Self, RecordingProblem> {
        let gpus = at.required_count(value, "gpus")?;
        if gpus > MOST_RANKS {
            return Err(
                at.call_problem(format!("`gpus` is {gpus}, and at most {MOST_RANKS} are read"))
            );
        }
        let mut groups = BTreeMap::new();
        for group in at.required_list(value, "groups")? {
            let mut digits = Vec::new();
            let mut members = 1_u64;
            for digit in at.required_list(group, "digits")? {
                let digit =
                    (at.required_count(digit, "size")?, at.required_count(digit, "stride")?);
                members = members.saturating_mul(digit.0.max(1));
                if digit.0 == 0 || digit.1 == 0 || members > gpus {
                    return Err(at.call_problem("`digits` of a group span more than its GPUs"));
                }
                digits.push(digit);
            }
            groups.insert(at.required_text(group, "name")?.to_owned(), digits);
        }
        Ok(Self { gpus, groups })
    }

    /// The pipeline stage of a rank.
    fn stage_of_rank(&self, rank: u64) -> u64 {
        let digits = self.groups.get("pipeline").map_or(&[][..], Vec::as_slice);
        let mut weight = 1;
        let mut stage = 0;
        for (size, stride) in digits {
            stage += weight * (rank / stride % size);
            weight *= size;
        }
        stage
    }

    fn group_digits(&self, at: JsonAt<'_>, value: &Value) -> Result<&[Digit], RecordingProblem> {
        let name = at.required_text(value, "group")?;
        let missing = || at.call_problem(format!("the first line has no group `{name}`"));
        self.groups.get(name).map(Vec::as_slice).ok_or_else(missing)
    }
}

/// The members of a rank's group in order.
fn group_members(rank: u64, digits: &[Digit]) -> Vec<Rank> {
    let own = digits.iter().map(|(size, stride)| rank / stride % size * stride).sum::<u64>();
    let first = rank.saturating_sub(own);
    let mut members = vec![first];
    for (size, stride) in digits {
        let before = std::mem::take(&mut members);
        for value in 0..*size {
            members.extend(before.iter().map(|count| count + value * stride));
        }
    }
    members.into_iter().map(|count| Rank(count as u32)).collect()
}
