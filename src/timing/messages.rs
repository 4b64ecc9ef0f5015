//! Messages between stages, and the stages that send or receive other ones than those before them.

use super::wires::RankVolumes;
use crate::step::{Cadence, Communication, Step};

/// Stages that send or receive messages unlike any stage before them, as
/// [`super::Clock::message_stages`].
pub(super) fn message_stages(wires: &RankVolumes<'_>, step: &Step) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut unlike = Vec::new();
    for stage in 0..step.stages.len() {
        let volumes: Vec<_> = stage_messages(step)
            .map(|(communication, _)| wires.call_volumes(communication, stage))
            .collect();
        if !seen.contains(&volumes) {
            seen.push(volumes);
            unlike.push(stage);
        }
    }
    unlike
}

/// Messages between stages, and what puts them together again where they were split.
pub(super) fn stage_messages(step: &Step) -> impl Iterator<Item = (&Communication, usize)> {
    step.communications.iter().filter_map(|communication| match communication.cadence {
        Cadence::PerBoundary { .. } => Some((communication, 0)),
        Cadence::PerArrival { .. } => Some((communication, 1)),
        _ => None,
    })
}
