//! The walk over all layouts of one set of tensor, context and expert degrees: what runs on one
//! thread at a time. Knows nothing of other walks.

use super::kernel_bounds::KernelBounds;
use super::layout_pieces::{LayoutShapes, OuterKey, ScheduleOption, SeatedOrder, StepPieces};
use super::phases::LeastPace;
use super::ranking::{Question, RankedLayout, Ranking, RankingRequest};
use super::space::{DegreeCell, Space};
use crate::parallel::Layout;
use crate::step::PipelineStage;
use crate::timing::CallTime;
use crate::units::{Bytes, Seconds};
use crate::workload::Recompute;

/// Totals that are summed in different orders differ by less than this share.
const ROUNDING: f64 = 1e-12;

impl Question<'_> {
    /// False for a layout that takes too long, as no step of it is shorter than that.
    fn is_short_enough(&self, least: Seconds) -> bool {
        least * (1.0 - ROUNDING) <= self.longest_step
    }
}

/// One thread's walk, and what it has found so far.
pub(super) struct Walk<'a> {
    question: &'a Question<'a>,
    space: &'a Space,
    shapes: LayoutShapes<'a>,
    /// What layouts of the space take at least, of which those are left out that are of no use;
    /// `None` where each that breaks no rule is counted.
    silent: Option<&'a KernelBounds>,
    pieces: StepPieces<'a>,
    pub(super) ranking: Ranking,
    /// Only what is no worse than this by what layouts are ranked by is of use, and of that what
    /// may still enter the ranking; the rest may be left out, uncounted. `None` where all that fits
    /// is counted.
    limit: Option<Seconds>,
    /// Of the shape that is looked at.
    least_pace: LeastPace,
    pub(super) legal: u64,
    pub(super) fitting: u64,
    pub(super) least_memory: Option<Bytes>,
}

/// A message between stages. With several virtual stages the last stage sends to the
/// first one as well, and a leaf's uplinks carry more.
#[derive(Clone, Copy)]
struct Messages {
    single: CallTime,
    several: CallTime,
}

