//! Limits of a scenario that a plan breaks, which was made without them: a baseline. Designs nothing.

use super::limit::LimitState;
use crate::design::answer::plan::Plan;
use crate::design::candidate::moved::LimitMove;
use crate::design::fabric::terms::Terms;
use crate::scenario::Scenario;

/// Every limit of a scenario that a plan of its machines breaks, with what the plan takes of it. Of
/// several clusters together those are looked at that they share: each has the others to itself.
#[must_use]
pub fn limits_broken_by_plan(scenario: &Scenario, plan: &Plan) -> Vec<LimitMove> {
    let state = LimitState::from_scenario(scenario, &Terms::from_scenario(scenario));
    let several = scenario.is_several();
    let limits = state.movable_limits().into_iter().filter(|limit| !several || limit.is_shared());
    limits.filter_map(|limit| limit.broken_by(&state, scenario, plan)).collect()
}
