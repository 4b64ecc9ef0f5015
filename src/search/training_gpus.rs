//! How many GPUs of a cluster train. Degrees of a layout seldom multiply to any number of GPUs: some stay idle
//! where fewer finish a step sooner. Knows no price, and no network but that of the question.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::no_layout::NoLayout;
use super::pieces::Pieces;
use super::question::Question;
use super::ranking::Wanted;
use super::run::Effort;
use super::silent::OnGpu;
use super::sought::{Counted, LOOKED_AT, open_space, sought};
use super::space::{Space, divisors};
use crate::parallel::{Layout, LayoutRequest, RankGrid, Schedule};
use crate::scenario::Workload;
use crate::timing::{Clock, largest};
use crate::units::Seconds;

/// Totals that are summed in different orders differ by less than this share.
const ROUNDING: f64 = 1e-9;

/// Numbers of GPUs that are looked at until one of them has a layout that fits.
const UNTIL_ONE_FITS: usize = 24;

/// Larger numbers that are looked at until one of them trains on all.
const LOOKED_AT_ABOVE: usize = 8;

/// Answers that are kept.
const KEPT: usize = 64;

/// GPUs that train in the fastest layout of a workload on at most as many as the question has: all of them unless
/// fewer finish a step sooner, or no layout runs on all. Where none fits, those whose layouts need least memory. A run in
/// phases, whose pace is not its step, has all of them where a layout runs there.
///
/// Equal to looking for the fastest layout on every smaller number of GPUs. Numbers are looked at in the order of
/// what their kernels alone take, until no other can be faster.
pub(crate) fn gpus_that_train(question: &Question<'_>, workload: &Workload) -> u32 {
    let all = question.gpus;
    if workload.layout.data.is_some() || !workload.layout.is_open() {
        return all;
    }
    let search = |gpus: u32, longest_step: Seconds, counted: Counted| {
        let space = open_space(workload, gpus);
        let question = Question { gpus, longest_step, ..*question };
        let effort = (&Effort::SINGLE, counted);
        Ok::<_, NoLayout>(
            sought(&question, &space, &workload.layout, Wanted::FASTEST, effort)?.found,
        )
    };
    let Ok(found) = search(all, question.longest_step, Counted::Legal) else {
        return all; // too many are open
    };
    let in_phases = question.recipe().has_phases();
    let mut best = (found.best.first().map(|of| of.pace), all);
    let mut smallest = (found.least, all);
    if in_phases && best.0.is_some() {
        return all;
    }
    for (place, (least, gpus)) in fewer(question, workload).into_iter().enumerate() {
        let longest = best.0.unwrap_or(question.longest_step);
        let none_fits = best.0.is_none() && place >= UNTIL_ONE_FITS;
        if least * (1.0 - ROUNDING) >= longest || none_fits {
            break;
        }
        let found = search(gpus, longest, Counted::Shorter).unwrap_or_default();
        if let Some(needs) = found.least.filter(|of| smallest.0.is_none_or(|known| *of < known)) {
            smallest = (Some(needs), gpus);
        }
        match found.best.first().map(|of| of.pace) {
            Some(_) if in_phases => return gpus,
            Some(pace) if pace < longest => best = (Some(pace), gpus),
            _ => {}
        }
    }
    if best.0.is_some() { best.1 } else { smallest.1 }
}

/// Smaller numbers of GPUs than that of a question, each with what no step on it takes less than; the least first.
fn fewer(question: &Question<'_>, workload: &Workload) -> Vec<(Seconds, u32)> {
    let clock = Clock::new(question.gpu, question.network, question.framework);
    let mut fewer: Vec<(Seconds, u32)> = least_by_count(question, workload)
        .range(..question.gpus)
        .map(|(gpus, least)| (clock.among(u64::from(*gpus), *least), *gpus))
        .collect();
    fewer.sort_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
    fewer
}

