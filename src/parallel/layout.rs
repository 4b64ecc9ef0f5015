//! `Layout`, `Zero`, `Schedule`; `LayoutRequest`: a layout as a spec asks for it.

use super::Order;
use crate::keys::{Field, GPUS, Key, Kind, SHARE, Values, table};
use crate::workload::{Recompute, Training};

/// How one model is spread over GPUs. All degrees are at least 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub tensor: u32,
    pub pipeline: u32,
    /// Replicas d: every GPU that sees other samples, whether or not it holds other experts.
    pub data: u32,
    pub context: u32,
    /// Expert-parallel degree: ranks that share one set of experts, consecutive ones of a stage
    /// in the default order.
    pub expert: u32,
    /// Tensor-parallel degree inside one expert.
    pub expert_tensor: u32,
    /// Virtual stages v per GPU.
    pub interleave: u32,
    /// Sequences b of one micro-batch.
    pub micro_batch: u64,
    /// Norms and dropouts are sharded over the tensor-parallel group.
    pub sequence_parallel: bool,
    pub zero: Zero,
    /// Replicas that share one copy of that, neighbours in the order of the ranks; all where
    /// `None`. Every other so many of them hold a copy of their own.
    pub shard: Option<u32>,
    /// What the backward pass computes again instead of keeping.
    pub recompute: Recompute,
    /// How the axes lie on the ranks.
    pub order: Order,
    /// How micro-batches move through the stages.
    pub schedule: Schedule,
}

/// What data parallelism shards (ZeRO, arXiv 1910.02054).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zero {
    /// Nothing: gradients are all-reduced.
    None,
    /// Optimizer states.
    Optimizer,
    /// Optimizer states and gradients.
    Gradients,
    /// Optimizer states, gradients and parameters (FSDP).
    Parameters,
}

impl Zero {
    /// The stage as its usual number, 0 to 3.
    #[must_use]
    pub const fn stage_number(self) -> u8 {
        self as u8
    }

    /// The stage of that number; `None` above 3.
    #[must_use]
    pub const fn from_stage(stage: u64) -> Option<Self> {
        match stage {
            0 => Some(Self::None),
            1 => Some(Self::Optimizer),
            2 => Some(Self::Gradients),
            3 => Some(Self::Parameters),
            _ => None,
        }
    }
}

impl Field for Zero {
    const KIND: Kind = Kind::Count { min: 0, max: 3 };

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        values.count_value(key).and_then(Self::from_stage)
    }
}

/// How micro-batches move through the pipeline stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Schedule {
    /// All forward passes, then all backward passes.
    GPipe,
    /// One forward, one backward in the steady state.
    OneFOneB,
    /// 1F1B over several virtual stages per GPU.
    Interleaved,
    /// The weight gradient fills the bubble.
    ZeroBubble,
    /// A stage runs whatever message has arrived (AxoNN).
    MessageDriven,
    /// Every stage trains by itself, all at once: no message, no bubble.
    Independent,
    /// Every stage trains by itself, one stage after the other.
    InTurn,
}

impl Schedule {
    /// All that a layout can ask for, in the order of the contract; the others are techniques'.
    pub const ALL: [Self; 5] =
        [Self::GPipe, Self::OneFOneB, Self::Interleaved, Self::ZeroBubble, Self::MessageDriven];

    /// Their names in a spec, in that order.
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// What so many virtual stages per GPU ask for.
    #[must_use]
    pub fn from_interleave(interleave: Option<u32>) -> Self {
        if interleave.is_some_and(|chunks| chunks > 1) { Self::Interleaved } else { Self::OneFOneB }
    }

    /// The contract's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GPipe => "gpipe",
            Self::OneFOneB => "1f1b",
            Self::Interleaved => "interleaved",
            Self::ZeroBubble => "zero-bubble",
            Self::MessageDriven => "message-driven",
            Self::Independent => "stages by themselves",
            Self::InTurn => "stages one after the other",
        }
    }
}

impl Field for Schedule {
    const KIND: Kind = Kind::Choice(Self::NAMES);

    fn read_value(values: &impl Values, key: &Key) -> Option<Self> {
        let name = values.text_value(key)?;
        Self::ALL.into_iter().find(|schedule| schedule.name() == name)
    }
}

impl Layout {
    /// Its degrees in short: `t8 p16 d128`, and `c` and `e` where there are context or expert
    /// ranks.
    #[must_use]
    pub fn degrees_text(&self) -> String {
        let Self { tensor, pipeline, data, context, expert, .. } = self;
        let mut text = format!("t{tensor} p{pipeline} d{data}");
        for (name, degree) in [("c", context), ("e", expert)] {
            if *degree > 1 {
                text.push_str(&format!(" {name}{degree}"));
            }
        }
        text
    }

