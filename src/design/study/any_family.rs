//! Every family of fabric: those whose pace follows from their levels, and those that are timed by routing them,
//! each designed for by itself, and the best of all. Designs nothing itself.

use std::borrow::Cow;

use super::alternatives::standing;
use crate::design::answer::alternative::{Alternative, Differs};
use crate::design::answer::on_cables::not_weighed;
use crate::design::answer::plan::Plan;
use crate::design::answer::solver_status::SolverStatus;
use crate::design::candidate::infeasible::Infeasible;
use crate::fabric::FabricKind;
use crate::scenario::{Assumption, FabricChoice, Minimize, Scenario};

/// What is designed for, in turn; of equal designs the first is taken.
const EACH: [FabricChoice; 4] =
    [FabricChoice::Auto, FabricChoice::TaperedClos, FabricChoice::ZCube, FabricChoice::Dragonfly];

/// Relative rounding of sums of money.
const ROUNDING: f64 = 1e-9;

/// The best design of all families where a spec asks for any; else that of `design`. The others are among
/// its alternatives, and what is proven is so of all of them.
///
/// # Errors
/// Why none has a design: of those whose pace follows from their levels.
pub(crate) fn of_any_family(
    scenario: &Scenario,
    design: impl Fn(&Scenario) -> Result<Plan, Infeasible>,
) -> Result<Plan, Infeasible> {
    if scenario.cluster.fabric != FabricChoice::Any {
        return design(scenario);
    }
    let found = EACH.map(|family| (family, design(&on(scenario, family))));
    let minimize = scenario.objective.minimize;
    let plans: Vec<(FabricChoice, &Plan)> =
        found.iter().filter_map(|(family, plan)| Some((*family, plan.as_ref().ok()?))).collect();
    let Some((family, best)) = plans
        .iter()
        .copied()
        .reduce(|best, of| if better(of.1, best.1, scenario) { of } else { best })
    else {
        let [(_, first), ..] = found;
        return first;
    };
    let mut answer = best.clone();
    prove(&mut answer, &plans, minimize);
    answer.assumptions.retain(|of| *of != not_weighed());
    answer.assumptions.push(told(family, &found));
    let others = plans.iter().filter(|(of, _)| *of != family);
    answer.alternatives.extend(others.map(|(of, plan)| beside(best, *of, plan, minimize)));
    Ok(answer)
}

/// The question that a design answers: with the family that it has.
pub(crate) fn asked<'s>(scenario: &'s Scenario, plan: &Plan) -> Cow<'s, Scenario> {
    if scenario.cluster.fabric != FabricChoice::Any {
        return Cow::Borrowed(scenario);
    }
    let family = match (plan.level.member, plan.fabric.kind) {
        (None, _) => FabricChoice::Auto,
        (_, FabricKind::ZCube) => FabricChoice::ZCube,
        (_, FabricKind::Dragonfly) => FabricChoice::Dragonfly,
        _ => FabricChoice::TaperedClos,
    };
    Cow::Owned(on(scenario, family))
}

fn on(scenario: &Scenario, family: FabricChoice) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.cluster.fabric = family;
    scenario
}

/// True where a plan takes less of what is minimised, or as much and less of what comes after it.
fn better(one: &Plan, other: &Plan, scenario: &Scenario) -> bool {
    let objective = &scenario.objective;
    for quantity in std::iter::once(objective.minimize).chain(objective.then.iter().copied()) {
        let (a, b) = (one.value(quantity), other.value(quantity));
        if (a - b).abs() > ROUNDING * a.abs().max(b.abs()) {
            return a < b;
        }
    }
    false
}

/// Proves the best of some plans as far as all of them are.
fn prove(best: &mut Plan, plans: &[(FabricChoice, &Plan)], minimize: Minimize) {
    let value = best.value(minimize);
    let bound = |plan: &Plan| plan.value(minimize) * (1.0 - plan.solver.gap);
    let open: Vec<&(FabricChoice, &Plan)> =
        plans.iter().filter(|(_, plan)| bound(plan) < value * (1.0 - ROUNDING)).collect();
    let candidates = plans.iter().map(|(_, plan)| plan.solver.candidates).sum();
    let least = open.iter().min_by(|(_, a), (_, b)| bound(a).total_cmp(&bound(b)));
    let solver = &mut best.solver;
    solver.candidates = candidates;
    let Some((family, rival)) = least else { return };
    let goodput = |(_, plan): &&&(FabricChoice, &Plan)| {
        matches!(plan.solver.status, SolverStatus::GoodputBound | SolverStatus::Optimal)
    };
    let known = matches!(solver.status, SolverStatus::Interrupted | SolverStatus::GapLimit);
    solver.gap = 1.0 - bound(rival) / value;
    if !known {
        solver.status = match open.iter().all(|of| goodput(&of)) {
            true => SolverStatus::GoodputBound,
            false => SolverStatus::NodeLimit,
        };
    }
    if let Some(words) = rival.solver.rival.clone() {
        solver.rival = Some(format!("{words}, {}", family.name()));
    }
}

/// A plan of another family as an alternative to the best.
fn beside(best: &Plan, family: FabricChoice, plan: &Plan, minimize: Minimize) -> Alternative {
    let planes = match plan.fabric.planes {
        1 => "one plane".to_owned(),
        planes => format!("{planes} planes"),
    };
    let name = match family {
        FabricChoice::Auto => format!("{}, {planes}", plan.fabric.kind),
        _ => format!("{}, {planes}", family.name()),
    };
    let tokens = plan.cost.usd_per_million_tokens.zip(best.cost.usd_per_million_tokens);
    Alternative {
        name,
        differs: Differs::Family(plan.fabric.kind),
        network_capex_change: plan.cost.network_capex - best.cost.network_capex,
        capex_change: plan.cost.capex - best.cost.capex,
        step_ratio: plan.step.time.total() / best.step.time.total(),
        usd_per_token_ratio: tokens.map(|(other, known)| other / known),
        standing: standing(plan.value(minimize), best.value(minimize)),
        reason: super::alternatives::reason(minimize),
    }
}

/// How the family was chosen.
fn told(family: FabricChoice, found: &[(FabricChoice, Result<Plan, Infeasible>)]) -> Assumption {
    let each = found.iter().map(|(of, plan)| match plan {
        Ok(_) if *of == family => format!("{} (this one)", of.name()),
        Ok(_) => of.name().to_owned(),
        Err(reason) => format!("{} (none: {reason})", of.name()),
    });
    let text = format!(
        "any: the best of the families {}, each designed for by itself",
        each.collect::<Vec<_>>().join(", ")
    );
    Assumption { topic: "cluster.fabric".to_owned(), text, default: false }
}
