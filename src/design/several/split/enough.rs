//! What is enough of a limit that parts share, where machines alone or one part said what is needed: what the
//! design without that limit takes which takes least. Designs nothing itself.

use crate::design::answer::plan::Plan;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::fabric::terms::Terms;
use crate::design::study::limit::{Limit, LimitState, is_shared};
use crate::scenario::{Minimize, Scenario};
use crate::sizing::LimitNeed;

/// A reason with what is enough; the same reason where it is about something else, or where nothing is enough while the
/// other limits hold. Of racks fewer may do as well.
pub(super) fn limit_that_suffices(
    scenario: &Scenario,
    reason: Infeasible,
    design: impl Fn(&Scenario) -> Option<Plan>,
) -> Infeasible {
    let state = LimitState::from_scenario(scenario, &Terms::from_scenario(scenario));
    let moved = |limit: &Limit| {
        let mut free = scenario.clone();
        state.with_limit_lifted(limit).apply_to(&mut free);
        free.objective.minimize = limit.least_of().unwrap_or(Minimize::Capex);
        free.objective.then = Vec::new();
        limit.broken_by(&state, scenario, &design(&free)?)
    };
    let stated = state.movable_limits();
    let limit = blocking_shared_limit(&reason)
        .and_then(|key| stated.iter().find(|this_limit| this_limit.spec_key() == key));
    limit.and_then(moved).map_or(reason, |limit_move| Infeasible::Clash(vec![limit_move]))
}

/// Key of the shared limit that alone is in the way of a part, or of all of them.
fn blocking_shared_limit(reason: &Infeasible) -> Option<&str> {
    const RACKS: &str = "limits.racks";
    match reason {
        Infeasible::Workload { reason, .. } => blocking_shared_limit(reason),
        Infeasible::Racks { .. } => Some(RACKS),
        Infeasible::Limits { budget, power, network } => {
            match (budget, power, network.as_slice()) {
                (Some(_), None, []) => Some("limits.budget"),
                (None, Some(_), []) => Some("limits.power"),
                (None, None, [LimitNeed::Racks { .. }]) => Some(RACKS),
                _ => None,
            }
        }
        Infeasible::Clash(moves) => match moves.as_slice() {
            [limit_move] if is_shared(&limit_move.limit) => Some(&limit_move.limit),
            _ => None,
        },
        _ => None,
    }
}
