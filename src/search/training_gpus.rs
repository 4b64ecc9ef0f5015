//! How many GPUs of a cluster train. Degrees of a layout seldom multiply to any number of GPUs:
//! some stay idle where fewer finish a step sooner. Knows no price, and no network but that of the
//! question.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::kernel_bounds::KernelQuestion;
use super::layout_pieces::StepPieces;
use super::no_layout::NoLayout;
use super::open_layouts::{LOOKED_AT, LayoutCount, open_space, search_open_layouts};
use super::ranking::{Question, RankingRequest};
use super::run::Effort;
use super::space::{DegreeCell, Space, divisors_up_to};
use crate::parallel::{Layout, LayoutRequest, RankGrid, Schedule};
use crate::scenario::Workload;
use crate::timing::{Clock, max_measured_extents};
use crate::units::{ROUNDING, Seconds};

/// Smaller numbers of GPUs that are looked at, those first whose kernels take least.
const LOOKED_AT_BELOW: usize = 24;

/// Larger numbers that are looked at until one of them trains on all.
const LOOKED_AT_ABOVE: usize = 8;

/// Answers that are kept.
const KEPT: usize = 16;

/// GPUs that train in the fastest layout of a workload on at most as many as the question has: all
/// of them unless fewer finish a step sooner, or no layout runs on all. Where none fits, those
/// whose layouts need least memory. A run in phases, whose pace is not its step, has all of them
/// where a layout runs there.
///
/// Smaller numbers are looked at in the order of what their kernels alone take, until no other can
/// be faster.
pub(crate) fn gpus_that_train(question: &Question<'_>, workload: &Workload) -> u32 {
    let all = question.gpus;
    if workload.layout.data.is_some() || !workload.layout.is_open() {
        return all;
    }
    let search = |gpus: u32, space: &Space, longest_step: Seconds, counted: LayoutCount| {
        let question = Question { gpus, longest_step, ..*question };
        let effort = (&Effort::SINGLE, counted);
        let sought = search_open_layouts(
            &question,
            space,
            &workload.layout,
            RankingRequest::FASTEST,
            effort.0,
            effort.1,
        )?;
        Ok::<_, NoLayout>(sought.found)
    };
    let of_all = open_space(workload, all);
    let Ok(found) = search(all, &of_all, question.longest_step, LayoutCount::Legal) else {
        return all; // too many are open
    };
    let in_phases = question.recipe().has_phases();
    let mut best = (found.best.first().map(|layout| layout.pace), all);
    let mut smallest = (found.least, all);
    if in_phases && best.0.is_some() {
        return all;
    }
    let clock = Clock::new(question.gpu, question.network, question.framework);
    let bounds = step_bounds(question, workload);
    for (least, gpus) in bounds.smaller_gpu_counts(&clock, all).into_iter().take(LOOKED_AT_BELOW) {
        let longest = best.0.unwrap_or(question.longest_step);
        if least * (1.0 - ROUNDING) >= longest {
            break;
        }
        let mut space = open_space(workload, gpus);
        if !in_phases {
            space = bounds.narrow_to_shorter_steps(question, space, gpus, longest);
        }
        let found = search(gpus, &space, longest, LayoutCount::Shorter).unwrap_or_default();
        if let Some(needs) =
            found.least.filter(|bytes| smallest.0.is_none_or(|known| *bytes < known))
        {
            smallest = (Some(needs), gpus);
        }
        match found.best.first().map(|layout| layout.pace) {
            Some(_) if in_phases => return gpus,
            Some(pace) if pace < longest => best = (Some(pace), gpus),
            _ => {}
        }
    }
    if best.0.is_some() { best.1 } else { smallest.1 }
}

/// What no step takes less than on fewer GPUs than those of a question, whatever the network;
/// endless where there are none.
pub(crate) fn least_on_fewer(question: &Question<'_>, workload: &Workload) -> Seconds {
    if workload.layout.data.is_some() || question.recipe().has_phases() {
        return Seconds::ENDLESS;
    }
    let clock = Clock::new(question.gpu, question.network, question.framework);
    let fewer = step_bounds(question, workload).smaller_gpu_counts(&clock, question.gpus);
    fewer.first().map_or(Seconds::ENDLESS, |(least, _)| *least)
}

