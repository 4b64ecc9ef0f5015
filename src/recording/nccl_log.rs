//! Debug logs of NCCL (`NCCL_DEBUG=INFO`, `NCCL_DEBUG_SUBSYS=INIT,COLL`; lines as NCCL 2.30 writes
//! them): communicators from the lines of their making, calls with their counts. A log says neither
//! why a call is made nor how large the shares of an all-to-all are that is no send.

use std::collections::BTreeMap;

use super::call_list::{JsonAt, NamedOperation, parse_operation};
use super::problem::RecordingProblem;
use crate::ledger::RecordedCall;
use crate::parallel::Rank;
use crate::step::Operation;

/// What every line of it has.
pub(super) const MARK: &str = "NCCL INFO";
/// How complaints name the logs: all of them make one recording.
const FILE: &str = "NCCL log";

/// A communicator on one process: pointers are unique only there.
type Handle<'a> = (&'a str, &'a str);

/// A rank's place in a group.
struct GroupPlace {
    group: String,
    rank: u64,
}

/// Groups and who is where in them.
#[derive(Default)]
struct Communicators<'a> {
    /// Ranks of each group by their handle.
    groups: BTreeMap<String, BTreeMap<u64, Handle<'a>>>,
    handles: BTreeMap<Handle<'a>, GroupPlace>,
    /// Process and device of each handle.
    devices: BTreeMap<Handle<'a>, (&'a str, &'a str)>,
}

/// The calls of all ranks whose lines the logs have.
pub(super) fn read_nccl_calls(logs: &[&str]) -> Result<Vec<RecordedCall>, RecordingProblem> {
    let mut all = Communicators::default();
    let mut lines: Vec<(usize, &str, &str)> = Vec::new();
    for (number, line) in logs.iter().flat_map(|log| log.lines()).enumerate() {
        let Some((before, text)) = line.split_once(MARK) else { continue };
        // host:pid:tid, after a time stamp where there is one
        let mut words = before.split_whitespace().filter(|word| word.matches(':').count() >= 2);
        let process =
            words.next_back().and_then(|word| word.rsplit_once(':')).map_or("", |pair| pair.0);
        let text = text.trim();
        if text.ends_with("Init COMPLETE") {
            all.add_communicator(process, text);
        } else {
            lines.push((number + 1, process, text));
        }
    }
    let world = all.world_ranks();
    let mut calls = Vec::new();
    for (number, process, text) in lines {
        let Some((name, rest)) = text.split_once(": opCount ") else { continue };
        let NamedOperation::Operation(operation, cause) = parse_operation(name) else { continue };
        let place = format!("line {number}");
        let at = JsonAt { file: FILE, place: &place };
        let call = all.parse_call(at, process, operation, rest, &world)?;
        calls.push(RecordedCall { cause, ..call });
    }
    Ok(calls)
}

/// What follows a word of a line.
fn text_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut words = text.split_whitespace();
    words.find(|name| *name == word)?;
    words.next()
}

impl<'a> Communicators<'a> {
    /// A line that says that a communicator was made, by itself or from another one.
    fn add_communicator(&mut self, process: &'a str, text: &'a str) {
        let Some(pointer) = text_after(text, "comm") else { return };
        let Some(rank) = text_after(text, "rank").and_then(|name| name.parse().ok()) else {
            return;
        };
        let group = match (text_after(text, "commId"), text_after(text, "parent")) {
            (Some(id), _) => id.to_owned(),
            (None, Some(parent)) => {
                let name =
                    self.handles.get(&(process, parent)).map_or("", |place| place.group.as_str());
                let word = |word| text_after(text, word).unwrap_or_default();
                format!("{name}/{}/{}", word("childCount"), word("color"))
            }
            (None, None) => return,
        };
        let handle = (process, pointer);
        let device =
            text_after(text, "busId").or_else(|| text_after(text, "cudaDev")).unwrap_or_default();
        self.devices.insert(handle, (process, device));
        self.groups.entry(group.clone()).or_default().insert(rank, handle);
        self.handles.insert(handle, GroupPlace { group, rank });
    }

    /// The rank of every process and device in the largest group: the world.
    fn world_ranks(&self) -> BTreeMap<(&'a str, &'a str), Rank> {
        let largest = self.groups.values().max_by_key(|ranks| ranks.len());
        let read = |(rank, handle): (&u64, &Handle<'a>)| {
            Some((*self.devices.get(handle)?, Rank(u32::try_from(*rank).ok()?)))
        };
        largest.into_iter().flatten().filter_map(read).collect()
    }

    fn parse_call(
        &self,
        at: JsonAt<'_>,
        process: &str,
        operation: Operation,
        text: &str,
        world: &BTreeMap<(&str, &str), Rank>,
    ) -> Result<RecordedCall, RecordingProblem> {
        let number = |word| {
            let missing = || at.call_problem(format!("the call has no `{word}`"));
            text_after(text, word).and_then(|name| name.parse::<u64>().ok()).ok_or_else(missing)
        };
        let pointer = text_after(text, "comm").unwrap_or_default();
        let unknown = || {
            at.call_problem(format!(
                "no line says who is in `comm {pointer}`: record with NCCL_DEBUG_SUBSYS=INIT,COLL"
            ))
        };
        let own = self.handles.get(&(process, pointer)).ok_or_else(unknown)?;
        let rank_of = |handle: &Handle<'_>| {
            let device = self.devices.get(handle)?;
            world.get(device).copied()
        };
        let group = &self.groups[&own.group];
        let members: Option<Vec<Rank>> = group.values().map(rank_of).collect();
        let members = members.ok_or_else(unknown)?;
        let rank = group.get(&own.rank).and_then(rank_of).ok_or_else(unknown)?;
        let width = nccl_type_bytes(number("datatype")?);
        let width = width.ok_or_else(|| at.call_problem("`datatype` is not known"))?;
        // Gathers count what a rank contributes, scatters what it receives, all-to-alls what goes
        // to each: the whole has as many of it as there are members.
        let whole = match operation {
            Operation::AllGather | Operation::ReduceScatter | Operation::AllToAll => {
                members.len() as u128
            }
            Operation::AllReduce | Operation::Send => 1,
        };
        let payload = u128::from(number("count")?) * u128::from(width) * whole;
        let members = match operation {
            Operation::Send => {
                let to = group.get(&number("root")?).and_then(rank_of).ok_or_else(unknown)?;
                vec![rank, to]
            }
            _ => members,
        };
        Ok(RecordedCall {
            rank,
            operation,
            members,
            payload,
            times: 1,
            splits: Vec::new(),
            cause: None,
            flows: None,
        })
    }
}

/// Bytes of an element, by NCCL's numbers of types.
const fn nccl_type_bytes(datatype: u64) -> Option<u64> {
    match datatype {
        0 | 1 | 10 | 11 => Some(1),
        6 | 9 => Some(2),
        2 | 3 | 7 => Some(4),
        4 | 5 | 8 => Some(8),
        _ => None,
    }
}