/// What no step takes less than on fewer GPUs than those of a question, whatever the network; endless where there
/// are none.
pub(crate) fn least_on_fewer(question: &Question<'_>, workload: &Workload) -> Seconds {
    if workload.layout.data.is_some() || question.recipe().has_phases() {
        return Seconds::ENDLESS;
    }
    fewer(question, workload).first().map_or(Seconds::ENDLESS, |(least, _)| *least)
}

/// The next number of GPUs above that of a question that all train, a multiple of a machine's, with a step shorter than
/// that; `None` where none was found up to twice as many.
pub(crate) fn next_that_all_train(
    question: &Question<'_>,
    workload: &Workload,
    (machine, step): (u32, Seconds),
) -> Option<u32> {
    let all = question.gpus;
    let twice = Question { gpus: all.saturating_mul(2), ..*question };
    let clock = Clock::new(question.gpu, question.network, question.framework);
    let least = least_by_count(&twice, workload);
    let mut more = least
        .range(all.saturating_add(1)..)
        .filter(|(gpus, _)| gpus.is_multiple_of(machine.max(1)))
        .filter(|(gpus, least)| clock.among(u64::from(**gpus), **least) < step)
        .map(|(gpus, _)| *gpus)
        .take(LOOKED_AT_ABOVE);
    more.find(|gpus| gpus_that_train(&Question { gpus: *gpus, ..*question }, workload) == *gpus)
}

/// Numbers of GPUs up to so many, with what no step on them takes less than by its kernels alone.
type Least = BTreeMap<u32, Seconds>;

/// What they follow from.
type Asked = (OnGpu, LayoutRequest);

/// Answers of before, as those of a search.
static KNOWN: Mutex<VecDeque<(Asked, Arc<Least>)>> = Mutex::new(VecDeque::new());

/// Every number of GPUs up to that of a question that degrees multiply to, each with what no step on it takes less
/// than, without what many GPUs cost besides.
fn least_by_count(question: &Question<'_>, workload: &Workload) -> Arc<Least> {
    let space = degrees_of_any_count(question, workload);
    let asked = (OnGpu::of(question, &space), workload.layout.clone());
    // What is stored is complete whenever the lock is free, whoever panicked.
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = known().iter().find(|(of, _)| *of == asked).map(|(_, answer)| answer.clone());
    before.unwrap_or_else(|| {
        let least = Arc::new(Kernels { question, space: &space }.least());
        let mut known = known();
        known.truncate(KEPT - 1);
        known.push_front((asked, least.clone()));
        least
    })
}

/// The degrees of layouts on any number of GPUs up to that of a question: what the spec states, and else what divides
/// numbers of the model and the batch.
fn degrees_of_any_count(question: &Question<'_>, workload: &Workload) -> Space {
    let Question { model, training, gpus, .. } = *question;
    let request = &workload.layout;
    let all = open_space(workload, gpus);
    let limit = u64::from(gpus);
    let [_, _, stages, contexts, _] = largest(model.moe.is_some(), &question.gpu.calibration.name);
    let one_or = |fixed: Option<u32>, free: Vec<u32>| fixed.map_or(free, |value| vec![value]);
    let contexts = divisors(model.sequence, limit.min(contexts.max(1) * LOOKED_AT));
    let chunks = all.interleave.into_iter();
    let chunks = chunks.filter(|chunks| {
        request.interleave.is_some() || u64::from(*chunks) <= stages.max(1) * LOOKED_AT
    });
    Space {
        tensor: one_or(request.tensor, divisors(model.heads, limit)),
        pipeline: one_or(request.pipeline, (1..=model.layers.min(gpus)).collect()),
        data: one_or(request.data, divisors(training.global_batch, limit)),
        context: one_or(request.context, contexts),
        interleave: chunks.collect(),
        ..all
    }
}

/// The kernels of the whole model on one stage, from which bounds follow.
struct Kernels<'a> {
    question: &'a Question<'a>,
    space: &'a Space,
}