/// The next number of GPUs above that of a question that all train, a multiple of a machine's, with
/// a step shorter than that; `None` where none was found up to twice as many.
pub(crate) fn next_that_all_train(
    question: &Question<'_>,
    workload: &Workload,
    machine: u32,
    step: Seconds,
) -> Option<u32> {
    let all = question.gpus;
    let twice = Question { gpus: all.saturating_mul(2), ..*question };
    let clock = Clock::new(question.gpu, question.network, question.framework);
    let bounds = step_bounds(&twice, workload);
    let mut more = bounds
        .by_count
        .range(all.saturating_add(1)..)
        .filter(|(gpus, _)| gpus.is_multiple_of(machine.max(1)))
        .filter(|(gpus, least)| clock.with_straggler_share(u64::from(**gpus), **least) < step)
        .map(|(gpus, _)| *gpus)
        .take(LOOKED_AT_ABOVE);
    more.find(|gpus| gpus_that_train(&Question { gpus: *gpus, ..*question }, workload) == *gpus)
}

/// What bounds follow from.
type Asked = (KernelQuestion, LayoutRequest);

/// Answers of before, as those of a search.
static KNOWN: Mutex<VecDeque<(Asked, Arc<Bounds>)>> = Mutex::new(VecDeque::new());

/// Bounds on steps of any number of GPUs up to that of a question; of one that was asked before, as
/// then.
fn step_bounds(question: &Question<'_>, workload: &Workload) -> Arc<Bounds> {
    let space = degrees_of_any_count(question, workload);
    let asked = (KernelQuestion::for_space(question, &space), workload.layout.clone());
    // What is stored is complete whenever the lock is free, whoever panicked.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = known().iter().find(|(pair, _)| *pair == asked).map(|(_, answer)| answer.clone());
    before.unwrap_or_else(|| {
        let bounds = Arc::new(Bounds::new(question, space));
        let mut known = known();
        known.truncate(KEPT - 1);
        known.push_front((asked, bounds.clone()));
        bounds
    })
}

/// The degrees of layouts on any number of GPUs up to that of a question: what the spec states, and
/// else what divides numbers of the model and the batch, up to so many times what was measured.
fn degrees_of_any_count(question: &Question<'_>, workload: &Workload) -> Space {
    let Question { model, training, gpus, .. } = *question;
    let request = &workload.layout;
    let all = open_space(workload, gpus);
    let limit = u64::from(gpus);
    let [_, _, stages, contexts, experts] =
        max_measured_extents(model.moe.is_some(), &question.gpu.calibration.name)
            .map(|most| most.max(1));
    let one_or = |fixed: Option<u32>, free: Vec<u32>| fixed.map_or(free, |value| vec![value]);
    let up_to = |values: Vec<u32>, most: u64| -> Vec<u32> {
        values.into_iter().filter(|value| u64::from(*value) <= most * LOOKED_AT).collect()
    };
    Space {
        tensor: one_or(request.tensor, divisors_up_to(model.heads, limit)),
        pipeline: one_or(request.pipeline, (1..=model.layers.min(gpus)).collect()),
        data: one_or(request.data, divisors_up_to(training.global_batch, limit)),
        context: one_or(request.context, up_to(divisors_up_to(model.sequence, limit), contexts)),
        expert: one_or(request.expert, up_to(all.expert, experts)),
        interleave: one_or(request.interleave, up_to(all.interleave, stages)),
        ..all
    }
}

/// What a sequence takes at least on one stage in micro-batches of one size.
#[derive(Clone, Copy)]
struct SequenceTime {
    micro_batch: u64,
    time: Seconds,
}

/// What steps take at least by their kernels alone, without what many GPUs cost besides.
struct Bounds {
    /// The degrees of any number of GPUs.
    space: Space,
    /// A sequence on one stage, for degrees that layouts share, by the size of micro-batches.
    sequences: Vec<(DegreeCell, Vec<SequenceTime>)>,
    /// A step, for every number of GPUs that degrees multiply to.
    by_count: BTreeMap<u32, Seconds>,
}

