//! What the layouts of a space take on a GPU at least, whatever its network: their kernels, where
//! they fit its memory. Worked out once for all machines with that GPU.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::layout_pieces::{LayoutShapes, Staged, StepPieces};
use super::no_layout::{NoLayout, refuse_too_large};
use super::phases::{LeastPace, SearchPhases, question_of_phase};
use super::ranking::Question;
use super::space::{DegreeCell, Degrees, Space, degrees_of};
use crate::hardware::Gpu;
use crate::parallel::Layout;
use crate::timing::{CallTime, Clock, PipelineTurn, StepPace};
use crate::units::Seconds;
use crate::workload::{Framework, Model, Techniques, Training};

/// What the layouts of a space follow from, but for their network.
#[derive(Clone, PartialEq)]
pub(super) struct KernelQuestion {
    // What differs most often comes first, as the first difference ends a comparison.
    gpus: u32,
    gpu: Gpu,
    model: Model,
    training: Training,
    framework: Framework,
    techniques: Techniques,
    space: Space,
}

impl KernelQuestion {
    /// Of a question about a space.
    pub(super) fn for_space(question: &Question<'_>, space: &Space) -> Self {
        let Question { model, training, framework, techniques, gpu, gpus, .. } = *question;
        Self {
            gpus,
            gpu: gpu.clone(),
            model: model.clone(),
            training: training.clone(),
            framework: framework.clone(),
            techniques: techniques.clone(),
            space: space.clone(),
        }
    }

    /// True for the same but for the GPU.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.gpus, &self.model, &self.training, &self.framework)
            == (other.gpus, &other.model, &other.training, &other.framework)
            && (&self.techniques, &self.space) == (&other.techniques, &other.space)
    }
}

/// Spaces of which it is kept what their layouts take.
const KEPT: usize = 64;

type KnownBounds = VecDeque<(KernelQuestion, Arc<KernelBounds>)>;

static KNOWN: Mutex<KnownBounds> = Mutex::new(VecDeque::new());

/// What is stored is complete whenever the lock is free, whoever panicked.
fn lock_known_bounds() -> MutexGuard<'static, KnownBounds> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the layouts of a space take at least; of one that was asked for before, as then.
///
/// # Errors
/// Where there are more than are looked at.
pub(super) fn kernel_bounds(
    question: &Question<'_>,
    space: &Space,
) -> Result<Arc<KernelBounds>, NoLayout> {
    let asked = KernelQuestion::for_space(question, space);
    let before = lock_known_bounds()
        .iter()
        .find(|(kernel_question, _)| *kernel_question == asked)
        .map(|(_, known)| known.clone());
    if let Some(before) = before {
        return Ok(before);
    }
    refuse_too_large(std::iter::once((question, space)))?;
    let mut phases = Vec::new();
    for phase in SearchPhases::from_question(question).other_phases() {
        let (question, space) = question_of_phase(phase, question, space);
        phases.push((phase.share, kernel_bounds(&question, &space)?));
    }
    let made = Arc::new(KernelBounds::new(question, space, phases));
    let mut known = lock_known_bounds();
    known.truncate(KEPT - 1);
    known.push_front((asked, made.clone()));
    Ok(made)
}

/// The least time of each shape, whatever fits, without what many GPUs cost besides; and of the
/// layouts that fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KernelBounds {
    shapes: BTreeMap<Degrees, Vec<(Seconds, Layout)>>,
    /// Endless where none fits.
    min_step_time: Seconds,
    /// The least of all, whatever fits.
    least_of_any: Seconds,
    gpus: u64,
    run_share: f64,
    /// The other phases of a run, each with its share.
    phases: Vec<(f64, Arc<KernelBounds>)>,
}

