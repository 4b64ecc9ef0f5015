//! The degrees of parallelism of one job, and the rules that tie them to a model.

use std::fmt;

use super::Order;
use crate::workload::{Model, Recompute, Technique, Training};

/// How one model is spread over GPUs. All degrees are at least 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Tensor-parallel degree t.
    pub tensor: u32,
    /// Pipeline stages p.
    pub pipeline: u32,
    /// Replicas d: every GPU that sees other samples, whether or not it holds other experts.
    pub data: u32,
    /// Context-parallel degree c.
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
    /// What data parallelism shards.
    pub zero: Zero,
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
    pub const fn stage(self) -> u8 {
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

/// Why a layout can't carry a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutProblem {
    /// A degree is zero.
    Zero {
        /// Key of the degree.
        degree: &'static str,
    },
    /// One number has to divide another and does not.
    Indivisible {
        /// What is divided, with its value.
        whole: (&'static str, u64),
        /// What has to divide it, with its value.
        part: (&'static str, u64),
    },
    /// More stages than layers to put on them.
    TooManyStages {
        /// Layers of the model.
        layers: u32,
        /// Pipeline stages times interleave.
        chunks: u64,
    },
    /// Expert parallelism asked of a model without experts.
    NoExperts,
    /// Interleaving asked of a schedule that has none, or the reverse.
    Interleave {
        /// The schedule that does not fit.
        schedule: Schedule,
    },
    /// The expert group can't be laid over the ranks of a stage.
    ExpertGroup {
        /// Expert-parallel degree.
        expert: u32,
        /// Tensor, context and data degrees of the stage.
        stage: [u32; 3],
    },
    /// A technique does not apply to the layout.
    Technique {
        /// Which.
        technique: Technique,
        /// Why, and what helps.
        reason: String,
    },
}

impl fmt::Display for LayoutProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero { degree } => write!(f, "`{degree}` is 0, but a degree is at least 1"),
            Self::Indivisible { whole, part } => {
                write!(f, "{} {} does not divide {} {}", part.0, part.1, whole.0, whole.1)
            }
            Self::TooManyStages { layers, chunks } => {
                write!(
                    f,
                    "{chunks} pipeline chunks need at least as many layers, and there are {layers}"
                )
            }
            Self::NoExperts => f.write_str("expert parallelism needs a model with experts"),
            Self::Interleave { schedule } => {
                write!(f, "interleave and schedule contradict each other: `{}`", schedule.name())
            }
            Self::ExpertGroup { expert, stage: [t, c, d] } => write!(
                f,
                "expert degree {expert} can't be laid over tensor {t} x context {c} x data {d} ranks"
            ),
            Self::Technique { technique, reason } => {
                write!(f, "`technique.{}` does not apply: {reason}", technique.key())
            }
        }
    }
}

impl Layout {
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

    /// Micro-batches m = G/(d·b) of one pipeline and step.
    #[must_use]
    pub fn micro_batches(&self, training: &Training) -> u64 {
        training.global_batch / (u64::from(self.data) * self.micro_batch).max(1)
    }

    /// Every rule of the layout that `model` and `training` break; empty where it can run.
    #[must_use]
    pub fn problems(&self, model: &Model, training: &Training) -> Vec<LayoutProblem> {
        let mut problems = self.zero_degrees();
        if !problems.is_empty() {
            return problems; // the rules below divide
        }
        let mut divides = |part: (&'static str, u64), whole: (&'static str, u64)| {
            if !whole.1.is_multiple_of(part.1) {
                problems.push(LayoutProblem::Indivisible { whole, part });
            }
        };
        let tensor = ("tensor", u64::from(self.tensor));
        divides(tensor, ("heads", model.heads));
        if model.latent_attention.is_none() && model.kv_heads >= tensor.1 {
            divides(tensor, ("kv_heads", model.kv_heads));
        }
        divides(tensor, ("ffn", model.ffn));
        if self.sequence_parallel {
            divides(tensor, ("sequence", model.sequence / u64::from(self.context)));
        }
        divides(("context", u64::from(self.context)), ("sequence", model.sequence));
        divides(
            ("data x micro_batch", u64::from(self.data) * self.micro_batch),
            ("global_batch", training.global_batch),
        );
        if let Some(moe) = &model.moe {
            divides(("expert", u64::from(self.expert)), ("experts", moe.experts));
            divides(("expert_tensor", u64::from(self.expert_tensor)), ("moe ffn", moe.ffn));
        } else if self.expert > 1 {
            problems.push(LayoutProblem::NoExperts);
        }
        problems.extend(self.shape_problems(model, training));
        problems
    }

    fn zero_degrees(&self) -> Vec<LayoutProblem> {
        [
            ("tensor", u64::from(self.tensor)),
            ("pipeline", u64::from(self.pipeline)),
            ("data", u64::from(self.data)),
            ("context", u64::from(self.context)),
            ("expert", u64::from(self.expert)),
            ("expert_tensor", u64::from(self.expert_tensor)),
            ("interleave", u64::from(self.interleave)),
            ("micro_batch", self.micro_batch),
        ]
        .into_iter()
        .filter(|(_, value)| *value == 0)
        .map(|(degree, _)| LayoutProblem::Zero { degree })
        .collect()
    }

    /// Rules of pipeline, schedule and virtual stages alone that are broken.
    #[must_use]
    pub fn schedule_problems(&self, model: &Model, training: &Training) -> Vec<LayoutProblem> {
        let mut problems = Vec::new();
        let chunks = u64::from(self.pipeline) * u64::from(self.interleave);
        // Embedding and LM head may stand on chunks of their own, as in Llama 3 405B.
        if chunks > u64::from(model.layers) + 2 || self.pipeline > model.layers {
            problems.push(LayoutProblem::TooManyStages { layers: model.layers, chunks });
        }
        let interleaves = matches!(self.schedule, Schedule::Interleaved);
        let single = matches!(
            self.schedule,
            Schedule::GPipe | Schedule::MessageDriven | Schedule::ZeroBubble
        );
        if interleaves && self.interleave < 2 || single && self.interleave > 1 {
            problems.push(LayoutProblem::Interleave { schedule: self.schedule });
        }
        let micro_batches = self.micro_batches(training);
        if self.interleave > 1 && !micro_batches.is_multiple_of(u64::from(self.pipeline)) {
            problems.push(LayoutProblem::Indivisible {
                whole: ("micro-batches", micro_batches),
                part: ("pipeline", u64::from(self.pipeline)),
            });
        }
        problems
    }

    fn shape_problems(&self, model: &Model, training: &Training) -> Vec<LayoutProblem> {
        let mut problems = self.schedule_problems(model, training);
        if super::RankGrid::new(self).is_none() {
            problems.push(LayoutProblem::ExpertGroup {
                expert: self.expert,
                stage: [self.tensor, self.context, self.data],
            });
        }
        problems
    }
}
