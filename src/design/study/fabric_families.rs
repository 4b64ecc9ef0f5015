//! Every family of fabric: those whose pace follows from their levels, and those that are timed by
//! routing them, each designed for by itself, and the best of all. Designs nothing itself.

use std::borrow::Cow;

use super::alternative_words::planes_in_words;
use super::alternatives::alternative_standing;
use crate::design::assemble::assumptions::unweighed_family_assumption;
use crate::design::job::infeasible::Infeasible;

use crate::design::plan::alternatives::{Alternative, AlternativeKind, AlternativeStanding};
use crate::design::plan::plan::{Plan, SolverReport};
use crate::design::plan::proof::SolverStatus;
use crate::design::plan::warning::Warning;
use crate::fabric::FabricKind;
use crate::scenario::{Assumption, FabricChoice, Minimize, Scenario};
use crate::units::{ROUNDING, Seconds, Usd};

/// What is designed for, in turn; of equal designs the first is taken.
const EACH: [FabricChoice; 4] =
    [FabricChoice::Auto, FabricChoice::TaperedClos, FabricChoice::ZCube, FabricChoice::Dragonfly];

/// The best design of all families where a spec asks for any; else that of `design`. The others are
/// among its alternatives, and what is proven is so of all of them: of a family that was not
/// settled nothing is.
///
/// # Errors
/// Why none has a design: of those whose pace follows from their levels, unless another was not
/// settled.
pub(crate) fn design_best_family(
    scenario: &Scenario,
    design: impl Fn(&Scenario) -> Result<Plan, Infeasible>,
) -> Result<Plan, Infeasible> {
    if scenario.cluster.fabric != FabricChoice::Any {
        return design(scenario);
    }
    let found = EACH.map(|family| (family, design(&scenario_on_family(scenario, family))));
    let minimize = scenario.objective.minimize;
    let plans: Vec<(FabricChoice, &Plan)> =
        found.iter().filter_map(|(family, plan)| Some((*family, plan.as_ref().ok()?))).collect();
    let less = |one: &Plan, other: &Plan| {
        let (one, other) = (one.objective_value(minimize), other.objective_value(minimize));
        one < other - ROUNDING * other.abs()
    };
    let best = plans.iter().copied();
    let best = best.reduce(|best, pair| if less(pair.1, best.1) { pair } else { best });
    let open = found.iter().find(|(_, plan)| plan.as_ref().is_err_and(is_open));
    let open = open.map(|(family, plan)| (*family, plan));
    let Some((family, best)) = best else {
        let [(_, first), ..] = &found;
        return open.map_or_else(|| first.clone(), |(_, plan)| plan.clone());
    };
    let mut answer = best.clone();
    prove_best_plan(&mut answer, family, &plans, minimize);
    answer.assumptions.retain(|assumption| *assumption != unweighed_family_assumption());
    answer.assumptions.push(family_choice_assumption(family, &found));
    let others = plans.iter().filter(|(choice, _)| *choice != family);
    answer
        .alternatives
        .extend(others.map(|(choice, plan)| family_alternative(best, *choice, plan, minimize)));
    tell_ties(&mut answer);
    let Some((open, reason)) = open else { return Ok(answer) };
    let interrupted =
        reason.as_ref().is_err_and(|infeasible| *infeasible == Infeasible::Interrupted);
    answer.solver = SolverReport {
        // Of that family anything may exist.
        gap: 1.0,
        rival: Some(format!("any {}", open.name())),
        status: answer.solver.status.max(SolverStatus::NodeLimit),
        ..answer.solver
    };
    Ok(if interrupted { answer.mark_interrupted(None) } else { answer })
}

/// Whether a family without a design may have one all the same.
fn is_open(reason: &Infeasible) -> bool {
    reason.is_unknown() || *reason == Infeasible::Interrupted
}

/// Counts families that cost as good as the same among the ties that a warning tells.
fn tell_ties(answer: &mut Plan) {
    let tied = answer
        .alternatives
        .iter()
        .filter(|alternative| alternative.differs == AlternativeKind::Choice);
    let tied = tied.filter(|alternative| alternative.standing == AlternativeStanding::Tied);
    let names: Vec<String> = tied.map(|alternative| alternative.name.clone()).collect();
    let known = answer.warnings.iter_mut().find_map(|warning| match warning {
        Warning::Ties { count, networks, .. } => Some((count, networks)),
        _ => None,
    });
    match known {
        _ if names.is_empty() => {}
        Some((count, networks)) => {
            *count += names.len();
            networks.extend(names);
        }
        None => {
            let ties = Warning::Ties { count: names.len(), networks: names, others: Vec::new() };
            answer.warnings.insert(0, ties);
        }
    }
}

