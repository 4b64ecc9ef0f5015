//! Limits of a scenario that a plan breaks, which was made without them: a baseline. Designs nothing.

use super::limit::State;
use crate::design::answer::plan::Plan;
use crate::design::candidate::moved::Move;
use crate::design::fabric::terms::Terms;
use crate::scenario::Scenario;

/// Every limit of a scenario that a plan of its machines breaks, with what the plan takes of it. Of
/// several clusters together those are looked at that they share: each has the others to itself.
#[must_use]
pub fn broken(scenario: &Scenario, plan: &Plan) -> Vec<Move> {
    let state = State::of(scenario, &Terms::of(scenario));
    let several = scenario.is_several();
    let limits = state.stated().into_iter().filter(|limit| !several || limit.is_shared());
    limits.filter_map(|limit| limit.broken_by(&state, scenario, plan)).collect()
}