    /// One GPU that does everything: other layouts are written as their difference to it.
    pub const ONE_GPU: Self = Self {
        tensor: 1,
        pipeline: 1,
        data: 1,
        context: 1,
        expert: 1,
        expert_tensor: 1,
        interleave: 1,
        micro_batch: 1,
        sequence_parallel: false,
        zero: Zero::None,
        shard: None,
        recompute: Recompute::None,
        order: Order::DP_INSIDE_PP,
        schedule: Schedule::OneFOneB,
    };

    /// GPUs of the job: t · c · d · p.
    #[must_use]
    pub fn gpus(&self) -> u64 {
        [self.tensor, self.context, self.data, self.pipeline].into_iter().map(u64::from).product()
    }

    /// Ranks that hold the same dense parameters: d · c.
    #[must_use]
    pub fn replicas(&self) -> f64 {
        f64::from(self.data) * f64::from(self.context)
    }

    /// Ranks that hold the same experts: t · c · d over the expert degrees, at least 1.
    #[must_use]
    pub fn expert_replicas(&self) -> f64 {
        let ranks = self.replicas() * f64::from(self.tensor);
        (ranks / (f64::from(self.expert) * f64::from(self.expert_tensor))).max(1.0)
    }

    /// Replicas that share one copy of what data parallelism shards.
    #[must_use]
    pub fn replicas_per_copy(&self) -> u32 {
        self.shard.unwrap_or(self.data)
    }

    /// Copies of what data parallelism shards: 1 where all replicas share one.
    #[must_use]
    pub fn parameter_copies(&self) -> u32 {
        self.data / self.replicas_per_copy().max(1)
    }

    /// Ranks that share one copy of the dense parameters' states, those that share a sequence with
    /// them: [`Self::replicas`] over [`Self::parameter_copies`].
    #[must_use]
    pub fn shards(&self) -> f64 {
        self.replicas() / f64::from(self.parameter_copies().max(1))
    }

    /// Ranks that share one copy of the states of the same experts, at least 1.
    #[must_use]
    pub fn expert_shards(&self) -> f64 {
        (self.expert_replicas() / f64::from(self.parameter_copies().max(1))).max(1.0)
    }

    /// Micro-batches m = G/(d·b) of one pipeline and step.
    #[must_use]
    pub fn micro_batches(&self, training: &Training) -> u64 {
        training.global_batch / (u64::from(self.data) * self.micro_batch).max(1)
    }
}

const DEGREE: Kind = Kind::Auto(&GPUS);
/// As many chunks as a model may have layers.
const CHUNKS: Kind = Kind::Auto(&Kind::Count { min: 1, max: 10_000 });

table! {
    /// A layout as a spec asks for it: what is `None` is the planner's to choose or derive.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LayoutRequest, "how the model is spread over GPUs; a degree may be \"auto\"" {
        tensor: Option<u32> = "auto", in DEGREE, "tensor-parallel degree";
        pipeline: Option<u32> = "auto", in DEGREE, "pipeline stages";
        /// Replicas; derived from the GPUs where left out.
        data: Option<u32>, in DEGREE, "replicas" or "the rest of the GPUs";
        context: Option<u32>, in DEGREE, "context-parallel degree"
            or "auto, or 1 beside stated tensor and pipeline";
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
        zero: Option<Zero>, in Kind::Auto(&Zero::KIND), "what data parallelism shards (ZeRO stage)"
            or "auto, or by framework beside stated tensor and pipeline";
        /// Replicas that share one copy of what is sharded; all where left out.
        shard: Option<u32>, in GPUS,
            "replicas that share one copy of what zero shards; others hold copies of it (HSDP)"
            or "all replicas";
        /// Rank order; `None` for "auto".
        order: Option<Order>, "order of the dimensions on the ranks, fastest first"
            or "auto, or tp-cp-ep-dp-pp beside stated tensor and pipeline";
        schedule: Schedule, in Kind::Auto(&Schedule::KIND), "how micro-batches move through the \
                                                             stages"
            or "auto: 1f1b, or interleaved where interleave is above \
                1" else Schedule::from_interleave(interleave);
        /// Share of step time that a layout beyond what was measured has to save to be used.
        beyond_measured: f64 = 0.1, in SHARE,
            "share of step time that layouts with more virtual stages, context or expert ranks \
             than were measured, or that fill the memory beyond spare_memory, have to save to be \
             used";
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
