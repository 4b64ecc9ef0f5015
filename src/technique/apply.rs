//! The step that all techniques together make of a recipe.

use super::multilevel;
use super::phase::Phase;
use super::recipe::Recipe;
use super::row::TechniqueRow;
use super::{ROWS, row, sil};
use crate::parallel::{Layout, LayoutProblem, Zero};
use crate::step::{Activations, ParameterUpkeep, Step};
use crate::workload::Technique;

impl Recipe<'_> {
    /// The step that the network and the memory have to bear: of several phases the one that
    /// asks most, which is the whole model's.
    ///
    /// # Errors
    /// Every rule of the layout and of the techniques that is broken.
    pub fn step(&self, layout: &Layout) -> Result<Step, Vec<LayoutProblem>> {
        let mut problems = self.problems(layout);
        match Step::new(self.model, self.training, self.framework, layout) {
            Ok(step) if problems.is_empty() => {
                Ok(self.rows().fold(step, |step, row| self.changed(step, row)))
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
        let broken = |row: &'static TechniqueRow| {
            let reason = (row.sharded)(self, layout.zero).or_else(|| (row.broken)(self, layout))?;
            Some(LayoutProblem::Technique { technique: row.technique, reason })
        };
        let in_order = self.techniques.on.iter().map(|technique| row(*technique));
        in_order.filter_map(broken).collect()
    }

    /// Whether the techniques leave a setting of ZeRO possible.
    #[must_use]
    pub fn permits(&self, zero: Zero) -> bool {
        self.rows().all(|row| (row.sharded)(self, zero).is_none())
    }

    /// The phases of a run; none where it has one only.
    ///
    /// # Errors
    /// What of the model does not divide.
    pub fn phases(&self) -> Result<Vec<Phase>, Vec<LayoutProblem>> {
        if self.techniques.has(Technique::MultiLevel) {
            return multilevel::multilevel_phases(self);
        }
        if self.techniques.has(Technique::Sil) {
            return Ok(sil::sil_phases(self));
        }
        Ok(Vec::new())
    }

    /// True where a run has phases, in any layout.
    #[must_use]
    pub fn has_phases(&self) -> bool {
        self.techniques.has(Technique::MultiLevel) || sil::has_phases(self.techniques)
    }

    /// What blocks keep of a micro-batch in a layout, and what of it the techniques leave on the
    /// host: as in the step, without making one.
    #[must_use]
    pub fn activations(&self, layout: &Layout) -> Activations {
        let Self { model, training, framework, .. } = *self;
        let activations = Activations::new(model, training, framework, layout);
        self.rows().fold(activations, |of, row| (row.activations)(of, self))
    }

    /// What the techniques leave of a parameter's upkeep in a layout: likewise.
    #[must_use]
    pub fn upkeep(&self, layout: &Layout) -> ParameterUpkeep {
        let upkeep = ParameterUpkeep::new(self.training, self.framework);
        self.rows().fold(upkeep, |of, row| (row.upkeep)(of, self, layout))
    }

    /// The rows of the techniques that are on, in the order in which they change a step.
    fn rows(&self) -> impl Iterator<Item = &'static TechniqueRow> {
        ROWS.iter().filter(|row| self.techniques.has(row.technique))
    }

    /// The step with one more technique.
    fn changed(&self, step: Step, row: &TechniqueRow) -> Step {
        let mut step = (row.change)(step, self);
        step.upkeep = (row.upkeep)(step.upkeep, self, &step.layout);
        step.activations = (row.activations)(step.activations, self);
        step
    }
}
