//! The default on losses: no link or switch stops the whole job alone where little of what is minimised avoids it.
//! Designs nothing itself.

use std::borrow::Cow;

use super::own_machines::{design_on_its_machines, restrict_machines};
use crate::design::answer::plan::{ClusterPlans, PartPlan, Plan};
use crate::design::answer::single_point::{SinglePoint, WithoutSinglePoint};
use crate::design::answer::warning::Warning;
use crate::scenario::{Assumption, Limits, Loss, Pace, Scenario, Workload};

/// Share of what the network takes of the quantity that is minimised, which the whole cluster may take more without
/// such a part.
const SINGLE_POINT_MAX_PRICE_SHARE: f64 = 0.02;

/// What is asked for, in turn, until a network gives it: the loss of a link that cuts one machine off may
/// be left to standby.
const ASKED: [&[Loss]; 3] = [&[Loss::Link, Loss::Switch], &[Loss::Switch], &[Loss::Link]];

/// The plan; or, where a part of its network stops the whole job alone and at most [`SINGLE_POINT_MAX_PRICE_SHARE`] of what the network
/// takes avoids it, the best one of the same machines without such a part. `again` designs a scenario anew.
pub(crate) fn avoid_single_point(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let Some((part, pieces)) = find_single_point(&plan) else { return plan };
    let safe = |survive: &'static [Loss]| {
        let (safe, premium) =
            design_on_its_machines(&with_losses(scenario, survive), &plan, &again)?;
        let chosen = premium.network_share <= SINGLE_POINT_MAX_PRICE_SHARE;
        find_single_point(&safe)
            .is_none()
            .then_some((WithoutSinglePoint { premium, chosen, survive }, safe))
    };
    let (without, mut best) = match ASKED.into_iter().find_map(safe) {
        None => (None, plan),
        Some((without, safe)) => {
            let best = if without.chosen { safe } else { plan };
            (Some(without), best)
        }
    };
    report_single_point(&mut best, SinglePoint { part, pieces, without });
    best
}

/// Likewise of a cluster in parts: each is looked at by itself, and what has to survive losses then is designed
/// with all others, where all together stay within [`SINGLE_POINT_MAX_PRICE_SHARE`] too.
pub(crate) fn avoid_single_points_of_parts(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let looked_at = |(part, given_scenario): (&PartPlan, Scenario)| {
        find_single_point(&part.plan)?;
        avoid_single_point(&given_scenario, again(&given_scenario)?, &again).failures.single_point
    };
    let parts = plan.parts().iter().zip(scenario.split_into_parts());
    let mut known: Vec<Option<SinglePoint>> = parts.map(looked_at).collect();
    let mut best = plan;
    if known.iter().any(|known| chosen_without_single_point(known.as_ref()).is_some()) {
        let stricter = scenario_surviving_losses(scenario, known.iter().map(Option::as_ref));
        match design_on_its_machines(&stricter, &best, &again) {
            Some((safe, premium)) if premium.network_share <= SINGLE_POINT_MAX_PRICE_SHARE => {
                best = safe
            }
            _ => known.iter_mut().flatten().for_each(keep_single_point),
        }
    }
    if let ClusterPlans::Parts(parts) = &mut best.together {
        for (part, known) in parts.iter_mut().zip(known) {
            known.into_iter().for_each(|known| report_single_point(&mut part.plan, known));
        }
    }
    best
}

/// Leaves a part of the network that stops the job where it is.
fn keep_single_point(known: &mut SinglePoint) {
    known.without.iter_mut().for_each(|without| without.chosen = false);
}

/// The question that a plan answers: with the losses that the default had its network survive.
#[must_use]
pub(crate) fn scenario_with_losses<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
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
    if let Some(WithoutSinglePoint { survive, premium, .. }) =
        chosen_without_single_point(plan.failures.single_point.as_ref())
    {
        let safer = with_losses(scenario, survive);
        return Cow::Owned(restrict_machines(safer, premium, &plan.nodes));
    }
    let each =
        || plan.parts().iter().map(|part_plan| part_plan.plan.failures.single_point.as_ref());
    match each().any(|known| chosen_without_single_point(known).is_some()) {
        true => Cow::Owned(scenario_surviving_losses(scenario, each())),
        false => Cow::Borrowed(scenario),
    }
}

/// The scenario where a cluster survives losses.
fn with_losses(scenario: &Scenario, survive: &[Loss]) -> Scenario {
    let limits = Limits { survive: Some(survive.to_vec()), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// The design without such a part, where it was chosen.
fn chosen_without_single_point(known: Option<&SinglePoint>) -> Option<&WithoutSinglePoint> {
    known?.without.as_ref().filter(|point| point.chosen)
}

/// A cluster in parts, of which some survive losses.
fn scenario_surviving_losses<'k>(
    scenario: &Scenario,
    known: impl Iterator<Item = Option<&'k SinglePoint>>,
) -> Scenario {
    let mut safer = scenario.clone();
    for (workload, known) in safer.workloads_mut().zip(known) {
        let survive = chosen_without_single_point(known).map(|point| point.survive);
        let with = |own_workload: Workload| Workload {
            limits: Pace { survive, ..own_workload.limits },
            ..own_workload
        };
        *workload = workload.clone().map_products(with);
    }
    safer
}

/// Says in a plan what was found.
fn report_single_point(plan: &mut Plan, known: SinglePoint) {
    let without = known.without.as_ref();
    for warning in &mut plan.warnings {
        if let Warning::SinglePoint { without: point, .. } = warning {
            *point = without.cloned();
        }
    }
    if let Some(point) = without.filter(|point| point.chosen) {
        plan.assumptions.push(Assumption {
            topic: "limits.survive".to_owned(),
            text: format!(
                "no link or switch may stop the whole job alone where the same machines avoid it for at most \
                 {:.0} % of what the network takes of `objective.minimize` (of the cost of a token, the \
                 network's share of the cost of ownership): {:.1} % is paid for that; \
                 `limits.survive = \"nothing\"` asks for nothing",
                100.0 * SINGLE_POINT_MAX_PRICE_SHARE,
                100.0 * point.premium.network_share
            ),
            default: true,
        });
    }
    plan.failures.single_point = Some(known);
}

/// The part of a network whose loss stops the whole job, and how many of it there are.
fn find_single_point(plan: &Plan) -> Option<(String, u64)> {
    plan.warnings.iter().find_map(|warning| match warning {
        Warning::SinglePoint { part, pieces, .. } => Some((part.clone(), *pieces)),
        _ => None,
    })
}
