//! The clusters that a scenario asks for, each as a question of its own, and one after another on
//! one stock. Designs nothing.

use super::stock::{Inventory, as_asked};
use super::together::{parts, stages};
use crate::design::answer::plan::Plan;
use crate::scenario::Scenario;

/// Names of the parts of a cluster, or numbers of its stages; none where it is one cluster.
#[must_use]
pub fn part_names(scenario: &Scenario) -> Vec<String> {
    if scenario.grows() {
        return (1..=scenario.every_stage().len()).map(|number| number.to_string()).collect();
    }
    scenario.parts().into_iter().map(|part| part.name).collect()
}

/// The part of that name, or the stage of that number, alone: with all the stock and every limit to
/// itself, and for a stage as if nothing had been bought before; `None` where there is no such.
#[must_use]
pub fn part(scenario: &Scenario, name: &str) -> Option<Scenario> {
    let place = part_names(scenario).iter().position(|known| known == name)?;
    clusters(scenario).into_iter().nth(place)
}

/// The plan of all parts or stages, each planned by `plan` from its place and its question: parts
/// leave the next ones the stock that they do not use, stages all that they bought. `None` for a
/// scenario of one cluster.
///
/// # Errors
/// The first that `plan` has.
pub fn one_after_another<E>(
    scenario: &Scenario,
    mut plan: impl FnMut(usize, &Scenario) -> Result<Plan, E>,
) -> Result<Option<Plan>, E> {
    let mut inventory = Inventory::of(scenario);
    let mut all = Vec::new();
    for (place, cluster) in clusters(scenario).iter().enumerate() {
        let plan = plan(place, &inventory.deal(cluster))?;
        let idle = inventory.idle(&plan.bill);
        inventory.take(&plan.bill);
        all.push((plan, idle));
    }
    if scenario.grows() {
        return Ok(stages(scenario, all));
    }
    Ok(parts(scenario, all.into_iter().map(|(plan, _)| plan).collect()))
}

impl Plan {
    /// The plans of the parts or stages of a cluster; none where it is one.
    #[must_use]
    pub fn clusters(&self) -> Vec<&Self> {
        let stages = self.growth.iter().flat_map(|growth| &growth.stages).map(|of| &of.plan);
        self.parts.iter().map(|part| &part.plan).chain(stages).collect()
    }
}

/// Every part, or every stage at the prices of its day, each with all the stock; none for a scenario
/// of one cluster.
#[must_use]
pub fn clusters(scenario: &Scenario) -> Vec<Scenario> {
    if scenario.grows() {
        return scenario.every_stage().iter().map(as_asked).collect();
    }
    scenario.parts()
}
