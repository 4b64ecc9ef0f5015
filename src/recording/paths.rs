//! Names of operations, and what the call path of a call says of its reason.

use crate::ledger::RecordedCause;
use crate::step::{Operation, TrafficKind};

/// Left out by name: what is no traffic of a step that anything is sized for.
pub(super) const BROADCAST: &str = "broadcasts";

/// Operations by how their names begin in torch.distributed, its profiler and NCCL, in lower case
/// and without underscores; longer beginnings first.
const OPERATIONS: [(&str, Operation); 6] = [
    ("allreduce", Operation::AllReduce),
    ("reducescatter", Operation::ReduceScatter),
    ("allgather", Operation::AllGather),
    ("alltoall", Operation::AllToAll),
    ("isend", Operation::Send),
    ("send", Operation::Send),
];

/// Operations that move nothing, or that the caller only receives in.
const SILENT: [&str; 4] = ["irecv", "recv", "barrier", "wait"];

/// What a call path says, by a part of it: functions of Megatron-Core (0.16) and PyTorch.
const PATHS: [(&str, RecordedCause); 9] = [
    ("clip_grads", RecordedCause::LeftOut("norm of all gradients")),
    (
        "_allreduce_non_tensor_model_parallel_grads",
        RecordedCause::LeftOut("gradients that every tensor rank holds whole"),
    ),
    ("TokenDispatcher.preprocess", RecordedCause::LeftOut("counts of tokens")),
    ("_allreduce_word_embedding_grads", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("embedding_grad", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("P2PCommunicator", RecordedCause::Kind(TrafficKind::Pipeline)),
    ("start_grad_sync", RecordedCause::Kind(TrafficKind::Data)),
    ("start_param_sync", RecordedCause::Kind(TrafficKind::Data)),
    ("_fsdp_collectives", RecordedCause::Kind(TrafficKind::Data)),
];

/// What an operation of that name is.
pub(super) enum NamedOperation {
    /// One that moves payload, with the reason where the name is one.
    Operation(Operation, Option<RecordedCause>),
    /// One in which the caller sends nothing.
    Silent,
    /// One that nothing is known of.
    Unknown,
}

/// What an operation of that name is.
pub(super) fn parse_operation(name: &str) -> NamedOperation {
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphabetic()).map(|c| c.to_ascii_lowercase()).collect();
    let plain = plain.strip_prefix("nccl").unwrap_or(&plain);
    if SILENT.iter().any(|silent| plain.starts_with(silent)) {
        return NamedOperation::Silent;
    }
    if let Some((_, operation)) = OPERATIONS.iter().find(|(begin, _)| plain.starts_with(begin)) {
        return NamedOperation::Operation(*operation, None);
    }
    if plain.starts_with("broadcast") {
        return NamedOperation::Operation(Operation::Send, Some(RecordedCause::LeftOut(BROADCAST)));
    }
    NamedOperation::Unknown
}

/// What a call path says of the reason of a call; nothing where no part of it is known.
pub(super) fn cause_from_path(path: &str) -> Option<RecordedCause> {
    PATHS.iter().find(|(part, _)| path.contains(part)).map(|(_, cause)| cause.clone())
}
