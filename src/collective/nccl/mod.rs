//! NCCL's cost model: which algorithms and protocols it weighs for a call, and how long each takes.
//!
//! The model is that of NCCL 2.30.7 (`src/graph/tuning.cc`): latency by ranks and nodes, bandwidth
//! by the channels of its search graph, caps and protocols by GPU generation. What it leaves out,
//! the time to fill the pipeline of chunks, is added by [`NcclCandidate::call_time`] as published tables
//! have it. A node of NCCL is an HB domain here.
//!
//! Left out: tables of its own that a provider's plugin puts in their place (EFA, TCPXO), kernels
//! on registered windows, PCIe inside a node, hosts with CPUs of AMD, whose posts take twice as long.

mod candidate;
mod constants;
mod exchange;
mod graph;

pub use candidate::{NcclAlgorithm, NcclCall, NcclCandidate, NcclCandidates};
pub use constants::NcclProtocol;
pub use exchange::NcclExchange;
pub use graph::NcclMachine;

/// NCCL's version whose constants these are.
pub const VERSION: &str = "2.30.7";
