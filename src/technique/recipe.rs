//! What a step is made of, and the step that all techniques together make of it.

use super::multilevel::{self, Phase};
use super::{demo, fused_tensor, narrow_pipeline, offload, rules, sil, swap};
use crate::parallel::{Layout, LayoutProblem, LayoutRequest, Schedule, Zero};
use crate::scenario::Workload;
use crate::step::{Activations, Step, Upkeep};
use crate::workload::{Framework, Model, Technique, Techniques, Training, Turns};

/// All that the step of a layout follows from.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    /// What is trained.
    pub model: &'a Model,
    /// In which batches.
    pub training: &'a Training,
    /// On which stack.
    pub framework: &'a Framework,
    /// With which techniques.
    pub techniques: &'a Techniques,
}

/// A technique: the step without it in, the step with it out. Where it is off, the same step.
type Change = fn(Step, &Recipe<'_>) -> Step;

/// Every change to a step, in the order in which they are made: what is communicated first, then
/// what hides it, then what is kept.
const CHANGES: [Change; 6] = [
    sil::sil,
    narrow_pipeline::narrow_pipeline,
    fused_tensor::fused_tensor,
    demo::demo,
    offload::offload,
    swap::swap,
];

impl<'a> Recipe<'a> {
    /// The recipe of a workload.
    #[must_use]
    pub const fn of(workload: &'a Workload) -> Self {
        Self {
            model: &workload.model,
            training: &workload.training,
            framework: &workload.framework,
            techniques: &workload.techniques,
        }
    }

    /// The step that the network and the memory have to bear: of several phases the one that
    /// asks most, which is the whole model's.
    ///
    /// # Errors
    /// Every rule of the layout and of the techniques that is broken.
    pub fn step(&self, layout: &Layout) -> Result<Step, Vec<LayoutProblem>> {
        let mut problems = self.problems(layout);
        match Step::new(self.model, self.training, self.framework, layout) {
            Ok(step) if problems.is_empty() => {
                Ok(CHANGES.into_iter().fold(step, |step, change| change(step, self)))
            }
            Ok(_) => Err(problems),
            Err(broken) => {
                problems.splice(0..0, broken);
                Err(problems)
            }
        }
    }

    /// Every rule of the techniques that the layout breaks.
    #[must_use]
    pub fn problems(&self, layout: &Layout) -> Vec<LayoutProblem> {
        rules::problems(self, layout)
    }

    /// Whether the techniques leave a setting of ZeRO possible.
    #[must_use]
    pub fn permits(&self, zero: Zero) -> bool {
        rules::permits(self, zero)
    }

    /// The phases of a run, each with its step; none where the run has one only.
    ///
    /// # Errors
    /// As [`Recipe::step`], for every phase.
    pub fn phases(&self, layout: &Layout) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
        if self.techniques.has(Technique::MultiLevel) {
            return multilevel::phases(self, layout);
        }
        sil::phases(self, layout)
    }

    /// What blocks keep of a micro-batch in a layout, and what of it the techniques leave on the
    /// host: as in the step, without making one.
    #[must_use]
    pub fn activations(&self, layout: &Layout) -> Activations {
        let Self { model, training, framework, .. } = *self;
        swap::activations(Activations::new(model, training, framework, layout), self)
    }

    /// What the techniques leave of a parameter's upkeep in a layout: likewise.
    #[must_use]
    pub fn upkeep(&self, layout: &Layout) -> Upkeep {
        let upkeep = Upkeep::new(self.training, self.framework);
        swap::upkeep(offload::upkeep(demo::upkeep(upkeep, self, layout), self), self)
    }
}

/// The workload with exactly these techniques on. Two of them are schedules, which are the
/// layout's: with message-driven stages nothing is interleaved, and parts that are trained on
/// their own to the end keep no pipeline. Without them the layout has the spec's own schedule.
#[must_use]
pub fn switched(workload: &Workload, on: &[Technique]) -> Workload {
    let mut workload = workload.clone();
    workload.techniques = workload.techniques.with_only(on);
    let asked = workload.layout.timetable();
    let taken = schedule(&workload.techniques);
    let (schedule, interleave) =
        taken.map_or((asked.schedule, asked.interleave), |schedule| (schedule, Some(1)));
    let replaced = taken.map(|_| asked);
    workload.layout = LayoutRequest { schedule, interleave, replaced, ..workload.layout };
    workload
}

/// The schedule that the techniques put in the place of the spec's own. Where the whole network
/// recovers after synthetic labels, it is trained in the spec's own: the network and the memory
/// have to bear that.
#[must_use]
pub fn schedule(techniques: &Techniques) -> Option<Schedule> {
    if techniques.has(Technique::Sil) && techniques.sil.recovery <= 0.0 {
        return Some(alone(techniques));
    }
    techniques.has(Technique::MessageDriven).then_some(Schedule::MessageDriven)
}

/// The schedule of stages that train by themselves.
pub(super) const fn alone(techniques: &Techniques) -> Schedule {
    match techniques.sil.turns {
        Turns::Parallel => Schedule::Independent,
        Turns::Sequential => Schedule::InTurn,
    }
}

/// The techniques without one of them.
pub(super) fn switched_off(techniques: &Techniques, off: Technique) -> Techniques {
    let on: Vec<Technique> = techniques.on.iter().copied().filter(|on| *on != off).collect();
    techniques.with_only(&on)
}
