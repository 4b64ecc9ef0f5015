//! Data parallelism: gradients summed over replicas, and parameters gathered where they are
//! sharded. Experts have their own, smaller groups of replicas.

use super::buckets::BucketRule;
use super::call::{Cadence, Collective, Communication, Element, Hiding, Moment, TrafficKind};
use super::source::CommunicationInputs;
use crate::parallel::{Group, Zero};
use crate::step::{Pass, PipelineStage};
use crate::units::Bytes;

/// Dense parameters among all replicas (context-parallel ranks are replicas too), routed experts
/// among the replicas of the same experts.
pub(super) fn data_parallel_calls(source: &CommunicationInputs<'_>) -> Vec<Communication> {
    let layout = source.layout;
    let replicas = u128::from(layout.data) * u128::from(layout.context);
    let shards = u128::from(layout.expert) * u128::from(layout.expert_tensor);
    let expert_replicas = replicas * u128::from(layout.tensor) / shards;
    let copies = u128::from(layout.parameter_copies().max(1));
    let (sharing, apart) = match copies {
        1 => ([Group::Data, Group::ExpertData], [Group::Copies, Group::ExpertCopies]),
        _ => ([Group::Shard, Group::ExpertShard], [Group::Copies, Group::ExpertCopies]),
    };
    let ranks = |at: usize, size: u128| {
        let sharing = Ranks { group: sharing[at], size: size / copies };
        (sharing, Ranks { group: apart[at], size: copies })
    };
    let (sharing, copying) = ranks(0, replicas);
    let held = |stage: &PipelineStage| stage.dense_parameters;
    let mut all = Replicas { source, sharing, copying, held }.zero_communications();
    let (sharing, copying) = ranks(1, expert_replicas);
    let held = |stage: &PipelineStage| stage.expert_parameters;
    all.extend(Replicas { source, sharing, copying, held }.zero_communications());
    all
}

/// Ranks that communicate.
#[derive(Clone, Copy)]
struct Ranks {
    group: Group,
    size: u128,
}

/// One kind of parameters and those who hold copies of them.
struct Replicas<'a> {
    source: &'a CommunicationInputs<'a>,
    /// Those that share one copy of what is sharded.
    sharing: Ranks,
    /// Those that hold the same share of it.
    copying: Ranks,
    held: fn(&PipelineStage) -> u128,
}