impl Messages {
    const fn for_chunks(self, chunks: u32) -> CallTime {
        if chunks > 1 { self.several } else { self.single }
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        question: &'a Question<'a>,
        space: &'a Space,
        wanted: RankingRequest,
        limit: Option<(Seconds, Option<&'a KernelBounds>)>,
    ) -> Self {
        let shapes = LayoutShapes::new(question, space);
        let silent = limit.and_then(|(_, silent)| silent);
        let pieces = StepPieces::new(question);
        let least_pace = match silent {
            Some(silent) => silent.least_pace(&pieces.source().clock),
            None => LeastPace::without_other_phases(&shapes.phases),
        };
        Self {
            limit: limit.map(|(limit, _)| limit),
            question,
            space,
            shapes,
            silent,
            least_pace,
            pieces,
            ranking: Ranking::new(wanted),
            legal: 0,
            fitting: 0,
            least_memory: None,
        }
    }

    /// Everything on one set of tensor, context and expert degrees.
    pub(super) fn walk_cell(&mut self, cell: &DegreeCell) {
        for pipeline in &self.space.pipeline {
            if let Some(layout) = self.shapes.simplest_layout_of_cell(cell, *pipeline) {
                self.walk_degrees(&layout);
            }
        }
        self.pieces.forget_block_times();
    }

    /// Everything on one set of degrees.
    fn walk_degrees(&mut self, layout: &Layout) {
        let shapes = match self.silent {
            Some(silent) => self.useful_shapes(layout, silent),
            None => self.shapes.legal_layouts(layout),
        };
        let Some(first) = shapes.first() else { return };
        let Some(staged) = self.pieces.stages_by_zero(first, &self.space.zero) else { return };
        let outer = self.pieces.stages_by_rank_order(first, &self.space.order, staged);
        for shape in &shapes {
            self.walk_shape(shape, &outer);
        }
    }

    /// The shapes of a set of degrees of which a layout may be of use: their kernels alone do not
    /// take too long.
    fn useful_shapes(&self, layout: &Layout, silent: &KernelBounds) -> Vec<Layout> {
        let Self { question, ranking, .. } = self;
        let domains = layout.gpus().div_ceil(u64::from(question.network.domain.max(1)));
        let domains = u32::try_from(domains).unwrap_or(u32::MAX);
        let enters = |time: Seconds| {
            let least = time * (1.0 - ROUNDING);
            let within = |limit| ranking.criterion().score(least, domains) <= limit;
            self.limit.is_none_or(within) && ranking.can_enter(least, domains)
        };
        let clock = self.pieces.source().clock;
        let of_any = silent.least_pace(&clock);
        let shapes = silent.shape_bounds(layout, &clock);
        let shapes = shapes.take_while(|(time, _)| {
            question.is_short_enough(*time) && enters(of_any.pace_bound(*time))
        });
        let in_phases = |(time, shape): &(Seconds, &Layout)| {
            enters(silent.least_pace_of(shape, &clock).pace_bound(*time))
        };
        shapes.filter(in_phases).map(|(_, shape)| shape.clone()).collect()
    }

    /// Everything on one set of degrees and one micro-batch. Memory is cheap to count and the
    /// same on all seats, so times are worked out only where something fits.
    fn walk_shape(&mut self, layout: &Layout, outer: &OuterKey) {
        let ways = self.shapes.legal_schedules(layout, &outer.staged.held);
        if let Some(silent) = self.silent {
            self.least_pace = silent.least_pace_of(layout, &self.pieces.source().clock);
        }
        let seats = outer.seats.len() as u64;
        let settings = self.space.recompute.len() * self.space.zero.len();
        self.legal += seats * (settings * ways.len()) as u64;
        if ways.is_empty() {
            return;
        }
        if self.limit.is_some_and(|limit| !self.may_enter(layout, outer, &ways, limit)) {
            return;
        }
        let mut messages: Option<Vec<Messages>> = None;
        for recompute in &self.space.recompute {
            let layout = &Layout { recompute: *recompute, ..layout.clone() };
            let memory = self.shapes.memory_by_setting(&self.pieces, layout, &outer.staged, &ways);
            self.least_memory = self.least_memory.into_iter().chain(memory.iter().copied()).min();
            let fitting = memory.iter().filter(|bytes| **bytes <= self.question.gpu.memory).count();
            if fitting == 0 {
                continue;
            }
            self.fitting += seats * fitting as u64;
            if messages.is_none() {
                messages = self.messages_by_seat(layout, outer, &ways);
            }
            let Some(messages) = &messages else { return };
            for (seat, messages) in outer.seats.iter().zip(messages) {
                self.walk_seat(layout, seat, *messages, &ways, &memory);
            }
        }
    }

    /// False where no layout of that shape is of use: with the least that is recomputed none is by
    /// its stages alone, to which more of it only adds, and none by its schedule.
    fn may_enter(
        &mut self,
        layout: &Layout,
        outer: &OuterKey,
        ways: &[ScheduleOption],
        limit: Seconds,
    ) -> bool {
        let least = self.space.recompute.iter().min().copied().unwrap_or(layout.recompute);
        let (every, least) = (&self.space.recompute[..], &[least][..]);
        let swaps = outer.staged.swaps;
        let with = |recompute: &Recompute| Layout { recompute: *recompute, ..layout.clone() };
        // Messages take work, and often compute alone is too slow.
        let recomputes = if swaps { every } else { least };
        if !recomputes
            .iter()
            .any(|this_recompute| self.any_enters(&with(this_recompute), outer, ways, limit, None))
        {
            return false;
        }
        let Some(messages) = self.messages_by_seat(&with(&least[0]), outer, ways) else {
            return true;
        };
        // Where messages queue, longer compute shortens the queue, which several chunks wait for
        // each; and where stages have unlike numbers of layers, another one may be the slowest,
        // whose largest chunk is a smaller share of it.
        let layers = |stage: &PipelineStage| stage.layer_count();
        let [first, ..] = &outer.staged.held[..] else { return true };
        let unlike = outer.staged.held.iter().any(|stage| layers(stage) != layers(first));
        let recomputes =
            if swaps || unlike || self.can_queue_messages(outer) { every } else { least };
        recomputes.iter().any(|this_recompute| {
            self.any_enters(&with(this_recompute), outer, ways, limit, Some(&messages))
        })
    }

    /// True where messages may wait for one another.
    fn can_queue_messages(&self, outer: &OuterKey) -> bool {
        self.question.network.can_queue_at_leaf() || outer.seats.iter().any(|seat| !seat.even)
    }

    /// True where a layout is of use that is no faster than its slowest stage, or than its schedule
    /// with these messages.
    fn any_enters(
        &mut self,
        layout: &Layout,
        outer: &OuterKey,
        ways: &[ScheduleOption],
        limit: Seconds,
        messages: Option<&[Messages]>,
    ) -> bool {
        let source = self.pieces.source();
        let clock = source.clock;
        let least_pace = self.least_pace;
        for (place, seat) in outer.seats.iter().enumerate() {
            let messages = messages.and_then(|all| all.get(place));
            let Some(blocks) = self.pieces.block_times(layout, seat) else { return true };
            let Self { question, ranking, .. } = self;
            let enters = |time: Seconds| {
                let least = least_pace.pace_bound(time) * (1.0 - ROUNDING);
                let score = ranking.criterion().score(least, seat.domains);
                question.is_short_enough(time)
                    && score <= limit
                    && ranking.can_enter(least, seat.domains)
            };
            if !enters(clock.step_time_lower_bound(
                &clock.combine_stage_times(blocks, &seat.silent),
                &ways[0].turn,
            )) {
                continue;
            }
            for setting in &seat.settings {
                let pace = clock.combine_stage_times(blocks, setting.least_work(source));
                let of_way = |way: &ScheduleOption| match messages {
                    Some(this_messages) => clock.total_step_time(
                        &pace,
                        &way.turn.with_message_time(this_messages.for_chunks(way.chunks)),
                    ),
                    None => clock.step_time_lower_bound(&pace, &way.turn),
                };
                // Without messages all ways have the same bound.
                let shown = if messages.is_some() { ways } else { &ways[..1] };
                if shown.iter().any(|way| enters(of_way(way))) {
                    return true;
                }
            }
        }
        false
    }

    /// Messages on each seat; `None` where the layout breaks a rule.
    fn messages_by_seat(
        &self,
        layout: &Layout,
        outer: &OuterKey,
        ways: &[ScheduleOption],
    ) -> Option<Vec<Messages>> {
        let each = |layout: &Layout| -> Option<Vec<CallTime>> {
            let mut step = self.pieces.step_of_messages(layout)?;
            Some(outer.seats.iter().map(|seat| self.pieces.message_time(&mut step, seat)).collect())
        };
        // Where nothing queues, one stage more that sends makes no message slower.
        let chunked = ways.iter().find(|way| way.chunks > 1 && self.can_queue_messages(outer));
        let single = each(layout)?;
        let several = match chunked {
            Some(way) => {
                each(&Layout { interleave: way.chunks, schedule: way.schedule, ..layout.clone() })?
            }
            None => single.clone(),
        };
        let both = single.into_iter().zip(several);
        Some(both.map(|(single, several)| Messages { single, several }).collect())
    }

    /// Everything on one seat that fits.
    fn walk_seat(
        &mut self,
        layout: &Layout,
        seat: &SeatedOrder,
        messages: Messages,
        ways: &[ScheduleOption],
        memory: &[Bytes],
    ) {
        let source = self.pieces.source();
        let clock = source.clock;
        let question = self.question;
        let capacity = question.gpu.memory;
        let Some(blocks) = self.pieces.block_times(layout, seat) else { return };
        let silent = clock
            .step_time_lower_bound(&clock.combine_stage_times(blocks, &seat.silent), &ways[0].turn);
        let settings = self.space.zero.iter().zip(&seat.settings).zip(memory.chunks(ways.len()));
        for ((zero, setting), memory) in settings {
            let least_pace = self.least_pace;
            let admitted = |ranking: &Ranking, step: Seconds| {
                let least = least_pace.pace_bound(step) * (1.0 - ROUNDING);
                question.is_short_enough(step) && ranking.can_enter(least, seat.domains)
            };
            if memory.iter().all(|bytes| *bytes > capacity) || !admitted(&self.ranking, silent) {
                continue;
            }
            let least = clock.combine_stage_times(blocks, setting.least_work(source));
            if !admitted(&self.ranking, clock.step_time_lower_bound(&least, &ways[0].turn)) {
                continue;
            }
            for (way, memory) in ways.iter().zip(memory).filter(|(_, bytes)| **bytes <= capacity) {
                let turn = way.turn.with_message_time(messages.for_chunks(way.chunks));
                if !admitted(&self.ranking, clock.total_step_time(&least, &turn)) {
                    continue;
                }
                let work = setting.stage_work(source, way, layout.micro_batch);
                let pace = clock.combine_stage_times(blocks, &work);
                if !admitted(&self.ranking, clock.total_step_time(&pace, &turn)) {
                    continue;
                }
                let layout = Layout {
                    zero: *zero,
                    order: seat.order,
                    schedule: way.schedule,
                    interleave: way.chunks,
                    ..layout.clone()
                };
                let time = clock.step_time_by_part(&pace, &turn);
                if time.total_time() > self.question.longest_step {
                    continue;
                }
                let whole = (time.total_time(), *memory);
                let Some((pace, memory)) =
                    self.shapes.phases.run_of(&layout, whole.0, whole.1, &clock)
                else {
                    continue;
                };
                let domains = seat.domains;
                self.ranking.add(RankedLayout { layout, time, pace, memory, domains });
            }
        }
    }
}