impl Bounds {
    /// Of every number of GPUs up to that of a question.
    fn new(question: &Question<'_>, space: Space) -> Self {
        let mut sequences = Vec::new();
        for tensor in &space.tensor {
            for context in &space.context {
                for expert in &space.expert {
                    for expert_tensor in &space.expert_tensor {
                        let (tensor, context) = (*tensor, *context);
                        let (expert, expert_tensor) = (*expert, *expert_tensor);
                        let cell = DegreeCell { tensor, context, expert, expert_tensor };
                        sequences
                            .push((cell, sequence_time_by_micro_batch(question, &space, cell)));
                    }
                }
            }
        }
        let mut bounds = Self { space, sequences, by_count: BTreeMap::new() };
        bounds.by_count = bounds.least_by_count(question);
        bounds
    }

    fn least_by_count(&self, question: &Question<'_>) -> BTreeMap<u32, Seconds> {
        let mut by_count: BTreeMap<u32, Seconds> = BTreeMap::new();
        let smallest = self.space.micro_batch.iter().min().copied().unwrap_or(1);
        for (cell, sequences) in &self.sequences {
            let times = sequences.iter().map(|sequence| sequence.time);
            let Some(time) = times.reduce(Seconds::min) else { continue };
            let sequence = SequenceTime { micro_batch: smallest, time };
            let shard = u64::from(cell.tensor) * u64::from(cell.context);
            for pipeline in &self.space.pipeline {
                for data in &self.space.data {
                    let gpus = shard * u64::from(*pipeline) * u64::from(*data);
                    let Some(gpus) =
                        u32::try_from(gpus).ok().filter(|count| *count <= question.gpus)
                    else {
                        break;
                    };
                    let step = self.step_time_lower_bound(question, sequence, *pipeline, *data);
                    by_count.entry(gpus).and_modify(|time| *time = time.min(step)).or_insert(step);
                }
            }
        }
        by_count
    }

    /// Numbers of GPUs below so many, each with what no step on it takes less than; the least
    /// first.
    fn smaller_gpu_counts(&self, clock: &Clock<'_>, all: u32) -> Vec<(Seconds, u32)> {
        let among = |(gpus, least): (&u32, &Seconds)| {
            (clock.with_straggler_share((*gpus).into(), *least), *gpus)
        };
        let mut fewer: Vec<(Seconds, u32)> = self.by_count.range(..all).map(among).collect();
        fewer.sort_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        fewer
    }

    /// The part of a space of so many GPUs in which a step may be shorter than that.
    fn narrow_to_shorter_steps(
        &self,
        question: &Question<'_>,
        space: Space,
        gpus: u32,
        longest: Seconds,
    ) -> Space {
        let clock = Clock::new(question.gpu, question.network, question.framework);
        let shorter = |cell: &DegreeCell, sequence: SequenceTime, pipeline: u32| {
            cell.replica_count(gpus, pipeline).is_some_and(|data| {
                let least = self.step_time_lower_bound(question, sequence, pipeline, data);
                clock.with_straggler_share(gpus.into(), least) * (1.0 - ROUNDING) < longest
            })
        };
        let mut kept: Vec<(DegreeCell, u32)> = Vec::new();
        let mut micro_batches = BTreeSet::new();
        for (cell, sequences) in &self.sequences {
            for pipeline in &space.pipeline {
                let fast = sequences.iter().filter(|sequence| shorter(cell, **sequence, *pipeline));
                let all: Vec<u64> = fast.map(|sequence| sequence.micro_batch).collect();
                if !all.is_empty() {
                    kept.push((*cell, *pipeline));
                }
                micro_batches.extend(all);
            }
        }
        let some = |values: Vec<u32>, degree: fn(&(DegreeCell, u32)) -> u32| -> Vec<u32> {
            let is_kept = |value: &u32| kept.iter().any(|each| degree(each) == *value);
            values.into_iter().filter(is_kept).collect()
        };
        // Where none is known yet, the one that needs least memory may be among all.
        let together = (!longest.is_endless()).then(|| {
            let degrees = |(cell, pipeline): &(DegreeCell, u32)| {
                [cell.tensor, cell.context, cell.expert, cell.expert_tensor, *pipeline]
            };
            kept.iter().map(degrees).collect()
        });
        let mut micro_batch = space.micro_batch;
        if together.is_some() {
            micro_batch.retain(|count| micro_batches.contains(count));
        }
        Space {
            together,
            micro_batch,
            tensor: some(space.tensor, |(cell, _)| cell.tensor),
            context: some(space.context, |(cell, _)| cell.context),
            expert: some(space.expert, |(cell, _)| cell.expert),
            expert_tensor: some(space.expert_tensor, |(cell, _)| cell.expert_tensor),
            pipeline: some(space.pipeline, |(_, pipeline)| *pipeline),
            ..space
        }
    }

