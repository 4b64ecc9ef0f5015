//! From columns to the integer program of a candidate, and from its failure to a reason.

use super::column::FabricColumn;
use super::context::ColumnContext;
use super::limits::limits_left_to_network;
use super::terms::Terms;
use crate::design::candidate::infeasible::Infeasible;
use crate::design::candidate::money::MachineCost;
use crate::scenario::FabricChoice;
use crate::sizing::{self, Class, LimitNeed, SizingProblem};
use crate::units::Seconds;

/// The program that chooses among `columns`. The limits of the cluster, less what its machines
/// take, are those of the network.
///
/// # Errors
/// Where the machines alone exceed a limit.
pub(super) fn build_integer_program(
    context: &ColumnContext<'_>,
    columns: &[&FabricColumn],
    machines: &MachineCost,
    terms: &Terms<'_>,
    pace: Seconds,
) -> Result<SizingProblem, Infeasible> {
    let node = context.job.machine.node;
    let (job, per_rack) = (context.job, &context.parts.per_rack);
    let scenario = job.scenario;
    let limits =
        limits_left_to_network(terms, scenario, machines, std::iter::once(job), (pace, per_rack))?;
    check_machine_limits(machines, terms)?;
    Ok(SizingProblem {
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
pub(crate) fn check_machine_limits(
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Result<(), Infeasible> {
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
pub(super) fn restate_as_cluster_limits(
    failed: sizing::SizingInfeasible,
    context: &ColumnContext<'_>,
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Infeasible {
    match failed {
        sizing::SizingInfeasible::NoBuild { .. } => no_switch_reason(context),
        sizing::SizingInfeasible::Unknown => Infeasible::Unknown,
        sizing::SizingInfeasible::Clash { needs } => clashing_limits(needs, machines, terms),
    }
}

/// The reason where limits clash.
pub(crate) fn clashing_limits(
    needs: Vec<LimitNeed>,
    machines: &MachineCost,
    terms: &Terms<'_>,
) -> Infeasible {
    let (mut budget, mut power, mut network) = (None, None, Vec::new());
    for need in needs {
        match need {
            LimitNeed::Budget { needs, .. } => {
                budget = terms.limits.budget.map(|has| (has, machines.capex + needs));
            }
            LimitNeed::Power { needs, .. } => {
                power = terms.limits.power.map(|has| (has, machines.power + needs));
            }
            other => network.push(other),
        }
    }
    Infeasible::Limits { budget, power, network }
}

/// No model on offer makes a member of a family.
pub(super) fn no_family_member_reason(
    context: &ColumnContext<'_>,
    family: FabricChoice,
) -> Infeasible {
    Infeasible::NoMember {
        family: family.name(),
        endpoints: context.job.endpoints(),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}

/// No model on offer joins a rail.
pub(super) fn no_switch_reason(context: &ColumnContext<'_>) -> Infeasible {
    Infeasible::NoSwitch {
        endpoints: u64::from(context.job.networked_domains()),
        gigabits: context.parts.link.as_gigabits().round() as u64,
    }
}
