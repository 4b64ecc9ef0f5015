//! Calls of a step as Chakra traces, which are protocol buffers.

use std::collections::BTreeMap;

use prost::Message;

use crate::collective::{CollectiveFlow, RelationShape, Scope};
use crate::ledger::chakra_trace::{
    AttributeValue, NodeAttribute, TraceHead, TraceNode, collective_kind, node_kind,
};
use crate::ledger::{CallEntry, CallId, Ledger};
use crate::parallel::Rank;
use crate::step::{Cadence, Communication, Operation};

/// Most nodes of all files together: some two gigabytes.
const MOST_NODES: u64 = 1 << 24;

/// Schema that the first message of a file names.
const SCHEMA: &str = "0.0.4";

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
    /// The traces of a ledger of messages ([`Ledger::list_messages`]).
    ///
    /// # Errors
    /// Where they would have too many nodes.
    pub fn new(ledger: &'a Ledger<'a>) -> Result<Self, TooMany> {
        let grid = ledger.placed_ranks().grid();
        let stages = ledger.step().layout.pipeline;
        let each = u64::from(grid.ranks() / stages.max(1));
        let nodes = Ledger::max_messages(ledger.step()).saturating_mul(each);
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
        append_message(&TraceHead { version: SCHEMA.to_owned() }, &mut out);
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
        nodes.add_node(name, node_kind::SEND, waits, attributes)
    }

    /// A message that another rank sends by `sent`.
    fn add_receive_node(&self, sent: &CallEntry, rank: Rank, nodes: &mut Nodes<'_>) -> u64 {
        let from = self.message_peer(sent, rank, false);
        let attributes = self.message_attributes(sent, from, rank);
        let name = format!("{}.{} received", sent.id.stage, sent.id.place);
        nodes.add_node(&name, node_kind::RECEIVE, &[], attributes)
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

    fn message_attributes(&self, sent: &CallEntry, from: Rank, to: Rank) -> Vec<NodeAttribute> {
        let bytes: u128 = self.ledger.call_flows(sent).iter().map(|flow| flow.bytes.count()).sum();
        let tag = sent.id.place & i32::MAX as u64;
        vec![
            attribute("is_cpu_op", AttributeValue::Flag(false)),
            attribute("comm_size", large_number(bytes)),
            attribute("comm_src", AttributeValue::Int32(from.0 as i32)),
            attribute("comm_dst", AttributeValue::Int32(to.0 as i32)),
            attribute("comm_tag", AttributeValue::Int32(tag as i32)),
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
            attribute("is_cpu_op", AttributeValue::Flag(false)),
            attribute("comm_type", large_number(kind.into())),
            attribute("comm_size", large_number(size)),
        ];
        // A group of all ranks has no name: simulators then run it level by level.
        if members.len() < self.ranks() as usize {
            let group = self.groups.get(&members).copied().unwrap_or_default();
            attributes.push(attribute("pg_name", AttributeValue::Text(group.to_string())));
        }
        debug_assert!(!is_message(communication), "a message is no collective");
        nodes.add_node(name, node_kind::COLLECTIVE, waits, attributes)
    }

    /// Kind and size of a collective of so many members: the share of one in a gather, else the
    /// whole. An exchange that sends each token once is as large as what a member sends.
    fn collective_kind_and_size(&self, entry: &CallEntry, members: u128) -> (u64, u128) {
        let communication = self.ledger.communication_of_entry(entry);
        let payload = self.ledger.payload_of_entry(entry).count();
        match communication.collective.operation() {
            Operation::AllReduce => (collective_kind::ALL_REDUCE, payload),
            Operation::ReduceScatter => (collective_kind::REDUCE_SCATTER, payload),
            Operation::AllGather => {
                let each =
                    matches!(communication.collective, crate::step::Collective::GatherEach { .. });
                (
                    collective_kind::ALL_GATHER,
                    if each { payload } else { payload.div_ceil(members.max(1)) },
                )
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
                (collective_kind::ALL_TO_ALL, (sent * members).div_ceil((members - 1).max(1)))
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
    fn add_node(
        &mut self,
        name: &str,
        kind: u64,
        waits: &[u64],
        attributes: Vec<NodeAttribute>,
    ) -> u64 {
        let id = self.next;
        self.next += 1;
        let (name, waits) = (name.to_owned(), waits.to_vec());
        let node = TraceNode { id: Some(id), name, kind: Some(kind), waits, attributes };
        append_message(&node, self.out);
        id
    }
}

/// A message behind its length.
fn append_message(message: &impl Message, out: &mut Vec<u8>) {
    message.encode_length_delimited(out).expect("a list of bytes grows");
}

fn attribute(name: &str, value: AttributeValue) -> NodeAttribute {
    NodeAttribute { name: name.to_owned(), value: Some(value) }
}

fn large_number(value: u128) -> AttributeValue {
    AttributeValue::Int64(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A call that is one message from each member to a neighbour.
fn is_message(communication: &Communication) -> bool {
    communication.collective.operation() == Operation::Send
}
