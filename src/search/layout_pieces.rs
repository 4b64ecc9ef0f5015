//! Micro-batches and schedules of a set of degrees; pieces of time and memory that layouts share.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::phases::SearchPhases;
use super::ranking::Question;
use super::space::{DegreeCell, Space};
use crate::memory::{Footprint, Holding, micro_batches_in_flight};
use crate::parallel::{Layout, Order, RankGrid, Schedule, Zero};
use crate::step::{Cadence, Communication, PipelineStage, Step, TrafficKind};
use crate::technique::Recipe;
use crate::timing::{BlockTimes, CallTime, Clock, PipelineTurn, Seating, StageWork};
use crate::units::Bytes;
use crate::workload::Recompute;

/// A rank order that seats the ranks of some degrees unlike the orders before it.
pub(super) struct SeatedOrder {
    pub(super) order: Order,
    /// HB domains that the ranks take.
    pub(super) domains: u32,
    /// Each ZeRO setting of the space.
    pub(super) settings: Vec<Sharded>,
    /// The stages with neither messages nor an optimizer: no setting is faster.
    pub(super) silent: Vec<StageWork>,
    grid: RankGrid,
    blocks: Seating,
    message_stages: OnceCell<Vec<usize>>,
    /// Borders of domains cut all groups alike.
    pub(super) even: bool,
}

/// A ZeRO setting on a seat. Most layouts are too slow by their compute alone, so the stages are
/// only worked out where they are asked for.
pub(super) struct Sharded {
    layout: Layout,
    grid: RankGrid,
    least: OnceCell<Vec<StageWork>>,
    /// By virtual stages, each of which sends its gradients by itself.
    stages: RefCell<BTreeMap<u32, Rc<[StageWork]>>>,
}

impl Sharded {
    /// What it makes of the stages at least, under any schedule: as if all that is sent once a step
    /// went in one message each.
    pub(super) fn least_work(&self, source: Source<'_>) -> &[StageWork] {
        self.least.get_or_init(|| {
            let whole = |call: Communication| match call.cadence {
                Cadence::PerStep => call.split_into_messages(Vec::new()),
                _ => call,
            };
            let Some(mut step) = self.seated_step(source, &self.layout) else { return Vec::new() };
            step.communications = step.communications.into_iter().map(whole).collect();
            source.clock.stages_by_content(&step)
        })
    }

    /// What it makes of the stages under a schedule, which may ask for such a micro-batch.
    pub(super) fn stage_work(
        &self,
        source: Source<'_>,
        way: &ScheduleOption,
        micro_batch: u64,
    ) -> Rc<[StageWork]> {
        let make = || -> Rc<[StageWork]> {
            let (schedule, interleave) = (way.schedule, way.chunks);
            let layout = Layout { schedule, interleave, micro_batch, ..self.layout.clone() };
            match self.seated_step(source, &layout) {
                Some(step) => source.clock.stages_by_content(&step).into(),
                None => self.least_work(source).into(),
            }
        };
        Rc::clone(self.stages.borrow_mut().entry(way.chunks).or_insert_with(make))
    }

    fn seated_step(&self, source: Source<'_>, layout: &Layout) -> Option<Step> {
        let step = source.recipe.heaviest_step(layout).ok();
        step.map(|step| Step { grid: self.grid.clone(), ..step })
    }
}

/// What pieces are made of.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    recipe: Recipe<'a>,
    pub(super) clock: Clock<'a>,
}

/// What follows from the degrees: the seats, and the stages without their times.
pub(super) struct OuterKey {
    pub(super) seats: Vec<SeatedOrder>,
    pub(super) staged: Staged,
}

/// The stages of a set of degrees, whatever the network.
pub(super) struct Staged {
    /// Each ZeRO setting.
    settings: Vec<Layout>,
    /// With neither messages, copies nor an optimizer.
    pub(super) silent: Vec<StageWork>,
    /// They wait for copies, which more that is recomputed makes shorter.
    pub(super) swaps: bool,
    /// The first stage of each content, for the memory: later ones hold no more micro-batches.
    pub(super) held: Vec<PipelineStage>,
}

/// What blocks send.
const IN_BLOCKS: [TrafficKind; 3] =
    [TrafficKind::Tensor, TrafficKind::Context, TrafficKind::Expert];

/// All that the times of blocks follow from where tensor, context and expert degrees are equal.
type BlocksKey = (Seating, u64, bool, Recompute);

/// As `BlocksKey`, where nothing is sent.
type SilentKey = (u64, bool, Recompute);

/// Works pieces out once each.
pub(super) struct StepPieces<'a> {
    question: &'a Question<'a>,
    clock: Clock<'a>,
    blocks: BTreeMap<BlocksKey, BlockTimes>,
    silent_blocks: BTreeMap<SilentKey, BlockTimes>,
}

impl<'a> StepPieces<'a> {
    pub(super) fn new(question: &'a Question<'a>) -> Self {
        let clock = Clock::new(question.gpu, question.network, question.framework);
        Self { question, clock, blocks: BTreeMap::new(), silent_blocks: BTreeMap::new() }
    }

