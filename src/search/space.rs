//! Which layouts a search looks at: a list of values for each degree. Whether their combinations
//! are legal is the layout's own rule.

use crate::parallel::{Layout, LayoutRequest, Order, RankGrid, Schedule, Zero};
use crate::workload::{Model, Recompute, Training};

/// Values to try, each list without repeats. Data parallelism follows from the GPUs; layouts
/// with another than those listed are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    pub tensor: Vec<u32>,
    pub pipeline: Vec<u32>,
    pub data: Vec<u32>,
    pub context: Vec<u32>,
    pub expert: Vec<u32>,
    /// Tensor-parallel degrees inside an expert.
    pub expert_tensor: Vec<u32>,
    /// Virtual stages per GPU.
    pub interleave: Vec<u32>,
    pub micro_batch: Vec<u64>,
    pub sequence_parallel: Vec<bool>,
    pub zero: Vec<Zero>,
    /// Replicas that share one copy of that; all where `None`.
    pub shard: Option<u32>,
    pub recompute: Vec<Recompute>,
    pub order: Vec<Order>,
    /// Schedules. 1F1B stands for one virtual stage, the interleaved one for more.
    pub schedule: Vec<Schedule>,
    /// Degrees of those lists that are tried together: tensor, context, expert, tensor inside an
    /// expert, pipeline. All that can be, where `None`.
    pub together: Option<Vec<Degrees>>,
}

/// The degrees of a layout; data parallelism follows from them.
pub(super) type Degrees = [u32; 5];

pub(super) const fn degrees_of(layout: &Layout) -> Degrees {
    [layout.tensor, layout.context, layout.expert, layout.expert_tensor, layout.pipeline]
}

/// Degrees that layouts share which are looked at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DegreeCell {
    pub(super) tensor: u32,
    pub(super) context: u32,
    pub(super) expert: u32,
    pub(super) expert_tensor: u32,
}

impl DegreeCell {
    /// Replicas that use every GPU; `None` where the degrees do not divide them.
    pub(super) fn replica_count(&self, gpus: u32, pipeline: u32) -> Option<u32> {
        let ranks = [self.tensor, self.context, pipeline].into_iter().map(u64::from).product();
        let gpus = u64::from(gpus);
        if ranks == 0 || !gpus.is_multiple_of(ranks) {
            return None;
        }
        u32::try_from(gpus / ranks).ok()
    }
}

impl Space {
    /// Every layout of `gpus` GPUs: all rank orders, all schedules that a framework can run from
    /// a list (message-driven ones need an engine of their own). Degrees that have to divide a
    /// number of the model are its divisors; pipeline stages need not divide its layers.
    #[must_use]
    pub fn all_layouts(model: &Model, training: &Training, gpus: u32) -> Self {
        let of_gpus = |limit: u64| divisors_up_to(u64::from(gpus), limit);
        let tensor = of_gpus(model.heads);
        let expert = model
            .moe
            .as_ref()
            .map_or_else(|| vec![1], |moe| divisors_up_to(moe.experts, u64::from(gpus)));
        Self {
            sequence_parallel: if tensor.len() > 1 { vec![false, true] } else { vec![false] },
            tensor,
            pipeline: of_gpus(u64::from(model.layers)),
            data: of_gpus(u64::from(gpus)),
            context: of_gpus(model.sequence)
                .into_iter()
                .filter(|c| model.sequence.is_multiple_of(u64::from(*c)))
                .collect(),
            expert,
            expert_tensor: vec![1],
            interleave: (1..=model.layers.max(1)).collect(),
            micro_batch: divisors_up_to(training.global_batch, training.global_batch)
                .into_iter()
                .map(u64::from)
                .collect(),
            zero: vec![Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Parameters],
            shard: None,
            recompute: Recompute::ALL.to_vec(),
            order: Order::all_orders(),
            schedule: vec![
                Schedule::OneFOneB,
                Schedule::Interleaved,
                Schedule::ZeroBubble,
                Schedule::GPipe,
            ],
            together: None,
        }
    }

    /// The layouts that a spec leaves open: what it states is fixed. Under the interleaved
    /// schedule there are at least two virtual stages.
    #[must_use]
    pub fn from_request(
        request: &LayoutRequest,
        model: &Model,
        training: &Training,
        gpus: u32,
    ) -> Self {
        let all = Self::all_layouts(model, training, gpus);
        let one_or = |fixed: Option<u32>, free: Vec<u32>| fixed.map_or(free, |value| vec![value]);
        let (interleave, schedule) = match request.schedule {
            Schedule::OneFOneB => (all.interleave, WITH_CHUNKS.to_vec()),
            Schedule::Interleaved => {
                let several = all.interleave.into_iter().filter(|v| *v > 1);
                (several.collect(), vec![Schedule::Interleaved])
            }
            single => (vec![1], vec![single]),
        };
        Self {
            tensor: one_or(request.tensor, all.tensor),
            pipeline: one_or(request.pipeline, all.pipeline),
            data: one_or(request.data, all.data),
            context: one_or(request.context, all.context),
            expert: one_or(request.expert, all.expert),
            expert_tensor: one_or(request.expert_tensor, all.expert_tensor),
            interleave: one_or(request.interleave, interleave),
            micro_batch: request.micro_batch.map_or(all.micro_batch, |fixed| vec![fixed]),
            sequence_parallel: request
                .sequence_parallel
                .map_or(all.sequence_parallel, |fixed| vec![fixed]),
            zero: request
                .zero
                .map_or_else(|| zero_settings(all.zero, request), |fixed| vec![fixed]),
            shard: request.shard,
            recompute: request.recompute.map_or(all.recompute, |fixed| vec![fixed]),
            order: request
                .order
                .map_or_else(|| vec![Order::DP_INSIDE_PP, Order::PP_INSIDE_DP], |o| vec![o]),
            schedule,
            together: None,
        }
    }
}

