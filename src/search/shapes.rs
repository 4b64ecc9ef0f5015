//! The shapes of a set of degrees: micro-batches and norms, in which schedules they run, and what they keep in
//! memory. No network plays a part; times nothing.

use super::phases::SearchPhases;
use super::pieces::{Staged, StepPieces};
use super::question::Question;
use super::space::{DegreeCell, Space};
use crate::memory::{Holding, micro_batches_in_flight};
use crate::parallel::{Layout, Schedule};
use crate::step::PipelineStage;
use crate::timing::{CallTime, PipelineTurn};
use crate::units::Bytes;

/// What a space has of shapes.
pub(super) struct LayoutShapes<'a> {
    question: &'a Question<'a>,
    space: &'a Space,
    pub(super) phases: SearchPhases<'a>,
}

/// A schedule with its virtual stages, on layouts that are alike in all else.
pub(super) struct ScheduleOption {
    pub(super) schedule: Schedule,
    pub(super) chunks: u32,
    pub(super) turn: PipelineTurn,
    /// Micro-batches in flight on each stage whose memory is counted.
    in_flight: Vec<f64>,
}

impl<'a> LayoutShapes<'a> {
    pub(super) fn new(question: &'a Question<'a>, space: &'a Space) -> Self {
        Self { question, space, phases: SearchPhases::from_question(question) }
    }

    /// The plainest layout of the degrees; `None` where they do not use every GPU, or no order
    /// can lay the experts.
    pub(super) fn simplest_layout_of_cell(
        &self,
        cell: &DegreeCell,
        pipeline: u32,
    ) -> Option<Layout> {
        let degrees = self.space.layout_of_degrees(cell, self.question.gpus, pipeline)?;
        Some(Layout { schedule: self.plain_schedule(), ..degrees })
    }

    /// The first schedule of the space that needs no virtual stages: a technique may allow no
    /// other.
    fn plain_schedule(&self) -> Schedule {
        let mut plain =
            self.space.schedule.iter().filter(|schedule| **schedule != Schedule::Interleaved);
        plain.next().copied().unwrap_or(Schedule::OneFOneB)
    }

    /// Those of one set of degrees that break no rule.
    pub(super) fn legal_layouts(&self, layout: &Layout) -> Vec<Layout> {
        let question = self.question;
        let micro_batches = self.space.micro_batch.iter();
        micro_batches
            .flat_map(|b| {
                self.norm_settings(layout.tensor).iter().map(move |sharded| (*b, *sharded))
            })
            .map(|(micro_batch, sequence_parallel)| Layout {
                micro_batch,
                sequence_parallel,
                ..layout.clone()
            })
            .filter(|other_layout| {
                other_layout.broken_rules(question.model, question.training).is_empty()
            })
            .filter(|other_layout| self.phases.is_legal_in_phases(other_layout))
            .collect()
    }

    /// Norms sharded or not. On one tensor rank there is nothing to shard, so that one setting
    /// stands for both.
    fn norm_settings(&self, tensor: u32) -> &'a [bool] {
        let settings = &self.space.sequence_parallel;
        if tensor < 2 { &settings[..settings.len().min(1)] } else { settings }
    }

    /// Every schedule and number of virtual stages that is legal. With one stage there is nothing
    /// to schedule, so that the first of them stands for all.
    pub(super) fn legal_schedules(
        &self,
        layout: &Layout,
        held: &[PipelineStage],
    ) -> Vec<ScheduleOption> {
        let question = self.question;
        let micro_batches = layout.micro_batches(question.training);
        let mut ways = Vec::new();
        for schedule in &self.space.schedule {
            for chunks in &self.space.interleave {
                let plain = layout.pipeline < 2 || *schedule == Schedule::OneFOneB;
                if *chunks > 1 && plain || layout.pipeline < 2 && !ways.is_empty() {
                    continue; // 1F1B with virtual stages is the interleaved schedule
                }
                let other_layout =
                    Layout { interleave: *chunks, schedule: *schedule, ..layout.clone() };
                let broken = other_layout.schedule_problems(question.model, question.training);
                if !broken.is_empty() || !self.phases.schedules_are_legal(&other_layout) {
                    continue;
                }
                ways.push(ScheduleOption {
                    schedule: *schedule,
                    chunks: *chunks,
                    turn: PipelineTurn::new(&other_layout, micro_batches, CallTime::default()),
                    in_flight: held
                        .iter()
                        .map(|stage| {
                            micro_batches_in_flight(&other_layout, micro_batches, stage.index)
                        })
                        .collect(),
                });
            }
        }
        ways
    }

    /// Memory of the fullest GPU: for each ZeRO setting, each way.
    pub(super) fn memory_by_setting(
        &self,
        pieces: &StepPieces<'_>,
        layout: &Layout,
        (staged, ways): (&Staged, &[ScheduleOption]),
    ) -> Vec<Bytes> {
        let footprint = pieces.block_footprint(layout);
        let mut all = Vec::with_capacity(self.space.zero.len() * ways.len());
        for zero in &self.space.zero {
            let layout = Layout { zero: *zero, ..layout.clone() };
            let stages = staged.held.iter();
            let holdings: Vec<Holding> =
                stages.map(|stage| Holding::new(&footprint, &layout, stage)).collect();
            all.extend(ways.iter().map(|way| {
                let each = holdings.iter().zip(&way.in_flight);
                each.map(|(held, count)| held.total_bytes(*count)).max().unwrap_or_default()
            }));
        }
        all
    }
}
