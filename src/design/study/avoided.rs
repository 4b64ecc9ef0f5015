//! The default on losses: no link or switch stops the whole job alone where little money avoids it. Designs
//! nothing itself.

use std::borrow::Cow;

use crate::design::answer::plan::{Part, Plan, Together};
use crate::design::answer::single_point::{SinglePoint, Without};
use crate::design::answer::warning::Warning;
use crate::scenario::{Assumption, Loss, Pace, Scenario, Workload};
use crate::units::price as usd;

/// Share of the price of the cheapest network that is paid for one without such a part.
const WORTH: f64 = 0.02;

/// What is asked for, in turn, until a network gives it: the loss of a link that cuts one machine off may
/// be left to standby.
const ASKED: [&[Loss]; 3] = [&[Loss::Link, Loss::Switch], &[Loss::Switch], &[Loss::Link]];

/// What is asked and the plan; or, where a part of its network stops the whole job alone, the spec says nothing of losses
/// and at most [`WORTH`] of the network's price avoids it, the best one without such a part. `again`
/// designs a scenario anew.
pub(crate) fn avoided(
    scenario: &Scenario,
    mut plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> (Cow<'_, Scenario>, Plan) {
    let asked = Cow::Borrowed(scenario);
    if scenario.limits.survive.is_some() {
        return (asked, plan);
    }
    let Some((part, pieces)) = single(&plan) else { return (asked, plan) };
    let found = ASKED.into_iter().find_map(|losses| {
        let mut safer = scenario.clone();
        safer.limits.survive = Some(losses.to_vec());
        let safe = again(&safer).filter(|plan| single(plan).is_none())?;
        Some((losses, safer, safe))
    });
    let Some((losses, safer, safe)) = found else {
        plan.failures.single_point = Some(SinglePoint { part, pieces, without: None });
        return (asked, plan);
    };
    let (was, is) = (plan.cost.network_capex, safe.cost.network_capex);
    let share = (is - was).get() / was.get();
    let chosen = share <= WORTH;
    let without = Without { usd: is - was, share, chosen, survive: losses };
    let known = SinglePoint { part, pieces, without: Some(without) };
    let (asked, mut best) = if chosen { (Cow::Owned(safer), safe) } else { (asked, plan) };
    tell(&mut best, &known);
    (asked, best)
}

/// Likewise of a cluster in parts: each is looked at by itself, and what has to survive losses then is designed
/// with all others.
pub(crate) fn avoided_in_parts(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> (Cow<'_, Scenario>, Plan) {
    let asked = Cow::Borrowed(scenario);
    if scenario.limits.survive.is_some() || plan.parts().iter().all(|of| single(&of.plan).is_none())
    {
        return (asked, plan);
    }
    let parts = scenario.parts();
    let looked_at = |(part, of): (&Part, &Scenario)| {
        single(&part.plan)?;
        avoided(of, again(of)?, &again).1.failures.single_point
    };
    let known: Vec<Option<SinglePoint>> = plan.parts().iter().zip(&parts).map(looked_at).collect();
    let safer = surviving(scenario, &known);
    let changed = known.iter().any(|known| bought(known.as_ref()).is_some());
    let (asked, mut best) = match changed {
        true => match again(&safer) {
            Some(safe) => (Cow::Owned(safer), safe),
            None => return (asked, plan),
        },
        false => (asked, plan),
    };
    if let Together::Parts(parts) = &mut best.together {
        for (part, known) in parts.iter_mut().zip(&known) {
            known.iter().for_each(|known| tell(&mut part.plan, known));
        }
    }
    (asked, best)
}

/// The question that a plan answers: with the losses that the default had its network survive.
#[must_use]
pub fn asked<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    let known = |plan: &Plan| plan.failures.single_point.clone();
    if let Some(survive) = bought(known(plan).as_ref()) {
        let mut safer = scenario.clone();
        safer.limits.survive = Some(survive.to_vec());
        return Cow::Owned(safer);
    }
    let each: Vec<Option<SinglePoint>> = plan.parts().iter().map(|of| known(&of.plan)).collect();
    match each.iter().any(|known| bought(known.as_ref()).is_some()) {
        true => Cow::Owned(surviving(scenario, &each)),
        false => Cow::Borrowed(scenario),
    }
}

/// The losses that a network survives which was chosen for it.
fn bought(known: Option<&SinglePoint>) -> Option<&'static [Loss]> {
    let without = known?.without.as_ref().filter(|of| of.chosen)?;
    Some(without.survive)
}

/// A cluster in parts, of which some survive losses.
fn surviving(scenario: &Scenario, known: &[Option<SinglePoint>]) -> Scenario {
    let mut safer = scenario.clone();
    for (workload, known) in safer.workloads_mut().zip(known) {
        let survive = bought(known.as_ref());
        let with = |of: Workload| Workload { limits: Pace { survive, ..of.limits }, ..of };
        *workload = workload.clone().on_each(with);
    }
    safer
}

/// Says in a plan what was found.
fn tell(plan: &mut Plan, known: &SinglePoint) {
    let without = known.without.as_ref();
    for warning in &mut plan.warnings {
        if let Warning::SinglePoint { without: of, .. } = warning {
            *of = without.cloned();
        }
    }
    if let Some(of) = without.filter(|of| of.chosen) {
        plan.assumptions.push(Assumption {
            topic: "limits.survive".to_owned(),
            text: format!(
                "no link or switch may stop the whole job alone where at most {:.0} % of the network's \
                 price avoids it: {} ({:.1} %) is paid for that",
                100.0 * WORTH,
                usd(of.usd),
                100.0 * of.share
            ),
            default: true,
        });
    }
    plan.failures.single_point = Some(known.clone());
}

/// The part of a network whose loss stops the whole job, and how many of it there are.
fn single(plan: &Plan) -> Option<(String, u64)> {
    plan.warnings.iter().find_map(|of| match of {
        Warning::SinglePoint { part, pieces, .. } => Some((part.clone(), *pieces)),
        _ => None,
    })
}
