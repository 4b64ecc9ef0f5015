//! The step that all techniques together make of a recipe.

use super::multilevel;
use super::phase::Phase;
use super::recipe::Recipe;
use super::row::TechniqueRow;
use super::{ROWS, sil, technique_row};
use crate::parallel::{Layout, LayoutProblem, Zero};
use crate::step::{Activations, ParameterUpkeep, Step};
use crate::workload::Technique;

impl Recipe<'_> {
    /// The step that the network and the memory have to bear: of several phases the one that
    /// asks most, which is the whole model's.
    ///
    /// # Errors
    /// Every rule of the layout and of the techniques that is broken.
    pub fn heaviest_step(&self, layout: &Layout) -> Result<Step, Vec<LayoutProblem>> {
        let mut problems = self.rules_broken_by_layout(layout);
        match Step::new(self.model, self.training, self.framework, layout) {
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
            return multilevel::multilevel_phases(self);
        }
        if self.techniques.has_technique(Technique::Sil) {
            return Ok(sil::sil_phases(self));
        }
        Ok(Vec::new())
    }

    /// True where a run has phases, in any layout.
    #[must_use]
    pub fn has_phases(&self) -> bool {
        self.techniques.has_technique(Technique::MultiLevel) || sil::has_phases(self.techniques)
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
