//! Which layouts a search looks at: a list of values for each degree. Whether their combinations
//! are legal is the layout's own rule.

use crate::parallel::{LayoutRequest, Order, Schedule, Zero};
use crate::workload::{Model, Recompute, Training};

/// Values to try, each list in ascending order. Data parallelism follows from the GPUs; where it
/// is stated as well, layouts with another are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Tensor-parallel degrees.
    pub tensor: Vec<u32>,
    /// Pipeline stages.
    pub pipeline: Vec<u32>,
    /// Replicas; `None` for whatever follows.
    pub data: Option<u32>,
    /// Context-parallel degrees.
    pub context: Vec<u32>,
    /// Expert-parallel degrees.
    pub expert: Vec<u32>,
    /// Tensor-parallel degrees inside an expert.
    pub expert_tensor: Vec<u32>,
    /// Virtual stages per GPU.
    pub interleave: Vec<u32>,
    /// Sequences of a micro-batch.
    pub micro_batch: Vec<u64>,
    /// Norms sharded or not.
    pub sequence_parallel: Vec<bool>,
    /// What data parallelism shards.
    pub zero: Vec<Zero>,
    /// What is recomputed.
    pub recompute: Vec<Recompute>,
    /// Rank orders.
    pub order: Vec<Order>,
    /// Schedule without virtual stages; with them it is the interleaved one.
    pub schedule: Schedule,
}

impl Space {
    /// Every layout of `gpus` GPUs in the default rank order under 1F1B. Degrees that have to
    /// divide a number of the model are its divisors.
    #[must_use]
    pub fn all(model: &Model, training: &Training, gpus: u32) -> Self {
        let of_gpus = |limit: u64| divisors(u64::from(gpus), limit);
        let tensor = of_gpus(model.heads);
        let expert = model
            .moe
            .as_ref()
            .map_or_else(|| vec![1], |moe| divisors(moe.experts, u64::from(gpus)));
        Self {
            sequence_parallel: if tensor.len() > 1 { vec![false, true] } else { vec![false] },
            tensor,
            pipeline: of_gpus(u64::from(model.layers)),
            data: None,
            context: of_gpus(model.sequence)
                .into_iter()
                .filter(|c| model.sequence.is_multiple_of(u64::from(*c)))
                .collect(),
            expert,
            expert_tensor: vec![1],
            interleave: (1..=model.layers.max(1)).collect(),
            micro_batch: divisors(training.global_batch, training.global_batch)
                .into_iter()
                .map(u64::from)
                .collect(),
            zero: vec![Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Parameters],
            recompute: Recompute::ALL.to_vec(),
            order: vec![Order::DP_INSIDE_PP],
            schedule: Schedule::OneFOneB,
        }
    }

    /// The layouts that a spec leaves open: what it states is fixed, and so are sequence
    /// parallelism, ZeRO and recomputation, which it always states. Under the interleaved
    /// schedule there are at least two virtual stages.
    #[must_use]
    pub fn of_request(
        request: &LayoutRequest,
        model: &Model,
        training: &Training,
        gpus: u32,
    ) -> Self {
        let all = Self::all(model, training, gpus);
        let one_or = |fixed: Option<u32>, free: Vec<u32>| fixed.map_or(free, |value| vec![value]);
        let interleave = match request.schedule {
            Schedule::GPipe
            | Schedule::MessageDriven
            | Schedule::Independent
            | Schedule::InTurn => vec![1],
            Schedule::Interleaved => all.interleave.into_iter().filter(|v| *v > 1).collect(),
            Schedule::OneFOneB | Schedule::ZeroBubble => all.interleave,
        };
        Self {
            tensor: one_or(request.tensor, all.tensor),
            pipeline: one_or(request.pipeline, all.pipeline),
            data: request.data,
            context: one_or(request.context, all.context),
            expert: one_or(request.expert, all.expert),
            expert_tensor: one_or(request.expert_tensor, all.expert_tensor),
            interleave: one_or(request.interleave, interleave),
            micro_batch: training.micro_batch.map_or(all.micro_batch, |fixed| vec![fixed]),
            sequence_parallel: vec![request.sequence_parallel],
            zero: vec![request.zero],
            recompute: vec![training.recompute],
            order: request
                .order
                .map_or_else(|| vec![Order::DP_INSIDE_PP, Order::PP_INSIDE_DP], |o| vec![o]),
            schedule: match request.schedule {
                Schedule::Interleaved => Schedule::OneFOneB,
                other => other,
            },
        }
    }
}

impl Space {
    /// Keys with more than one value to try, in the order of the spec.
    #[must_use]
    pub fn open(&self) -> Vec<&'static str> {
        [
            ("tensor", self.tensor.len()),
            ("pipeline", self.pipeline.len()),
            ("context", self.context.len()),
            ("expert", self.expert.len()),
            ("expert_tensor", self.expert_tensor.len()),
            ("interleave", self.interleave.len()),
            ("sequence_parallel", self.sequence_parallel.len()),
            ("zero", self.zero.len()),
            ("order", self.order.len()),
            ("micro_batch", self.micro_batch.len()),
            ("recompute", self.recompute.len()),
        ]
        .into_iter()
        .filter(|(_, values)| *values > 1)
        .map(|(key, _)| key)
        .collect()
    }
}

/// Divisors of a number up to a limit, ascending; none of 0.
fn divisors(number: u64, limit: u64) -> Vec<u32> {
    let pairs = (1..=number.isqrt()).filter(|part| number.is_multiple_of(*part));
    let mut all: Vec<u64> = pairs.flat_map(|part| [part, number / part]).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().filter(|part| *part <= limit).filter_map(|part| part.try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::divisors;

    #[test]
    fn divisors_are_those_of_trial_division() {
        for number in 0..200_u64 {
            let tried: Vec<u32> = (1..=number.min(50) as u32)
                .filter(|d| number.is_multiple_of(u64::from(*d)))
                .collect();
            assert_eq!(divisors(number, 50), tried, "{number}");
        }
    }
}
