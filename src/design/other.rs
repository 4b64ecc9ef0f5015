//! A plan's machines and layout on another fabric: what comparisons are made of. Sizes nothing.

use super::assemble::{Finding, assemble};
use super::baseline::SizedFabric;
use super::job::Job;
use super::machine::Machine;
use super::money::bill_of;
use super::plan::{Plan, SolverReport, SolverStatus, StepReport};
use super::rounds::Round;
use super::running::Run;
use super::verify::{corrected, verified, verify};
use crate::cost::BillLine;
use crate::fabric::Counts;
use crate::parallel::{Layout, Seats};
use crate::scenario::{Scenario, Workload};
use crate::search::NoLayout;
use crate::traffic::Matrix;
use crate::units::{Seconds, Usd};

/// The plan of the same machines and layout on another fabric, routed where it is known how that is
/// wired. Slowdown is against the same reference.
///
/// # Errors
/// Rules that the plan's layout breaks: none where the plan is of this scenario.
pub fn on_fabric(scenario: &Scenario, plan: &Plan, fabric: &SizedFabric) -> Result<Plan, NoLayout> {
    let job = job(scenario, plan)?;
    let finding = Finding {
        solver: SolverReport {
            name: "counted".to_owned(),
            status: SolverStatus::Optimal,
            gap: 0.0,
            rival: None,
            candidates: 1,
            fixed: Vec::new(),
            binding: Vec::new(),
        },
        alternatives: Vec::new(),
        warnings: Vec::new(),
    };
    let level = fabric.level;
    if let Some(blueprint) = &fabric.blueprint {
        // Where a link is slower than the clock has it, the step is timed by what routing found.
        corrected(&job, level, blueprint, Round::default());
    }
    let plan = assemble(&job, &fabric.counts, level, finding);
    Ok(match &fabric.blueprint {
        Some(blueprint) => verified(plan, verify(&job, level, blueprint).0, blueprint),
        None => plan,
    })
}

/// Price of the switches and transceivers that `counts` takes on top of what is owned.
///
/// # Errors
/// As [`on_fabric`].
pub fn network_capex(scenario: &Scenario, plan: &Plan, counts: &Counts) -> Result<Usd, NoLayout> {
    Ok(network_bill(scenario, plan, counts)?.iter().map(|line| line.total).sum())
}

/// The switches and transceivers of `counts` as they are bought.
///
/// # Errors
/// As [`on_fabric`].
pub fn network_bill(
    scenario: &Scenario,
    plan: &Plan,
    counts: &Counts,
) -> Result<Vec<BillLine>, NoLayout> {
    let mut lines = bill_of(&job(scenario, plan)?, Some(counts));
    lines.retain(|line| line.role.is_network());
    Ok(lines)
}

/// The traffic of a plan's step, pair by pair; of several workloads that of the first.
///
/// # Errors
/// As [`on_fabric`].
pub fn traffic_matrix(scenario: &Scenario, plan: &Plan) -> Result<Matrix, NoLayout> {
    let lead = job(scenario, plan)?.lead;
    Ok(Matrix::new(&lead.step, lead.placement()))
}

/// The job that a plan was made for.
pub(super) fn job<'a>(scenario: &'a Scenario, plan: &'a Plan) -> Result<Job<'a>, NoLayout> {
    let machine = Machine { node: &plan.nodes.node, nic: &plan.nodes.nic };
    let run = |workload: &'a Workload, layout: &Layout, step: &StepReport, used: u32| {
        let reference = Seconds::of(step.time.total().get() / step.slowdown);
        let on = |seats| {
            Run::new(workload.on(machine.node), machine, layout, seats)
                .map(|run| Run { reference, least_across: 0.0, ..run })
                .map_err(|problems| NoLayout::Illegal { gpus: layout.gpus(), problems })
        };
        let even = on(Seats::Even)?;
        if even.placement().used() == used { Ok(even) } else { on(Seats::Most) }
    };
    let lead = run(&scenario.workload, &plan.layout, &plan.step, plan.nodes.used)?;
    let others = scenario.others.iter().zip(plan.workloads.iter().skip(1));
    let others = others
        .map(|(workload, plan)| Ok(vec![run(workload, &plan.layout, &plan.step, plan.used)?]))
        .collect::<Result<_, NoLayout>>()?;
    Ok(Job { id: 0, scenario, machine, domains: plan.nodes.domains, lead, others })
}
