//! What is enough of a limit that parts share, where machines alone or one part said what is needed: what the
//! design without that limit takes which takes least. Designs nothing itself.

use crate::design::answer::plan::Plan;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::moved::Move;
use crate::scenario::{Minimize, Scenario};
use crate::sizing::Need;
use crate::units::{Amount, Usd, Watts};

const BUDGET: &str = "limits.budget";
const POWER: &str = "limits.power";
const RACKS: &str = "limits.racks";

/// More racks than any cluster takes: where they are limited, a design counts them.
const MANY: u64 = 1 << 32;

/// Watts of the grid on which a limit on power is printed.
const GRID: f64 = 100.0;

/// A reason with what is enough; the same reason where it is about something else, or where nothing is enough while the
/// other limits hold.
pub(super) fn enough(
    scenario: &Scenario,
    reason: Infeasible,
    design: impl Fn(&Scenario) -> Option<Plan>,
) -> Infeasible {
    let of = limit(&reason).and_then(|limit| moved(scenario, limit, design));
    of.map_or(reason, |of| Infeasible::Clash(vec![of]))
}

/// The shared limit that alone is in the way of a part, or of all of them.
fn limit(reason: &Infeasible) -> Option<&'static str> {
    match reason {
        Infeasible::Workload { reason, .. } => limit(reason),
        Infeasible::Racks { .. } => Some(RACKS),
        Infeasible::Limits { budget, power, network } => {
            match (budget, power, network.as_slice()) {
                (Some(_), None, []) => Some(BUDGET),
                (None, Some(_), []) => Some(POWER),
                (None, None, [Need::Racks { .. }]) => Some(RACKS),
                _ => None,
            }
        }
        Infeasible::Clash(moves) => match moves.as_slice() {
            [of] => [BUDGET, POWER, RACKS].into_iter().find(|limit| of.limit == *limit),
            _ => None,
        },
        _ => None,
    }
}

/// What of a limit is enough; of racks perhaps not the least.
fn moved(
    scenario: &Scenario,
    limit: &str,
    design: impl Fn(&Scenario) -> Option<Plan>,
) -> Option<Move> {
    let mut free = scenario.clone();
    let limits = &mut free.limits;
    let has = match limit {
        BUDGET => Amount::Money(limits.budget.take()?),
        POWER => Amount::Power(limits.power.take()?),
        _ => Amount::Count(limits.racks.replace(MANY)?.into()),
    };
    free.objective.minimize = if limit == POWER { Minimize::Power } else { Minimize::Capex };
    free.objective.then = Vec::new();
    let plan = design(&free)?;
    let needs = match limit {
        BUDGET => Amount::Money(Usd::of(plan.cost.capex.get().ceil())),
        POWER => Amount::Power(Watts::of((plan.cost.power.get() / GRID).ceil() * GRID)),
        _ => Amount::Count(plan.racks?.least.into()),
    };
    Some(Move { limit: limit.to_owned(), has, needs })
}