    pub(super) const fn source(&self) -> Source<'a> {
        Source { recipe: self.question.recipe(), clock: self.clock }
    }

    /// Forgets the times of blocks: what comes next has other degrees, and memory stays bounded.
    pub(super) fn forget_block_times(&mut self) {
        self.blocks.clear();
        self.silent_blocks.clear();
    }

    /// The stages of a layout under each of `zeros`; `None` where it breaks a rule.
    pub(super) fn stages_by_zero(&self, layout: &Layout, zeros: &[Zero]) -> Option<Staged> {
        let settings: Vec<Layout> =
            zeros.iter().map(|zero| Layout { zero: *zero, ..layout.clone() }).collect();
        let (first, others) = settings.split_first()?;
        let step = self.step_with_calls(first, &[])?;
        if !others.iter().all(|other_layout| self.is_legal(other_layout)) {
            return None;
        }
        let mut held: Vec<PipelineStage> = Vec::new();
        for stage in &step.stages {
            if !held.iter().any(|pipeline_stage| pipeline_stage.is_alike(stage)) {
                held.push(stage.clone());
            }
        }
        let (silent, swaps) = self.clock.stages_without_calls(&step);
        Some(Staged { settings, silent, swaps, held })
    }

    /// These stages in each of `orders` that seats the ranks of their layout differently.
    pub(super) fn stages_by_rank_order(
        &self,
        layout: &Layout,
        orders: &[Order],
        staged: Staged,
    ) -> OuterKey {
        let mut seatings: Vec<Seating> = Vec::new();
        let mut seats = Vec::new();
        for order in orders {
            let ordered = Layout { order: *order, ..layout.clone() };
            let Some(grid) = RankGrid::new(&ordered) else { continue }; // experts do not nest
            let seating = Seating::new(self.question.network, &grid);
            if seatings.contains(&seating) {
                continue;
            }
            seats.push(self.seated_order(*order, grid, &seating, &staged.settings, &staged.silent));
            seatings.push(seating);
        }
        OuterKey { seats, staged }
    }

    fn seated_order(
        &self,
        order: Order,
        grid: RankGrid,
        seating: &Seating,
        settings: &[Layout],
        silent: &[StageWork],
    ) -> SeatedOrder {
        let sharded = |layout: &Layout| Sharded {
            layout: layout.clone(),
            grid: grid.clone(),
            least: OnceCell::new(),
            stages: RefCell::default(),
        };
        SeatedOrder {
            order,
            domains: seating.domains_for_ranks(grid.ranks()),
            settings: settings.iter().map(sharded).collect(),
            silent: silent.to_vec(),
            blocks: seating.block_seating(),
            message_stages: OnceCell::new(),
            even: seating.is_even(),
            grid,
        }
    }

    /// The step of a layout with nothing but its messages between stages; `None` where it breaks a
    /// rule.
    pub(super) fn step_of_messages(&self, layout: &Layout) -> Option<Step> {
        let layout = Layout { recompute: Recompute::None, ..layout.clone() };
        self.step_with_calls(&layout, &[TrafficKind::Pipeline])
    }

    /// A message of that step on a seat.
    pub(super) fn message_time(&self, step: &mut Step, seat: &SeatedOrder) -> CallTime {
        if step.layout.pipeline < 2 {
            return CallTime::default();
        }
        step.grid.clone_from(&seat.grid);
        let stages = seat.message_stages.get_or_init(|| self.clock.message_stages(step));
        self.clock.stage_message_time(step, stages)
    }

    /// What the blocks of a layout keep in memory.
    fn block_footprint(&self, layout: &Layout) -> Footprint {
        let recipe = self.question.recipe();
        Footprint::new(
            recipe.kept_activations(layout),
            recipe.parameter_upkeep(layout),
            recipe.framework,
        )
    }

    /// Times of the blocks of a layout on a seat; `None` where it breaks a rule.
    pub(super) fn block_times(
        &mut self,
        layout: &Layout,
        seat: &SeatedOrder,
    ) -> Option<&BlockTimes> {
        let Layout { micro_batch, sequence_parallel, recompute, .. } = *layout;
        let key = (seat.blocks.clone(), micro_batch, sequence_parallel, recompute);
        if !self.blocks.contains_key(&key) {
            let step = self.step_with_calls(layout, &IN_BLOCKS)?;
            let step = Step { grid: seat.grid.clone(), ..step };
            self.blocks.insert(key.clone(), self.clock.time_blocks(&step));
        }
        self.blocks.get(&key)
    }

    /// As `block_times`, where nothing is sent.
    pub(super) fn silent_blocks(&mut self, layout: &Layout) -> Option<&BlockTimes> {
        let Layout { micro_batch, sequence_parallel, recompute, .. } = *layout;
        let key = (micro_batch, sequence_parallel, recompute);
        if !self.silent_blocks.contains_key(&key) {
            let step = self.step_with_calls(layout, &[])?;
            self.silent_blocks.insert(key, self.clock.silent_blocks(&step));
        }
        self.silent_blocks.get(&key)
    }

    fn is_legal(&self, layout: &Layout) -> bool {
        let Question { model, training, .. } = *self.question;
        layout.broken_rules(model, training).is_empty()
            && self.question.recipe().rules_broken_by_layout(layout).is_empty()
    }

    fn step_with_calls(&self, layout: &Layout, kinds: &[TrafficKind]) -> Option<Step> {
        self.question.recipe().step_with_calls(layout, kinds).ok()
    }
}

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
        staged: &Staged,
        ways: &[ScheduleOption],
    ) -> Vec<Bytes> {
        let footprint = pieces.block_footprint(layout);
        let mut all = Vec::with_capacity(self.space.zero.len() * ways.len());
        for zero in &self.space.zero {
            let layout = Layout { zero: *zero, ..layout.clone() };
            let holding = |stage| Holding::new(&footprint, &layout, stage);
            let holdings: Vec<Holding> = staged.held.iter().map(holding).collect();
            all.extend(ways.iter().map(|way| {
                let each = holdings.iter().zip(&way.in_flight);
                each.map(|(held, count)| held.total_bytes(*count)).max().unwrap_or_default()
            }));
        }
        all
    }
}
