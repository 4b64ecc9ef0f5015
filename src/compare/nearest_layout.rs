//! The layout nearest to the stated one that a technique allows and that fits: keys are left to the
//! planner, a few more at each try. Designs no network.

use crate::design;
use crate::parallel::{LayoutProblem, LayoutRequest};
use crate::scenario::{Scenario, Workload};
use crate::technique::Recipe;

/// What of a stated layout a case leaves to the planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freed {
    /// Nothing: it has the layout of the spec.
    Nothing,
    /// The number of stages.
    Stages,
    /// The sharding of states, as the technique does not allow the stated one.
    Sharding,
    /// Stages, recomputation and sequences of a micro-batch besides.
    Memory,
    /// All degrees.
    Degrees,
}

impl Freed {
    /// Name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Stages => "stages",
            Self::Sharding => "sharding",
            Self::Memory => "memory",
            Self::Degrees => "degrees",
        }
    }

    /// True where the stated layout breaks a rule of the technique or does not fit under it.
    #[must_use]
    pub const fn is_nearest(self) -> bool {
        matches!(self, Self::Sharding | Self::Memory | Self::Degrees)
    }

    /// A workload of which so much is left to the planner.
    pub(super) fn free_workload(self, mut workload: Workload) -> Workload {
        workload.layout = self.open_layout(workload.layout);
        workload
    }

    fn open_layout(self, stated: LayoutRequest) -> LayoutRequest {
        match self {
            Self::Nothing => stated,
            Self::Stages => LayoutRequest { pipeline: None, data: None, ..stated },
            Self::Sharding => LayoutRequest { zero: None, shard: None, ..stated },
            Self::Memory => {
                let staged = Self::Stages.open_layout(Self::Sharding.open_layout(stated));
                LayoutRequest { recompute: None, micro_batch: None, interleave: None, ..staged }
            }
            Self::Degrees => {
                let open = Self::Memory.open_layout(stated);
                LayoutRequest { tensor: None, context: None, expert: None, order: None, ..open }
            }
        }
    }
}

/// The workload of a scenario as it is stated where its technique allows that; else with as little
/// left to the planner as gives it a layout that fits.
///
/// # Errors
/// The rules that the stated layout breaks, where no layout keeps them.
pub(super) fn nearest_workload(
    scenario: &Scenario,
    workload: Workload,
) -> Result<(Workload, Freed), Vec<LayoutProblem>> {
    let problems = broken_technique_rules(&workload);
    if problems.is_empty() {
        return Ok((workload, Freed::Nothing));
    }
    let fits = |freed: &Freed| {
        let workload = freed.free_workload(workload.clone());
        let scenario = Scenario { workload: workload.clone(), ..scenario.clone() };
        broken_technique_rules(&workload).is_empty() && design::plan_step(&scenario).is_ok()
    };
    let found = [Freed::Sharding, Freed::Memory, Freed::Degrees].into_iter().find(fits);
    found.map(|freed| (freed.free_workload(workload.clone()), freed)).ok_or(problems)
}

/// The rules of techniques that the stated layout breaks, whatever is open in it.
fn broken_technique_rules(workload: &Workload) -> Vec<LayoutProblem> {
    let request = &workload.layout;
    let pipeline = request.pipeline.or(Some(2));
    let layout = LayoutRequest { pipeline, ..request.clone() }.simplest_layout(None);
    Recipe::from_workload(workload).rules_broken_by_layout(&layout)
}