/// The question that a design answers: with the family that it has.
pub(crate) fn scenario_with_family<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    if scenario.cluster.fabric != FabricChoice::Any {
        return Cow::Borrowed(scenario);
    }
    let family = match (plan.level.member, plan.fabric.kind) {
        (None, _) => FabricChoice::Auto,
        (_, FabricKind::ZCube) => FabricChoice::ZCube,
        (_, FabricKind::Dragonfly) => FabricChoice::Dragonfly,
        _ => FabricChoice::TaperedClos,
    };
    Cow::Owned(scenario_on_family(scenario, family))
}

fn scenario_on_family(scenario: &Scenario, family: FabricChoice) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.cluster.fabric = family;
    scenario
}

/// Proves the best of some plans as far as all of them are: to the least bound of any, layouts that
/// its family leaves out among what is bounded.
fn prove_best_plan(
    best: &mut Plan,
    own: FabricChoice,
    plans: &[(FabricChoice, &Plan)],
    minimize: Minimize,
) {
    let value = best.objective_value(minimize);
    let bound = |(family, plan): &(FabricChoice, &Plan)| {
        // What layouts leave open of the answer's own family stands beside its gap.
        let layouts =
            plan.solver.layouts.filter(|_| *family != own).map_or(0.0, |proven| proven.gap);
        plan.objective_value(minimize) * (1.0 - plan.solver.gap.max(layouts))
    };
    let open = plans.iter().filter(|pair| pair.0 == own || bound(pair) < value * (1.0 - ROUNDING));
    let status = open.map(|(_, plan)| plan.solver.status).max();
    let least = plans.iter().min_by(|a, b| bound(a).total_cmp(&bound(b)));
    let settled =
        plans.iter().map(|(_, plan)| plan.solver.settled.unwrap_or(plan.solver.candidates));
    let solver = &mut best.solver;
    solver.candidates = plans.iter().map(|(_, plan)| plan.solver.candidates).sum();
    solver.settled = solver.settled.map(|_| settled.sum());
    let Some((family, rival)) =
        least.filter(|pair| pair.0 != own && bound(pair) < value * (1.0 - ROUNDING))
    else {
        return;
    };
    // A family that is proven optimal in itself may be open in its layouts.
    let status = status.unwrap_or(solver.status);
    solver.status = if status == SolverStatus::Optimal { SolverStatus::NodeLimit } else { status };
    solver.gap = 1.0 - bound(&(*family, *rival)) / value;
    let words = rival.solver.rival.clone();
    solver.rival =
        Some(words.map_or_else(
            || family.name().to_owned(),
            |words| format!("{words}, {}", family.name()),
        ));
}

/// A plan of another family as an alternative to the best.
fn family_alternative(
    best: &Plan,
    family: FabricChoice,
    plan: &Plan,
    minimize: Minimize,
) -> Alternative {
    let planes = planes_in_words(plan.fabric.planes);
    let name = match family {
        FabricChoice::Auto => format!("{}, {planes}", plan.fabric.kind),
        _ => format!("{}, {planes}", family.name()),
    };
    let tokens = plan.cost.usd_per_million_tokens.zip(best.cost.usd_per_million_tokens);
    let time = best.pace;
    Alternative {
        name,
        differs: AlternativeKind::Choice,
        network_capex_change: plan.cost.network_capex - best.cost.network_capex,
        capex_change: plan.cost.capex - best.cost.capex,
        step_ratio: if time > Seconds::ZERO { plan.pace / time } else { 1.0 },
        usd_per_token_ratio: tokens
            .filter(|(_, known)| *known > Usd::ZERO)
            .map(|(other, known)| other / known),
        standing: alternative_standing(
            plan.objective_value(minimize),
            best.objective_value(minimize),
        ),
        reason: String::new(),
        breaks: Vec::new(),
    }
}

/// How the family was chosen.
fn family_choice_assumption(
    family: FabricChoice,
    found: &[(FabricChoice, Result<Plan, Infeasible>)],
) -> Assumption {
    let each = found.iter().map(|(choice, plan)| match plan {
        Ok(_) if *choice == family => format!("{} (this one)", choice.name()),
        Ok(_) => choice.name().to_owned(),
        Err(reason) => format!("{} (none: {reason})", choice.name()),
    });
    let text = format!(
        "any: the best of the families {}, each designed for by itself, with what the defaults on \
         oversubscription and losses make of it",
        each.collect::<Vec<_>>().join(", ")
    );
    Assumption { topic: "cluster.fabric".to_owned(), text, default: false }
}
