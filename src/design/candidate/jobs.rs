//! The jobs that are worth a network on a machine: layouts, rank orders, and the machines that stand by.
//! Sizes nothing.

use super::carried::RobustScenarios;
use std::collections::BTreeSet;

use super::fitting::{Overflow, runs_that_fit};
use super::infeasible::Infeasible;
use super::job::Job;
use super::layouts::{LayoutFilter, PinnedLayout, has_open_layouts, needs_one_layout_per_workload};
use super::machine::Machine;
use super::run::JobRun;
use super::standby::standby_choices;
use crate::reliability::Standby;
use crate::scenario::{Scenario, Workload};

/// The jobs worth designing for on a machine: of every workload the layout that is requested or pinned, or the
/// fastest one that fits, in every rank order that is open and stays within the slowdown that the scenario
/// allows. Of workloads beside the leading one a job has all orders and, where layouts may be chosen beside the
/// network, all layouts that fit its machines; one of each where something is asked of one.
///
/// # Errors
/// Why a workload does not fit.
pub(crate) fn list_jobs<'a>(
    scenario: &'a Scenario,
    machine: Machine<'a>,
    (overflow, pinned): (Overflow, &[PinnedLayout]),
) -> Result<Vec<Job<'a>>, Infeasible> {
    let one_each = needs_one_layout_per_workload(scenario);
    let weighed = overflow == Overflow::Refused && has_open_layouts(scenario) && !one_each;
    let all = |(number, workload): (usize, &'a Workload)| {
        let open = match pinned.get(number) {
            Some(layout) => LayoutFilter::Pinned(layout),
            None if number > 0 && weighed => LayoutFilter::Listed,
            None => LayoutFilter::Fastest,
        };
        runs_that_fit(scenario, workload.for_product(machine.node), machine, (overflow, open))
            .map_err(|reason| reason.for_workload(scenario, workload))
    };
    let mut all = scenario.workloads().enumerate().map(all).collect::<Result<Vec<_>, _>>()?;
    let leads = all.remove(0);
    let of_one_lead = |lead: JobRun<'a>| -> Vec<Job<'a>> {
        let teams = if one_each {
            one_of_each(&all)
        } else {
            other_runs_by_machine_use(scenario, &lead, &all)
        };
        teams
            .into_iter()
            .map(|others| job_of_runs(scenario, (overflow, lead.clone()), others))
            .collect()
    };
    Ok(leads.into_iter().flat_map(of_one_lead).collect())
}

/// The job of a run of the leading workload beside some of every other.
fn job_of_runs<'a>(
    scenario: &'a Scenario,
    (overflow, lead): (Overflow, JobRun<'a>),
    others: Vec<Vec<JobRun<'a>>>,
) -> Job<'a> {
    let machine = lead.machine;
    let runs = std::iter::once(&lead).chain(others.iter().flatten());
    let domains = runs.map(|run| run.domains_needed(scenario)).max().unwrap_or(1);
    let scenarios = match overflow {
        Overflow::Refused => {
            let each = others.iter().filter_map(|runs| runs.first());
            let each: Vec<&JobRun<'a>> = std::iter::once(&lead).chain(each).collect();
            RobustScenarios::from_limits(scenario, domains, &each)
        }
        Overflow::Reported => RobustScenarios::default(), // no fabric is sized
    };
    let used = max_used_gpus(&lead, &others);
    let (id, kin, standby) = (0, 0, Standby::NONE);
    Job { id, kin, scenario, machine, domains, standby, used, lead, others, scenarios }
}

/// A job with the machines on standby that may be best: each with other ports than its own has a fabric of its own, of
/// which routing said nothing.
pub(super) fn with_standby<'a>(job: &Job<'a>) -> Vec<Job<'a>> {
    let mut next = job.id;
    let with = |standby| {
        let this_job = Job { standby, ..job.clone() };
        if this_job.networked_domains() == job.networked_domains() {
            return this_job;
        }
        next += 1;
        Job { id: next, ..this_job.without_routes() }
    };
    standby_choices(&job.fleet()).into_iter().map(with).collect()
}

