//! From columns to the integer program of a candidate, and from its failure to a reason.

use super::column::Column;
use super::context::Context;
use super::racks::{left, taken};
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::money::{Machines, energy_price};
use crate::scenario::Minimize;
use crate::sizing::{self, Class, Limits, Need, Ownership, Problem, Racks};
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
    let racks = racks(context, terms)?;
    exceeded(machines, terms)?;
    let (budget, power) = (terms.limits.budget, terms.limits.power);
    Ok(Problem {
        classes: vec![Class {
            name: format!("rails of {}", node.name),
            rails: u64::from(node.nics) * u64::from(context.planes),
            columns: columns.iter().map(|column| column.coefficients.clone()).collect(),
        }],
        models: context.parts.offers.clone(),
        spine: None,
        ends: context.parts.ends.clone(),
        limits: Limits {
            power: least(power, terms.caps.power, machines.power),
            budget: least(budget, terms.caps.capex, machines.capex),
            models: None,
            tco: terms.caps.tco(pace).map(|most| Ownership {
                energy_per_watt: energy_price(context.job.scenario, Minimize::Tco),
                most: most - machines.tco,
            }),
            racks,
        },
        counts_money: context.counts_money,
        energy_per_watt: context.energy_per_watt,
    })
}

/// What the lower of two bounds leaves to the network.
fn least<T: PartialOrd + std::ops::Sub<Output = T> + Copy>(
    limit: Option<T>,
    cap: Option<T>,
    used: T,
) -> Option<T> {
    let both = limit.into_iter().chain(cap);
    both.reduce(|a, b| if b < a { b } else { a }).map(|most| most - used)
}

/// Racks that the machines leave to switches; `None` where racks are not limited.
///
/// # Errors
/// Where the machines alone need more, or nobody says how much room they take.
fn racks(context: &Context<'_>, terms: &Terms<'_>) -> Result<Option<Racks>, Infeasible> {
    if !terms.limits.bound_racks() {
        return Ok(None);
    }
    let taken = taken(context.job, terms.limits.rack)?;
    let Some(most) = terms.limits.racks else { return Ok(None) };
    Ok(Some(Racks { most: left(most, taken)?, per_rack: context.parts.per_rack.clone() }))
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

/// No model on offer joins a rail.
pub(super) fn no_switch(context: &Context<'_>) -> Infeasible {
    Infeasible::NoSwitch {
        endpoints: u64::from(context.job.domains),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}
