//! `Recipe`, `Phase`, the row of a technique, schedules that techniques switch on.

use crate::parallel::{Layout, LayoutProblem, LayoutRequest, Schedule, Zero};
use crate::scenario::Workload;
use crate::step::{Activations, ParameterUpkeep, Step};
use crate::workload::{Framework, Model, SilTurns, Technique, Techniques, Training};

/// All that the step of a layout follows from.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    pub model: &'a Model,
    pub training: &'a Training,
    pub framework: &'a Framework,
    pub techniques: &'a Techniques,
}

impl<'a> Recipe<'a> {
    /// The recipe of a workload.
    #[must_use]
    pub const fn from_workload(workload: &'a Workload) -> Self {
        Self {
            model: &workload.model,
            training: &workload.training,
            framework: &workload.framework,
            techniques: &workload.techniques,
        }
    }
}

/// A phase of a run, in any layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What it is, for reports.
    pub name: String,
    /// Its steps over those of the run without phases.
    pub share: f64,
    pub model: Model,
    pub techniques: Techniques,
    /// GPUs that train it, in fewer replicas; those of the whole run where `None`.
    pub gpus: Option<u32>,
    /// Its steps are those of the whole run: what the network and the memory have to bear.
    pub is_whole: bool,
    /// Least and largest share of its steps in the runs of its paper; `None` where those do not
    /// tell.
    pub published: Option<[f64; 2]>,
    /// What makes it a phase.
    pub by: Technique,
}

impl Phase {
    /// All that a step of it follows from, where the whole run has that recipe.
    #[must_use]
    pub const fn phase_recipe<'p>(&'p self, whole: &Recipe<'p>) -> Recipe<'p> {
        Recipe { model: &self.model, techniques: &self.techniques, ..*whole }
    }

    /// Its layout, where the whole run has that one; `None` where its GPUs are no multiple of those
    /// of a replica, or more than all.
    #[must_use]
    pub fn phase_layout(&self, whole: &Layout) -> Option<Layout> {
        let data = match self.gpus.map(u64::from) {
            None => whole.data,
            Some(gpus) => {
                let replica = (whole.gpus() / u64::from(whole.data.max(1))).max(1);
                let fits = gpus <= whole.gpus() && gpus.is_multiple_of(replica);
                u32::try_from(gpus / replica).ok().filter(|_| fits)?
            }
        };
        let shard = whole.shard.map(|shard| shard.min(data));
        let own = Layout { data, shard, ..whole.clone() };
        Some(match technique_schedule(&self.techniques) {
            Some(schedule) => Layout { schedule, interleave: 1, ..own },
            None => own,
        })
    }

    /// Its step, where the whole run has that recipe in that layout.
    ///
    /// # Errors
    /// Every rule that it breaks.
    pub fn phase_step(
        &self,
        whole: &Recipe<'_>,
        layout: &Layout,
    ) -> Result<Step, Vec<LayoutProblem>> {
        let own =
            self.phase_layout(layout).ok_or_else(|| vec![self.gpu_multiple_problem(layout)])?;
        self.phase_recipe(whole)
            .heaviest_step(&own)
            .map_err(|problems| vec![self.named_problem(&problems)])
    }

    /// What its layout breaks beside what that of the whole run does, where that has that recipe.
    fn added_layout_problem(&self, whole: &Recipe<'_>, layout: &Layout) -> Option<LayoutProblem> {
        let recipe = self.phase_recipe(whole);
        let Some(own) = self.phase_layout(layout) else {
            return Some(self.gpu_multiple_problem(layout));
        };
        let mut known = layout.broken_rules(whole.model, whole.training);
        known.extend(whole.rules_broken_by_layout(layout));
        let mut problems = own.broken_rules(recipe.model, recipe.training);
        problems.extend(recipe.rules_broken_by_layout(&own));
        problems.retain(|problem| !known.contains(problem));
        (!problems.is_empty()).then(|| self.named_problem(&problems))
    }

    fn gpu_multiple_problem(&self, whole: &Layout) -> LayoutProblem {
        let (gpus, all) = (self.gpus.unwrap_or(0), whole.gpus());
        let replica = all / u64::from(whole.data.max(1));
        self.problem_of(format!(
            "`technique.multilevel.gpus` is {gpus}, and has to be a multiple of the {replica} of a \
             replica, no more than {all}"
        ))
    }