/// 1F1B, with virtual stages or without.
const WITH_CHUNKS: [Schedule; 2] = [Schedule::OneFOneB, Schedule::Interleaved];

impl Space {
    /// Keys with more than one value to try, in the order of the spec.
    #[must_use]
    pub fn open_keys(&self) -> Vec<&'static str> {
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
            ("schedule", if self.schedule == WITH_CHUNKS { 1 } else { self.schedule.len() }),
            ("micro_batch", self.micro_batch.len()),
            ("recompute", self.recompute.len()),
        ]
        .into_iter()
        .filter(|(_, values)| *values > 1)
        .map(|(key, _)| key)
        .collect()
    }
}

impl Space {
    /// True for layouts of which every value is tried.
    pub(super) fn has_layout(&self, layout: &Layout) -> bool {
        let Layout { tensor, pipeline, data, context, expert, expert_tensor, .. } = layout;
        self.tensor.contains(tensor)
            && self.pipeline.contains(pipeline)
            && self.data.contains(data)
            && self.context.contains(context)
            && self.expert.contains(expert)
            && self.expert_tensor.contains(expert_tensor)
            && self.interleave.contains(&layout.interleave)
            && self.micro_batch.contains(&layout.micro_batch)
            && self.sequence_parallel.contains(&layout.sequence_parallel)
            && self.zero.contains(&layout.zero)
            && self.recompute.contains(&layout.recompute)
            && self.order.contains(&layout.order)
            && self.schedule.contains(&layout.schedule)
            && self.has_degrees(&degrees_of(layout))
    }
}

impl Space {
    /// What is looked at together, with the pairs of pipeline degree and micro-batch that divide
    /// GPUs and batch: how much there is to look at, roughly.
    pub(super) fn degree_cells(&self, training: &Training, gpus: u32) -> Vec<(DegreeCell, u64)> {
        let mut cells = Vec::new();
        for tensor in &self.tensor {
            for context in &self.context {
                for expert in &self.expert {
                    for expert_tensor in &self.expert_tensor {
                        let (tensor, context) = (*tensor, *context);
                        let (expert, expert_tensor) = (*expert, *expert_tensor);
                        let cell = DegreeCell { tensor, context, expert, expert_tensor };
                        cells.push((cell, self.cell_weight(&cell, training, gpus)));
                    }
                }
            }
        }
        cells.retain(|(_, weight)| *weight > 0);
        cells
    }

    /// One sequence at a time on a cell's degrees, in the first order that can lay the experts;
    /// `None` where there is none, or the degrees do not use every GPU.
    pub(super) fn layout_of_degrees(
        &self,
        cell: &DegreeCell,
        gpus: u32,
        pipeline: u32,
    ) -> Option<Layout> {
        let data = cell.replica_count(gpus, pipeline).filter(|data| self.data.contains(data))?;
        let degrees = Layout {
            tensor: cell.tensor,
            pipeline,
            data,
            context: cell.context,
            expert: cell.expert,
            expert_tensor: cell.expert_tensor,
            zero: self.shard.and(self.zero.first().copied()).unwrap_or(Zero::None),
            shard: self.shard,
            ..Layout::ONE_GPU
        };
        if !self.has_degrees(&degrees_of(&degrees)) {
            return None;
        }
        let mut ordered =
            self.order.iter().map(|order| Layout { order: *order, ..degrees.clone() });
        ordered.find(|layout| RankGrid::new(layout).is_some())
    }

    /// True for degrees that are tried together.
    fn has_degrees(&self, degrees: &Degrees) -> bool {
        self.together.as_ref().is_none_or(|all| all.contains(degrees))
    }

    fn cell_weight(&self, cell: &DegreeCell, training: &Training, gpus: u32) -> u64 {
        let batches = |data: u32| {
            let divides =
                |b: &&u64| training.global_batch.is_multiple_of((u64::from(data) * **b).max(1));
            self.micro_batch.iter().filter(divides).count() as u64
        };
        let replicas =
            self.pipeline.iter().filter_map(|pipeline| cell.replica_count(gpus, *pipeline));
        replicas.filter(|data| self.data.contains(data)).map(batches).sum()
    }
}

/// Settings of ZeRO to try: those that shard something, where copies of it are asked for.
fn zero_settings(all: Vec<Zero>, request: &LayoutRequest) -> Vec<Zero> {
    let sharded = request.shard.is_some();
    all.into_iter().filter(|zero| !sharded || *zero != Zero::None).collect()
}

/// Divisors of a number up to a limit, ascending; none of 0.
pub(super) fn divisors_up_to(number: u64, limit: u64) -> Vec<u32> {
    let pairs = (1..=number.isqrt()).filter(|part| number.is_multiple_of(*part));
    let mut all: Vec<u64> = pairs.flat_map(|part| [part, number / part]).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().filter(|part| *part <= limit).filter_map(|part| part.try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::divisors_up_to;

    #[test]
    fn divisors_are_those_of_trial_division() {
        for number in 0..200_u64 {
            let tried: Vec<u32> = (1..=number.min(50) as u32)
                .filter(|d| number.is_multiple_of(u64::from(*d)))
                .collect();
            assert_eq!(divisors_up_to(number, 50), tried, "{number}");
        }
    }
}
