//! A cluster in parts: each workload has GPUs of its own, on a product of its own choice, behind
//! rails of its own. What the parts share is stock, supply, power, money and racks, so one program
//! sizes them together. Designs no part by itself.

mod choice;
mod program;

use std::collections::BTreeMap;

use choice::{Choice, choices};
use program::{Joint, solve};

use super::alternatives::reason;
use super::assemble::{Finding, assemble, solver_report};
use super::binding::{Relaxation, is_saving, relaxations, worth};
use super::choose::Tools;
use super::infeasible::Infeasible;
use super::job::Job;
use super::plan::{Alternative, Bound, Part, Plan, SolverReport};
use super::ready::{Ready, ready};
use super::run::candidates;
use super::terms::Terms;
use super::verify::verify;
use super::yard::Yard;
use crate::cost::{Running, joined, total};
use crate::scenario::Scenario;
use crate::sizing::Options;
use crate::units::Seconds;

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
    let sized = cheapest(&order, &terms, options)?;
    let alternatives = alternatives(&sized, &order, &terms, options);
    let joint = &sized.solved[&sized.best];
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding(joint, &terms, options);
    let solver = solver_report(&joint.solution, candidates, bounds, options);
    Ok(written(scenario, &parts, joint, solver, alternatives))
}

/// Choices that were sized, by their place in the order of all, and the best of them.
struct Sized<'r, 'a> {
    solved: BTreeMap<usize, Joint<'r, 'a>>,
    best: usize,
}

/// Choices come in the order of what they cost at least, so that the first that can't be better ends
/// the search.
fn cheapest<'r, 'a>(
    order: &[Choice<'r, 'a>],
    terms: &Terms<'_>,
    options: &Options,
) -> Result<Sized<'r, 'a>, Infeasible> {
    /// Relative rounding of sums of money.
    const EQUAL: f64 = 1e-9;
    let mut solved: BTreeMap<usize, Joint<'r, 'a>> = BTreeMap::new();
    let mut best: Option<(usize, f64)> = None;
    let mut failed: Option<Infeasible> = None;
    for (place, choice) in order.iter().enumerate() {
        if best.is_some_and(|(_, value)| choice.least >= value * (1.0 - EQUAL)) {
            break;
        }
        match solve(choice, terms, options) {
            Ok(joint) => {
                if best.is_none_or(|(_, value)| joint.value < value) {
                    best = Some((place, joint.value));
                }
                solved.insert(place, joint);
            }
            Err(reason) => failed = Some(Infeasible::further(failed, reason)),
        }
    }
    match best {
        Some((best, _)) => Ok(Sized { solved, best }),
        None => Err(failed.unwrap_or(Infeasible::Unknown)),
    }
}

/// What one more unit of each shared limit is worth to the chosen parts.
fn binding(joint: &Joint<'_, '_>, terms: &Terms<'_>, options: &Options) -> Vec<Bound> {
    let mut all = Vec::new();
    for Relaxation { limit, by, limits, .. } in
        relaxations(terms).into_iter().filter(|of| of.shared)
    {
        let relaxed = solve(&joint.choice, &Terms { limits: &limits, ..*terms }, options);
        let saved = relaxed.map_or(0.0, |relaxed| joint.value - relaxed.value);
        if is_saving(saved, joint.value) {
            all.push(Bound { limit, worth: worth(terms.minimize, by, saved) });
        }
    }
    all
}

/// The cheapest of every other choice of products.
fn alternatives<'r, 'a>(
    Sized { solved, best }: &Sized<'r, 'a>,
    order: &[Choice<'r, 'a>],
    terms: &Terms<'_>,
    options: &Options,
) -> Vec<Alternative> {
    let known = &solved[best];
    let pace = known.pace();
    let mut seen = vec![known.choice.products()];
    let mut all = Vec::new();
    for (place, choice) in order.iter().enumerate() {
        let products = choice.products();
        if seen.contains(&products) {
            continue;
        }
        let again = match solved.get(&place) {
            Some(_) => None,
            None => solve(choice, terms, options).ok(),
        };
        let Some(joint) = solved.get(&place).or(again.as_ref()) else { continue };
        seen.push(products);
        all.push(Alternative {
            name: choice.words(),
            network_capex_change: joint.solution.capex - known.solution.capex,
            capex_change: joint.capex - known.capex,
            step_ratio: joint.pace().get() / pace.get(),
            usd_per_token_ratio: None,
            reason: reason(terms.minimize),
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
