//! The default on losses: no link or switch stops the whole job alone where little money avoids it. Designs
//! nothing itself.

use crate::design::answer::plan::Plan;
use crate::design::answer::single_point::{SinglePoint, Without};
use crate::design::answer::warning::Warning;
use crate::scenario::{Assumption, Loss, Scenario};
use crate::units::price as usd;

/// Share of the price of the cheapest network that is paid for one without such a part.
const WORTH: f64 = 0.02;

/// What is asked for, in turn, until a network gives it: the loss of a link that cuts one machine off may
/// be left to standby.
const ASKED: [&[Loss]; 3] = [&[Loss::Link, Loss::Switch], &[Loss::Switch], &[Loss::Link]];

/// The plan, or, where a part of its network stops the whole job alone, the spec says nothing of losses
/// and at most [`WORTH`] of the network's price avoids it, the best one without such a part. `again`
/// designs a scenario anew.
pub(crate) fn avoided(
    scenario: &Scenario,
    mut plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    if scenario.limits.survive.is_some() {
        return plan;
    }
    let Some((part, pieces)) = single(&plan) else { return plan };
    let found = ASKED.into_iter().find_map(|losses| {
        let mut safer = scenario.clone();
        safer.limits.survive = Some(losses.to_vec());
        let safe = again(&safer).filter(|plan| single(plan).is_none())?;
        Some((losses, safe))
    });
    let Some((losses, mut safe)) = found else {
        plan.failures.single_point = Some(SinglePoint { part, pieces, without: None });
        return plan;
    };
    let (was, is) = (plan.cost.network_capex, safe.cost.network_capex);
    let share = (is - was).get() / was.get();
    let chosen = share <= WORTH;
    let without = Without { usd: is - was, share, chosen, survive: losses.to_vec() };
    let known = SinglePoint { part, pieces, without: Some(without.clone()) };
    if !chosen {
        for warning in &mut plan.warnings {
            if let Warning::SinglePoint { without: of, .. } = warning {
                *of = Some(without.clone());
            }
        }
        plan.failures.single_point = Some(known);
        return plan;
    }
    safe.assumptions.push(Assumption {
        topic: "limits.survive".to_owned(),
        text: format!(
            "no link or switch may stop the whole job alone where at most {:.0} % of the network's price \
             avoids it: {} ({:.1} %) is paid for that",
            100.0 * WORTH,
            usd(without.usd),
            100.0 * share
        ),
        default: true,
    });
    safe.failures.single_point = Some(known);
    safe
}

/// The part of a network whose loss stops the whole job, and how many of it there are.
fn single(plan: &Plan) -> Option<(String, u64)> {
    plan.warnings.iter().find_map(|of| match of {
        Warning::SinglePoint { part, pieces, .. } => Some((part.clone(), *pieces)),
        _ => None,
    })
}
