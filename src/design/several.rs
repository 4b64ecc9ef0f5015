//! One of several clusters that a scenario asks for, as a question of its own. Designs nothing.

use super::growth::as_asked;
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
    if scenario.grows() {
        return scenario.every_stage().get(place).map(as_asked);
    }
    scenario.parts().into_iter().nth(place)
}
