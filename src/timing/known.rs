//! Bytes and ranks of a step's calls, which no fabric changes. Times nothing.

use crate::collective::CallVolumes;
use crate::parallel::Placed;

/// A step's ranks on domains, and its communications.
#[derive(Clone, Debug)]
pub(super) struct KnownCalls {
    /// Its ranks on domains.
    pub(super) placed: Placed,
    /// φ of the placement (docs/equations.md §8.2).
    pub(super) elsewhere: f64,
    /// Its communications, by place.
    pub(super) calls: Vec<FixedCall>,
}

/// One communication.
#[derive(Clone, Debug)]
pub(super) struct FixedCall {
    /// What a call costs a rank, by stage.
    pub(super) volumes: Vec<CallVolumes>,
    /// Interfaces that a rank has to itself.
    pub(super) interfaces: f64,
    /// Bytes inside and between domains at the same time.
    pub(super) pipelined: bool,
}
