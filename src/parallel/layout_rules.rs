//! The rules that tie a layout to a model and a batch. Chooses no layout.

use std::fmt;

use super::{Layout, RankGrid, Schedule, Zero};
use crate::workload::{Model, Technique, Training};

/// Why a layout can't carry a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutProblem {
    /// A degree is zero.
    Zero { degree: &'static str },
    /// One number has to divide another and does not.
    Indivisible {
        /// What is divided, with its value.
        whole: (&'static str, u64),
        /// What has to divide it, with its value.
        part: (&'static str, u64),
    },
    /// More stages than layers to put on them.
    TooManyStages { layers: u32, chunks: u64 },
    /// Expert parallelism asked of a model without experts.
    NoExperts,
    /// Interleaving asked of a schedule that has none, or the reverse.
    Interleave {
        /// The schedule that does not fit.
        schedule: Schedule,
    },
    /// The expert group can't be laid over the ranks of a stage.
    ExpertGroup {
        expert: u32,
        /// Tensor, context and data degrees of the stage, of the last as many as share a copy.
        stage: [u32; 3],
    },
    /// Some of the replicas are to share a copy of what is sharded, and nothing is.
    NothingSharded { shard: u32 },
    /// A technique does not apply to the layout.
    Technique {
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
                "expert degree {expert} can't be laid over tensor {t} x context {c} x data {d} \
                 ranks"
            ),
            Self::NothingSharded { shard } => {
                write!(f, "{shard} replicas are to share a copy, but ZeRO 0 shards nothing")
            }
            Self::Technique { technique, reason } => {
                write!(f, "`technique.{}` does not apply: {reason}", technique.key())
            }
        }
    }
}

impl Layout {
    /// Every rule of the layout that `model` and `training` break; empty where it can run.
    #[must_use]
    pub fn broken_rules(&self, model: &Model, training: &Training) -> Vec<LayoutProblem> {
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
        if model.is_partly_dense() {
            divides(tensor, ("ffn", model.ffn));
        }
        let both = ("tensor x context", tensor.1 * u64::from(self.context));
        if let Some(mamba) = &model.mamba {
            divides(tensor, ("mamba groups", mamba.groups));
            divides(both, ("mamba heads", mamba.heads));
        }
        if let Some(delta) = &model.delta {
            divides(both, ("delta key_heads", delta.key_heads));
            divides(both, ("delta value_heads", delta.value_heads));
        }
        if self.sequence_parallel {
            divides(tensor, ("sequence", model.sequence / u64::from(self.context)));
        }
        divides(("context", u64::from(self.context)), ("sequence", model.sequence));
        divides(
            ("data x micro_batch", u64::from(self.data) * self.micro_batch),
            ("global_batch", training.global_batch),
        );
        if let Some(shard) = self.shard {
            divides(("shard", u64::from(shard)), ("data", u64::from(self.data)));
        }
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
            ("shard", self.shard.map_or(1, u64::from)),
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
        let some = self.shard.filter(|shard| *shard != self.data);
        if let Some(shard) = some.filter(|_| self.zero == Zero::None) {
            problems.push(LayoutProblem::NothingSharded { shard });
        }
        if self.data.is_multiple_of(self.replicas_per_copy()) && RankGrid::new(self).is_none() {
            problems.push(LayoutProblem::ExpertGroup {
                expert: self.expert,
                stage: [self.tensor, self.context, self.replicas_per_copy()],
            });
        }
        problems
    }
}