    /// What a step takes at least where a sequence takes so long on one stage in micro-batches of
    /// that size: each of p stages has a share of it, of which the slowest has no less than one in
    /// p, and the others fill and drain the pipeline (docs/equations.md §4.2).
    fn step_time_lower_bound(
        &self,
        question: &Question<'_>,
        sequence: SequenceTime,
        pipeline: u32,
        data: u32,
    ) -> Seconds {
        let space = &self.space;
        let stages = f64::from(pipeline);
        let sequences = question.training.global_batch as f64 / f64::from(data);
        let fills = |schedule: &Schedule| {
            matches!(schedule, Schedule::OneFOneB | Schedule::Interleaved | Schedule::GPipe)
        };
        if !space.schedule.iter().all(fills) {
            return sequence.time * (sequences / stages);
        }
        // At most as many chunks as layers, with two for embedding and head.
        let most = (question.model.layers + 2) / pipeline.max(1);
        let chunks = space.interleave.iter().filter(|chunks| **chunks <= most).max();
        let chunks = f64::from(chunks.copied().unwrap_or(1));
        let bubble = (stages - 1.0) / chunks * sequence.micro_batch as f64;
        sequence.time * ((sequences + bubble) / stages)
    }
}

/// The least time of a sequence on one stage of some degrees in each micro-batch that runs.
fn sequence_time_by_micro_batch(
    question: &Question<'_>,
    space: &Space,
    cell: DegreeCell,
) -> Vec<SequenceTime> {
    let DegreeCell { tensor, context, expert, expert_tensor } = cell;
    let degrees = Layout { tensor, context, expert, expert_tensor, ..Layout::ONE_GPU };
    let mut pieces = StepPieces::new(question);
    let mut all = Vec::new();
    for micro in &space.micro_batch {
        let mut least: Option<Seconds> = None;
        for sharded in &space.sequence_parallel {
            let (micro_batch, sequence_parallel) = (*micro, *sharded);
            let plain = Layout { micro_batch, sequence_parallel, ..degrees.clone() };
            let Some(time) = kernel_time_of_micro_batch(space, &mut pieces, &plain) else {
                continue;
            };
            let time = time / micro_batch as f64;
            least = Some(least.map_or(time, |known| known.min(time)));
        }
        all.extend(least.map(|time| SequenceTime { micro_batch: *micro, time }));
    }
    all
}

/// What a micro-batch takes by its kernels alone, with as few replicas as lay the experts.
fn kernel_time_of_micro_batch(
    space: &Space,
    pieces: &mut StepPieces<'_>,
    plain: &Layout,
) -> Option<Seconds> {
    let recompute = space.recompute.iter().min().copied().unwrap_or(plain.recompute);
    let with = |data: &u32, order| Layout { data: *data, order, recompute, ..plain.clone() };
    let mut each =
        space.data.iter().flat_map(|data| space.order.iter().map(move |order| with(data, *order)));
    let layout = each.find(|layout| RankGrid::new(layout).is_some())?;
    let staged = pieces.stages_by_zero(&layout, &space.zero[..1])?;
    let clock = pieces.source().clock;
    Some(clock.combine_stage_times(pieces.silent_blocks(&layout)?, &staged.silent).micro_batch())
}
