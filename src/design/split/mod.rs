//! A cluster in parts: each workload has GPUs of its own, on a product of its own choice, behind
//! rails of its own. What the parts share is stock, supply, power, money and racks, so one program
//! sizes them together. Designs no part by itself.

mod choice;
mod program;

use choice::{Choice, choices};
use program::{Joint, solve};

use super::alternatives::reason;
use super::assemble::solver_report;
use super::binding::{Relaxation, is_saving, relaxations, worth};
use super::choices::cheapest;
use super::choose::Tools;
use super::infeasible::Infeasible;
use super::inputs::Inputs;
use super::plan::{Alternative, Bound, Part, Plan, SolverReport};
use super::ready::all_ready;
use super::terms::Terms;
use super::warnings::once;
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
    let all = all_ready(parts.iter(), false, &mut tools).map_err(|(place, reason)| {
        let workload = scenario.workloads().nth(place);
        workload.map_or(Infeasible::Unknown, |workload| reason.of(scenario, workload))
    })?;
    let terms = Terms::of(scenario);
    let order = choices(&all);
    let size = |choice: &Choice<'_, '_>| solve(choice, &terms, options);
    let solved = cheapest(&order, size)?;
    let (choice, joint) = solved.best(&order);
    let pace = joint.pace(choice);
    let beside = |choice: &Choice<'_, '_>, other: &Joint| Alternative {
        name: choice.words(),
        network_capex_change: other.solution.capex - joint.solution.capex,
        capex_change: other.capex - joint.capex,
        step_ratio: other.pace(choice).get() / pace.get(),
        usd_per_token_ratio: None,
        reason: reason(terms.minimize),
    };
    let alternatives = solved.others(&order, Choice::products, size, beside, SHOWN);
    let candidates = all.iter().map(|ready| ready.len() as u64).sum();
    let bounds = binding(choice, joint, &terms, options);
    let solver = solver_report(joint.solution.firmness(), candidates, bounds, options);
    Ok(written(scenario, (choice, &parts), joint, solver, alternatives))
}

/// What one more unit of each shared limit is worth to the chosen parts.
fn binding(
    choice: &Choice<'_, '_>,
    joint: &Joint,
    terms: &Terms<'_>,
    options: &Options,
) -> Vec<Bound> {
    let mut all = Vec::new();
    for Relaxation { limit, by, limits, .. } in
        relaxations(terms).into_iter().filter(|of| of.shared)
    {
        let relaxed = solve(choice, &Terms { limits: &limits, ..*terms }, options);
        let saved = relaxed.map_or(0.0, |relaxed| joint.value - relaxed.value);
        if is_saving(saved, joint.value) {
            all.push(Bound { limit, worth: worth(terms.minimize, by, saved) });
        }
    }
    all
}

/// The plan of all parts. Its own fields are those of the first workload's part; bill and cost are
/// of the whole.
fn written(
    scenario: &Scenario,
    (choice, parts): (&Choice<'_, '_>, &[Scenario]),
    joint: &Joint,
    solver: SolverReport,
    alternatives: Vec<Alternative>,
) -> Plan {
    let mut left = scenario.inventory.clone();
    let mut plans: Vec<Plan> = Vec::new();
    for ((part, ready), built) in parts.iter().zip(&choice.ready).zip(joint.built(choice)) {
        // Stock goes to the parts in their order; what one does not use is left to the next.
        let part = Scenario { inventory: left.clone(), ..part.clone() };
        let plan = ready.plan(&part, &built, &solver);
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
        inputs: Inputs::of(scenario),
        parts,
        ..lead
    }
}
