//! The default on oversubscription: no leaf switch is oversubscribed beyond what operators publish, where
//! little of what is minimised avoids it. Designs nothing itself.

use std::borrow::Cow;

use super::own_machines::{design_on_its_machines, restrict_machines};
use super::{any_family, avoided};
use crate::design::answer::oversubscription::{MOST, Oversubscription};
use crate::design::answer::plan::Plan;
use crate::design::answer::premium::Premium;
use crate::scenario::{Assumption, FabricChoice, Limits, Scenario};

/// Share of what the best cluster takes of the quantity that is minimised, which one within the rule may take more.
const HOUSE_RULE_MAX_PRICE_SHARE: f64 = 0.01;

/// The plan; or, where the spec says nothing of bandwidth within rails, leaf switches are oversubscribed
/// beyond [`MOST`] and at most [`HOUSE_RULE_MAX_PRICE_SHARE`] avoids it, the best one of the same machines that keeps to it. `again`
/// designs a scenario anew.
pub(crate) fn limit_oversubscription(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let Limits { max_oversubscription, within_rail, .. } = scenario.limits;
    let stated = max_oversubscription.is_some() || within_rail.is_some();
    let narrowest = min_within_rail_bandwidth(&plan);
    if stated || scenario.cluster.fabric == FabricChoice::Clos || narrowest * MOST >= 1.0 {
        return plan;
    }
    let (ruled, premium) =
        design_on_its_machines(&scenario_with_rule(scenario), &plan, again).unzip();
    let chosen =
        premium.as_ref().is_some_and(|premium| premium.share <= HOUSE_RULE_MAX_PRICE_SHARE);
    let known = Oversubscription { most: MOST, cheapest: 1.0 / narrowest, premium, chosen };
    let best = ruled.filter(|_| chosen).unwrap_or(plan);
    tell_oversubscription(best, Some(known))
}

/// The plan with what was found of its oversubscription.
pub(crate) fn tell_oversubscription(mut plan: Plan, known: Option<Oversubscription>) -> Plan {
    if let Some(premium) = house_rule_premium(known.as_ref()) {
        plan.assumptions.push(Assumption {
            topic: "limits.max_oversubscription".to_owned(),
            text: format!(
                "no leaf switch is oversubscribed within a rail beyond {MOST:.0}:1 (Meta, SIGCOMM 2024) \
                 where the same machines avoid it for at most {:.0} % of what the cluster takes of \
                 `objective.minimize`: {:.2} % is paid for that; 0 asks for nothing",
                100.0 * HOUSE_RULE_MAX_PRICE_SHARE,
                100.0 * premium.share
            ),
            default: true,
        });
    }
    plan.oversubscription = known;
    plan
}

/// What is paid for a network within the rule; `None` where none is.
fn house_rule_premium(known: Option<&Oversubscription>) -> Option<&Premium> {
    known.filter(|oversubscription| oversubscription.chosen)?.premium.as_ref()
}

/// The question that a plan answers: with what its network was made to keep by default.
pub(super) fn scenario_with_house_rule<'s>(
    scenario: &'s Scenario,
    plan: &Plan,
) -> Cow<'s, Scenario> {
    match any_family::scenario_with_family(scenario, plan) {
        Cow::Borrowed(scenario) => scenario_with_default_rules(scenario, plan),
        Cow::Owned(scenario) => {
            Cow::Owned(scenario_with_default_rules(&scenario, plan).into_owned())
        }
    }
}

/// That with what its network was made to keep by default.
fn scenario_with_default_rules<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    let Some(premium) = house_rule_premium(plan.oversubscription.as_ref()) else {
        return avoided::scenario_with_losses(scenario, plan);
    };
    let ruled = restrict_machines(scenario_with_rule(scenario), premium, &plan.nodes);
    Cow::Owned(avoided::scenario_with_losses(&ruled, plan).into_owned())
}

/// The scenario where leaf switches keep to the rule.
pub(crate) fn scenario_with_rule(scenario: &Scenario) -> Scenario {
    let limits = Limits { max_oversubscription: Some(MOST), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// Least bandwidth within a rail over that of its NICs, of all parts.
fn min_within_rail_bandwidth(plan: &Plan) -> f64 {
    let parts = plan.parts().iter().map(|part| part.plan.fabric.within_rail);
    parts.reduce(f64::min).unwrap_or(plan.fabric.within_rail).max(f64::MIN_POSITIVE)
}
