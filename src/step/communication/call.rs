//! One communication of a step: who takes part, what it carries and how often.

use super::element::Element;
use super::nouns::{Cadence, Collective, Hiding, Moment, TrafficKind};
use crate::parallel::Group;
use crate::step::{Pass, PipelineStage};
use crate::units::Bytes;
use crate::workload::Algorithms;

/// One communication of a step, the same on all groups of its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Communication {
    /// What reports sum it by.
    pub kind: TrafficKind,
    /// What it carries, for `explain`.
    pub label: &'static str,
    /// Who takes part.
    pub group: Group,
    /// What they do.
    pub collective: Collective,
    /// By which algorithms they do it.
    pub by: Algorithms,
    /// Bytes D of one call, by pipeline stage of the rank (one entry: the same on all).
    /// Padded so that the group splits it evenly.
    pub(in crate::step) payload: Vec<Bytes>,
    /// Format of the elements of the payload.
    pub element: Element,
    /// When.
    pub cadence: Cadence,
    /// Where in its pass or step.
    pub moment: Moment,
    /// Beside what.
    pub hiding: Hiding,
    /// Messages of one call, by pipeline stage of the rank: the payload goes in so many, one
    /// after the other. Empty: in one on every stage.
    pub(in crate::step) messages: Vec<u64>,
}

impl Communication {
    /// Bytes D of one call on a rank of `stage`; nothing on stages that do not exist.
    #[must_use]
    pub fn payload(&self, stage: usize) -> Bytes {
        match self.payload.as_slice() {
            [same] => *same,
            by_stage => by_stage.get(stage).copied().unwrap_or_default(),
        }
    }

    /// This communication with other payloads: one for all stages, or one for each.
    #[must_use]
    pub fn with_payload(self, payload: Vec<Bytes>) -> Self {
        Self { payload, ..self }
    }

    /// This communication with elements of another format.
    #[must_use]
    pub fn with_element(self, element: Element) -> Self {
        Self { element, ..self }
    }

    /// This communication elsewhere in its pass or step.
    #[must_use]
    pub fn with_moment(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    /// Messages in which one call's payload goes on a rank of `stage`, at least one.
    #[must_use]
    pub fn messages_per_call(&self, stage: usize) -> u64 {
        self.messages.get(stage).copied().unwrap_or(1).max(1)
    }

    /// This communication with its payload in so many messages, one count for each stage.
    #[must_use]
    pub fn split_into_messages(self, messages: Vec<u64>) -> Self {
        Self { messages, ..self }
    }

    /// Calls of one step on a rank of `stage`.
    pub(in crate::step) fn calls_per_step(
        &self,
        stage: &PipelineStage,
        micro_batches: u64,
        stages: usize,
    ) -> u64 {
        let chunks = u64::from(stage.chunks);
        // The first stage's first chunk has nothing before it, the last stage's last nothing after.
        let before = micro_batches * (chunks - u64::from(stage.index == 0));
        let after = micro_batches * (chunks - u64::from(stage.index as usize + 1 == stages));
        match self.cadence {
            Cadence::PerBlock { block, times, .. } => {
                micro_batches * u64::from(stage.block_count(block)) * u64::from(times)
            }
            Cadence::PerBoundary { pass: Pass::Forward } => after,
            Cadence::PerBoundary { .. } => before,
            Cadence::PerArrival { pass: Pass::Forward } => before,
            Cadence::PerArrival { .. } => after,
            Cadence::PerStep => 1,
            Cadence::PerMicroBatch { .. } => micro_batches,
        }
    }
}