    /// What it breaks, with its name.
    fn named_problem(&self, problems: &[LayoutProblem]) -> LayoutProblem {
        self.problem_of(format!(
            "its phase \"{}\" can't run: {}",
            self.name,
            join_problems(problems)
        ))
    }

    const fn problem_of(&self, reason: String) -> LayoutProblem {
        LayoutProblem::Technique { technique: self.by, reason }
    }
}

impl Recipe<'_> {
    /// The first phase that can't run in a layout of the whole run, and why.
    #[must_use]
    pub fn phase_problem(&self, layout: &Layout) -> Option<LayoutProblem> {
        let phases = self.run_phases().unwrap_or_default();
        phases
            .iter()
            .filter(|phase| !phase.is_whole)
            .find_map(|phase| phase.added_layout_problem(self, layout))
    }
}

/// Problems in one line.
pub(super) fn join_problems(problems: &[LayoutProblem]) -> String {
    let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
    reasons.join(", ")
}

/// What one technique does; each function is asked only where the technique is on.
pub(super) struct TechniqueRow {
    pub(super) technique: Technique,
    /// What is said, and beside what: the step without it in, the step with it out. What is kept of
    /// activations and parameters is not its business.
    pub(super) change: fn(Step, &Recipe<'_>) -> Step,
    /// What blocks keep of a micro-batch, and what of it is left on the host.
    pub(super) activations: fn(Activations, &Recipe<'_>) -> Activations,
    /// What is kept of a parameter, and what its update takes.
    pub(super) upkeep: fn(ParameterUpkeep, &Recipe<'_>, &Layout) -> ParameterUpkeep,
    /// Why it does not apply under a setting of ZeRO, whatever else the layout is.
    pub(super) sharded: fn(&Recipe<'_>, Zero) -> Option<String>,
    /// Why it does not apply to a layout.
    pub(super) broken: fn(&Recipe<'_>, &Layout) -> Option<String>,
    /// Where it was shown to work, and what is taken for granted beyond that.
    pub(super) notes: fn(&Techniques) -> Vec<String>,
    /// It frees memory that only fewer stages use.
    pub(super) frees_memory: bool,
}

impl TechniqueRow {
    /// A technique that changes nothing and applies everywhere: what a row says where it says
    /// nothing else.
    pub(super) const fn without_effect(
        technique: Technique,
        notes: fn(&Techniques) -> Vec<String>,
    ) -> Self {
        Self {
            technique,
            change: |step, _| step,
            activations: |activations, _| activations,
            upkeep: |upkeep, _, _| upkeep,
            sharded: |_, _| None,
            broken: |_, _| None,
            notes,
            frees_memory: false,
        }
    }
}

/// Notes that hold whatever the settings.
pub(super) fn fixed_notes(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The workload with exactly these techniques on. Two of them are schedules, which are the
/// layout's: with message-driven stages nothing is interleaved, and parts that are trained on
/// their own to the end keep no pipeline. Without them the layout has the spec's own schedule.
#[must_use]
pub fn schedule_techniques(workload: &Workload, on: &[Technique]) -> Workload {
    let mut workload = workload.clone();
    workload.techniques = workload.techniques.enable_only(on);
    let asked = workload.layout.stated_timetable();
    let taken = technique_schedule(&workload.techniques);
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
pub fn technique_schedule(techniques: &Techniques) -> Option<Schedule> {
    if techniques.has_technique(Technique::Sil) && techniques.sil.recovery <= 0.0 {
        return Some(independent_stage_schedule(techniques));
    }
    techniques.has_technique(Technique::MessageDriven).then_some(Schedule::MessageDriven)
}

/// The schedule of stages that train by themselves.
const fn independent_stage_schedule(techniques: &Techniques) -> Schedule {
    match techniques.sil.turns {
        SilTurns::Parallel => Schedule::Independent,
        SilTurns::Sequential => Schedule::InTurn,
    }
}

/// The techniques without one of them.
pub(super) fn switched_off(techniques: &Techniques, off: Technique) -> Techniques {
    let on: Vec<Technique> = techniques.on.iter().copied().filter(|on| *on != off).collect();
    techniques.enable_only(&on)
}
