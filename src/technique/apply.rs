//! Step of a recipe with all its techniques; notes a reader needs.

use super::recipe::{Phase, Recipe, TechniqueRow};
use super::{ROWS, phased_training, technique_row};
use crate::parallel::{Layout, LayoutProblem, Timetable, Zero};
use crate::scenario::{Assumption, Workload};
use crate::step::{Activations, ParameterUpkeep, Step, TrafficKind};
use crate::workload::Technique;

impl Recipe<'_> {
    /// The step that the network and the memory have to bear: of several phases the one that
    /// asks most, which is the whole model's.
    ///
    /// # Errors
    /// Every rule of the layout and of the techniques that is broken.
    pub fn heaviest_step(&self, layout: &Layout) -> Result<Step, Vec<LayoutProblem>> {
        self.step_with_calls(layout, &TrafficKind::ALL)
    }

    /// [`Recipe::heaviest_step`] with the communications of these kinds alone.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn step_with_calls(
        &self,
        layout: &Layout,
        kinds: &[TrafficKind],
    ) -> Result<Step, Vec<LayoutProblem>> {
        let mut problems = self.rules_broken_by_layout(layout);
        match Step::with_calls(kinds, self.model, self.training, self.framework, layout) {
            Ok(step) if problems.is_empty() => {
                Ok(self.active_rows().fold(step, |step, row| self.apply_row(step, row)))
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
    pub fn rules_broken_by_layout(&self, layout: &Layout) -> Vec<LayoutProblem> {
        let broken = |row: &'static TechniqueRow| {
            let reason = (row.sharded)(self, layout.zero).or_else(|| (row.broken)(self, layout))?;
            Some(LayoutProblem::Technique { technique: row.technique, reason })
        };
        let in_order = self.techniques.on.iter().map(|technique| technique_row(*technique));
        in_order.filter_map(broken).collect()
    }

    /// Whether the techniques leave a setting of ZeRO possible.
    #[must_use]
    pub fn can_use_zero(&self, zero: Zero) -> bool {
        self.active_rows().all(|row| (row.sharded)(self, zero).is_none())
    }

    /// The phases of a run; none where it has one only.
    ///
    /// # Errors
    /// What of the model does not divide.
    pub fn run_phases(&self) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
        if self.techniques.has_technique(Technique::MultiLevel) {
            return phased_training::multilevel_phases(self);
        }
        if self.techniques.has_technique(Technique::Sil) {
            return Ok(phased_training::sil_phases(self));
        }
        Ok(Vec::new())
    }

    /// True where a run has phases, in any layout.
    #[must_use]
    pub fn has_phases(&self) -> bool {
        self.techniques.has_technique(Technique::MultiLevel)
            || phased_training::has_phases(self.techniques)
    }

    /// What blocks keep of a micro-batch in a layout, and what of it the techniques leave on the
    /// host: as in the step, without making one.
    #[must_use]
    pub fn kept_activations(&self, layout: &Layout) -> Activations {
        let Self { model, training, framework, .. } = *self;
        let activations = Activations::new(model, training, framework, layout);
        self.active_rows()
            .fold(activations, |this_activations, row| (row.activations)(this_activations, self))
    }

    /// What the techniques leave of a parameter's upkeep in a layout: likewise.
    #[must_use]
    pub fn parameter_upkeep(&self, layout: &Layout) -> ParameterUpkeep {
        let upkeep = ParameterUpkeep::new(self.training, self.framework);
        self.active_rows().fold(upkeep, |this_upkeep, row| (row.upkeep)(this_upkeep, self, layout))
    }

    /// The rows of the techniques that are on, in the order in which they change a step.
    fn active_rows(&self) -> impl Iterator<Item = &'static TechniqueRow> {
        ROWS.iter().filter(|row| self.techniques.has_technique(row.technique))
    }

    /// The step with one more technique.
    fn apply_row(&self, step: Step, row: &TechniqueRow) -> Step {
        let mut step = (row.change)(step, self);
        step.upkeep = (row.upkeep)(step.upkeep, self, &step.layout);
        step.activations = (row.activations)(step.activations, self);
        step
    }
}

/// The techniques that a source shows together (AxoNN, arXiv 2110.13005).
const SHOWN_TOGETHER: [Technique; 2] = [Technique::Offload, Technique::MessageDriven];

/// Validity and assumptions of every technique that is on, which of them a source shows together,
/// and what of the spec's own schedule gives way to them.
#[must_use]
pub fn technique_assumptions(workload: &Workload) -> Vec<Assumption> {
    let techniques = &workload.techniques;
    let mut all = Vec::new();
    for technique in &techniques.on {
        let topic = format!("technique.{}", technique.key());
        let texts = (technique_row(*technique).notes)(techniques);
        all.extend(texts.into_iter().map(|text| Assumption {
            topic: topic.clone(),
            text,
            default: false,
        }));
    }
    let mut note =
        |text: String| all.push(Assumption { topic: "technique".into(), text, default: false });
    if techniques.on.len() > 1 {
        let names: Vec<&str> = techniques.on.iter().map(|technique| technique.key()).collect();
        let names = names.join(" and ");
        note(if techniques.on == SHOWN_TOGETHER {
            format!("{names} together: as arXiv 2110.13005 shows them")
        } else {
            format!("{names} together: composition untested")
        });
    }
    if let Some(replaced) = workload.layout.replaced {
        note(format!(
            "the pipeline runs as `{}` in place of the spec's {}",
            workload.layout.schedule.name(),
            timetable_words(replaced)
        ));
        if techniques.has_technique(Technique::Sil)
            && techniques.has_technique(Technique::MessageDriven)
        {
            note(
                "message_driven changes nothing beside sil: stages that train by themselves \
                 exchange no messages"
                    .to_owned(),
            );
        }
    }
    all
}

/// A schedule and its virtual stages.
fn timetable_words(timetable: Timetable) -> String {
    match (timetable.schedule, timetable.interleave) {
        (schedule, Some(1)) => format!("`{}`", schedule.name()),
        (schedule, Some(chunks)) => format!("`{}` with {chunks} virtual stages", schedule.name()),
        (schedule, None) => format!("`{}` with virtual stages open", schedule.name()),
    }
}
