//! A layout as a spec asks for it, before anything is chosen.

use super::{Layout, Order, Schedule, Zero};
use crate::keys::{Field, GPUS, Kind, SHARE, table};
use crate::workload::Recompute;

const DEGREE: Kind = Kind::Auto(&GPUS);
/// As many chunks as a model may have layers.
const CHUNKS: Kind = Kind::Auto(&Kind::Count { min: 1, max: 10_000 });

table! {
    /// A layout as a spec asks for it: what is `None` is the planner's to choose or derive.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LayoutRequest, "how the model is spread over GPUs; a degree may be \"auto\"" {
        /// Tensor-parallel degree.
        tensor: Option<u32> = "auto", in DEGREE, "tensor-parallel degree";
        /// Pipeline stages.
        pipeline: Option<u32> = "auto", in DEGREE, "pipeline stages";
        /// Replicas; derived from the GPUs where left out.
        data: Option<u32>, in DEGREE, "replicas" or "the rest of the GPUs";
        /// Context-parallel degree.
        context: Option<u32>, in DEGREE, "context-parallel degree"
            or "auto, or 1 beside stated tensor and pipeline";
        /// Expert-parallel degree.
        expert: Option<u32>, in DEGREE, "expert-parallel degree" or "auto with experts, else 1";
        /// Tensor-parallel degree inside one expert; derived where left out.
        expert_tensor: Option<u32> = "auto", in DEGREE, "tensor-parallel degree inside one expert";
        /// Virtual stages per GPU.
        interleave: Option<u32>, in CHUNKS, "virtual pipeline stages per GPU"
            or "auto, or 1 beside stated tensor and pipeline unless the schedule is interleaved";
        /// Norms and dropouts sharded over the tensor-parallel group.
        sequence_parallel: Option<bool>, in Kind::Auto(&Kind::Flag),
            "norms and dropouts sharded over the tensor group"
            or "auto, or by framework beside stated tensor and pipeline";
        /// What data parallelism shards.
        zero: Option<Zero>, in Kind::Auto(&Zero::KIND), "what data parallelism shards (ZeRO stage)"
            or "auto, or by framework beside stated tensor and pipeline";
        /// Replicas that share one copy of what is sharded; all where left out.
        shard: Option<u32>, in GPUS,
            "replicas that share one copy of what zero shards; others hold copies of it (HSDP)"
            or "all replicas";
        /// Rank order; `None` for "auto".
        order: Option<Order>, "order of the dimensions on the ranks, fastest first"
            or "auto, or tp-cp-ep-dp-pp beside stated tensor and pipeline";
        /// Pipeline schedule.
        schedule: Schedule, in Kind::Auto(&Schedule::KIND), "how micro-batches move through the stages"
            or "auto: 1f1b, or interleaved where interleave is above 1" else Schedule::from_interleave(interleave);
        /// Share of step time that a layout beyond what was measured has to save to be used.
        beyond_measured: f64 = 0.1, in SHARE,
            "share of step time that layouts with more virtual stages, context or expert ranks than \
             were measured, or that fill the memory beyond spare_memory, have to save to be used";
        /// Share of a GPU's memory that layouts leave free where they are searched.
        spare_memory: f64 = 0.02, in SHARE,
            "share of a GPU's memory that a layout leaves free where it is searched";
    } besides {
        /// Sequences of one micro-batch; `training.micro_batch` says.
        micro_batch: Option<u64>,
        /// What the backward pass computes again; `training.recompute` says.
        recompute: Option<Recompute>,
        /// What the spec asks for in the place of schedule and virtual stages, where those are a
        /// technique's; `None` where they are the spec's own.
        replaced: Option<Timetable>,
    }
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
    pub fn stated_timetable(&self) -> Timetable {
        let Self { schedule, interleave, .. } = *self;
        self.replaced.unwrap_or(Timetable { schedule, interleave })
    }

    /// The request in the spec's own words, as [`Self::stated_timetable`] has them.
    #[must_use]
    pub fn as_spec_words(&self) -> Self {
        let Timetable { schedule, interleave } = self.stated_timetable();
        Self { schedule, interleave, replaced: None, ..self.clone() }
    }

    /// True where anything is left to the planner. Data parallelism follows from the others, and
    /// rank orders are looked at by themselves.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.open_keys().is_empty()
    }

    /// Keys of a spec that are left to the planner, data parallelism and rank orders aside.
    #[must_use]
    pub fn open_keys(&self) -> Vec<&'static str> {
        let all = [
            ("parallelism.tensor", self.tensor.is_none()),
            ("parallelism.pipeline", self.pipeline.is_none()),
            ("parallelism.context", self.context.is_none()),
            ("parallelism.expert", self.expert.is_none()),
            ("parallelism.interleave", self.interleave.is_none()),
            ("parallelism.sequence_parallel", self.sequence_parallel.is_none()),
            ("parallelism.zero", self.zero.is_none()),
            ("training.micro_batch", self.micro_batch.is_none()),
            ("training.recompute", self.recompute.is_none()),
        ];
        all.into_iter().filter(|(_, open)| *open).map(|(key, _)| key).collect()
    }

    /// The request of a layout of which nothing is left open.
    #[must_use]
    pub fn from_layout(&self, layout: &Layout) -> Self {
        Self {
            tensor: Some(layout.tensor),
            pipeline: Some(layout.pipeline),
            data: Some(layout.data),
            context: Some(layout.context),
            expert: Some(layout.expert),
            expert_tensor: Some(layout.expert_tensor),
            interleave: Some(layout.interleave),
            sequence_parallel: Some(layout.sequence_parallel),
            zero: Some(layout.zero),
            shard: layout.shard,
            order: Some(layout.order),
            schedule: layout.schedule,
            micro_batch: Some(layout.micro_batch),
            recompute: Some(layout.recompute),
            ..self.clone()
        }
    }

    /// The plainest layout that the request allows: what is open is 1, off or nothing. Where
    /// `gpus` are given, replicas that are not stated use as many of them as they can.
    #[must_use]
    pub fn simplest_layout(&self, gpus: Option<u32>) -> Layout {
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
            shard: self.shard,
            recompute: self.recompute.unwrap_or(Recompute::None),
            order: self.order.unwrap_or(Order::DP_INSIDE_PP),
            schedule: self.schedule,
        }
    }
}
