//! Designs that are as fast as asked for, whatever the reference.

use planner::design::Plan;
use planner::scenario::Scenario;
use planner::units::Seconds;

use crate::support::scenario::design;

/// The cheapest design whose step takes no longer.
pub(crate) fn within(scenario: &Scenario, step: Seconds) -> Option<Plan> {
    let mut changed = scenario.clone();
    changed.objective.max_slowdown = Some(1e3);
    changed.limits.step_time = Some(step);
    design(&changed).ok()
}
