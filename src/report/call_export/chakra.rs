//! Calls of a step as Chakra traces, which are protocol buffers.

use std::collections::BTreeMap;

use crate::collective::{CollectiveFlow, RelationShape, Scope};
use crate::ledger::{CallEntry, CallId, Ledger};
use crate::parallel::Rank;
use crate::step::{Cadence, Communication, Operation};

/// Most nodes of all files together: some two gigabytes.
const MOST_NODES: u64 = 1 << 24;

/// Schema that the first message of a file names.
const SCHEMA: &str = "0.0.4";

/// Numbers of fields, types and kinds in `et_def.proto`.
mod proto {
    pub(super) const METADATA_VERSION: u64 = 1;
    pub(super) const NODE_ID: u64 = 1;
    pub(super) const NODE_NAME: u64 = 2;
    pub(super) const NODE_TYPE: u64 = 3;
    pub(super) const NODE_DATA_DEPS: u64 = 5;
    pub(super) const NODE_ATTR: u64 = 10;
    pub(super) const ATTR_NAME: u64 = 1;
    pub(super) const ATTR_INT32: u64 = 7;
    pub(super) const ATTR_INT64: u64 = 9;
    pub(super) const ATTR_BOOL: u64 = 27;
    pub(super) const ATTR_TEXT: u64 = 29;
    pub(super) const SEND: u64 = 5;
    pub(super) const RECEIVE: u64 = 6;
    pub(super) const COLLECTIVE: u64 = 7;
    pub(super) const ALL_REDUCE: u64 = 0;
    pub(super) const ALL_GATHER: u64 = 2;
    pub(super) const ALL_TO_ALL: u64 = 6;
    pub(super) const REDUCE_SCATTER: u64 = 7;
}

/// More nodes than any simulator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// Nodes that there would be.
    pub nodes: u64,
    /// Nodes that are written at most.
    pub most: u64,
}

/// The traces of all ranks.
#[derive(Debug)]
pub struct Chakra<'a> {
    ledger: &'a Ledger<'a>,
    stages: Vec<Vec<CallEntry>>,
    /// Names of groups: numbers, as ASTRA-sim wants them.
    groups: BTreeMap<Vec<Rank>, u32>,
}

impl<'a> Chakra<'a> {
    /// The traces of a ledger.
    ///
    /// # Errors
    /// Where they would have too many nodes.
    pub fn new(ledger: &'a Ledger<'a>) -> Result<Self, TooMany> {
        let grid = ledger.placed_ranks().grid();
        let stages = ledger.step().layout.pipeline;
        let each = u64::from(grid.ranks() / stages.max(1));
        let nodes = Ledger::max_lines(ledger.step()).saturating_mul(each);
        if nodes > MOST_NODES {
            return Err(TooMany { nodes, most: MOST_NODES });
        }
        let all: Vec<Vec<CallEntry>> = (0..stages).map(|stage| ledger.stage_calls(stage)).collect();
        let mut groups = BTreeMap::new();
        for (stage, entries) in all.iter().enumerate() {
            let mut seen = Vec::new();
            for entry in entries {
                if seen.contains(&entry.communication)
                    || is_message(ledger.communication_of_entry(entry))
                {
                    continue;
                }
                seen.push(entry.communication);
                for rank in (0..grid.ranks()).map(Rank) {
                    if grid.pipeline_stage(rank) as usize == stage {
                        let next = groups.len() as u32 + 1;
                        groups.entry(ledger.call_members(entry, rank)).or_insert(next);
                    }
                }
            }
        }
        Ok(Self { ledger, stages: all, groups })
    }

    /// Ranks, and so files.
    #[must_use]
    pub const fn ranks(&self) -> u32 {
        self.ledger.placed_ranks().grid().ranks()
    }

    /// The groups by name, as JSON: what ASTRA-sim takes as communicator groups.
    #[must_use]
    pub fn groups_json(&self) -> String {
        let mut by_name: Vec<(u32, &[Rank])> =
            self.groups.iter().map(|(ranks, name)| (*name, ranks.as_slice())).collect();
        by_name.sort_unstable();
        let group = |(name, ranks): &(u32, &[Rank])| {
            let ranks: Vec<String> = ranks.iter().map(|rank| rank.0.to_string()).collect();
            format!("  \"{name}\": [{}]", ranks.join(", "))
        };
        format!("{{\n{}\n}}\n", by_name.iter().map(group).collect::<Vec<_>>().join(",\n"))
    }

