//! Designs of a stricter question on the machines of a plan. Sizes none itself.

use crate::design::answer::plan::{NodeChoice, Plan};
use crate::design::answer::premium::Premium;
use crate::scenario::{Scenario, Shape};

/// The best design of a stricter question on the product and interface of a plan, with what it takes more; `None`
/// where there is none. A cluster of several parts may have other machines. `again` designs a scenario anew.
pub(super) fn design_on_its_machines(
    stricter: &Scenario,
    plan: &Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Option<(Plan, Premium)> {
    let found = again(stricter)?;
    let keeps_machines = stricter.shape() == Shape::One && !has_machines(&found, &plan.nodes);
    let found = if keeps_machines { again(&offering(stricter, &plan.nodes))? } else { found };
    let premium = Premium::between(stricter.objective.minimize, plan, &found);
    Some((found, Premium { keeps_machines, ..premium }))
}

/// A scenario where no other product and interface is on offer than those chosen.
pub(super) fn offering(scenario: &Scenario, chosen: &NodeChoice) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.cluster.nodes.retain(|node| node.name == chosen.node.name);
    scenario.cluster.nics = vec![chosen.nic.clone()];
    scenario
}

/// Whether a plan has that product and interface.
fn has_machines(plan: &Plan, chosen: &NodeChoice) -> bool {
    plan.nodes.node.name == chosen.node.name && plan.nodes.nic.name == chosen.nic.name
}