/// Every choice of one of each list.
pub(crate) fn every_layout_combination<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |choices, list| {
        let with = |choice: &Vec<T>| -> Vec<Vec<T>> {
            list.iter().map(|one| [choice.as_slice(), &[*one]].concat()).collect()
        };
        choices.iter().flat_map(with).collect()
    })
}

/// Every choice of one run of each workload.
fn one_of_each<'a>(all: &[Vec<JobRun<'a>>]) -> Vec<Vec<Vec<JobRun<'a>>>> {
    let lists: Vec<Vec<&JobRun<'a>>> = all.iter().map(|runs| runs.iter().collect()).collect();
    let alone = |team: Vec<&JobRun<'a>>| team.into_iter().map(|run| vec![run.clone()]).collect();
    every_layout_combination(&lists).into_iter().map(alone).collect()
}

/// Beside a run of the leading workload all runs of every other that take no more of its machines than some
/// amount: as much as the leading one does, and every larger amount that another one could.
fn other_runs_by_machine_use<'a>(
    scenario: &Scenario,
    lead: &JobRun<'a>,
    others: &[Vec<JobRun<'a>>],
) -> Vec<Vec<Vec<JobRun<'a>>>> {
    let size = |run: &JobRun<'a>| run.domains_needed(scenario);
    // How many GPUs of a domain are used matters where trays that are not take the place of others.
    let spares = lead.machine.replaceable_tray().is_some();
    let used = match spares {
        true => amounts_from_lead_up(lead, others, JobRun::used_gpus_per_domain),
        false => BTreeSet::from([u32::MAX]),
    };
    let hosts = amounts_from_lead_up(lead, others, JobRun::host_memory_bought);
    let mut teams = Vec::new();
    for domains in amounts_from_lead_up(lead, others, size) {
        for used in &used {
            for host in &hosts {
                let holds = |run: &&JobRun<'a>| {
                    let host_memory = run.host_memory_bought();
                    size(run) <= domains
                        && run.used_gpus_per_domain() <= *used
                        && host_memory <= *host
                };
                let fitting = |runs: &Vec<JobRun<'a>>| runs.iter().filter(holds).cloned().collect();
                let team: Vec<Vec<JobRun<'a>>> = others.iter().map(fitting).collect();
                // Amounts that hold no layout of a workload, or none more than less of them.
                let takes = |pair: &dyn Fn(&JobRun<'a>) -> u64| {
                    std::iter::once(lead).chain(team.iter().flatten()).map(pair).max()
                };
                let all_of_it = takes(&|run| size(run).into()) == Some(domains.into())
                    && (!spares
                        || takes(&|run| run.used_gpus_per_domain().into())
                            == Some(u64::from(*used)))
                    && takes(&JobRun::host_memory_bought) == Some(*host);
                if all_of_it && team.iter().all(|runs| !runs.is_empty()) {
                    teams.push(team);
                }
            }
        }
    }
    teams
}

/// What the leading workload uses, and every larger amount that another one could.
fn amounts_from_lead_up<'a, T: Ord + Copy>(
    lead: &JobRun<'a>,
    others: &[Vec<JobRun<'a>>],
    read: impl Fn(&JobRun<'a>) -> T,
) -> BTreeSet<T> {
    let least = read(lead);
    let more = others.iter().flatten().map(read).filter(|own| *own > least);
    std::iter::once(least).chain(more).collect()
}

/// GPUs of a domain that hold ranks, of the workload that has most there.
pub(crate) fn max_used_gpus<'a>(lead: &JobRun<'a>, others: &[Vec<JobRun<'a>>]) -> u32 {
    std::iter::once(lead)
        .chain(others.iter().flatten())
        .map(JobRun::used_gpus_per_domain)
        .max()
        .unwrap_or(1)
}
