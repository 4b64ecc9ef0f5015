//! A phase of a training run: what is trained in it, and for how long. Which phases a run has is its
//! techniques' business.

use super::recipe::Recipe;
use super::schedule::technique_schedule;
use crate::parallel::{Layout, LayoutProblem};
use crate::step::Step;
use crate::workload::{Model, Technique, Techniques};

/// A phase of a run, in any layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What it is, for reports.
    pub name: String,
    /// Its steps over those of the run without phases.
    pub share: f64,
    /// What it trains.
    pub model: Model,
    /// With which techniques.
    pub techniques: Techniques,
    /// GPUs that train it, in fewer replicas; those of the whole run where `None`.
    pub gpus: Option<u32>,
    /// Its steps are those of the whole run: what the network and the memory have to bear.
    pub is_whole: bool,
    /// Least and largest share of its steps in the runs of its paper; `None` where those do not tell.
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

    /// Its layout, where the whole run has that one; `None` where its GPUs are no multiple of those of
    /// a replica, or more than all.
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
