//! Defaults that cost something: no single point of failure, 7:1; price of `[robust]`; designs of a
//! stricter question on the machines of a plan.

use std::borrow::Cow;

use super::fabric_families;
use crate::design::job::job::NodeChoice;
use crate::design::plan::alternatives::{
    MOST, Oversubscription, Premium, SinglePoint, WithoutSinglePoint,
};
use crate::design::plan::plan::{ClusterPlan, Plan};
use crate::design::plan::routing_report::{Price, Robustness};
use crate::design::plan::warning::Warning;
use crate::scenario::{
    Assumption, ClusterQuestion, ClusterShape, FabricChoice, Limits, Loss, Minimize, Pace,
    Scenario, Workload,
};
use crate::units::Usd;

/// Share of what the network takes of the quantity that is minimised, which the whole cluster may
/// take more without such a part.
const SINGLE_POINT_MAX_PRICE_SHARE: f64 = 0.02;

/// What is asked for, in turn, until a network gives it: the loss of a link that cuts one machine
/// off may be left to standby.
const ASKED: [&[Loss]; 3] = [&[Loss::Link, Loss::Switch], &[Loss::Switch], &[Loss::Link]];

/// The plan; or, where a part of its network stops the whole job alone and at most
/// [`SINGLE_POINT_MAX_PRICE_SHARE`] of what the network takes avoids it, the best one of the same
/// machines without such a part. `again` designs a scenario anew.
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