    /// The trace of one rank.
    #[must_use]
    pub fn rank_trace(&self, rank: Rank) -> Vec<u8> {
        let mut out = Vec::new();
        write_framed_message(
            &Message::default().add_text(proto::METADATA_VERSION, SCHEMA),
            &mut out,
        );
        let stage = self.ledger.placed_ranks().grid().pipeline_stage(rank);
        let mut nodes = Nodes { next: 0, table: BTreeMap::new(), out: &mut out };
        for entry in &self.stages[stage as usize] {
            self.add_call_nodes(entry, rank, &mut nodes);
        }
        out
    }

    /// The nodes of one call: messages that it waits for, then its own.
    fn add_call_nodes(&self, entry: &CallEntry, rank: Rank, nodes: &mut Nodes<'_>) {
        let communication = self.ledger.communication_of_entry(entry);
        let name = format!("{}.{} {}", entry.id.stage, entry.id.place, communication.label);
        let mut waits = Vec::new();
        for wait in &entry.waits {
            if wait.stage == entry.id.stage {
                waits.extend(nodes.table.get(wait));
            } else {
                let sent = &self.stages[wait.stage as usize][wait.place as usize];
                waits.push(self.add_receive_node(sent, rank, nodes));
            }
        }
        let own = if is_message(communication) {
            let ring = !matches!(communication.cadence, Cadence::PerBoundary { .. });
            let sent = self.add_send_node(entry, rank, &name, &waits, nodes);
            if ring {
                let received = self.add_receive_node(entry, rank, nodes);
                nodes.table.insert(entry.id, received);
                return;
            }
            sent
        } else {
            self.add_collective_node(entry, rank, &name, &waits, nodes)
        };
        nodes.table.insert(entry.id, own);
    }

    fn add_send_node(
        &self,
        entry: &CallEntry,
        rank: Rank,
        name: &str,
        waits: &[u64],
        nodes: &mut Nodes<'_>,
    ) -> u64 {
        let to = self.message_peer(entry, rank, true);
        let attributes = self.message_attributes(entry, rank, to);
        nodes.add(name, proto::SEND, waits, &attributes)
    }

    /// A message that another rank sends by `sent`.
    fn add_receive_node(&self, sent: &CallEntry, rank: Rank, nodes: &mut Nodes<'_>) -> u64 {
        let from = self.message_peer(sent, rank, false);
        let attributes = self.message_attributes(sent, from, rank);
        let name = format!("{}.{} received", sent.id.stage, sent.id.place);
        nodes.add(&name, proto::RECEIVE, &[], &attributes)
    }

    /// The rank that one sends to in a message, or receives from.
    fn message_peer(&self, sent: &CallEntry, rank: Rank, to: bool) -> Rank {
        let group = self.ledger.communication_of_entry(sent).group;
        let grid = self.ledger.placed_ranks().grid();
        let (n, own) = (grid.group_size(group), grid.position_in_group(rank, group));
        let up = self.ledger.call_flows(sent).iter().all(|flow| flow.shape == RelationShape::Next);
        let other = if up == to { (own + 1) % n } else { (own + n - 1) % n };
        grid.group_member(rank, group, other)
    }

    fn message_attributes(&self, sent: &CallEntry, from: Rank, to: Rank) -> Vec<Message> {
        let bytes: u128 = self.ledger.call_flows(sent).iter().map(|flow| flow.bytes.count()).sum();
        let tag = sent.id.place & i32::MAX as u64;
        vec![
            flag_attribute("is_cpu_op", false),
            number_attribute("comm_size", proto::ATTR_INT64, bytes),
            number_attribute("comm_src", proto::ATTR_INT32, from.0.into()),
            number_attribute("comm_dst", proto::ATTR_INT32, to.0.into()),
            number_attribute("comm_tag", proto::ATTR_INT32, tag.into()),
        ]
    }

    fn add_collective_node(
        &self,
        entry: &CallEntry,
        rank: Rank,
        name: &str,
        waits: &[u64],
        nodes: &mut Nodes<'_>,
    ) -> u64 {
        let communication = self.ledger.communication_of_entry(entry);
        let members = self.ledger.call_members(entry, rank);
        let (kind, size) = self.collective_kind_and_size(entry, members.len() as u128);
        let mut attributes = vec![
            flag_attribute("is_cpu_op", false),
            number_attribute("comm_type", proto::ATTR_INT64, kind.into()),
            number_attribute("comm_size", proto::ATTR_INT64, size),
        ];
        // A group of all ranks has no name: simulators then run it level by level.
        if members.len() < self.ranks() as usize {
            let group = self.groups.get(&members).copied().unwrap_or_default();
            let pg = Message::default().add_text(proto::ATTR_NAME, "pg_name");
            attributes.push(pg.add_text(proto::ATTR_TEXT, &group.to_string()));
        }
        debug_assert!(!is_message(communication), "a message is no collective");
        nodes.add(name, proto::COLLECTIVE, waits, &attributes)
    }

