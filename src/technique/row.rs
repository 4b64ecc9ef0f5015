//! The row of a technique: what it changes, on which layouts it does not apply, and what a reader has
//! to know of it. Which techniques there are is said in `mod.rs`.

use super::recipe::Recipe;
use crate::parallel::{Layout, Zero};
use crate::step::{Activations, ParameterUpkeep, Step};
use crate::workload::{Technique, Techniques};

/// What one technique does; each function is asked only where the technique is on.
pub(super) struct TechniqueRow {
    /// Which.
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
