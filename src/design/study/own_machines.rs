//! Designs of a stricter question on the machines of a plan. Sizes none itself.

use crate::design::answer::plan::{NodeChoice, Plan};
use crate::design::answer::premium::Premium;
use crate::scenario::{ClusterShape, Minimize, Scenario};
use crate::units::Usd;

/// The best design of a stricter question on the product and interface of a plan, with what it takes more; `None`
/// where there is none. A cluster of several parts may have other machines. `again` designs a scenario anew.
pub(super) fn design_on_its_machines(
    stricter: &Scenario,
    plan: &Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Option<(Plan, Premium)> {
    let found = again(stricter)?;
    let keeps_machines =
        stricter.cluster_shape() == ClusterShape::One && !has_machines(&found, &plan.nodes);
    let found = if keeps_machines {
        again(&offer_only_chosen_machine(stricter, &plan.nodes))?
    } else {
        found
    };
    let minimized = stricter.objective.minimize;
    let network = network_part(plan, minimized);
    let premium = Premium::from_designs(
        minimized,
        plan.objective_value(minimized),
        network,
        found.objective_value(minimized),
    );
    Some((found, Premium { keeps_machines, ..premium }))
}

/// A stricter question with the machines of its plan alone, where that is how it was answered.
pub(super) fn restrict_machines(
    stricter: Scenario,
    premium: &Premium,
    chosen: &NodeChoice,
) -> Scenario {
    if premium.keeps_machines { offer_only_chosen_machine(&stricter, chosen) } else { stricter }
}

/// A scenario where no other product and interface is on offer than those chosen.
fn offer_only_chosen_machine(scenario: &Scenario, chosen: &NodeChoice) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.cluster.nodes.retain(|node| node.name == chosen.node.name);
    scenario.cluster.nics = vec![chosen.nic.clone()];
    scenario
}

/// Whether a plan has that product and interface.
fn has_machines(plan: &Plan, chosen: &NodeChoice) -> bool {
    plan.nodes.node.name == chosen.node.name && plan.nodes.nic.name == chosen.nic.name
}

/// What the network of a plan takes of a quantity: its price, or the power that it draws. Of the cost of a token
/// as large a part as its price is of the cost of ownership.
fn network_part(plan: &Plan, minimized: Minimize) -> f64 {
    let cost = &plan.cost;
    match minimized {
        Minimize::Power => cost.network_power.get(),
        Minimize::Capex | Minimize::Tco => cost.network_capex.get(),
        Minimize::UsdPerToken if cost.tco > Usd::ZERO => {
            plan.objective_value(minimized) * (cost.network_capex / cost.tco)
        }
        Minimize::UsdPerToken => 0.0,
    }
}
