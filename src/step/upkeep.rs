//! What a parameter costs a rank besides compute and communication: bytes that are kept for it,
//! on the GPU and on the host, and the work of its update. Knows no rates.

use crate::workload::{Framework, Precision, Training};

/// Bytes and work of one parameter, and what the update needs once.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterUpkeep {
    /// Bytes of its weight on the GPU.
    pub weight: f64,
    /// Bytes of its gradient on the GPU.
    pub gradient: f64,
    /// Bytes of master weight, optimizer states and the update's copy of the gradient on the GPU.
    pub state: f64,
    /// Bytes of the same on the host.
    pub host: f64,
    /// Bytes from the host, each step.
    pub from_host: f64,
    /// Bytes to the host, each step.
    pub to_host: f64,
    /// Bytes that are fetched from the host for every pass of every micro-batch, instead of
    /// being kept on the GPU.
    pub streamed: f64,
    /// FLOPs of the update beyond what follows from its bytes.
    pub update_flops: f64,
    /// Bytes on the GPU that do not grow with the parameters.
    pub buffer: f64,
    /// How the update goes piece by piece; `None` where it waits for all gradients.
    pub pieces: Option<UpdatePieces>,
    /// Ranks that share what is sharded; `None` for all replicas.
    pub shards: Option<f64>,
}

/// An update in pieces: the gradients of one are reduced while the piece before is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdatePieces {
    /// Parameters whose gradients are reduced together, in one message.
    pub reduced: u64,
    /// Parameters that are updated together.
    pub updated: u64,
    /// Kernels and copies that start for those.
    pub starts: u32,
}

/// Master copy in fp32 of a narrower weight, bytes per parameter.
const MASTER: f64 = 4.0;

impl ParameterUpkeep {
    /// Mixed-precision Adam, all of it on the GPU.
    #[must_use]
    pub fn new(training: &Training, framework: &Framework) -> Self {
        let moments = 2.0 * framework.moment_bytes as f64;
        let master = if training.precision == Precision::Fp32 { 0.0 } else { MASTER };
        let state = moments + master + framework.gradient_copy_bytes as f64;
        Self {
            weight: training.precision.activation_bytes() as f64,
            gradient: framework.gradient_bytes as f64,
            state,
            host: 0.0,
            from_host: 0.0,
            to_host: 0.0,
            streamed: 0.0,
            update_flops: 0.0,
            buffer: 0.0,
            pieces: None,
            shards: None,
        }
    }
}