impl KernelBounds {
    /// Of the layouts of a space.
    fn new(question: &Question<'_>, space: &Space, phases: Vec<(f64, Arc<Self>)>) -> Self {
        let mut kernels = Kernels {
            question,
            space,
            shapes: LayoutShapes::new(question, space),
            pieces: StepPieces::new(question),
        };
        let mut all = Vec::new();
        for (cell, _) in space.degree_cells(question.training, question.gpus) {
            for pipeline in &space.pipeline {
                if let Some(layout) = kernels.shapes.simplest_layout_of_cell(&cell, *pipeline) {
                    kernels.add_shapes_of_degrees(&layout, &mut all);
                }
            }
            kernels.pieces.forget_block_times();
        }
        let gpus = all.iter().map(|(_, shape)| shape.gpus()).max().unwrap_or(0);
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let least = kernels.min_kernel_time(&all);
        let least_of_any = all.first().map_or(Seconds::ENDLESS, |(time, _)| *time);
        let mut shapes: BTreeMap<Degrees, Vec<(Seconds, Layout)>> = BTreeMap::new();
        for (time, shape) in all {
            shapes.entry(degrees_of(&shape)).or_default().push((time, shape));
        }
        Self {
            shapes,
            min_step_time: least,
            least_of_any,
            gpus,
            run_share: kernels.shapes.phases.full_model_share(),
            phases,
        }
    }

    /// The shapes with the degrees of a layout, each with what no layout of it takes less than
    /// among its GPUs on a machine; the least first.
    pub(super) fn shape_bounds<'s>(
        &'s self,
        layout: &Layout,
        clock: &'s Clock<'_>,
    ) -> impl Iterator<Item = (Seconds, &'s Layout)> + use<'s> {
        let shapes = self.shapes.get(&degrees_of(layout)).into_iter().flatten();
        shapes.map(|(time, shape)| (clock.with_straggler_share(shape.gpus(), *time), shape))
    }

    /// What no layout of some tensor, context and expert degrees takes less than, whatever fits,
    /// without what many GPUs cost besides.
    pub(super) fn cell_bound(&self, cell: &DegreeCell) -> Seconds {
        let DegreeCell { tensor, context, expert, expert_tensor } = *cell;
        let degrees = |pipeline| [tensor, context, expert, expert_tensor, pipeline];
        let all = self.shapes.range(degrees(0)..=degrees(u32::MAX));
        all.filter_map(|(_, shapes)| shapes.first())
            .map(|(time, _)| *time)
            .fold(Seconds::ENDLESS, Seconds::min)
    }

    /// What no layout has a shorter pace than on a machine; endless where none fits.
    pub(crate) fn min_step_time(&self, clock: &Clock<'_>) -> Seconds {
        self.least_pace(clock).pace_bound(self.least_step(clock))
    }

    fn least_step(&self, clock: &Clock<'_>) -> Seconds {
        clock.with_straggler_share(self.gpus, self.min_step_time)
    }

    /// As `least_step`, by that of a step of the whole run in a shape.
    pub(super) fn least_pace_of(&self, shape: &Layout, clock: &Clock<'_>) -> LeastPace {
        let each = self
            .phases
            .iter()
            .map(|(share, bounds)| bounds.lower_bound_of_shape(shape, clock) * *share);
        LeastPace { run_share: self.run_share, rest: each.sum() }
    }

    /// What no layout of a shape takes less than; nothing where that is not known.
    fn lower_bound_of_shape(&self, shape: &Layout, clock: &Clock<'_>) -> Seconds {
        let alike = |layout: &Layout| {
            (layout.micro_batch, layout.sequence_parallel)
                == (shape.micro_batch, shape.sequence_parallel)
        };
        let own = self.shape_bounds(shape, clock).find(|(_, layout)| alike(layout));
        own.map_or(Seconds::ZERO, |(time, _)| time)
    }

    /// What no layout takes less than, whatever fits: a phase has a memory of its own.
    fn least_whatever_fits(&self, clock: &Clock<'_>) -> Seconds {
        clock.with_straggler_share(self.gpus, self.least_of_any)
    }

    /// What no pace is shorter than, by that of a step of the whole run.
    pub(super) fn least_pace(&self, clock: &Clock<'_>) -> LeastPace {
        let each =
            self.phases.iter().map(|(share, bounds)| (share, bounds.least_whatever_fits(clock)));
        let known = each.filter(|(_, least)| !least.is_endless());
        LeastPace {
            run_share: self.run_share,
            rest: known.map(|(share, least)| least * *share).sum(),
        }
    }
}

