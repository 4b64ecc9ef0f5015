//! From pieces to the integer program of a candidate, and from its failure to a reason.

use super::infeasible::Infeasible;
use super::money::Machines;
use super::pieces::{Piece, Site};
use super::terms::Terms;
use crate::sizing::{self, Class, Limits, Need, Problem};

/// The program that chooses among `pieces`. The limits of the cluster, less what its machines
/// take, are those of the network.
///
/// # Errors
/// Where the machines alone exceed a limit.
pub(super) fn problem(
    site: &Site<'_>,
    pieces: &[&Piece],
    machines: &Machines,
    terms: &Terms<'_>,
) -> Result<Problem, Infeasible> {
    let node = site.job.machine.node;
    let budget = terms.limits.budget.map(|limit| (limit, machines.capex));
    let power = terms.limits.power.map(|limit| (limit, machines.power));
    let money_short = budget.is_some_and(|(limit, used)| used > limit);
    let power_short = power.is_some_and(|(limit, used)| used > limit);
    if money_short || power_short {
        // The machines alone exceed it: what the network adds is left out of the sum.
        return Err(Infeasible::Limits {
            budget: budget.filter(|_| money_short),
            power: power.filter(|_| power_short),
            network: Vec::new(),
        });
    }
    Ok(Problem {
        classes: vec![Class {
            name: format!("rails of {}", node.name),
            rails: u64::from(node.nics) * u64::from(site.planes),
            columns: pieces.iter().map(|piece| piece.column.clone()).collect(),
        }],
        models: site.parts.offers.clone(),
        spine: None,
        ends: site.parts.ends.clone(),
        limits: Limits {
            power: power.map(|(limit, used)| limit - used),
            budget: budget.map(|(limit, used)| limit - used),
            models: None,
        },
        energy_per_watt: site.energy_per_watt,
    })
}

/// Limits of the network become limits of the cluster.
pub(super) fn explain(
    failed: sizing::Infeasible,
    site: &Site<'_>,
    machines: &Machines,
    terms: &Terms<'_>,
) -> Infeasible {
    match failed {
        sizing::Infeasible::NoBuild { .. } => no_switch(site),
        sizing::Infeasible::Unknown => Infeasible::Unknown,
        sizing::Infeasible::Clash { needs } => {
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
    }
}

/// No model on offer joins a rail.
pub(super) fn no_switch(site: &Site<'_>) -> Infeasible {
    Infeasible::NoSwitch {
        endpoints: u64::from(site.job.domains),
        gigabits: site.parts.link.as_gigabits().round() as u64,
    }
}
