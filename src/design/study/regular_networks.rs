//! The default on how regular networks are: rails share no leaf switch, leaf switches and units are
//! alike but for a last group, where little money buys it. Designs nothing itself.

use std::borrow::Cow;

use super::default_rules::{self, design_on_its_machines, restrict_machines};
use crate::design::plan::alternatives::Regular;
use crate::design::plan::plan::Plan;
use crate::fabric::Regularity;
use crate::scenario::{Assumption, FabricChoice, Limits, Scenario};

/// Share of what a cluster takes that is paid for a regular network.
const WORTH: f64 = 0.01;

/// The plan; or, where the spec says nothing of it, its network is not regular and at most
/// [`WORTH`] buys a regular one, the best plan with such a network. `again` designs a scenario
/// anew.
pub(crate) fn make_regular(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let stated = scenario.limits.regular.is_some();
    let Some(free) = first_irregularity(&plan).filter(|_| !stated && may_be_regular(scenario))
    else {
        return plan;
    };
    let (ruled, premium) = design_on_its_machines(&with_rule(scenario), &plan, again).unzip();
    let chosen = premium.as_ref().is_some_and(|premium| premium.share <= WORTH);
    let best = ruled.filter(|_| chosen).unwrap_or(plan);
    tell_regular(best, Some(Regular { free, premium, chosen }))
}

/// The plan with what was found of the rule.
pub(crate) fn tell_regular(mut plan: Plan, known: Option<Regular>) -> Plan {
    if let Some(premium) = known.as_ref().and_then(Regular::paid_premium) {
        plan.assumptions.push(Assumption {
            topic: "limits.regular".to_owned(),
            text: format!(
                "rails share no leaf switch, leaf switches are equal and units have as many \
                 machines where the same machines have it for at most {:.0} % of what the cluster \
                 takes of `objective.minimize`: {:.2} % is paid for that; false asks for nothing",
                100.0 * WORTH,
                100.0 * premium.share
            ),
            default: true,
        });
    }
    plan.regular = known;
    plan
}

/// The question that a plan answers: with what its network was made to keep by default.
#[must_use]
pub fn question_of_plan<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    let Some(premium) = plan.regular.as_ref().and_then(Regular::paid_premium) else {
        return default_rules::scenario_with_house_rule(scenario, plan);
    };
    let ruled = restrict_machines(with_rule(scenario), premium, &plan.nodes);
    Cow::Owned(default_rules::scenario_with_house_rule(&ruled, plan).into_owned())
}

/// The scenario where networks are regular.
fn with_rule(scenario: &Scenario) -> Scenario {
    let limits = Limits { regular: Some(true), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// True for families whose rails may have leaf switches of their own.
fn may_be_regular(scenario: &Scenario) -> bool {
    let family = scenario.cluster.fabric;
    matches!(family, FabricChoice::Auto | FabricChoice::RailOnly | FabricChoice::RailOptimized)
}

/// How the network of a plan looks, or of its first part that is not regular; `None` where all are.
fn first_irregularity(plan: &Plan) -> Option<Regularity> {
    let read = |plan: &Plan| plan.regularity.clone().filter(|found| !found.is_regular());
    read(plan).or_else(|| plan.part_plans().iter().find_map(|part| read(&part.plan)))
}