/// As `avoid_single_point`, of a cluster in parts: each is looked at by itself, and what has to
/// survive losses then is designed with all others, where all together stay within
/// [`SINGLE_POINT_MAX_PRICE_SHARE`] too.
pub(crate) fn avoid_single_points_of_parts(
    scenario: &Scenario,
    plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    let looked_at = |(part, question): (&ClusterPlan, ClusterQuestion)| {
        find_single_point(&part.plan)?;
        avoid_single_point(&question.scenario, again(&question.scenario)?, &again)
            .failures
            .single_point
    };
    let parts = plan.part_plans().iter().zip(scenario.cluster_questions());
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
    for (part, known) in best.clusters.iter_mut().zip(known) {
        known.into_iter().for_each(|known| report_single_point(&mut part.plan, known));
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
        || plan.part_plans().iter().map(|part_plan| part_plan.plan.failures.single_point.as_ref());
    if each().any(|known| chosen_without_single_point(known).is_some()) {
        Cow::Owned(scenario_surviving_losses(scenario, each()))
    } else {
        Cow::Borrowed(scenario)
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
    for (workload, known) in safer.workloads.iter_mut().zip(known) {
        let survive = chosen_without_single_point(known).map(|point| point.survive);
        let with = |own_workload: Workload| Workload {
            limits: Pace { survive, ..own_workload.limits },
            ..own_workload
        };
        *workload = workload.map_products(with);
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
                "no link or switch may stop the whole job alone where the same machines avoid it \
                 for at most {:.0} % of what the network takes of `objective.minimize` (of the \
                 cost per token: the network's share of it): {:.1} % is paid for that; \
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

/// Share of what the best cluster takes of the quantity that is minimised, which one within the
/// rule may take more.
const HOUSE_RULE_MAX_PRICE_SHARE: f64 = 0.01;

/// The plan; or, where the spec says nothing of bandwidth within rails, leaf switches are
/// oversubscribed beyond [`MOST`] and at most [`HOUSE_RULE_MAX_PRICE_SHARE`] avoids it, the best
/// one of the same machines that keeps to it. `again` designs a scenario anew.
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
                "no leaf switch is oversubscribed within a rail beyond {MOST:.0}:1 (Meta, SIGCOMM \
                 2024) where the same machines avoid it for at most {:.0} % of what the cluster \
                 takes of `objective.minimize`: {:.2} % is paid for that; 0 asks for nothing",
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
    match fabric_families::scenario_with_family(scenario, plan) {
        Cow::Borrowed(scenario) => scenario_with_default_rules(scenario, plan),
        Cow::Owned(scenario) => {
            Cow::Owned(scenario_with_default_rules(&scenario, plan).into_owned())
        }
    }
}

/// That with what its network was made to keep by default.
fn scenario_with_default_rules<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    let Some(premium) = house_rule_premium(plan.oversubscription.as_ref()) else {
        return scenario_with_losses(scenario, plan);
    };
    let ruled = restrict_machines(scenario_with_rule(scenario), premium, &plan.nodes);
    Cow::Owned(scenario_with_losses(&ruled, plan).into_owned())
}

/// The scenario where leaf switches keep to the rule.
pub(crate) fn scenario_with_rule(scenario: &Scenario) -> Scenario {
    let limits = Limits { max_oversubscription: Some(MOST), ..scenario.limits.clone() };
    Scenario { limits, ..scenario.clone() }
}

/// Least bandwidth within a rail over that of its NICs, of all parts.
fn min_within_rail_bandwidth(plan: &Plan) -> f64 {
    let parts = plan.part_plans().iter().map(|part| part.plan.fabric.within_rail);
    parts.reduce(f64::min).unwrap_or(plan.fabric.within_rail).max(f64::MIN_POSITIVE)
}

/// The plan with what its scenarios take, where `scenario` is the question that it answers, with
/// what it was made to keep by default. `again` designs a scenario anew.
pub(crate) fn with_robust_price(
    scenario: &Scenario,
    mut plan: Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Plan {
    if let Some(known) = plan.robust.take() {
        let free = again(&Scenario { robust: None, ..scenario.clone() });
        let price = free.map(|free| price_of_robustness(scenario, &free, &plan));
        plan.robust = Some(Robustness { price, ..known });
    }
    plan
}

/// What a plan that carries scenarios takes beyond another: of what is minimised where that is a
/// share of money, and no less than of capital.
fn price_of_robustness(scenario: &Scenario, plan: &Plan, carrying: &Plan) -> Price {
    let (was, is) = (plan.cost.capex, carrying.cost.capex);
    let more = |was: f64, is: f64| if was > 0.0 { is / was - 1.0 } else { f64::from(is > was) };
    let tokens = plan.cost.usd_per_million_tokens.zip(carrying.cost.usd_per_million_tokens);
    let by_token = tokens.filter(|_| scenario.objective.minimize == Minimize::UsdPerToken);
    let share = more(was.get(), is.get());
    let dearer = by_token.map_or(share, |(was, is)| share.max(more(was.get(), is.get())));
    Price { usd: is - was, share: dearer }
}

/// The best design of a stricter question on the product and interface of a plan, with what it
/// takes more; `None` where there is none. A cluster of several parts may have other machines.
/// `again` designs a scenario anew.
pub(super) fn design_on_its_machines(
    stricter: &Scenario,
    plan: &Plan,
    again: impl Fn(&Scenario) -> Option<Plan>,
) -> Option<(Plan, Premium)> {
    let found = again(stricter)?;
    let keeps_machines =
        stricter.cluster_shape() == ClusterShape::One && !has_machines(&found, &plan.nodes);
    let found = if keeps_machines {
        again(&offer_only_chosen_machine(stricter, &plan.nodes))?
    } else {
        found
    };
    let minimized = stricter.objective.minimize;
    let network = network_part(plan, minimized);
    let premium = Premium::from_designs(
        minimized,
        plan.objective_value(minimized),
        network,
        found.objective_value(minimized),
    );
    Some((found, Premium { keeps_machines, ..premium }))
}

/// A stricter question with the machines of its plan alone, where that is how it was answered.
pub(super) fn restrict_machines(
    stricter: Scenario,
    premium: &Premium,
    chosen: &NodeChoice,
) -> Scenario {
    if premium.keeps_machines { offer_only_chosen_machine(&stricter, chosen) } else { stricter }
}

/// A scenario where no other product and interface is on offer than those chosen.
fn offer_only_chosen_machine(scenario: &Scenario, chosen: &NodeChoice) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.cluster.nodes.retain(|node| node.name == chosen.node.name);
    scenario.cluster.nics = vec![chosen.nic.clone()];
    scenario
}

/// Whether a plan has that product and interface.
fn has_machines(plan: &Plan, chosen: &NodeChoice) -> bool {
    plan.nodes.node.name == chosen.node.name && plan.nodes.nic.name == chosen.nic.name
}

/// What the network of a plan takes of a quantity: its price, or the power that it draws. Of the
/// cost of a token as large a part as its price is of the cost of ownership.
fn network_part(plan: &Plan, minimized: Minimize) -> f64 {
    let cost = &plan.cost;
    match minimized {
        Minimize::Power => cost.network_power.get(),
        Minimize::Capex | Minimize::Tco => cost.network_capex.get(),
        Minimize::UsdPerToken if cost.tco > Usd::ZERO => {
            plan.objective_value(minimized) * (cost.network_capex / cost.tco)
        }
        Minimize::UsdPerToken => 0.0,
    }
}