    /// Kind and size of a collective of so many members: the share of one in a gather, else the
    /// whole. An exchange that sends each token once is as large as what a member sends.
    fn collective_kind_and_size(&self, entry: &CallEntry, members: u128) -> (u64, u128) {
        let communication = self.ledger.communication_of_entry(entry);
        let payload = communication.payload(entry.id.stage as usize).count();
        match communication.collective.operation() {
            Operation::AllReduce => (proto::ALL_REDUCE, payload),
            Operation::ReduceScatter => (proto::REDUCE_SCATTER, payload),
            Operation::AllGather => {
                let each =
                    matches!(communication.collective, crate::step::Collective::GatherEach { .. });
                (proto::ALL_GATHER, if each { payload } else { payload.div_ceil(members.max(1)) })
            }
            Operation::AllToAll | Operation::Send => {
                let placed = self.ledger.placed_ranks();
                let (inside, across) =
                    crate::collective::GroupSpread::spread_of_group(placed, communication.group)
                        .members_and_domains();
                let targets = |flow: &CollectiveFlow| match flow.scope {
                    Scope::Whole => members - 1,
                    Scope::Inside => u128::from(inside) - 1,
                    Scope::Across => u128::from(across) - 1,
                };
                let flows = self.ledger.call_flows(entry).iter();
                let sent: u128 = flows.map(|flow| flow.bytes.count() * targets(flow)).sum();
                (proto::ALL_TO_ALL, (sent * members).div_ceil((members - 1).max(1)))
            }
        }
    }
}

/// The nodes of a file, in the order in which they are written.
struct Nodes<'a> {
    next: u64,
    /// The node that ends each call.
    table: BTreeMap<CallId, u64>,
    out: &'a mut Vec<u8>,
}

impl Nodes<'_> {
    fn add(&mut self, name: &str, kind: u64, waits: &[u64], attributes: &[Message]) -> u64 {
        let id = self.next;
        self.next += 1;
        let mut node = Message::default()
            .add_number(proto::NODE_ID, id)
            .add_text(proto::NODE_NAME, name)
            .add_number(proto::NODE_TYPE, kind)
            .add_packed_numbers(proto::NODE_DATA_DEPS, waits);
        for attribute in attributes {
            node = node.add_message(proto::NODE_ATTR, attribute);
        }
        write_framed_message(&node, self.out);
        id
    }
}

/// A message behind its length.
fn write_framed_message(message: &Message, out: &mut Vec<u8>) {
    write_varint(message.bytes().len() as u64, out);
    out.extend_from_slice(message.bytes());
}

fn number_attribute(name: &str, field: u64, value: u128) -> Message {
    let value = u64::try_from(value).unwrap_or(u64::MAX).min(i64::MAX as u64);
    Message::default().add_text(proto::ATTR_NAME, name).add_number(field, value)
}

fn flag_attribute(name: &str, value: bool) -> Message {
    let name = Message::default().add_text(proto::ATTR_NAME, name);
    name.add_number(proto::ATTR_BOOL, u64::from(value))
}

/// A call that is one message from each member to a neighbour.
fn is_message(communication: &Communication) -> bool {
    communication.collective.operation() == Operation::Send
}

/// A message that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Its bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a whole number, a flag or an enum.
    fn add_number(mut self, field: u64, value: u64) -> Self {
        write_varint(field << 3, &mut self.0);
        write_varint(value, &mut self.0);
        self
    }

    /// Adds a text.
    fn add_text(self, field: u64, value: &str) -> Self {
        self.add_counted_bytes(field, value.as_bytes())
    }

    /// Adds a message.
    fn add_message(self, field: u64, value: &Self) -> Self {
        self.add_counted_bytes(field, &value.0)
    }

    /// Adds a packed list of whole numbers; nothing where it is empty.
    fn add_packed_numbers(self, field: u64, values: &[u64]) -> Self {
        if values.is_empty() {
            return self;
        }
        let mut list = Vec::new();
        values.iter().for_each(|value| write_varint(*value, &mut list));
        self.add_counted_bytes(field, &list)
    }

    fn add_counted_bytes(mut self, field: u64, value: &[u8]) -> Self {
        const COUNTED: u64 = 2;
        write_varint(field << 3 | COUNTED, &mut self.0);
        write_varint(value.len() as u64, &mut self.0);
        self.0.extend_from_slice(value);
        self
    }
}

/// A number in groups of seven bits, the least first.
fn write_varint(value: u64, out: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
