//! Messages of a Chakra trace, which are protocol buffers: the fields of `et_def.proto` that calls
//! need. Knows no ledger and no recording.

use prost::{Message, Oneof};

/// The first message of a trace.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TraceHead {
    /// Schema of the messages that follow.
    #[prost(string, tag = "1")]
    pub(crate) version: String,
}

/// A node of the graph of a rank.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct TraceNode {
    #[prost(uint64, optional, tag = "1")]
    pub(crate) id: Option<u64>,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    /// One of [`node_kind`].
    #[prost(uint64, optional, tag = "3")]
    pub(crate) kind: Option<u64>,
    /// Nodes that it waits for.
    #[prost(uint64, repeated, tag = "5")]
    pub(crate) waits: Vec<u64>,
    #[prost(message, repeated, tag = "10")]
    pub(crate) attributes: Vec<NodeAttribute>,
}

/// An attribute of a node.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct NodeAttribute {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// `None` where it is none that calls need.
    #[prost(oneof = "AttributeValue", tags = "7, 9, 11, 13, 27, 29")]
    pub(crate) value: Option<AttributeValue>,
}

/// What an attribute holds.
#[derive(Clone, PartialEq, Oneof)]
pub(crate) enum AttributeValue {
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(bool, tag = "27")]
    Flag(bool),
    #[prost(string, tag = "29")]
    Text(String),
}

/// Kinds of a node.
pub(crate) mod node_kind {
    pub(crate) const SEND: u64 = 5;
    pub(crate) const RECEIVE: u64 = 6;
    pub(crate) const COLLECTIVE: u64 = 7;
}

/// Kinds of a collective, as `comm_type` has them.
pub(crate) mod collective_kind {
    pub(crate) const ALL_REDUCE: u64 = 0;
    pub(crate) const ALL_GATHER: u64 = 2;
    pub(crate) const BROADCAST: u64 = 5;
    pub(crate) const ALL_TO_ALL: u64 = 6;
    pub(crate) const REDUCE_SCATTER: u64 = 7;
    pub(crate) const BARRIER: u64 = 9;
}

/// The bytes of messages that each stand behind their length; `None` where the last one is cut off.
pub(crate) fn split_messages(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut messages = Vec::new();
    while !bytes.is_empty() {
        let length = prost::decode_length_delimiter(&mut bytes).ok()?;
        let (message, rest) = bytes.split_at_checked(length)?;
        messages.push(message);
        bytes = rest;
    }
    Some(messages)
}
