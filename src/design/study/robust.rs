//! What scenarios beside the workloads take: the best cluster that has to carry none, under the same limits.
//! Designs nothing itself.

use super::house_rule::price;
use crate::design::answer::plan::Plan;
use crate::design::answer::robustness::Robustness;
use crate::scenario::Scenario;

/// The plan with what its scenarios take, where `scenario` is the question that it answers, with what it was
/// made to keep by default. `again` designs a scenario anew.
pub(crate) fn priced(
    scenario: &Scenario,
    mut plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    if let Some(known) = plan.robust.take() {
        let free = again(&Scenario { robust: None, ..scenario.clone() });
        let price = free.map(|free| price(scenario, &free, &plan));
        plan.robust = Some(Robustness { price, ..known });
    }
    plan
}
