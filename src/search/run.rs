//! The walk over all layouts.

use super::pieces::{Outer, Pieces};
use super::ranking::{Candidate, Ranking};
use super::space::Space;
use crate::hardware::Gpu;
use crate::memory::fullest;
use crate::parallel::{Layout, Order, Schedule, Zero};
use crate::timing::{Network, Run};
use crate::workload::{Framework, Model, Techniques, Training};

/// The job and the machines that a layout is sought for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What is trained.
    pub model: &'a Model,
    /// In which batches; micro-batch and recomputation are the space's.
    pub training: &'a Training,
    /// On which stack.
    pub framework: &'a Framework,
    /// With which techniques.
    pub techniques: &'a Techniques,
    /// On which GPU.
    pub gpu: &'a Gpu,
    /// Over which network.
    pub network: &'a Network,
    /// On how many GPUs; layouts use them all.
    pub gpus: u32,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The fastest layouts that fit into memory, best first.
    pub best: Vec<Candidate>,
    /// Layouts that break no rule.
    pub legal: u64,
    /// Of those, layouts that fit into memory.
    pub fitting: u64,
}

/// The `top` fastest layouts of a space that fit into the GPU's memory.
///
/// Equal to timing every combination of the space by itself; layouts that do not fit are counted,
/// not timed.
#[must_use]
pub fn search(question: &Question<'_>, space: &Space, top: usize) -> Found {
    let mut walk = Walk {
        question,
        space,
        pieces: Pieces::new(question),
        ranking: Ranking::new(top),
        found: Found::default(),
    };
    for order in &space.order {
        for tensor in &space.tensor {
            for context in &space.context {
                for expert in &space.expert {
                    for expert_tensor in &space.expert_tensor {
                        for pipeline in &space.pipeline {
                            let degrees = [*tensor, *context, *expert, *expert_tensor, *pipeline];
                            walk.degrees(*order, degrees);
                        }
                    }
                }
            }
        }
    }
    Found { best: walk.ranking.into_best(), ..walk.found }
}

struct Walk<'a> {
    question: &'a Question<'a>,
    space: &'a Space,
    pieces: Pieces<'a>,
    ranking: Ranking,
    found: Found,
}

impl Walk<'_> {
    /// Everything on one set of degrees.
    fn degrees(&mut self, order: Order, degrees: [u32; 5]) {
        let [tensor, context, expert, expert_tensor, pipeline] = degrees;
        let ranks = [tensor, context, pipeline].into_iter().map(u64::from).product::<u64>();
        let gpus = u64::from(self.question.gpus);
        if ranks == 0 || !gpus.is_multiple_of(ranks) {
            return;
        }
        let data = (gpus / ranks) as u32;
        if self.space.data.is_some_and(|stated| stated != data) {
            return;
        }
        let layout = Layout {
            tensor,
            pipeline,
            data,
            context,
            expert,
            expert_tensor,
            interleave: 1,
            micro_batch: 1,
            sequence_parallel: false,
            zero: Zero::None,
            order,
            schedule: self.space.schedule,
        };
        let Some(outers) = self.outers(&layout) else { return };
        for micro_batch in &self.space.micro_batch {
            for sequence_parallel in self.sequence_parallel(tensor) {
                let layout =
                    Layout { micro_batch: *micro_batch, sequence_parallel, ..layout.clone() };
                self.micro_batch(&layout, &outers);
            }
        }
    }

    /// Norms sharded or not. On one tensor rank there is nothing to shard, so that one setting
    /// stands for both.
    fn sequence_parallel(&self, tensor: u32) -> Vec<bool> {
        let settings = &self.space.sequence_parallel;
        let different = if tensor < 2 { 1 } else { settings.len() };
        settings.iter().take(different).copied().collect()
    }

    /// The stages for each ZeRO setting; `None` where the degrees break a rule.
    fn outers(&self, layout: &Layout) -> Option<Vec<(Zero, Outer)>> {
        let legal = |zero: &Zero| {
            let layout = Layout { zero: *zero, ..layout.clone() };
            self.pieces.outer(&layout).map(|outer| (*zero, outer))
        };
        self.space.zero.iter().map(legal).collect()
    }

    /// Everything on one set of degrees and one micro-batch. Memory is cheap to count, so times
    /// are worked out only where something fits.
    fn micro_batch(&mut self, layout: &Layout, outers: &[(Zero, Outer)]) {
        let question = self.question;
        if !layout.problems(question.model, question.training).is_empty() {
            return;
        }
        let chunks = self.chunks(layout);
        let micro_batches = layout.micro_batches(question.training);
        let mut message = None;
        for recompute in &self.space.recompute {
            let footprint = self.pieces.footprint(layout, *recompute);
            for (chunk_layout, (zero, outer)) in
                chunks.iter().flat_map(|of| outers.iter().map(move |outer| (of, outer)))
            {
                self.found.legal += 1;
                let timed = Layout { zero: *zero, ..chunk_layout.clone() };
                let memory = fullest(&footprint, &timed, micro_batches, outer.held.iter()).total();
                if memory > question.gpu.memory {
                    continue;
                }
                self.found.fitting += 1;
                if message.is_none() {
                    message = self.pieces.message(layout);
                }
                let clock = *self.pieces.clock();
                let blocks = self.pieces.blocks(layout, *recompute);
                let (Some(message), Some(blocks)) = (message, blocks) else { return };
                let run = Run { blocks, stages: &outer.stages, message, micro_batches };
                let time = clock.assemble(&run, &timed);
                if self.ranking.admits(&time) {
                    let recompute = *recompute;
                    self.ranking.add(Candidate { layout: timed, recompute, time, memory });
                }
            }
        }
    }

    /// The layout with each number of virtual stages that is legal. With one stage, virtual ones
    /// change nothing.
    fn chunks(&self, layout: &Layout) -> Vec<Layout> {
        let question = self.question;
        let most = if layout.pipeline < 2 { 1 } else { u32::MAX };
        self.space
            .interleave
            .iter()
            .filter(|chunks| **chunks <= most)
            .map(|chunks| interleaved(layout, *chunks))
            .filter(|of| of.schedule_problems(question.model, question.training).is_empty())
            .collect()
    }
}

/// The layout with virtual stages: 1F1B becomes the interleaved schedule.
fn interleaved(layout: &Layout, chunks: u32) -> Layout {
    let schedule = match layout.schedule {
        Schedule::OneFOneB if chunks > 1 => Schedule::Interleaved,
        other => other,
    };
    Layout { interleave: chunks, schedule, ..layout.clone() }
}
