//! A layout as a spec asks for it, before anything is chosen.

use super::{Layout, Order, Schedule, Zero};
use crate::workload::Recompute;

/// A layout as a spec asks for it: what is `None` is the planner's to choose or derive.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutRequest {
    /// Tensor-parallel degree.
    pub tensor: Option<u32>,
    /// Pipeline stages.
    pub pipeline: Option<u32>,
    /// Replicas; derived from the GPUs where left out.
    pub data: Option<u32>,
    /// Context-parallel degree.
    pub context: Option<u32>,
    /// Expert-parallel degree.
    pub expert: Option<u32>,
    /// Tensor-parallel degree inside one expert; derived where left out.
    pub expert_tensor: Option<u32>,
    /// Virtual stages per GPU.
    pub interleave: Option<u32>,
    /// Sequences of one micro-batch.
    pub micro_batch: Option<u64>,
    /// Norms and dropouts sharded over the tensor-parallel group.
    pub sequence_parallel: Option<bool>,
    /// What data parallelism shards.
    pub zero: Option<Zero>,
    /// What the backward pass computes again.
    pub recompute: Option<Recompute>,
    /// Rank order; `None` for "auto".
    pub order: Option<Order>,
    /// Pipeline schedule.
    pub schedule: Schedule,
    /// What the spec asks for in the place of schedule and virtual stages, where those are a
    /// technique's; `None` where they are the spec's own.
    pub replaced: Option<Timetable>,
}

/// How micro-batches move through the stages, as a spec asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// Pipeline schedule.
    pub schedule: Schedule,
    /// Virtual stages per GPU; `None` where they are the planner's to choose.
    pub interleave: Option<u32>,
}

impl LayoutRequest {
    /// The spec's own schedule and virtual stages, whether or not a technique's are in their place.
    #[must_use]
    pub fn timetable(&self) -> Timetable {
        let Self { schedule, interleave, .. } = *self;
        self.replaced.unwrap_or(Timetable { schedule, interleave })
    }

    /// True where anything is left to the planner. Data parallelism follows from the others, and
    /// rank orders are looked at by themselves.
    #[must_use]
    pub fn is_open(&self) -> bool {
        [self.tensor, self.pipeline, self.context, self.expert, self.interleave].contains(&None)
            || self.micro_batch.is_none()
            || self.sequence_parallel.is_none()
            || self.zero.is_none()
            || self.recompute.is_none()
    }

    /// The plainest layout that the request allows: what is open is 1, off or nothing. Where
    /// `gpus` are given, replicas that are not stated use as many of them as they can.
    #[must_use]
    pub fn plainest(&self, gpus: Option<u32>) -> Layout {
        let tensor = self.tensor.unwrap_or(1);
        let pipeline = self.pipeline.unwrap_or(1);
        let context = self.context.unwrap_or(1);
        let replica: u64 = [tensor, pipeline, context].into_iter().map(u64::from).product();
        let left = gpus.map_or(1, |gpus| u64::from(gpus) / replica.max(1));
        let data = self.data.unwrap_or_else(|| u32::try_from(left).unwrap_or(u32::MAX).max(1));
        Layout {
            tensor,
            pipeline,
            data,
            context,
            expert: self.expert.unwrap_or(1),
            expert_tensor: self.expert_tensor.unwrap_or(1),
            interleave: self.interleave.unwrap_or(1),
            micro_batch: self.micro_batch.unwrap_or(1),
            sequence_parallel: self.sequence_parallel.unwrap_or(false),
            zero: self.zero.unwrap_or(Zero::None),
            recompute: self.recompute.unwrap_or(Recompute::None),
            order: self.order.unwrap_or(Order::DP_INSIDE_PP),
            schedule: self.schedule,
        }
    }
}
