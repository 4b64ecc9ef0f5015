//! Gathered parameters in 8 bits: half the bytes of 16-bit weights on every gather of ZeRO.

use super::recipe::Recipe;
use super::row::{Row, said};
use crate::step::{Collective, Step, TrafficKind};
use crate::workload::Technique;

/// Its row.
pub(super) const ROW: Row = Row {
    change: narrow_gather,
    ..Row::of(Technique::NarrowGather, |_| said(&["parameters travel in 8 bits"]))
};

fn narrow_gather(mut step: Step, _: &Recipe<'_>) -> Step {
    let stages = step.stages.len();
    step.communications = step
        .communications
        .into_iter()
        .map(|of| {
            if of.kind != TrafficKind::Data || of.collective != Collective::AllGather {
                return of;
            }
            let payload = (0..stages).map(|stage| of.payload(stage).share(2)).collect();
            of.with_payload(payload)
        })
        .collect();
    step
}