impl Replicas<'_> {
    /// What the ZeRO stage asks for (arXiv 1910.02054 §7).
    fn zero_communications(&self) -> Vec<Communication> {
        if self.source.stages.iter().all(|stage| (self.held)(stage) == 0) {
            return Vec::new();
        }
        let mut calls = match self.source.layout.zero {
            Zero::None => self.all_reduce_gradients(),
            Zero::Optimizer => self.sharded_optimizer(),
            Zero::Gradients => self.sharded_gradients(),
            Zero::Parameters => self.sharded_parameters(),
        };
        let sizes = [self.sharing, self.copying];
        let alone = |communication: &Communication| {
            sizes.iter().any(|r| r.group == communication.group && r.size < 2)
        };
        calls.retain(|communication| !alone(communication));
        if calls.is_empty() {
            return calls;
        }
        let of_experts = self.sharing.group.is_of_experts();
        let rules = [BucketRule::of_gradients(self.source), BucketRule::of_parameters(self.source)];
        let messages = |rule: BucketRule| rule.messages_by_stage(self.source, of_experts);
        let gradients = messages(rules[0]);
        let parameters = if rules[0] == rules[1] { gradients.clone() } else { messages(rules[1]) };
        let split = |call: Communication| {
            let gathers = call.collective == Collective::AllGather;
            call.split_into_messages(if gathers { parameters.clone() } else { gradients.clone() })
        };
        calls.into_iter().map(split).collect()
    }

    /// One all-reduce of all gradients, after the last micro-batch.
    fn all_reduce_gradients(&self) -> Vec<Communication> {
        vec![self.gradient_communication(Collective::AllReduce, "gradients reduced")]
    }

    /// Gradients go to the owner of their optimizer states, new parameters come back.
    fn sharded_optimizer(&self) -> Vec<Communication> {
        vec![
            self.sum_for_owners(self.source.framework.bucket_all_reduce),
            self.sum_among_copies(),
            self.new_parameters(),
        ]
    }

    /// As no rank keeps all gradients, those of each micro-batch go to their owner at once.
    fn sharded_gradients(&self) -> Vec<Communication> {
        let sum = self.sum_for_owners(self.source.framework.bucket_all_reduce);
        vec![
            self.per_micro_batch(sum, Pass::Backward),
            self.per_micro_batch(self.sum_among_copies(), Pass::Backward),
            self.new_parameters(),
        ]
    }

    /// Parameters are gathered for every forward and backward pass of a micro-batch, and the
    /// sum of its gradients scattered (§7.2.2). Every implementation prefetches parameters.
    fn sharded_parameters(&self) -> Vec<Communication> {
        let sum = self.sum_for_owners(self.source.framework.single_ring_sharding);
        [
            (self.parameter_gather("parameters gathered forward"), Pass::Forward),
            (self.parameter_gather("parameters gathered backward"), Pass::Backward),
            (sum, Pass::Backward),
            (self.sum_among_copies(), Pass::Backward),
        ]
        .into_iter()
        .map(|(call, pass)| {
            let call = self.per_micro_batch(call, pass);
            match call.collective {
                Collective::AllGather => Communication { hiding: Hiding::Block, ..call },
                _ => call,
            }
        })
        .collect()
    }

    /// Gradients on their way to the owners of their states, who keep their share of the sum.
    fn sum_for_owners(&self, all_reduced: bool) -> Communication {
        if all_reduced {
            return self.gradient_communication(Collective::AllReduce, "gradients reduced");
        }
        let label = "gradients reduced and scattered";
        self.gradient_communication(Collective::ReduceScatter, label)
    }

    fn gradient_communication(&self, collective: Collective, label: &'static str) -> Communication {
        let width = self.source.framework.gradient_bytes;
        self.per_step(collective, width, Hiding::LastBackward, label)
    }

    /// Each rank's share of the gradients is summed over the copies, as often as gradients are
    /// scattered: what FSDP2 does on a mesh of two dimensions unless it is told to wait.
    fn sum_among_copies(&self) -> Communication {
        let label = "shares of gradients reduced among copies";
        let whole = self.gradient_communication(Collective::AllReduce, label);
        let share = |bytes: &Bytes| {
            Bytes::new(bytes.count() / self.sharing.size.max(1)).padded_to(self.copying.size)
        };
        let payload = whole.payload.iter().map(share).collect();
        Communication { group: self.copying.group, payload, ..whole }
    }

    fn new_parameters(&self) -> Communication {
        let call = self.parameter_gather("new parameters gathered");
        Communication { hiding: self.hiding_by_framework(Hiding::FirstForward), ..call }
    }

    fn parameter_gather(&self, label: &'static str) -> Communication {
        let width = self.source.framework.parameter_bytes;
        self.per_step(Collective::AllGather, width, Hiding::FirstForward, label)
    }

    fn per_micro_batch(&self, call: Communication, pass: Pass) -> Communication {
        let hiding = self.hiding_by_framework(Hiding::Block);
        Communication { cadence: Cadence::PerMicroBatch { pass }, hiding, ..call }
    }

    fn per_step(
        &self,
        collective: Collective,
        width: u64,
        hiding: Hiding,
        label: &'static str,
    ) -> Communication {
        let bytes = |stage: &PipelineStage| Bytes::new((self.held)(stage) * u128::from(width));
        Communication {
            kind: TrafficKind::Data,
            label,
            group: self.sharing.group,
            collective,
            by: self.source.algorithms_of_kind(TrafficKind::Data),
            payload: self
                .source
                .stages
                .iter()
                .map(|stage| bytes(stage).padded_to(self.sharing.size))
                .collect(),
            element: Element::from_byte_width(width, self.source.training.precision),
            cadence: Cadence::PerStep,
            moment: if collective == Collective::AllGather {
                Moment::Parameters
            } else {
                Moment::Gradients
            },
            hiding: self.hiding_by_framework(hiding),
            messages: Vec::new(),
        }
    }

    /// Nothing hides where the framework does not overlap.
    const fn hiding_by_framework(&self, hiding: Hiding) -> Hiding {
        if self.source.framework.overlap_data { hiding } else { Hiding::Exposed }
    }
}
