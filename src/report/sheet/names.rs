//! What people and programs are told alike: how cases and axes are called.

use crate::compare::{Freed, TechniqueCase};
use crate::design::{Frontier, Plan};
use crate::scenario::Minimize;
use crate::units::Usd;

/// What a case is called.
pub(in super::super) fn case_name(case: &TechniqueCase) -> String {
    match case.on.as_slice() {
        [] => "without".to_owned(),
        on => {
            let name = match on {
                [one] => one.key().replace('_', "-"),
                _ => "all together".to_owned(),
            };
            match case.freed {
                Freed::Nothing => name,
                Freed::Stages => format!("{name}, free p"),
                Freed::Sharding | Freed::Memory | Freed::Degrees => format!("{name}, nearest"),
            }
        }
    }
}

/// What a plan costs in the frontier's sense.
pub(in super::super) fn frontier_cost(frontier: &Frontier, plan: &Plan) -> Usd {
    match frontier.cost {
        Minimize::Capex | Minimize::Power => plan.cost.capex,
        Minimize::Tco | Minimize::UsdPerToken => plan.cost.tco,
    }
}

/// Step of the cluster that is slowed most, over that on a full-bisection Clos.
pub(in super::super) fn frontier_slowdown(plan: &Plan) -> f64 {
    plan.cluster_plans()
        .into_iter()
        .map(|cluster_plan| cluster_plan.step.slowdown)
        .fold(1.0, f64::max)
}

/// Name of what is weighed against step time.
pub(in super::super) const fn frontier_axis(frontier: &Frontier) -> &'static str {
    match frontier.cost {
        Minimize::Capex | Minimize::Power => "capex",
        Minimize::Tco | Minimize::UsdPerToken => "TCO",
    }
}
