//! A recorded run beside what was predicted: by kind, by group, by pair.

use super::{JsonValue, ListColumn, number_column, shown_as, word_column};
use crate::ledger::{BytesPair, NotPredicted, OnGroups, OnPair};
use crate::step::TrafficKind;

/// A kind of parallelism and its bytes.
pub(in crate::report) type KindBytes = (TrafficKind, BytesPair);

pub(in crate::report) const KIND_COLUMNS: &[ListColumn<KindBytes>] = &[
    word_column("kind", "parallelism", |(kind, _)| kind.name().into()),
    number_column("recorded_bytes", "recorded", |(_, bytes)| bytes.recorded.into()),
    number_column("predicted_bytes", "predicted", |(_, bytes)| bytes.predicted.into()),
    number_column("ratio", "recorded over predicted", |(_, bytes)| ratio_value(bytes)),
];

/// Calls and bytes of all recorded GPUs together, by kind of group and operation.
pub(in crate::report) const GROUP_COLUMNS: &[ListColumn<OnGroups>] = &[
    word_column("kind", "parallelism", |groups| groups.kind.name().into()),
    word_column("group", "groups", |groups: &OnGroups| {
        groups.group.map(|group| group.name()).into()
    })
    .with_missing_text("others"),
    word_column("op", "operation", |groups| groups.operation.name().into()),
    number_column("recorded_calls", "calls", |groups| groups.calls.0.into()),
    number_column("predicted_calls", "predicted calls", |groups| groups.calls.1.into()),
    number_column("recorded_bytes", "recorded", |groups| groups.bytes.recorded.into()),
    number_column("predicted_bytes", "predicted", |groups| groups.bytes.predicted.into()),
    number_column("ratio", "recorded over predicted", |groups| ratio_value(&groups.bytes)),
];

pub(in crate::report) const PAIR_COLUMNS: &[ListColumn<OnPair>] = &[
    word_column("kind", "parallelism", |pair| pair.kind.name().into()),
    number_column("from", "from", |pair| pair.from.0.into()),
    number_column("to", "to", |pair: &OnPair| pair.to.map(|to| to.0).into())
        .with_missing_text("not recorded"),
    number_column("recorded_bytes", "recorded", |pair| pair.bytes.recorded.into()),
    number_column("predicted_bytes", "predicted", |pair| pair.bytes.predicted.into()),
    number_column("ratio", "recorded over predicted", |pair| ratio_value(&pair.bytes)),
];

/// Calls that belong to no kind of parallelism.
pub(in crate::report) const NOT_PREDICTED_COLUMNS: &[ListColumn<NotPredicted>] = &[
    word_column("what", "what", |call| (&call.what).into()),
    word_column("op", "operation", |call| call.operation.name().into()),
    number_column("recorded_calls", "calls", |call| call.calls.into()),
    number_column("recorded_bytes", "bytes", |call| call.bytes.into()),
];

fn ratio_value(bytes: &BytesPair) -> JsonValue {
    bytes.ratio().map(|ratio| shown_as(format!("{ratio:.4}"), ratio)).into()
}
