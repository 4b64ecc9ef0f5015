//! What scenarios beside the workloads take: the best cluster that has to carry none, under the same limits.
//! Designs nothing itself.

use crate::design::answer::plan::Plan;
use crate::design::answer::robustness::{Price, Robustness};
use crate::scenario::{Minimize, Scenario};

/// The plan with what its scenarios take, where `scenario` is the question that it answers, with what it was
/// made to keep by default. `again` designs a scenario anew.
pub(crate) fn with_robust_price(
    scenario: &Scenario,
    mut plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    if let Some(known) = plan.robust.take() {
        let free = again(&Scenario { robust: None, ..scenario.clone() });
        let price = free.map(|free| price_of_robustness(scenario, &free, &plan));
        plan.robust = Some(Robustness { price, ..known });
    }
    plan
}

/// What a plan that carries scenarios takes beyond another: of what is minimised where that is a share of
/// money, and no less than of capital.
fn price_of_robustness(scenario: &Scenario, plan: &Plan, carrying: &Plan) -> Price {
    let (was, is) = (plan.cost.capex, carrying.cost.capex);
    let more = |was: f64, is: f64| if was > 0.0 { is / was - 1.0 } else { f64::from(is > was) };
    let tokens = plan.cost.usd_per_million_tokens.zip(carrying.cost.usd_per_million_tokens);
    let by_token = tokens.filter(|_| scenario.objective.minimize == Minimize::UsdPerToken);
    let share = more(was.get(), is.get());
    let dearer = by_token.map_or(share, |(was, is)| share.max(more(was.get(), is.get())));
    Price { usd: is - was, share: dearer }
}
