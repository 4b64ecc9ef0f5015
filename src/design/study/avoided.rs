//! The default on losses: no link or switch stops the whole job alone where little money avoids it. Designs
//! nothing itself.

use std::borrow::Cow;

use crate::design::answer::plan::{Part, Plan, Together};
use crate::design::answer::single_point::{SinglePoint, Without};
use crate::design::answer::warning::Warning;
use crate::scenario::{Assumption, Limits, Loss, Pace, Scenario, Workload};
use crate::units::{Usd, price as usd};

/// Share of the price of the cheapest network that is paid for one without such a part.
const WORTH: f64 = 0.02;

/// What is asked for, in turn, until a network gives it: the loss of a link that cuts one machine off may
/// be left to standby.
const ASKED: [&[Loss]; 3] = [&[Loss::Link, Loss::Switch], &[Loss::Switch], &[Loss::Link]];

/// The plan; or, where a part of its network stops the whole job alone and at most [`WORTH`] of the network's
/// price avoids it, the best one without such a part. `again` designs a scenario anew.
pub(crate) fn avoided(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let Some((part, pieces)) = single(&plan) else { return plan };
    let safe = |survive: &'static [Loss]| {
        let safe = again(&with_losses(scenario, survive))?;
        single(&safe).is_none().then_some((survive, safe))
    };
    let (without, mut best) = match ASKED.into_iter().find_map(safe) {
        None => (None, plan),
        Some((survive, safe)) => {
            let without = without(survive, &plan, &safe);
            let best = if without.chosen { safe } else { plan };
            (Some(without), best)
        }
    };
    tell(&mut best, SinglePoint { part, pieces, without });
    best
}

/// Likewise of a cluster in parts: each is looked at by itself, and what has to survive losses then is designed
/// with all others.
pub(crate) fn avoided_in_parts(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let looked_at = |(part, of): (&Part, Scenario)| {
        single(&part.plan)?;
        avoided(&of, again(&of)?, &again).failures.single_point
    };
    let parts = plan.parts().iter().zip(scenario.parts());
    let known: Vec<Option<SinglePoint>> = parts.map(looked_at).collect();
    let mut best = match known.iter().any(|known| bought(known.as_ref()).is_some()) {
        true => match again(&surviving(scenario, known.iter().map(Option::as_ref))) {
            Some(safe) => safe,
            None => return plan,
        },
        false => plan,
    };
    if let Together::Parts(parts) = &mut best.together {
        for (part, known) in parts.iter_mut().zip(known) {
            known.into_iter().for_each(|known| tell(&mut part.plan, known));
        }
    }
    best
}

/// What a network takes that survives losses beside the best one of all.
fn without(survive: &'static [Loss], plan: &Plan, safe: &Plan) -> Without {
    let (was, is) = (plan.cost.network_capex, safe.cost.network_capex);
    let usd = is - was;
    // Of a network that is in stock already all is more.
    let share = if was > Usd::ZERO { usd.get() / was.get() } else { f64::from(usd > Usd::ZERO) };
    Without { usd, share, chosen: share <= WORTH, survive }
}

/// The question that a plan answers: with the losses that the default had its network survive.
#[must_use]
pub(crate) fn asked<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    match &plan.lengths {
        None => with_losses_of(scenario, plan),
        Some(lengths) => {
            let routed = Scenario { lengths: Some(lengths.clone()), ..scenario.clone() };
            Cow::Owned(with_losses_of(&routed, plan).into_owned())
        }
    }
}

/// The question with the losses that its answer survives.
fn with_losses_of<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    if let Some(survive) = bought(plan.failures.single_point.as_ref()) {
        return Cow::Owned(with_losses(scenario, survive));
    }
    let each = || plan.parts().iter().map(|of| of.plan.failures.single_point.as_ref());
    match each().any(|known| bought(known).is_some()) {
        true => Cow::Owned(surviving(scenario, each())),
        false => Cow::Borrowed(scenario),
    }
}

/// The scenario where a cluster survives losses.
fn with_losses(scenario: &Scenario, survive: &[Loss]) -> Scenario {
    let limits = Limits { survive: Some(survive.to_vec()), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// The losses that a network survives which was chosen for it.
fn bought(known: Option<&SinglePoint>) -> Option<&'static [Loss]> {
    let without = known?.without.as_ref().filter(|of| of.chosen)?;
    Some(without.survive)
}

/// A cluster in parts, of which some survive losses.
fn surviving<'k>(
    scenario: &Scenario,
    known: impl Iterator<Item = Option<&'k SinglePoint>>,
) -> Scenario {
    let mut safer = scenario.clone();
    for (workload, known) in safer.workloads_mut().zip(known) {
        let survive = bought(known);
        let with = |of: Workload| Workload { limits: Pace { survive, ..of.limits }, ..of };
        *workload = workload.clone().on_each(with);
    }
    safer
}

/// Says in a plan what was found.
fn tell(plan: &mut Plan, known: SinglePoint) {
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
    plan.failures.single_point = Some(known);
}

/// The part of a network whose loss stops the whole job, and how many of it there are.
fn single(plan: &Plan) -> Option<(String, u64)> {
    plan.warnings.iter().find_map(|of| match of {
        Warning::SinglePoint { part, pieces, .. } => Some((part.clone(), *pieces)),
        _ => None,
    })
}
