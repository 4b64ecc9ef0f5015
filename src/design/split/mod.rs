//! A cluster in parts: each workload has GPUs of its own, on a product of its own choice, behind
//! rails of its own. What the parts share is stock, supply, power, money and racks, so one program
//! sizes them together. Designs no part by itself.

mod choice;
mod program;

use choice::{Choice, Ready, choices, ready};
use program::{Joint, solve};

use super::assemble::{Finding, assemble, solver_name};
use super::choose::Tools;
use super::infeasible::Infeasible;
use super::job::Job;
use super::plan::{Alternative, Bound, Part, Plan, Relaxed, SolverReport, SolverStatus, Worth};
use super::run::candidates;
use super::terms::Terms;
use super::verify::verify;
use super::yard::Yard;
use crate::cost::{Running, joined, total};
use crate::scenario::{Limits, Minimize, Scenario};
use crate::sizing::{Options, Status};
use crate::units::{Seconds, Usd, Watts};

/// Share by which power and budget are relaxed to see what they are worth.
const STEP: f64 = 0.01;

/// Other choices of products that a report shows.
const SHOWN: usize = 6;

/// The best design of a scenario whose workloads have parts of the cluster each.
///
/// # Errors
/// Why a part has no design, or what all of them need together.
pub(super) fn design(scenario: &Scenario, options: &Options) -> Result<Plan, Infeasible> {
    let parts: Vec<Scenario> = scenario.parts();
    let mut tools = Tools { options, yard: Yard::default() };
    let mut all: Vec<Vec<Ready<'_>>> = Vec::new();
    let found: Vec<_> = parts.iter().map(candidates).collect();
    let mut next = 0;
    for ((part, (candidates, failed)), workload) in
        parts.iter().zip(&found).zip(scenario.workloads())
    {
        let named = |reason: Infeasible| reason.of(scenario, workload);
        let terms = Terms { silent: true, ..Terms::of(part) };
        let found: Vec<Ready<'_>> = candidates
            .iter()
            .filter_map(|candidate| ready(candidate, &mut next, &terms, &mut tools))
            .collect();
        if found.is_empty() {
            // Designed alone it fails for the same reason, which is then told in full.
            let alone = super::run::design_with(part, options).err();
            return Err(named(alone.or(failed.clone()).unwrap_or(Infeasible::Unknown)));
        }
        all.push(found);
    }
    let terms = Terms::of(scenario);
    let order = choices(&all);
    let (best, solved) = cheapest(&all, &order, &terms, options)?;
    let joint = &solved[best];
    let bounds = binding(&joint.choice, joint.value, &terms, options);
    let solver = SolverReport {
        name: solver_name(joint.solution.proof, options),
        status: match joint.solution.status {
            Status::Optimal => SolverStatus::Optimal,
            Status::Incumbent => SolverStatus::TimeLimit,
        },
        gap: joint.solution.gap(),
        candidates: all.iter().map(|ready| ready.len() as u64).sum(),
        binding: bounds,
    };
    let alternatives = alternatives(&solved, best, &order, &terms, options);
    Ok(written(scenario, &parts, joint, solver, alternatives))
}

/// The best choice of candidates and all that were solved on the way to it, by its place. Choices
/// come in the order of what they cost at least, so that the first that can't be better ends the
/// search.
fn cheapest<'r, 'a>(
    all: &'r [Vec<Ready<'a>>],
    order: &[Choice<'r, 'a>],
    terms: &Terms<'_>,
    options: &Options,
) -> Result<(usize, Vec<Joint<'r, 'a>>), Infeasible> {
    /// Relative rounding of sums of money.
    const EQUAL: f64 = 1e-9;
    let mut solved: Vec<Joint<'r, 'a>> = Vec::new();
    let mut best: Option<usize> = None;
    let mut failed: Option<Infeasible> = None;
    for choice in order {
        if let Some(best) = best
            && choice.least >= solved[best].value * (1.0 - EQUAL)
        {
            break;
        }
        match solve(choice, terms, options) {
            Ok(joint) => {
                let better = best.is_none_or(|best| joint.value < solved[best].value);
                solved.push(joint);
                if better {
                    best = Some(solved.len() - 1);
                }
            }
            Err(reason) => failed = Some(Infeasible::further(failed, reason)),
        }
    }
    debug_assert!(!all.is_empty());
    match best {
        Some(best) => Ok((best, solved)),
        None => Err(failed.unwrap_or(Infeasible::Unknown)),
    }
}