/// How the times of a space are worked out.
struct Kernels<'a> {
    question: &'a Question<'a>,
    space: &'a Space,
    shapes: LayoutShapes<'a>,
    pieces: StepPieces<'a>,
}

impl Kernels<'_> {
    /// Adds the shapes of one set of degrees, each with what it takes where as little as possible
    /// is recomputed, in as many virtual stages as the space has.
    fn add_shapes_of_degrees(&mut self, layout: &Layout, all: &mut Vec<(Seconds, Layout)>) {
        let Self { space, .. } = *self;
        let shapes = self.shapes.legal_layouts(layout);
        let staged =
            shapes.first().and_then(|first| self.pieces.stages_by_zero(first, &space.zero));
        let Some(staged) = staged else { return };
        let least = space.recompute.iter().min().copied().unwrap_or(layout.recompute);
        let chunks = space.interleave.iter().max().copied().unwrap_or(1);
        for shape in shapes {
            let layout = Layout { recompute: least, ..shape.clone() };
            let Some(pace) = self.kernel_stage_times(&layout, &staged) else { continue };
            let micro_batches = shape.micro_batches(self.question.training);
            let times = space.schedule.iter().map(|schedule| {
                let other_layout =
                    Layout { schedule: *schedule, interleave: chunks, ..layout.clone() };
                Clock::step_time_without_network(
                    &pace,
                    &PipelineTurn::new(&other_layout, micro_batches, CallTime::default()),
                )
            });
            all.extend(times.reduce(Seconds::min).map(|time| (time, shape)));
        }
    }

    /// What the stages take by their kernels alone; `None` where the layout breaks a rule.
    fn kernel_stage_times(&mut self, layout: &Layout, staged: &Staged) -> Option<StepPace> {
        let clock = self.pieces.source().clock;
        Some(clock.combine_stage_times(self.pieces.silent_blocks(layout)?, &staged.silent))
    }

    /// The least of all layouts that fit: shapes are looked at in the order of what they take
    /// whatever fits.
    fn min_kernel_time(&mut self, all: &[(Seconds, Layout)]) -> Seconds {
        let mut least = Seconds::ENDLESS;
        for (time, shape) in all {
            if *time >= least {
                break;
            }
            self.pieces.forget_block_times();
            least = least.min(self.min_kernel_time_of_shape(shape));
        }
        least
    }

    /// The least of the layouts of a shape that fit.
    fn min_kernel_time_of_shape(&mut self, shape: &Layout) -> Seconds {
        let Self { space, .. } = *self;
        let mut least = Seconds::ENDLESS;
        let Some(staged) = self.pieces.stages_by_zero(shape, &space.zero) else { return least };
        let ways = self.shapes.legal_schedules(shape, &staged.held);
        for recompute in &space.recompute {
            let layout = Layout { recompute: *recompute, ..shape.clone() };
            let Some(pace) = self.kernel_stage_times(&layout, &staged) else { continue };
            let memory = self.shapes.memory_by_setting(&self.pieces, &layout, &staged, &ways);
            for (place, way) in ways.iter().enumerate() {
                let mut settings = memory.iter().skip(place).step_by(ways.len());
                if settings.any(|bytes| *bytes <= self.question.gpu.memory) {
                    least = least.min(Clock::step_time_without_network(&pace, &way.turn));
                }
            }
        }
        least
    }
}
