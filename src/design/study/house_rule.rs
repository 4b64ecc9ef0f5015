//! The default on oversubscription: no leaf switch is oversubscribed beyond what operators publish, where
//! little money avoids it. Designs nothing itself.

use std::borrow::Cow;

use super::{any_family, avoided};
use crate::design::answer::oversubscription::{MOST, Oversubscription, Price};
use crate::design::answer::plan::Plan;
use crate::scenario::{Assumption, FabricChoice, Limits, Minimize, Scenario};
use crate::units::price as usd;

/// Share of what a cluster takes that is paid for a fabric within it.
const WORTH: f64 = 0.01;

/// The plan; or, where the spec says nothing of bandwidth within rails, leaf switches are oversubscribed
/// beyond [`MOST`] and at most [`WORTH`] avoids it, the best one that keeps to it. `again` designs a
/// scenario anew.
pub(crate) fn kept_to(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let Limits { max_oversubscription, within_rail, .. } = scenario.limits;
    let stated = max_oversubscription.is_some() || within_rail.is_some();
    let narrowest = narrowest(&plan);
    if stated || scenario.cluster.fabric == FabricChoice::Clos || narrowest * MOST >= 1.0 {
        return plan;
    }
    let ruled = again(&with_rule(scenario));
    let price = ruled.as_ref().map(|ruled| price(scenario, &plan, ruled));
    let chosen = price.is_some_and(|price| price.share <= WORTH);
    let known = Oversubscription { most: MOST, cheapest: 1.0 / narrowest, price, chosen };
    let best = ruled.filter(|_| chosen).unwrap_or(plan);
    with(best, Some(known))
}

/// The plan with what was found of its oversubscription.
pub(crate) fn with(mut plan: Plan, known: Option<Oversubscription>) -> Plan {
    let paid = known.filter(|of| of.chosen).and_then(|of| of.price);
    if let Some(price) = paid {
        plan.assumptions.push(Assumption {
            topic: "limits.max_oversubscription".to_owned(),
            text: format!(
                "no leaf switch is oversubscribed within a rail beyond {MOST:.0}:1 (Meta, SIGCOMM 2024) \
                 where at most {:.0} % of the cluster avoids it: {} ({:.2} %) is paid for that; 0 asks for \
                 nothing",
                100.0 * WORTH,
                usd(price.usd),
                100.0 * price.share
            ),
            default: true,
        });
    }
    plan.oversubscription = known;
    plan
}

/// The question that a plan answers: with what its network was made to keep by default.
pub(super) fn asked<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    match any_family::asked(scenario, plan) {
        Cow::Borrowed(scenario) => of_defaults(scenario, plan),
        Cow::Owned(scenario) => Cow::Owned(of_defaults(&scenario, plan).into_owned()),
    }
}

/// That with what its network was made to keep by default.
fn of_defaults<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    match plan.oversubscription.is_some_and(|of| of.chosen) {
        true => Cow::Owned(avoided::asked(&with_rule(scenario), plan).into_owned()),
        false => avoided::asked(scenario, plan),
    }
}

/// The scenario where leaf switches keep to the rule.
pub(crate) fn with_rule(scenario: &Scenario) -> Scenario {
    let limits = Limits { max_oversubscription: Some(MOST), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// Least bandwidth within a rail over that of its NICs, of all parts.
fn narrowest(plan: &Plan) -> f64 {
    let parts = plan.parts().iter().map(|part| part.plan.fabric.within_rail);
    parts.reduce(f64::min).unwrap_or(plan.fabric.within_rail).max(f64::MIN_POSITIVE)
}

/// What a plan that keeps to the rule takes beyond another: of what is minimised where that is a share of
/// money, and no less than of capital.
pub(super) fn price(scenario: &Scenario, plan: &Plan, ruled: &Plan) -> Price {
    let (was, is) = (plan.cost.capex, ruled.cost.capex);
    let more = |was: f64, is: f64| if was > 0.0 { is / was - 1.0 } else { f64::from(is > was) };
    let tokens = plan.cost.usd_per_million_tokens.zip(ruled.cost.usd_per_million_tokens);
    let by_token = tokens.filter(|_| scenario.objective.minimize == Minimize::UsdPerToken);
    let share = more(was.get(), is.get());
    let dearer = by_token.map_or(share, |(was, is)| share.max(more(was.get(), is.get())));
    Price { usd: is - was, share: dearer }
}
