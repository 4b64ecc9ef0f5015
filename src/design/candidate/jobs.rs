//! The jobs that are worth a network on a machine: layouts, rank orders, and the machines that stand by.
//! Sizes nothing.

use super::carried::Scenarios;
use super::infeasible::Infeasible;
use super::job::Job;
use super::machine::Machine;
use super::run::{Overflow, Run, runs};
use super::standby::standby;
use crate::parallel::Layout;
use crate::scenario::{Scenario, Workload};

/// The jobs worth designing for on a machine: of the leading workload the layout that is
/// requested, or the fastest one that fits, in every rank order that is open and stays within the
/// slowdown that the scenario allows; of every other workload all its orders at once.
///
/// # Errors
/// Why a workload does not fit.
pub(crate) fn jobs<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    (overflow, pinned): (Overflow, Option<&Layout>),
) -> Result<Vec<Job<'a>>, Infeasible> {
    let all = |workload: &'a Workload, pinned| {
        runs(scenario, workload.on(machine.node), machine, (overflow, pinned))
            .map_err(|reason| reason.of(scenario, workload))
    };
    let leads = all(&scenario.workload, pinned)?;
    let others: Vec<Vec<Run<'a>>> =
        scenario.others.iter().map(|of| all(of, None)).collect::<Result<_, _>>()?;
    let size = |run: &Run<'_>| run.domains(scenario);
    let least = others.iter().filter_map(|runs| runs.iter().map(size).min()).max().unwrap_or(1);
    // How many GPUs of a domain are used matters where trays that are not take the place of others.
    let spares = machine.replaceable_tray().is_some();
    let alike = |lead: Run<'a>| {
        let ways = ways(&lead, &others, spares);
        ways.into_iter().map(move |most| (lead.clone(), most))
    };
    Ok(leads
        .into_iter()
        .flat_map(alike)
        .filter_map(|(lead, most)| {
            // The others run in every way that fits the domains which this one takes.
            let domains = size(&lead).max(least);
            let fitting = |runs: &Vec<Run<'a>>| -> Vec<Run<'a>> {
                let fits = |run: &&Run<'a>| size(run) <= domains && run.used() <= most;
                runs.iter().filter(fits).cloned().collect()
            };
            let others: Vec<Vec<Run<'a>>> = others.iter().map(fitting).collect();
            if spares && others.iter().any(Vec::is_empty) {
                return None;
            }
            let scenarios = match overflow {
                Overflow::Refused => {
                    let each = others.iter().filter_map(|runs| runs.first());
                    let each: Vec<&Run<'a>> = std::iter::once(&lead).chain(each).collect();
                    Scenarios::of(scenario, domains, &each)
                }
                Overflow::Reported => Scenarios::default(), // no fabric is sized
            };
            let used = most_used(&lead, &others);
            let job = Job {
                id: 0,
                scenario,
                machine,
                domains,
                standby: 0,
                used,
                lead,
                others,
                scenarios,
            };
            Some(Job { standby: standby(&job.fleet()), ..job })
        })
        .collect())
}

/// The most GPUs of a domain that a job's workloads may use: as many as the leading one does, and every larger
/// number that another one could. Any number, where nothing depends on it.
fn ways(lead: &Run<'_>, others: &[Vec<Run<'_>>], spares: bool) -> Vec<u32> {
    if !spares {
        return vec![u32::MAX];
    }
    let each = others.iter().flatten().map(Run::used).filter(|used| *used > lead.used());
    let mut all: Vec<u32> = std::iter::once(lead.used()).chain(each).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// GPUs of a domain that hold ranks, of the workload that has most there.
pub(crate) fn most_used<'a>(lead: &Run<'a>, others: &[Vec<Run<'a>>]) -> u32 {
    std::iter::once(lead).chain(others.iter().flatten()).map(Run::used).max().unwrap_or(1)
}
