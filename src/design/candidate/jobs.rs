//! The jobs that are worth a network on a machine: layouts, rank orders, and the machines that stand by.
//! Sizes nothing.

use super::carried::Scenarios;
use std::collections::BTreeSet;

use super::fitting::{Overflow, runs};
use super::infeasible::Infeasible;
use super::job::Job;
use super::layouts::{Open, are_open_beside_network};
use super::machine::Machine;
use super::run::Run;
use super::standby::standby;
use crate::scenario::{Scenario, Workload};

/// The jobs worth designing for on a machine: of the leading workload the layout that is
/// requested, or the fastest one that fits, in every rank order that is open and stays within the
/// slowdown that the scenario allows; of every other workload at once all its orders and, where layouts
/// may be chosen beside the network, all its layouts.
///
/// # Errors
/// Why a workload does not fit.
pub(crate) fn jobs<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    (overflow, lead): (Overflow, Open<'_>),
) -> Result<Vec<Job<'a>>, Infeasible> {
    let all = |workload: &'a Workload, open| {
        runs(scenario, workload.on(machine.node), machine, (overflow, open))
            .map_err(|reason| reason.of(scenario, workload))
    };
    let weighed = overflow == Overflow::Refused && are_open_beside_network(scenario);
    let beside = if weighed { Open::Listed } else { Open::Fastest };
    let leads = all(&scenario.workload, lead)?;
    let others: Vec<Vec<Run<'a>>> =
        scenario.others.iter().map(|of| all(of, beside)).collect::<Result<_, _>>()?;
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
                let fits = |run: &&Run<'a>| size(run) <= domains && most.hold(run);
                runs.iter().filter(fits).cloned().collect()
            };
            let others: Vec<Vec<Run<'a>>> = others.iter().map(fitting).collect();
            if others.iter().any(Vec::is_empty) {
                return None; // these machines hold no layout of it
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

/// What the workloads of a job may use of its machines, each.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// GPUs of a domain.
    used: u32,
    /// GiB of a host beyond what ships.
    host_memory: u64,
}

impl Most {
    /// True for a run that uses no more.
    fn hold(self, run: &Run<'_>) -> bool {
        run.used() <= self.used && run.host_memory_bought() <= self.host_memory
    }
}

/// What a job's workloads may use of their machines: of each as much as the leading one does, and every larger
/// amount that another one could. Any number of GPUs, where nothing depends on it.
fn ways(lead: &Run<'_>, others: &[Vec<Run<'_>>], spares: bool) -> Vec<Most> {
    let used = match spares {
        true => amounts(lead, others, Run::used),
        false => BTreeSet::from([u32::MAX]),
    };
    let hosts = amounts(lead, others, Run::host_memory_bought);
    let with = |used: u32| hosts.iter().map(move |host| Most { used, host_memory: *host });
    used.into_iter().flat_map(with).collect()
}

/// What the leading workload uses, and every larger amount that another one could.
fn amounts<'a, T: Ord + Copy>(
    lead: &Run<'a>,
    others: &[Vec<Run<'a>>],
    of: impl Fn(&Run<'a>) -> T,
) -> BTreeSet<T> {
    let least = of(lead);
    let more = others.iter().flatten().map(of).filter(|own| *own > least);
    std::iter::once(least).chain(more).collect()
}

/// GPUs of a domain that hold ranks, of the workload that has most there.
pub(crate) fn most_used<'a>(lead: &Run<'a>, others: &[Vec<Run<'a>>]) -> u32 {
    std::iter::once(lead).chain(others.iter().flatten()).map(Run::used).max().unwrap_or(1)
}