impl Kernels<'_> {
    /// Of every number of GPUs.
    fn least(&self) -> Least {
        let Self { question, space } = *self;
        let all = u64::from(question.gpus);
        let mut least = Least::new();
        for tensor in &space.tensor {
            for context in &space.context {
                let shard = u64::from(*tensor) * u64::from(*context);
                if shard * u64::from(space.pipeline.first().copied().unwrap_or(1)) > all {
                    continue;
                }
                let Some(sequence) = self.sequence(*tensor, *context) else { continue };
                for pipeline in &space.pipeline {
                    let replica = shard * u64::from(*pipeline);
                    for data in &space.data {
                        let Ok(gpus) = u32::try_from(replica * u64::from(*data)) else { break };
                        if gpus > question.gpus {
                            break;
                        }
                        let step = self.step(sequence, *pipeline, *data);
                        let known = least.entry(gpus).or_insert(step);
                        *known = known.min(step);
                    }
                }
            }
        }
        least
    }

    /// What a step takes at least where a sequence takes so long on one stage: each of p stages has a share of it, of
    /// which the slowest has no less than one in p, and the others fill and drain the pipeline
    /// (docs/equations.md §4.2).
    fn step(&self, sequence: Seconds, pipeline: u32, data: u32) -> Seconds {
        let Self { question, space } = *self;
        let stages = f64::from(pipeline);
        let sequences = question.training.global_batch as f64 / f64::from(data);
        let schedules = &space.schedule;
        let fills = schedules
            .iter()
            .all(|of| matches!(of, Schedule::OneFOneB | Schedule::Interleaved | Schedule::GPipe));
        let bubble = if fills {
            // At most as many chunks as layers, with two for embedding and head.
            let most = (question.model.layers + 2) / pipeline.max(1);
            let chunks = space.interleave.iter().filter(|chunks| **chunks <= most).max();
            let smallest = space.micro_batch.iter().min().copied().unwrap_or(1);
            (stages - 1.0) / f64::from(chunks.copied().unwrap_or(1)) * smallest as f64
        } else {
            0.0
        };
        sequence * ((sequences + bubble) / stages)
    }

    /// The least time of a sequence on one stage of so many tensor and context ranks, in any micro-batch; `None`
    /// where none runs.
    fn sequence(&self, tensor: u32, context: u32) -> Option<Seconds> {
        let Self { space, .. } = *self;
        let mut pieces = Pieces::new(self.question);
        let mut least: Option<Seconds> = None;
        for expert in &space.expert {
            for expert_tensor in &space.expert_tensor {
                pieces.forget();
                for micro_batch in &space.micro_batch {
                    for sequence_parallel in &space.sequence_parallel {
                        let plain = Layout {
                            tensor,
                            context,
                            expert: *expert,
                            expert_tensor: *expert_tensor,
                            micro_batch: *micro_batch,
                            sequence_parallel: *sequence_parallel,
                            ..Layout::ONE_GPU
                        };
                        let Some(time) = self.micro_batch(&mut pieces, &plain) else { continue };
                        let time = time / *micro_batch as f64;
                        least = Some(least.map_or(time, |known| known.min(time)));
                    }
                }
            }
        }
        least
    }

    /// What a micro-batch takes by its kernels alone, with as few replicas as lay the experts.
    fn micro_batch(&self, pieces: &mut Pieces<'_>, plain: &Layout) -> Option<Seconds> {
        let Self { space, .. } = *self;
        let recompute = space.recompute.iter().min().copied().unwrap_or(plain.recompute);
        let with = |data: &u32, order| Layout { data: *data, order, recompute, ..plain.clone() };
        let mut each = space
            .data
            .iter()
            .flat_map(|data| space.order.iter().map(move |order| with(data, *order)));
        let layout = each.find(|layout| RankGrid::new(layout).is_some())?;
        let staged = pieces.staged(&layout, &space.zero[..1])?;
        let clock = pieces.source().clock;
        Some(clock.pace(pieces.silent_blocks(&layout)?, &staged.silent).micro_batch())
    }
}