/// What one more unit of each shared limit is worth to the chosen parts.
fn binding(
    choice: &Choice<'_, '_>,
    value: f64,
    terms: &Terms<'_>,
    options: &Options,
) -> Vec<Bound> {
    let mut all = Vec::new();
    let mut bound = |limit: String, by: Relaxed, limits: &Limits| {
        let Ok(relaxed) = solve(choice, &Terms { limits, ..*terms }, options) else { return };
        let saved = value - relaxed.value;
        if saved > value.abs() * 1e-9 {
            let worth = match terms.minimize {
                Minimize::Power => Worth::Spares { by, power: Watts::of(saved) },
                of => Worth::Saves { by, saved: Usd::of(saved), of },
            };
            all.push(Bound { limit, worth });
        }
    };
    let limits = terms.limits;
    if let Some(power) = limits.power {
        let more = Limits { power: Some(power * (1.0 + STEP)), ..limits.clone() };
        bound("limits.power".to_owned(), Relaxed::Power(power * STEP), &more);
    }
    if let Some(budget) = limits.budget {
        let more = Limits { budget: Some(budget * (1.0 + STEP)), ..limits.clone() };
        bound("limits.budget".to_owned(), Relaxed::Money(budget * STEP), &more);
    }
    if let Some(racks) = limits.racks {
        let more = Limits { racks: Some(racks + 1), ..limits.clone() };
        bound("limits.racks".to_owned(), Relaxed::Pieces(1), &more);
    }
    for (model, supply) in &limits.supply {
        let mut more = limits.clone();
        more.supply.insert(model.clone(), supply + 1);
        bound(format!("limits.supply.{model}"), Relaxed::Pieces(1), &more);
    }
    all
}

/// The cheapest of every other choice of products.
fn alternatives(
    solved: &[Joint<'_, '_>],
    best: usize,
    order: &[Choice<'_, '_>],
    terms: &Terms<'_>,
    options: &Options,
) -> Vec<Alternative> {
    let known = &solved[best];
    let mut seen = vec![known.choice.products()];
    let mut all = Vec::new();
    for choice in order {
        let products = choice.products();
        if seen.contains(&products) {
            continue;
        }
        let Ok(joint) = solve(choice, terms, options) else { continue };
        seen.push(products);
        all.push(Alternative {
            name: choice.words(),
            network_capex_change: joint.solution.capex - known.solution.capex,
            capex_change: joint.capex - known.capex,
            step_ratio: joint.pace().get() / known.pace().get(),
            usd_per_token_ratio: None,
            reason: match terms.minimize {
                Minimize::Power => "draws no less",
                Minimize::Tco => "no cheaper over the years",
                Minimize::Capex | Minimize::UsdPerToken => "no cheaper as a whole",
            }
            .to_owned(),
        });
        if all.len() == SHOWN {
            break;
        }
    }
    all
}

/// The plan of all parts. Its own fields are those of the first workload's part; bill and cost are
/// of the whole.
fn written(
    scenario: &Scenario,
    parts: &[Scenario],
    joint: &Joint<'_, '_>,
    solver: SolverReport,
    alternatives: Vec<Alternative>,
) -> Plan {
    let mut left = scenario.inventory.clone();
    let mut plans: Vec<Plan> = Vec::new();
    for ((part, ready), built) in parts.iter().zip(&joint.choice.ready).zip(joint.built()) {
        // Stock goes to the parts in their order; what one does not use is left to the next.
        let part = Scenario { inventory: left.clone(), ..part.clone() };
        let job = Job { scenario: &part, ..ready.candidate.job.clone() };
        let finding =
            Finding { solver: solver.clone(), alternatives: Vec::new(), warnings: Vec::new() };
        let plan = Plan {
            routing: Some(verify(&job, built.level, &built.fabric.blueprint)),
            blueprint: Some(built.fabric.blueprint.clone()),
            ..assemble(&job, &built.fabric.counts, built.level, finding)
        };
        for line in &plan.bill {
            if let Some(stock) = left.get_mut(&line.part) {
                *stock -= line.owned.min(*stock);
            }
        }
        plans.push(plan);
    }
    let bill = joined(plans.iter().map(|plan| &plan.bill[..]));
    let cost = total(&bill, &Running::of(scenario, Seconds::ZERO));
    let warnings = once(plans.iter().flat_map(|plan| &plan.warnings));
    let assumptions = once(plans.iter().flat_map(|plan| &plan.assumptions));
    let racks = plans.iter().map(|plan| plan.racks).reduce(|a, b| Some(a?.and(&b?))).flatten();
    let lead = plans[0].clone();
    let names = scenario.workloads().map(|workload| workload.name.clone());
    let parts = names.zip(plans).map(|(name, plan)| Part { name, plan }).collect();
    Plan {
        name: scenario.name.clone(),
        bill,
        cost,
        racks,
        solver,
        alternatives,
        assumptions,
        warnings,
        inputs: super::inputs::Inputs::of(scenario),
        parts,
        ..lead
    }
}

/// Each of them once, in their order.
fn once<'a, T: Clone + PartialEq + 'a>(all: impl Iterator<Item = &'a T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if !kept.contains(one) {
            kept.push(one.clone());
        }
    }
    kept
}
