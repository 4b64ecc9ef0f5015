//! From columns to the integer program of a candidate, and from its failure to a reason.

use super::column::Column;
use super::context::Context;
use super::limits::of_network;
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::money::Machines;
use crate::scenario::FabricChoice;
use crate::sizing::{self, Class, Need, Problem};
use crate::units::Seconds;

/// The program that chooses among `columns`. The limits of the cluster, less what its machines
/// take, are those of the network.
///
/// # Errors
/// Where the machines alone exceed a limit.
pub(super) fn problem(
    context: &Context<'_>,
    columns: &[&Column],
    machines: &Machines,
    terms: &Terms<'_>,
    pace: Seconds,
) -> Result<Problem, Infeasible> {
    let node = context.job.machine.node;
    let (job, per_rack) = (context.job, &context.parts.per_rack);
    let scenario = job.scenario;
    let limits = of_network(terms, scenario, machines, std::iter::once(job), (pace, per_rack))?;
    exceeded(machines, terms)?;
    Ok(Problem {
        classes: vec![Class {
            name: format!("rails of {}", node.name),
            rails: u64::from(node.nics) * u64::from(context.planes),
            columns: columns.iter().map(|column| column.coefficients.clone()).collect(),
        }],
        models: context.parts.offers.clone(),
        ends: context.parts.ends.clone(),
        limits,
        counts_money: context.counts_money,
        energy_per_watt: context.energy_per_watt,
    })
}

/// Whether the machines alone exceed a limit: what the network adds is then left out of the sum.
pub(crate) fn exceeded(machines: &Machines, terms: &Terms<'_>) -> Result<(), Infeasible> {
    let budget = terms.limits.budget.map(|limit| (limit, machines.capex));
    let power = terms.limits.power.map(|limit| (limit, machines.power));
    let budget = budget.filter(|(limit, used)| used > limit);
    let power = power.filter(|(limit, used)| used > limit);
    if budget.is_some() || power.is_some() {
        return Err(Infeasible::Limits { budget, power, network: Vec::new() });
    }
    Ok(())
}

/// Limits of the network become limits of the cluster.
pub(super) fn explain(
    failed: sizing::Infeasible,
    context: &Context<'_>,
    machines: &Machines,
    terms: &Terms<'_>,
) -> Infeasible {
    match failed {
        sizing::Infeasible::NoBuild { .. } => no_switch(context),
        sizing::Infeasible::Unknown => Infeasible::Unknown,
        sizing::Infeasible::Clash { needs } => clashing(needs, machines, terms),
    }
}

/// The reason where limits clash.
pub(crate) fn clashing(needs: Vec<Need>, machines: &Machines, terms: &Terms<'_>) -> Infeasible {
    let (mut budget, mut power, mut network) = (None, None, Vec::new());
    for need in needs {
        match need {
            Need::Budget { needs, .. } => {
                budget = terms.limits.budget.map(|has| (has, machines.capex + needs));
            }
            Need::Power { needs, .. } => {
                power = terms.limits.power.map(|has| (has, machines.power + needs));
            }
            other => network.push(other),
        }
    }
    Infeasible::Limits { budget, power, network }
}

/// No model on offer makes a member of a family.
pub(super) fn no_member(context: &Context<'_>, family: FabricChoice) -> Infeasible {
    Infeasible::NoMember {
        family: family.name(),
        endpoints: context.job.endpoints(),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}

/// No model on offer joins a rail.
pub(super) fn no_switch(context: &Context<'_>) -> Infeasible {
    Infeasible::NoSwitch {
        endpoints: u64::from(context.job.cabled()),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}
