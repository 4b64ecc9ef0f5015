//! Bytes by kind as programs read them.

use serde::Serialize;

use crate::step::TrafficKind;
use crate::traffic::ByKind;

/// What a cell of the matrix carries.
#[derive(Serialize)]
pub(super) struct Bytes {
    total_bytes: u128,
    tensor_bytes: u128,
    pipeline_bytes: u128,
    data_bytes: u128,
    context_bytes: u128,
    expert_bytes: u128,
}

impl Bytes {
    pub(super) fn new(bytes: &ByKind) -> Self {
        let read = |kind| bytes.bytes_of_kind(kind).count();
        Self {
            total_bytes: bytes.total_bytes().count(),
            tensor_bytes: read(TrafficKind::Tensor),
            pipeline_bytes: read(TrafficKind::Pipeline),
            data_bytes: read(TrafficKind::Data),
            context_bytes: read(TrafficKind::Context),
            expert_bytes: read(TrafficKind::Expert),
        }
    }
}
